"""Whether what is asked for agrees with what a folder holds, before anything is written there."""

__all__ = ["run_to_continue"]

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.continuation import (
    changed_codes,
    previous_record,
    refuse_other_run,
    without_cells,
)


def run_to_continue(
    folder: Path, asked: dict[str, Any], *, of_any_model: bool = False
) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """The record of a run that what is asked for can be put into, or beside.

    Args:
        folder: The run's.
        asked: What is asked for, as :func:`~unforeseen.running.continuation.asked_record` puts it.
        of_any_model: Whether it is to stand beside the run, which may be of another model.

    Returns:
        The record, or None where no run was begun; and the ids of the cells that it leaves out, as
        their attack was mended before it attacked anything.

    Raises:
        RunError: They differ in what changes results, or the folder holds something else.
    """
    there = previous_record(folder)
    if there is None:
        return None, ()
    untried = _untried(folder, changed_codes(there, asked))
    there = without_cells(there, untried)
    refuse_other_run(folder, there, asked, of_any_model=of_any_model)
    return there, untried


def _untried(folder: Path, cells: Iterable[str]) -> tuple[str, ...]:
    """Those that attacked no picture yet, so that no row depends on the attack's code."""
    log = RunLog.open_for_reading(folder)
    return tuple(
        cell for cell in cells if log.rows([cell]).filter(pl.col("norm").is_not_null()).is_empty()
    )
