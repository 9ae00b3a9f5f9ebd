"""``parquet:FILES``: pictures and labels in parquet files, as on the Hugging Face hub.

FILES is a file, a folder, a glob, a range (``{00..11}``), or several of these separated by
commas. Labels and file names are read at once; pictures in chunks of rows, of which a few are kept.
"""

__all__ = ["load_parquet"]

import threading
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unforeseen.data.class_labels import declared_labels
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import keys_of_rows
from unforeseen.data.parquet_layout import Layout, class_names_in, find_layout
from unforeseen.data.shards import find_files
from unforeseen.errors import DataError, first_line
from unforeseen.files.parquet_errors import UNREADABLE
from unforeseen.uri import Uri

_CHUNK_BYTES = 4 * 2**20
_CHUNKS_KEPT = 16


class ParquetDataset(Dataset):
    """Rows of one or several parquet files, in order.

    Args:
        files: Where they lie.
        layout: Which columns.
        rows: How many rows each file has.
        labels: (N,) over all files.
        keys: (N,) likewise.
        card: What is known.
    """

    def __init__(
        self,
        *,
        files: list[Path],
        layout: Layout,
        rows: list[int],
        labels: NDArray[np.int64],
        keys: list[str],
        card: DataCard,
    ) -> None:
        self._files = files
        self._layout = layout
        self._starts = [0, *accumulate(rows)]
        self._chunk_rows = [
            max(1, _CHUNK_BYTES * count // max(1, file.stat().st_size))
            for file, count in zip(files, rows, strict=True)
        ]
        self._kept = lru_cache(maxsize=_CHUNKS_KEPT)(self._read_chunk)
        self._lock = threading.Lock()
        self.labels = labels
        self.keys = keys
        self.card = card

    def read(self, index: int) -> bytes:
        """See the base class."""
        part = bisect_right(self._starts, index) - 1
        chunk, row = divmod(index - self._starts[part], self._chunk_rows[part])
        with self._lock:
            content: bytes | None = self._kept(part, chunk)[row]
        if content is None:
            raise OSError("the row holds no picture: its bytes are null")
        return content

    def _read_chunk(self, part: int, chunk: int) -> pl.Series:
        rows = self._chunk_rows[part]
        try:
            frame = (
                pl.scan_parquet(self._files[part], glob=False)
                .select(self._layout.content.alias("content"))
                .slice(chunk * rows, rows)
                .collect()
            )
        except UNREADABLE as error:
            # Polars' own words may hold the file's path, and with it a user's folders.
            raise OSError("the parquet file can't be read or decoded") from error
        return frame["content"]


def load_parquet(uri: Uri) -> ParquetDataset:
    """Reads labels and file names; decodes no picture.

    The columns are found by type and name; ``?image=NAME`` and ``?label=NAME`` choose.

    Raises:
        UserError: An option that there isn't.
        UnknownNameError: A column that there isn't.
        DataError: No such file, not parquet, no or several possible columns, missing or
            negative labels.
    """
    uri.expect_options(("image", "label"))
    files = find_files(uri, ".parquet")
    layout = find_layout(uri, files)
    frames = [_read_columns(uri, file, layout) for file in files]
    columns = pl.concat(frames)
    if columns.is_empty():
        raise DataError(f"{uri.text!r}: expected rows with pictures, found none.")
    labels = declared_labels(
        _checked_labels(uri, columns["label"], layout), class_names_in(files[0], layout.label)
    )
    return ParquetDataset(
        files=files,
        layout=layout,
        rows=[frame.height for frame in frames],
        labels=labels.labels,
        keys=keys_of_rows(columns["path"].to_list()),
        card=DataCard(
            uri=uri.text,
            label_space=labels.label_space,
            class_names=labels.class_names,
            images=len(columns),
            notes=layout.notes + labels.notes,
        ),
    )


def _read_columns(uri: Uri, file: Path, layout: Layout) -> pl.DataFrame:
    """Columns ``label`` (Int64, or null where it doesn't fit) and ``path`` (String)."""
    try:
        return (
            pl.scan_parquet(file, glob=False)
            .select(
                pl.col(layout.label).cast(pl.Int64, strict=False).alias("label"),
                layout.path.alias("path"),
            )
            .collect()
        )
    except UNREADABLE as error:
        raise DataError(f"{uri.text!r}: {file} can't be read: {first_line(error)}") from error


def _checked_labels(uri: Uri, labels: pl.Series, layout: Layout) -> NDArray[np.int64]:
    bad = labels.is_null() | (labels < 0)
    if bad.any():
        first = bad.arg_true()[0]
        raise DataError(
            f"{uri.text!r}: expected labels from 0 in column {layout.label!r}, but {bad.sum()} of "
            f"{len(labels)} are null or negative (the first in row {first}). Unlabelled test sets "
            "carry -1: use a labelled split, often the validation one, or choose another column "
            "with ?label=NAME."
        )
    return labels.to_numpy().astype(np.int64)
