"""What a recount does otherwise for runs of attacks than for runs of obfuscations."""

__all__ = ["RecountedRun", "recounted"]

import abc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, final

from typing_extensions import override

from unforeseen.recount.figures import Figures, Tally, figures_of
from unforeseen.recount.obfuscation_figures import (
    claimed_obfuscation_figures,
    obfuscation_figures_of,
)
from unforeseen.recount.rule import Expected
from unforeseen.recount.summaries import claimed_figures
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.planned_attacks import PlannedAttackRun
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun

#: Losses that aim at another wrong class at each start, and how many starts come before that.
_UNTARGETED_STARTS = {"targeted_dlr": 0, "autoattack": 1}


@dataclass(frozen=True, kw_only=True)
class RecountedRun(abc.ABC):
    """A run whose figures are counted again.

    Attributes:
        decides: The column of rows that figures are shares of.
        all_counted: Whether the figures are all that a summary has. Else what isn't counted (intervals,
            and how many pictures each class has) must be as ``results`` says.
        notes: What can't be compared, in words.
    """

    decides: ClassVar[Literal["correct", "correct_any"]]
    all_counted: ClassVar[bool]

    notes: Sequence[str] = ()

    @abc.abstractmethod
    def expected(self, common: Expected) -> Expected:
        """What rows of a cell are held against: what runs of all kinds have, and what this kind has."""

    @abc.abstractmethod
    def figures(self, tallies: Mapping[str, Tally], labels: Mapping[str, int]) -> Figures:
        """The figures, of what the rows of each cell add up to and of each picture's true class."""

    @abc.abstractmethod
    def claimed(self, summary: Mapping[str, Any]) -> Figures:
        """Spreads a summary's content as these figures are."""


@final
@dataclass(frozen=True, kw_only=True)
class _Attacks(RecountedRun):
    decides: ClassVar[Literal["correct", "correct_any"]] = "correct"
    all_counted: ClassVar[bool] = True

    run: PlannedAttackRun

    @override
    def expected(self, common: Expected) -> Expected:
        search, edition = self.run.search, self.run.benchmark.editions[self.run.edition]
        return replace(
            common,
            judging="any" if search.visits else edition.judging,
            untargeted_starts=_UNTARGETED_STARTS.get(search.loss),
            gradients=search.name != "random",
        )

    @override
    def figures(self, tallies: Mapping[str, Tally], labels: Mapping[str, int]) -> Figures:
        return figures_of(self.run, tallies)

    @override
    def claimed(self, summary: Mapping[str, Any]) -> Figures:
        return claimed_figures(summary)


@final
@dataclass(frozen=True, kw_only=True)
class _Obfuscations(RecountedRun):
    decides: ClassVar[Literal["correct", "correct_any"]] = "correct_any"
    all_counted: ClassVar[bool] = False

    run: PlannedObfuscationRun
    drawn: Mapping[str, Callable[[str, int], str]]

    @override
    def expected(self, common: Expected) -> Expected:
        return replace(
            common,
            obfuscated=common.cell.transform != CLEAN,
            ready_made=self.run.ready_made,
            worst_of=self.run.worst_of,
            drawn=self.drawn.get(common.cell.transform),
        )

    @override
    def figures(self, tallies: Mapping[str, Tally], labels: Mapping[str, int]) -> Figures:
        return obfuscation_figures_of(self.run, tallies, labels)

    @override
    def claimed(self, summary: Mapping[str, Any]) -> Figures:
        return claimed_obfuscation_figures(summary)


def recounted(run: PlannedRun, assets: Path | None) -> RecountedRun:
    """Gets a run ready for its recount.

    Args:
        run: What its record says.
        assets: As :func:`unforeseen.recount.folder.recount` takes it.

    Raises:
        AssetError: ``assets`` is no pack.
    """
    if isinstance(run, PlannedAttackRun):
        return _Attacks(run=run)
    assert isinstance(run, PlannedObfuscationRun)
    if run.ready_made:
        return _Obfuscations(run=run, drawn={})
    from unforeseen.recount.drawn_again import draw_again  # noqa: PLC0415 – imports torch

    drawn, notes = draw_again(run, assets)
    return _Obfuscations(run=run, drawn=drawn, notes=notes)
