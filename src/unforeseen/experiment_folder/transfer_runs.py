"""The runs of a transfer, read back: the source's, and what each target says of its pictures.

Needs neither torch nor a model.
"""

__all__ = ["SOURCE", "TransferRun", "read_transfer"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from unforeseen.errors import RunError, one_line
from unforeseen.experiment_folder.record import read_experiment, run_path
from unforeseen.rows import CLEAN
from unforeseen.run_folder.attack_summary import AttackSummary
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.run_folder.record import RECORD_FILE

#: Where the source's run lies, with the pictures.
SOURCE = "source"


class TransferRun(NamedTuple):
    """One run of a transfer that was begun.

    Attributes:
        folder: Where it lies below the transfer's folder.
        summary: Its figures.
    """

    folder: str
    summary: AttackSummary


def read_transfer(folder: Path | str, *, over: Sequence[str] = ()) -> tuple[TransferRun, ...]:
    """Reads the runs of a transfer that were begun: the source's, then the targets'.

    Args:
        folder: The transfer's; one that isn't complete is read as far as it has come.
        over: As in :func:`unforeseen.run_folder.read_run.summarise`.

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
    read = [(run, read_attack_run(run_path(folder, run), over=over)) for run in ordered]
    (_, source), *targets = read
    _expect_a_source(run_path(folder, sources[0]), source.planned)
    for run, target in targets:
        _expect_its_pictures(run_path(folder, run), target.planned, source.planned)
    return tuple(TransferRun(run.folder, each.summary) for run, each in read)


def _expect_a_source(path: Path, source: PlannedAttackRun) -> None:
    if source.source_model is not None:
        raise RunError(f"{path}: expected the run that made the pictures, got a target's.")


def _expect_its_pictures(path: Path, target: PlannedAttackRun, source: PlannedAttackRun) -> None:
    """Raises RunError where a target's pictures aren't those of the source's run."""
    made = {cell.id for cell in source.cells}
    others = [cell for cell in target.cells if cell.transform != CLEAN and cell.source not in made]
    if others:
        raise RunError(
            f"{path}: expected what a target says of the pictures in {path.with_name(SOURCE)}; its "
            f"{others[0].transform} is of others. Put the source's run back, or use another "
            "--out."
        )
    if target.source_network != source.network:
        raise RunError(
            f"{path}: expected pictures made against the model of {path.with_name(SOURCE)}, got those "
            f"made against {one_line(str(target.source_model), longest=80)}, which is another network."
        )
