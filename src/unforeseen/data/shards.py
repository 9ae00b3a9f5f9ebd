"""Which files a URI names: files, folders, globs and numbered ranges, separated by commas."""

__all__ = ["find_files"]

import glob
import re
from collections.abc import Iterator
from pathlib import Path

from unforeseen.data.dataset import SPLIT_NAMES
from unforeseen.errors import DataError
from unforeseen.uri import Uri, path_of

_RANGE = re.compile(r"\{(\d{1,9})\.\.(\d{1,9})\}")


def find_files(uri: Uri, suffix: str) -> list[Path]:
    """Resolves what a URI's path names, in that order; globs and folders are sorted.

    ``data-{000000..000003}.tar`` stands for four files, all of which must be there.

    Args:
        uri: Its path is a file, a folder, a glob or a range, or several separated by commas.
        suffix: What files in a folder end in, such as ``.parquet``.

    Raises:
        DataError: Nothing there, something other than a file, a range that falls, or a folder that
            mixes splits.
    """
    parts = [uri.path] if path_of(uri.path).exists() else uri.path.split(",")
    files: list[Path] = []
    for part in (part.strip() for part in parts):
        for one in _expanded(uri, part):
            found = _resolve(uri, one, suffix) if one else []
            if not found:
                raise DataError(
                    f"{uri.text!r}: expected a {suffix} file, a folder of them, a glob or a range "
                    f"such as {{000..127}}; {one!r} matches nothing."
                )
            files.extend(found)
    for file in files:
        if not file.is_file():
            raise DataError(f"{uri.text!r}: {file} is neither a file nor a folder of files.")
    return list(dict.fromkeys(files))


def _expanded(uri: Uri, part: str) -> Iterator[str]:
    found = _RANGE.search(part)
    if found is None or path_of(part).exists():
        yield part
        return
    first, last = found.groups()
    if int(first) > int(last):
        raise DataError(
            f"{uri.text!r}: expected a range from the lower number to the higher one, such as "
            f"{{{last}..{first}}}; got {found[0]}."
        )
    for number in range(int(first), int(last) + 1):
        text = str(number).zfill(len(first))
        yield from _expanded(uri, part[: found.start()] + text + part[found.end() :])


def _resolve(uri: Uri, part: str, suffix: str) -> list[Path]:
    path = path_of(part)
    if path.is_dir():
        files = _files(path, f"*{suffix}") or _files(path, f"**/*{suffix}")
        _refuse_mixed_splits(uri, path, files, suffix)
        return files
    if path.exists():
        return [path]
    return sorted(Path(name) for name in glob.glob(str(path), recursive=True))  # noqa: PTH207 - Path.glob takes no absolute patterns


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _refuse_mixed_splits(uri: Uri, folder: Path, files: list[Path], suffix: str) -> None:
    splits = sorted({re.split(r"[^a-z]", file.stem.lower())[0] for file in files} & SPLIT_NAMES)
    if len(splits) > 1:
        raise DataError(
            f"{uri.text!r}: expected the files of one split, but {folder} holds "
            f"{' and '.join(splits)}. Name one, for example "
            f"{uri.scheme or suffix.removeprefix('.')}:{folder / f'{splits[0]}*{suffix}'}."
        )
