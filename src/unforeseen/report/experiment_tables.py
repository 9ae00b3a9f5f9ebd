"""From an experiment's runs to tables of plain data, one for each level that was run.

A sweep has a line for each attack and a column for each value. Where it is of several models, its
first block is of their mean: each figure is then over the pictures that all of them have judged, and
its interval is a bootstrap that draws pictures, each with the verdicts of all models (see
:mod:`unforeseen.metrics.mean`). Seeds have the same figures, and how much they spread.
"""

__all__ = ["Block", "Choice", "ExperimentTable", "Line", "experiment_tables"]

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from unforeseen.benchmarks import LEVELS, Level
from unforeseen.benchmarks.scaled import in_name
from unforeseen.counted import counted
from unforeseen.errors import RunError
from unforeseen.experiment_folder.points import PointResults, base_benchmark, read_points
from unforeseen.experiment_folder.record import Experiment, ExperimentName, read_experiment
from unforeseen.metrics import Estimate, Spread, accuracy, mean_accuracy, spread
from unforeseen.report.experiment_notes import experiment_notes
from unforeseen.report.tables import columns_of
from unforeseen.rows import CLEAN

#: How far above the lowest accuracy a smaller number of steps may lie and still do, appendix A.
_TOLERANCE = 0.1

#: What the values of an experiment are called above them.
_UNITS: Mapping[ExperimentName, str] = MappingProxyType(
    {"steps": "steps", "radii": "radii ×", "step-sizes": "step sizes ×", "seeds": "seed"}
)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One figure at every value.

    Attributes:
        key: ``clean_accuracy``, ``ua2``, an attack's name, or ``mean:A+B`` where only these of the
            core attacks were run.
        heading: For people.
        kind: Whether it is of one attack, the mean over the core attacks, or without any.
        figures: One for each value of the table; None where it wasn't run.
        spread: Over the values, of seeds; else None.
    """

    key: str
    heading: str
    kind: Literal["attack", "mean", "clean"]
    figures: tuple[Estimate | None, ...]
    spread: Spread | None = None


@dataclass(frozen=True, kw_only=True)
class Block:
    """The figures of one model, or the mean over all.

    Attributes:
        model: Its URI; None for the mean over models.
        lines: Attack by attack, the core ones first; then their mean, and the clean accuracy.
    """

    model: str | None
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The value that a sweep speaks for under one attack.

    Attributes:
        attack: Its name.
        heading: For people.
        value: The one.
        accuracy: There, mean over models.
        lowest: The lowest accuracy at any value.
        at_the_end: Beyond it nothing was run, so that accuracy may fall further.
    """

    attack: str
    heading: str
    value: float
    accuracy: float
    lowest: float
    at_the_end: bool


@dataclass(frozen=True, kw_only=True)
class ExperimentTable:
    """An experiment at one level.

    Attributes:
        experiment: Which one.
        benchmark: Its name, where multiples are of it that of the original.
        edition: Its name.
        level: Of the attacks.
        models: URIs, in the order of the experiment.
        images: How many pictures were chosen, the most of any run.
        values: Rising.
        notes: What must be read before the figures.
        blocks: The mean over models where there are several, then each model.
        choices: Of a sweep over steps: for each attack the smallest number whose mean accuracy
            over models is within 10 % of the lowest, that is, at most 1.1 times as high (appendix A
            of the paper). Of one over step sizes: the one with the lowest, of equals the smaller.
            Else empty.
    """

    experiment: ExperimentName
    benchmark: str
    edition: str
    level: Level
    models: tuple[str, ...]
    images: int
    values: tuple[float, ...]
    notes: tuple[str, ...]
    blocks: tuple[Block, ...]
    choices: tuple[Choice, ...]

    @property
    def unit(self) -> str:
        """What stands above the values."""
        return _UNITS[self.experiment]

    @property
    def title(self) -> str:
        """Benchmark, edition, level, and of how many models and pictures."""
        of = f"mean over {len(self.models)} models" if len(self.models) > 1 else self.models[0]
        pictures = counted(self.images, "picture")
        return f"{self.benchmark}, edition {self.edition}, {self.level}: {of}, {pictures}"

    @property
    def headings(self) -> tuple[str, ...]:
        """Each value as a person reads it, and as the folders of its runs are called."""
        return tuple(map(in_name, self.values))


