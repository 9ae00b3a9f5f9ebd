"""The runs of a transfer, read back: the source's, and what each target says of its pictures.

Needs neither torch nor a model.
"""

__all__ = ["SOURCE", "TransferRun", "read_transfer"]

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from unforeseen.errors import RunError
from unforeseen.experiment_folder.record import ExperimentRun, read_experiment, run_path
from unforeseen.rows import CLEAN
from unforeseen.run_folder.record import RECORD_FILE, read_record
from unforeseen.run_folder.summary import Summary, summarise_folder

#: Where the source's run lies, with the pictures.
SOURCE = "source"


class TransferRun(NamedTuple):
    """One run of a transfer that was begun.

    Attributes:
        folder: Where it lies below the transfer's folder.
        summary: Its figures.
    """

    folder: str
    summary: Summary


def read_transfer(folder: Path | str, *, over: Sequence[str] = ()) -> tuple[TransferRun, ...]:
    """Reads the runs of a transfer that were begun: the source's, then the targets'.

    Args:
        folder: The transfer's; one that isn't complete is read as far as it has come.
        over: As in :func:`unforeseen.run_folder.summary.summarise`.

    Raises:
        RunError: It is no transfer, none of its runs was begun, or a target judges other pictures
            than its source made.
        BenchmarkError: A record's benchmark can't be used.
        UserError: A set in ``over`` can't be used.
    """
    experiment = read_experiment(folder)
    if experiment.name != "transfer":
        raise RunError(f"{folder}: expected a transfer, got an experiment over {experiment.name}.")
    begun = [run for run in experiment.runs if (run_path(folder, run) / RECORD_FILE).exists()]
    sources = [run for run in begun if run.folder == SOURCE]
    if not sources:
        raise RunError(
            f"{folder} holds a transfer without a run in {SOURCE}: run it first, or put it back."
        )
    ordered = sources + [run for run in begun if run.folder != SOURCE]
    made = read_record(run_path(folder, sources[0]))
    read = []
    for run in ordered:
        path = run_path(folder, run)
        read.append(TransferRun(run.folder, summarise_folder(path, over=over)))
        _expect_its_pictures(path, run, made)
    return tuple(read)


def _expect_its_pictures(path: Path, run: ExperimentRun, source: Mapping[str, Any]) -> None:
    """Raises RunError where a run's pictures aren't those of the source's run; records are checked."""
    record = read_record(path)
    if run.folder == SOURCE:
        if record.get("source_model") is not None:
            raise RunError(f"{path}: expected the run that made the pictures, got a target's.")
        return
    made = {cell["id"] for cell in source["cells"]}
    others = [
        cell
        for cell in record["cells"]
        if cell["transform"] != CLEAN and cell.get("source") not in made
    ]
    if others:
        raise RunError(
            f"{path}: expected what a target says of the pictures in {path.with_name(SOURCE)}; its "
            f"{others[0]['transform']} is of others. Put the source's run back, or use another "
            "--out."
        )
