"""``table:FILE``: a CSV, TSV, JSONL or parquet table of paths and labels.

Labels are whole numbers as they stand, WNIDs (ImageNet's numbers) or names of classes. Names are
numbered from 0 in the order of their code points, but for ImageNet's 1,000, which get their own.
Relative paths are below the table's folder, or below ``?root=DIR``.
"""

__all__ = ["TABLE_SUFFIXES", "load_table"]

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from unforeseen.data.class_labels import Labels, read_labels
from unforeseen.data.columns import choose_column
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import portable
from unforeseen.data.parquet_layout import USUAL_COLUMNS
from unforeseen.errors import DataError, first_line
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.files.regular_files import read_regular_file
from unforeseen.uri import Uri, path_of

_USUAL_PATHS = ("path", "file", "file_name", "filename", "filepath", "file_path", "image_path")
_USUAL_COLUMNS = {
    "image": (*_USUAL_PATHS, *USUAL_COLUMNS["image"]),
    "label": tuple(dict.fromkeys(("label", "labels", "wnid", "synset", *USUAL_COLUMNS["label"]))),
}
# Suffix → what separates columns.
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_JSON_SUFFIXES = (".jsonl", ".ndjson")
#: What the name of a table ends in.
TABLE_SUFFIXES = (*_SEPARATORS, *_JSON_SUFFIXES, ".parquet")

_EXPECTED = {
    "image": "a column of paths",
    "label": "a column of whole numbers, true and false, WNIDs or names of classes",
}


class TableDataset(Dataset):
    """Pictures that a table lists.

    Args:
        root: What relative paths are below.
        paths: Per row, as the table writes them.
        labels: Per row.
        card: What is known.
    """

    def __init__(self, root: Path, paths: list[str], labels: Labels, card: DataCard) -> None:
        self._root = root
        self._paths = paths
        self.labels = labels.labels
        self.keys = [_key(root, path) for path in paths]
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        return read_regular_file(self._root / self._paths[index])

    def has_any_file(self) -> bool:
        """Whether at least one of the pictures is there."""
        # Not Path.is_file, which raises for what it can't ask about.
        return any(os.path.isfile(self._root / path) for path in self._paths)  # noqa: PTH113 - as said


def load_table(uri: Uri) -> TableDataset:
    """Reads the table; opens no picture.

    Raises:
        UserError: An option that there isn't.
        UnknownNameError: A column that there isn't.
        DataError: No table, no or several possible columns, rows without a path or a label, or
            none of the pictures is there.
    """
    uri.expect_options(("image", "label", "root"))
    file = path_of(uri.path)
    if not uri.path or not file.is_file():
        raise DataError(
            f"{uri.text!r}: expected a table of paths and labels ({', '.join(TABLE_SUFFIXES)}); "
            f"there is no file {uri.path!r}."
        )
    root = path_of(uri.options["root"]) if "root" in uri.options else file.parent
    if not root.is_dir():
        raise DataError(f"{uri.text!r}: there is no folder {str(root)!r} for ?root=.")
    try:
        table, notes = _read(uri, file)
    except UNREADABLE as error:
        raise DataError(f"{uri.text!r}: can't be read as a table: {first_line(error)}") from error
    if table.is_empty():
        raise DataError(f"{uri.text!r}: expected rows with paths and labels, found none.")
    paths = _paths(uri, table["image"])
    labels = read_labels(
        uri,
        table["label"].to_list(),
        "labels (whole numbers, WNIDs or names of classes)",
        lambda row: f"row {row + 1} ({portable(paths[row])})",
    )
    card = DataCard(
        uri=uri.text,
        label_space=labels.label_space,
        class_names=labels.class_names,
        images=len(paths),
        notes=notes + labels.notes,
    )
    dataset = TableDataset(root, paths, labels, card)
    if not dataset.has_any_file():
        raise DataError(
            f"{uri.text!r}: none of the {len(paths):,} pictures is there; the first would be "
            f"{root / paths[0]}. Say which folder the paths are below: ?root=DIR"
        )
    return dataset


def _read(uri: Uri, file: Path) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Columns ``image`` (String) and ``label`` (String or whole numbers), and notes.

    True and false are text, as in a CSV.
    """
    table = _open(uri, file)
    schema = table.collect_schema()
    image, image_notes = _choose(uri, schema, "image")
    others = {name: dtype for name, dtype in schema.items() if name != image}
    label, label_notes = _choose(uri, others, "label")
    if file.suffix.lower() in _SEPARATORS:
        _refuse_second_column(uri, schema, (image, label))
    numbers = schema[label].is_integer()
    chosen = table.select(
        pl.col(image).cast(pl.String).alias("image"),
        pl.col(label).cast(pl.Int64 if numbers else pl.String).alias("label"),
    )
    return chosen.collect(), image_notes + label_notes


def _open(uri: Uri, file: Path) -> pl.LazyFrame:
    kind = file.suffix.lower()
    if kind == ".parquet":
        return pl.scan_parquet(file, glob=False)
    if kind not in TABLE_SUFFIXES:
        raise DataError(
            f"{uri.text!r}: expected a name that ends in one of {', '.join(TABLE_SUFFIXES)}, got "
            f"{file.name}."
        )
    # Not by its path, in which polars would take brackets for a pattern.
    content = io.BytesIO(read_regular_file(file))
    if kind in _JSON_SUFFIXES:
        return pl.read_ndjson(content, infer_schema_length=None).lazy()
    return pl.read_csv(content, infer_schema=False, separator=_SEPARATORS[kind]).lazy()


def _refuse_second_column(uri: Uri, columns: Mapping[str, object], chosen: Sequence[str]) -> None:
    for name in chosen:
        if f"{name}_duplicated_0" in columns:  # as polars calls it
            raise DataError(
                f"{uri.text!r}: expected one column {name!r}, got several of this name. Rename or "
                "remove the others."
            )


def _choose(
    uri: Uri, schema: Mapping[str, pl.DataType], role: Literal["image", "label"]
) -> tuple[str, tuple[str, ...]]:
    """The column of a role. All columns of a CSV are text, so that usual names come first."""
    fitting = [
        name
        for name, dtype in schema.items()
        if dtype in (pl.String, pl.Categorical, pl.Enum)
        or (role == "label" and (dtype.is_integer() or dtype == pl.Boolean))
    ]
    usual = [name for name in fitting if name in _USUAL_COLUMNS[role]]
    return choose_column(
        uri,
        role,
        schema,
        fitting=fitting if role in uri.options or not usual else usual,
        usual=_USUAL_COLUMNS[role],
        expected=_EXPECTED[role],
    )


def _paths(uri: Uri, column: pl.Series) -> list[str]:
    paths: list[str | None] = column.to_list()
    for row, path in enumerate(paths, start=1):
        if not path or not path.strip():
            raise DataError(f"{uri.text!r}: expected a path in every row; row {row} has none.")
    return [path for path in paths if path]


def _key(root: Path, path: str) -> str:
    """The path as the table writes it; below ``root`` where it is absolute, else only its name."""
    if Path(path).is_absolute():
        # However either is typed; links are no spelling, so they stay.
        file, above = (Path(os.path.abspath(each)) for each in (path, root))  # noqa: PTH100 - as said
        path = file.relative_to(above).as_posix() if file.is_relative_to(above) else file.name
    return portable(path.replace("\\", "/"))
