"""``hf:NAME_OR_DIR``: data sets through the Hugging Face library ``datasets``.

A name on the hub, a local folder (of pictures or of parquet files), or what ``save_to_disk`` wrote.
From release 4 on, the library runs no code that a data set brings. Pictures stay encoded.
"""

__all__ = ["load_huggingface"]

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unforeseen.data.class_labels import Labels, declared_labels, read_labels
from unforeseen.data.columns import choose_column
from unforeseen.data.dataset import SPLIT_NAMES, DataCard, Dataset
from unforeseen.data.file_names import keys_of_rows
from unforeseen.data.parquet_layout import USUAL_COLUMNS
from unforeseen.errors import DataError, first_line
from unforeseen.extras import import_extra
from unforeseen.files.regular_files import read_regular_file
from unforeseen.uri import Uri, path_of

_OPTIONS = ("config", "image", "label", "revision", "split")
_EXPECTED = {
    "image": "a column of the feature Image",
    "label": "a column of the feature ClassLabel, of whole numbers or of text",
}


class HuggingFaceDataset(Dataset):
    """Rows of a ``datasets.Dataset``.

    Args:
        pictures: One column, ``image``, of ``{"bytes", "path"}``.
        labels: Per row.
        keys: Per row.
        card: What is known.
    """

    def __init__(self, pictures: Any, labels: Labels, keys: list[str], card: DataCard) -> None:
        self._pictures = pictures
        self.labels = labels.labels
        self.keys = keys
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        picture = self._pictures[index]["image"] or {}
        content, path = picture.get("bytes"), picture.get("path")
        if content is not None:
            return bytes(content)
        if path is None:
            raise OSError("the row holds no picture")
        return read_regular_file(Path(path))


def load_huggingface(uri: Uri) -> HuggingFaceDataset:
    """Opens one split; decodes no picture. A name on the hub is downloaded once.

    Raises:
        MissingExtraError: ``datasets`` isn't installed.
        UserError: An option that there isn't, or ``datasets`` can't be imported.
        UnknownNameError: A split or a column that there isn't.
        DataError: No such data set, several splits or columns that could be meant, or rows
            without labels.
    """
    uri.expect_options(_OPTIONS)
    datasets: Any = import_extra(
        "datasets", needed_by=uri.text, package="datasets", extra="datasets"
    )
    if not uri.path:
        raise DataError(f"{uri.text!r}: expected the name of a data set or a folder, got none.")
    rows, split_notes = _open(uri, datasets)
    columns = dict(rows.features)
    pictures = [name for name, kind in columns.items() if isinstance(kind, datasets.Image)]
    image, image_notes = _choose(uri, "image", columns, pictures)
    label, label_notes = _choose(uri, "label", columns, _label_columns(columns, datasets))
    # Without decoding: what is hashed is the file, and a broken one must not end the run.
    undecoded = (
        rows.select_columns([image])
        .cast_column(image, datasets.Image(decode=False))
        .rename_columns({image: "image"} if image != "image" else {})
    )
    keys = keys_of_rows(_column(undecoded, "image.path"))
    labels = _labels(
        uri, columns[label], _column(rows.select_columns([label]), label), lambda row: keys[row]
    )
    return HuggingFaceDataset(
        undecoded.with_format(None),
        labels,
        keys,
        DataCard(
            uri=uri.text,
            label_space=labels.label_space,
            class_names=labels.class_names,
            images=len(keys),
            notes=(*split_notes, *image_notes, *label_notes, *labels.notes),
        ),
    )


def _open(uri: Uri, datasets: Any) -> tuple[Any, tuple[str, ...]]:
    """The rows of a split, and a note where the user named none and there were others."""
    place = path_of(uri.path)
    local = str(place) if place.exists() else uri.path
    try:
        with _quiet():
            if (place / "state.json").is_file():
                return _saved_split(uri, datasets.load_from_disk(local))
            if (place / "dataset_dict.json").is_file():
                saved = datasets.load_from_disk(local)
                split, notes = _split(uri, list(saved), parts=False)
                return saved[split], notes
            asked = {"name": uri.options.get("config"), "revision": uri.options.get("revision")}
            names = datasets.get_dataset_split_names(
                local, asked["name"], revision=asked["revision"]
            )
            split, notes = _split(uri, names, parts=True)
            return datasets.load_dataset(local, split=split, **asked), notes
    except DataError:
        raise
    except Exception as error:  # the hub, the disk and each format raise errors of their own
        cause = error.__cause__ if type(error).__name__ == "DatasetGenerationError" else None
        reason = first_line(cause or error)
        if "scripts are no longer supported" in reason:
            reason += (
                ". Code that comes with data is never run; of a folder with other files in it, give "
                "these: parquet:, imagefolder: or webdataset:"
            )
        raise DataError(f"{uri.text!r} can't be loaded: {reason}") from error


def _saved_split(uri: Uri, rows: Any) -> tuple[Any, tuple[str, ...]]:
    asked, there = uri.options.get("split"), rows.split
    if asked is not None and there is not None and str(there) != asked:
        raise DataError(f"{uri.text!r}: expected ?split={there}, which was saved there.")
    return rows, ()


def _split(uri: Uri, names: Sequence[str], *, parts: bool) -> tuple[str, tuple[str, ...]]:
    """The split to take, or a part of one (``test[:100]``) where the library can do that."""
    asked = uri.options.get("split")
    if asked is not None and (asked.partition("[")[0] if parts else asked) in names:
        return asked, ()
    if asked is None and len(names) == 1:
        return names[0], ()
    held_out = [name for name in names if name in SPLIT_NAMES and not name.startswith("train")]
    if asked is None and len(held_out) == 1:
        return held_out[0], (f"the split {held_out[0]} is taken; ?split=NAME chooses",)
    example = (held_out or list(names) or ["test"])[0]
    raise DataError(
        f"{uri.text!r}: expected one of the splits {', '.join(names)} as ?split=, for example "
        f"?split={example}; got {asked or 'none'}."
    )


def _choose(
    uri: Uri, role: str, columns: dict[str, Any], fitting: list[str]
) -> tuple[str, tuple[str, ...]]:
    return choose_column(
        uri,
        role,
        {name: getattr(kind, "dtype", type(kind).__name__) for name, kind in columns.items()},
        fitting=fitting,
        usual=USUAL_COLUMNS["image" if role == "image" else "label"],
        expected=_EXPECTED[role],
    )


def _label_columns(columns: dict[str, Any], datasets: Any) -> list[str]:
    """Those of the most telling kind that there is: classes, whole numbers, text."""
    kinds = {
        name: "classes" if isinstance(kind, datasets.ClassLabel) else str(kind.dtype)
        for name, kind in columns.items()
        if isinstance(kind, datasets.ClassLabel | datasets.Value)
    }
    for wanted in (("classes",), ("int", "uint"), ("string", "large_string")):
        found = [name for name, kind in kinds.items() if kind.startswith(wanted)]
        if found:
            return found
    return []


def _column(rows: Any, name: str) -> list[Any]:
    """A column, or a field of one, without touching the others; they may be larger than memory."""
    return [
        value
        for part in rows.with_format("arrow").iter(1000)
        for value in part.flatten().column(name).to_pylist()
    ]


def _labels(
    uri: Uri, feature: Any, values: list[int | str | None], name_of: Callable[[int], str]
) -> Labels:
    # That a test set has no labels is said with -1.
    labels = read_labels(uri, values, "labels", name_of)
    names = getattr(feature, "names", None)
    return labels if names is None else declared_labels(labels.labels, names)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the hub's client from reporting each of its retries; the error at their end says it."""
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