def experiment_tables(folder: Path | str) -> tuple[ExperimentTable, ...]:
    """Counts the figures of a sweep or of seeds from the rows of its runs.

    Args:
        folder: The experiment's; one that isn't complete is read as far as it has come.

    Returns:
        A table for each level that any attack was run at, rising.

    Raises:
        RunError: It is no such experiment, or its runs can't be read or don't belong together.
        BenchmarkError: A record's benchmark can't be used.
    """
    experiment = read_experiment(folder)
    if experiment.name not in _UNITS:
        raise RunError(f"{folder}: expected one of {', '.join(_UNITS)}, got {experiment.name}.")
    points = read_points(folder, experiment)
    levels = [level for level in LEVELS if any(level in point.summary.levels for point in points)]
    return tuple(_Counting(experiment, points, level).table() for level in levels or ["medium"])


class _Counting:
    """One level of an experiment."""

    def __init__(
        self, experiment: Experiment, points: Sequence[PointResults], level: Level
    ) -> None:
        self.experiment = experiment
        self.points = points
        self.level = level
        self.groups: dict[str, dict[float, PointResults]] = {}
        for point in points:
            assert point.run.value is not None
            self.groups.setdefault(point.run.group, {})[point.run.value] = point
        self.values = tuple(sorted({value for each in self.groups.values() for value in each}))
        self.benchmark = base_benchmark(experiment.name, points[0])

    def table(self) -> ExperimentTable:
        models = {
            group: list(runs.values())[-1].summary.model for group, runs in self.groups.items()
        }
        blocks = [self.block([group], model=model) for group, model in models.items()]
        if len(blocks) > 1:
            blocks.insert(0, self.block(list(models), model=None))
        return ExperimentTable(
            experiment=self.experiment.name,
            benchmark=self.benchmark.name,
            edition=self.points[0].summary.edition,
            level=self.level,
            models=tuple(models.values()),
            images=max(point.summary.images for point in self.points),
            values=self.values,
            notes=experiment_notes(self.experiment, self.points, self.level),
            blocks=tuple(blocks),
            choices=tuple(self.choices(blocks[0])),
        )

    def block(self, groups: Sequence[str], *, model: str | None) -> Block:
        """The figures of one model, or the mean over several."""
        run = {
            each.attack
            for point in self.points
            for each in point.summary.attacks
            if each.level == self.level
        }
        columns = columns_of(self.benchmark)
        core = [name for name in columns if name in self.benchmark.core and name in run]
        others = [name for name in columns if name in run and name not in core]
        lines = [
            self.line(name, columns[name], "attack", [name], groups) for name in (*core, *others)
        ]
        if len(core) == len(self.benchmark.core):
            lines.append(self.line("ua2", columns["ua2"], "mean", core, groups))
        elif len(core) > 1:
            key, heading = f"mean:{'+'.join(core)}", f"Mean of {len(core)} core"
            lines.append(self.line(key, heading, "mean", core, groups))
        clean = "clean_accuracy"
        lines.append(self.line(clean, columns[clean], "clean", [CLEAN], groups))
        return Block(model=model, lines=tuple(lines))

    def line(
        self,
        key: str,
        heading: str,
        kind: Literal["attack", "mean", "clean"],
        attacks: Sequence[str],
        groups: Sequence[str],
    ) -> Line:
        level = "" if kind == "clean" else self.level
        figures = tuple(self.figure(attacks, level, groups, value) for value in self.values)
        shares = [figure.value for figure in figures if figure is not None]
        return Line(
            key=key,
            heading=heading,
            kind=kind,
            figures=figures,
            spread=spread(shares) if self.experiment.name == "seeds" else None,
        )

    def figure(
        self, attacks: Sequence[str], level: str, groups: Sequence[str], value: float
    ) -> Estimate | None:
        """One figure, or None where one of the models has no rows for it."""
        points = [self.groups[group].get(value) for group in groups]
        there = [point for point in points if point is not None]
        if len(there) < len(points):
            return None
        if len(there) == len(attacks) == 1:
            return accuracy(there[0].rows, attacks[0], level)
        rows = [point.rows for point in there]
        return mean_accuracy(rows, attacks, level, seed=there[0].summary.seed)

    def choices(self, block: Block) -> Iterable[Choice]:
        """See :attr:`ExperimentTable.choices`."""
        if self.experiment.name not in ("steps", "step-sizes"):
            return
        tolerance = _TOLERANCE if self.experiment.name == "steps" else 0.0
        for line in block.lines:
            measured = [
                (value, figure.value)
                for value, figure in zip(self.values, line.figures, strict=True)
                if figure is not None
            ]
            if line.kind != "attack" or len(measured) < 2:
                continue
            lowest = min(share for _, share in measured)
            value, share = next(
                each for each in measured if each[1] <= (1 + tolerance) * lowest + 1e-12
            )
            yield Choice(
                attack=line.key,
                heading=line.heading,
                value=value,
                accuracy=share,
                lowest=lowest,
                at_the_end=share > 0
                and (
                    value == measured[-1][0]
                    or (self.experiment.name == "step-sizes" and value == measured[0][0])
                ),
            )
