"""Run folders that somebody changed by hand, for tests of what finds that."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from unforeseen.recount import Recount
from unforeseen.rows import ROW_SCHEMA


def broken(result: Recount) -> str:
    return "\n".join(f"{each.rule}: {each.example}" for each in result.violations)


def edit_row(run: Path, transform: str, changes: dict[str, object], *, where: pl.Expr) -> int:
    """Changes the first row of a transform for which ``where`` holds; returns its place."""
    for file in (run / "rows").glob("cell-*.parquet"):
        rows = pl.read_parquet(file).with_row_index("place")
        if rows["transform"][0] != transform:
            continue
        place = rows.filter(where)["place"][0]
        values = [
            pl.when(pl.col("place") == place)
            .then(pl.lit(value, dtype=ROW_SCHEMA[column]))
            .otherwise(column)
            .alias(column)
            for column, value in changes.items()
        ]
        rows.with_columns(values).drop("place").write_parquet(file)
        return int(place)
    raise AssertionError(transform)


def edit_record(run: Path, change: Callable[[dict[str, Any]], object]) -> None:
    record = json.loads((run / "run.json").read_bytes())
    change(record)
    (run / "run.json").write_text(json.dumps(record), encoding="utf-8")
