"""What a file unfolds into is what polars makes of it, whatever the file's footer says."""

import io
from typing import Literal

import polars as pl
import pytest

from unforeseen.files.parquet_size import unfolded

Compression = Literal["zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"]
COMPRESSIONS: tuple[Compression, ...] = (
    *("zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"),
)


def encoded(frame: pl.DataFrame, **options: object) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file, **options)  # type: ignore[arg-type]  # as each test names them
    return file.getvalue()


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("statistics", [True, False])
def test_a_text_has_its_length_under_any_compression(
    compression: Compression, statistics: bool
) -> None:
    frame = pl.DataFrame({"text": ["a" * 1_000_000, "b" * 500_000]})
    size, values = unfolded(encoded(frame, compression=compression, statistics=statistics))
    assert 1_500_000 <= size <= 1_500_000 + 500
    assert 2 <= values <= 4, "and those of a dictionary"


def test_entries_of_lists_are_counted_in_all_row_groups_and_pages() -> None:
    draws = list(range(10_000))
    frame = pl.DataFrame({"number": draws, "pair": [[each, each + 1] for each in draws]})
    content = encoded(frame, row_group_size=700, data_page_size=500)
    size, values = unfolded(content)
    assert 30_000 <= values <= 61_000, "three numbers in each, a dictionary besides at most"
    assert size >= 10_000


def test_a_file_without_rows_unfolds_into_nothing() -> None:
    assert unfolded(encoded(pl.DataFrame(schema={"a": pl.Int64}))) == (0, 0)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"PAR1" + b"\xff" * 40 + b"PAR1"])
def test_what_is_no_parquet_file_is_told(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unfolded(content)


@pytest.mark.parametrize("place", range(-200, -8, 7))
def test_damaged_footers_are_read_or_told(place: int) -> None:
    whole = encoded(pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"]}))
    for byte in (0x00, 0x7F, 0xFF):
        damaged = bytearray(whole)
        damaged[place] = byte
        try:
            assert unfolded(bytes(damaged)).size < 10**10
        except ValueError:
            continue
