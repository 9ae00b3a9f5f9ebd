"""What a run folder holds, read back. Needs neither torch nor the model."""

__all__ = ["Results", "load_results"]

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from unforeseen.report.render import to_markdown
from unforeseen.report.tables import result_tables
from unforeseen.summary import Summary, read_run


@dataclass(frozen=True, kw_only=True, repr=False)
class Results:
    """Rows and what they add up to.

    Attributes:
        rows: One row per picture, transform and level; columns as in :class:`unforeseen.rows.Row`.
        summary: Accuracies, UA2 and their intervals.
    """

    rows: pl.DataFrame
    summary: Summary

    def __repr__(self) -> str:
        return f"Results({self.rows.height} rows)\n\n{self.table()}"

    def _repr_markdown_(self) -> str:
        """What a notebook shows."""
        return self.table()

    def table(self, *, published: bool = False) -> str:
        """The figures as a Markdown table, one line per level.

        Args:
            published: Whether to add the paper's rows (beside edition ``published`` only).
        """
        return to_markdown(result_tables([self.summary], published=published))


def load_results(folder: str | Path) -> Results:
    """Reads a run folder; a run that isn't complete is read as far as it has come.

    Raises:
        RunError: The folder is not a run's.
    """
    summary, rows = read_run(folder)
    return Results(rows=rows, summary=summary)
