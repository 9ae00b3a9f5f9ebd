"""Data files of any content open or are refused in one line; their pictures are bytes or missing."""

import io
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.in_memory import encoded, noise
from fuzz.opening import opened
from fuzzing import damaged, fuzz

PICTURES = [encoded(noise(seed=number)) for number in range(3)]


def parquet() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(
        {
            "image": [{"bytes": each, "path": f"{n}.png"} for n, each in enumerate(PICTURES)],
            "label": [0, 1, 2],
        }
    ).write_parquet(buffer)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data")
    for number, picture in enumerate(PICTURES):
        (made / f"{number}.png").write_bytes(picture)
    return made


@fuzz(300)
@given(content=damaged(parquet()))
def test_damaged_parquet_opens_or_is_refused(folder: Path, content: bytes) -> None:
    (folder / "test.parquet").write_bytes(content)
    opened(f"parquet:{folder / 'test.parquet'}")


CSV = b"path,label\n0.png,cat\n1.png,dog\n2.png,cat\n"
LINES = b"".join(json.dumps({"path": f"{n}.png", "label": n}).encode() + b"\n" for n in range(3))


@pytest.mark.parametrize(("suffix", "whole"), [("csv", CSV), ("jsonl", LINES)])
@fuzz(200)
@given(draw=st.data())
def test_damaged_tables_open_or_are_refused(
    folder: Path, suffix: str, whole: bytes, draw: st.DataObject
) -> None:
    file = folder / f"table.{suffix}"
    file.write_bytes(draw.draw(damaged(whole) | st.binary(max_size=100)))
    opened(f"table:{file}")
