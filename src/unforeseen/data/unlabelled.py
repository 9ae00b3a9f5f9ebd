"""Pictures whose labels nobody looks at: a plain folder of them, or any data set."""

__all__ = ["load_unlabelled"]

from pathlib import Path

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import PICTURE_SUFFIXES, is_picture_name, portable
from unforeseen.data.imagefolder import ImageFolder
from unforeseen.data.uri import load_data
from unforeseen.errors import DataError
from unforeseen.uri import expect_utf8, path_of


def load_unlabelled(uri: str) -> Dataset:
    """Opens pictures.

    Args:
        uri: The path of a folder, of which all pictures are taken that lie in it or below, whatever
            its folders are called; or anything that :func:`unforeseen.data.load_data` takes.

    Returns:
        The pictures; those of a folder all have label 0.

    Raises:
        UserError: There are none, or no record can hold the path.
    """
    expect_utf8(uri)
    root = path_of(uri)
    if not root.is_dir():
        return load_data(uri)
    below = (path.relative_to(root) for path in root.rglob("*") if is_picture_name(path.name))
    files = sorted((path.as_posix() for path in below if _counts(root, path)), key=portable)
    if not files:
        raise DataError(
            f"{uri!r}: expected a folder of pictures ({' '.join(PICTURE_SUFFIXES)}), found none in it "
            "or below. Add some, or give a data URI ('unforeseen list data' shows all kinds)."
        )
    card = DataCard(uri=uri, label_space=None, class_names=(), images=len(files))
    return ImageFolder(root, files, [0] * len(files), card)


def _counts(root: Path, file: Path) -> bool:
    """Whether it is a file, and not hidden as those are that systems put beside pictures."""
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in file.parts)
    return not hidden and (root / file).is_file()
