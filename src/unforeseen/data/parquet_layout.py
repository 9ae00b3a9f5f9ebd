"""Which columns of parquet files are pictures and labels."""

__all__ = ["USUAL_COLUMNS", "Layout", "class_names_in", "find_layout"]

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from unforeseen.data.columns import choose_column
from unforeseen.errors import DataError, first_line
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.uri import Uri

#: In order of preference, where several columns have the right type.
USUAL_COLUMNS = {
    "image": ("image", "img", "images", "picture", "jpg", "jpeg", "png", "webp", "bytes"),
    "label": ("label", "labels", "fine_label", "class", "class_id", "cls", "target", "y"),
}
_EXPECTED = {
    "image": "a struct with the field 'bytes', or a binary column",
    "label": "a column of whole numbers",
}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Where pictures and labels are.

    Attributes:
        label: The label column.
        content: Expression of the encoded picture (Binary).
        path: Expression of the file's name (String; null where there is none).
        notes: What the user should be told.
    """

    label: str
    content: pl.Expr
    path: pl.Expr
    notes: tuple[str, ...]


def find_layout(uri: Uri, files: list[Path]) -> Layout:
    """Finds the columns by type, then by usual name, unless the URI names them.

    Raises:
        UnknownNameError: The URI names a column that there isn't.
        DataError: Not parquet, no or several possible columns, or files that differ.
    """
    schema = _schema(uri, files[0])
    image, image_notes = _choose(uri, schema, "image")
    label, label_notes = _choose(uri, schema, "label")
    for file in files[1:]:
        other = _schema(uri, file)
        if other.get(image) != schema[image] or not _holds_labels(other.get(label)):
            raise DataError(
                f"{uri.text!r}: expected the columns {image!r} ({schema[image]}) and {label!r} (whole "
                f"numbers) of {files[0].name} in every file, but {file.name} has {_columns(other)}."
            )
    column, dtype = pl.col(image), schema[image]
    fields = {field.name for field in dtype.fields} if isinstance(dtype, pl.Struct) else set()
    path = column.struct.field("path") if "path" in fields else pl.lit(None)
    return Layout(
        label=label,
        content=column.struct.field("bytes") if fields else column,
        path=path.cast(pl.String),
        notes=image_notes + label_notes,
    )


def class_names_in(file: Path, label: str) -> tuple[str, ...]:
    """The class names that the Hugging Face library wrote into a file; empty if there are none."""
    try:
        text = pl.read_parquet_metadata(file).get("huggingface", "null")
    except UNREADABLE:
        return ()
    try:
        names = json.loads(text)["info"]["features"][label]["names"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
    return tuple(str(name) for name in names) if isinstance(names, list) else ()


def _schema(uri: Uri, file: Path) -> dict[str, pl.DataType]:
    try:
        return dict(pl.scan_parquet(file, glob=False).collect_schema())
    except UNREADABLE as error:
        raise DataError(
            f"{uri.text!r}: {file} is not a parquet file: {first_line(error)}"
        ) from error


def _choose(
    uri: Uri, schema: dict[str, pl.DataType], role: Literal["image", "label"]
) -> tuple[str, tuple[str, ...]]:
    """The column of a role, and a note where others would have fitted as well."""
    fits = _holds_pictures if role == "image" else _holds_labels
    return choose_column(
        uri,
        role,
        schema,
        fitting=[name for name, dtype in schema.items() if fits(dtype)],
        usual=USUAL_COLUMNS[role],
        expected=_EXPECTED[role],
    )


def _holds_pictures(dtype: pl.DataType) -> bool:
    if isinstance(dtype, pl.Struct):
        return any(field.name == "bytes" and field.dtype == pl.Binary for field in dtype.fields)
    return dtype == pl.Binary


def _holds_labels(dtype: pl.DataType | None) -> bool:
    return dtype is not None and dtype.is_integer()


def _columns(schema: dict[str, pl.DataType]) -> str:
    return ", ".join(f"{name} ({dtype})" for name, dtype in schema.items()) or "none"
