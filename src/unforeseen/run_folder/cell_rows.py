"""The rows of one cell, each picture once."""

__all__ = ["CellRows"]

from typing import NamedTuple, Self

import polars as pl

from unforeseen.errors import RunError
from unforeseen.run_folder.planned import PlannedCell


class CellRows(NamedTuple):
    """A cell and its rows, one a picture."""

    cell: PlannedCell
    rows: pl.DataFrame

    @classmethod
    def of(cls, cell: PlannedCell, rows: pl.DataFrame, seed: int) -> Self:
        """Takes a cell's rows out of a run's.

        Args:
            cell: Which.
            rows: Of any cells, as in :data:`unforeseen.rows.ROW_SCHEMA`.
            seed: The run's.

        Raises:
            RunError: A row contradicts the cell.
        """
        rows = rows.filter(pl.col("cell") == cell.id)
        expected = {"transform": cell.transform, "level": cell.level or "", "seed": seed}
        for column, value in expected.items():
            others = rows.filter(pl.col(column).ne_missing(pl.lit(value)))
            if not others.is_empty():
                raise RunError(
                    f"rows of {cell.name}: expected {column} {value!r}, got "
                    f"{others[column][0]!r:.80} in {others.height} of {rows.height}. They were "
                    "changed after the run; see unforeseen recount."
                )
        return cls(cell, rows.unique("example_id", keep="first", maintain_order=True))

    @property
    def images(self) -> int:
        """How many pictures have a row."""
        return self.rows.height
