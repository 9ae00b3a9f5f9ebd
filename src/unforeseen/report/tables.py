"""From summaries to tables of plain data, which the renderers only have to write down.

Runs share a table if they are of one benchmark and one edition; others never do. The paper's rows
stand only beside edition published of the benchmark that they are of.
"""

__all__ = [
    "Figure",
    "ResultRow",
    "ResultTable",
    "attack_heading",
    "columns_of",
    "result_tables",
]

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from unforeseen.attack_sets import AttackSet
from unforeseen.benchmarks import BENCHMARKS, LEVELS, AttackBenchmark, Level, load_benchmark
from unforeseen.counted import counted
from unforeseen.metrics import Estimate
from unforeseen.report.published import PAPER_ORDER, PublishedResult, published_results
from unforeseen.report.run_names import RunIdentity, mixed_pictures, run_names
from unforeseen.run_folder.attack_summary import AttackSummary

#: Words in attacks' names that aren't written as they are.
_ABBREVIATIONS = {
    "fbm": "FBM",
    "hsv": "HSV",
    "jpeg": "JPEG",
    "l2": "L2",
    "linf": "L∞",
    "pgd": "PGD",
}

#: An estimate, a share as the paper prints it, or None: not run.
Figure = Estimate | float | None


@dataclass(frozen=True, kw_only=True)
class ResultRow:
    """One run at one level, or one row of the paper.

    Attributes:
        source: Whose figures these are.
        model: The model's URI, or its name as printed.
        level: Of the attacks.
        figures: By key: ``clean_accuracy``, ``ua2``, an attack's name, and those of
            :attr:`ResultTable.sets`.
        summary: The run; None for the paper's rows.
    """

    source: Literal["run", "paper"]
    model: str
    level: Level
    figures: Mapping[str, Figure]
    summary: AttackSummary | None = None

    @property
    def n(self) -> int | None:
        """Number of pictures behind the row's UA2, else behind its clean accuracy."""
        for key in ("ua2", "clean_accuracy"):
            figure = self.figures.get(key)
            if isinstance(figure, Estimate):
                return figure.n
        return None


@dataclass(frozen=True, kw_only=True)
class ResultTable:
    """Runs of one benchmark and edition.

    Attributes:
        benchmark: Its name.
        edition: Its name.
        levels: Those that rows stand for, rising.
        notes: What must be read before the figures: partial runs, failures.
        columns: Keys of :attr:`ResultRow.figures` and their headings, in order; attacks that no
            row has are left out.
        rows: Runs in the order given, each with its levels; then the paper's.
        sets: Sets of attacks whose mean and worst case were asked for.
    """

    benchmark: str
    edition: str
    levels: tuple[Level, ...]
    notes: tuple[str, ...]
    columns: Mapping[str, str]
    rows: tuple[ResultRow, ...]
    sets: tuple[AttackSet, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all figures: those of the columns, then those of the sets."""
        of_sets = (f"{kind}:{each.name}" for each in self.sets for kind in ("mean", "worst"))
        return *self.columns, *of_sets

    @property
    def title(self) -> str:
        """AttackBenchmark, edition and levels."""
        return f"{self.benchmark}, edition {self.edition}, {', '.join(self.levels)}"

    @property
    def model_labels(self) -> tuple[str, ...]:
        """A name for each row, saying as much as tells the rows apart."""
        summaries = list(
            {id(row.summary): row.summary for row in self.rows if row.summary}.values()
        )
        sources = {each.source_model for each in summaries} - {None}
        names = {
            id(summary): name for summary, name in zip(summaries, _names(summaries), strict=True)
        }
        several = len(self.levels) > 1
        return tuple(
            f"{row.model} (paper)"
            if row.summary is None
            else names[id(row.summary)]
            + (f" ({row.level})" if several else "")
            + _role(row.summary, sources)
            for row in self.rows
        )


def result_tables(
    summaries: Sequence[AttackSummary], *, published: bool = False
) -> tuple[ResultTable, ...]:
    """Groups runs into tables; a run has a row for each level that it was run at.

    Args:
        summaries: The runs; tables come in the order in which their first run does.
        published: Whether the paper's rows are wanted; where they can't stand, a note says why.
    """
    groups: list[list[AttackSummary]] = []
    for summary in summaries:
        for group in groups:
            if _share_a_table(group[0], summary):
                group.append(summary)
                break
        else:
            groups.append([summary])
    return tuple(_table(group, published=published) for group in groups)


def _share_a_table(one: AttackSummary, other: AttackSummary) -> bool:
    """Of one edition and one benchmark, but for optional attacks that only one of them ran."""
    both = {each.attack for each in one.attacks} & {each.attack for each in other.attacks}
    return one.edition == other.edition and (
        one.benchmark.without_optional(but=both) == other.benchmark.without_optional(but=both)
    )


def _names(summaries: Sequence[AttackSummary]) -> list[str]:
    return run_names(
        [
            RunIdentity(each.model, each.head, each.data, each.settings, each.source_model)
            for each in summaries
        ]
    )


def _role(summary: AttackSummary, sources: Collection[str | None]) -> str:
    """What a run is in a transfer, behind its name; nothing where it is no part of one."""
    if summary.source_model is None:
        return " (source model)" if summary.model in sources else ""
    return f" (transfer from {summary.source_model})" if len(sources) > 1 else " (transfer)"


def _table(summaries: Sequence[AttackSummary], *, published: bool) -> ResultTable:
    # The one with the most attacks: others may be of before an optional one was added.
    benchmark = max((each.benchmark for each in summaries), key=lambda each: len(each.attacks))
    edition = summaries[0].edition
    rows = [
        _row_of(summary, level) for summary in summaries for level in summary.levels or ("medium",)
    ]
    shown: tuple[Level, ...] = tuple(
        level for level in LEVELS if any(row.level == level for row in rows)
    )
    notes = mixed_pictures(summaries)
    notes += [
        note if len(summaries) == 1 else f"{name}: {note}"
        for name, summary in zip(_names(summaries), summaries, strict=True)
        for note in _notes(summary)
    ]
    if published:
        refusal = _why_not_beside_the_paper(benchmark, edition, shown)
        if any(each.source_model is not None for each in summaries):
            refusal = (
                "the paper's rows are not shown: they are of pictures that were made against the "
                "model itself"
            )
        if refusal:
            notes.append(refusal)
        else:
            rows += map(_row_of_paper, published_results(benchmark.name))
    return ResultTable(
        benchmark=benchmark.name,
        edition=edition,
        levels=shown,
        notes=tuple(notes),
        columns={
            key: heading
            for key, heading in columns_of(benchmark).items()
            if key == "ua2" or any(row.figures.get(key) is not None for row in rows)
        },
        rows=tuple(rows),
        sets=tuple(dict.fromkeys(each.over for summary in summaries for each in summary.sets)),
    )


def columns_of(benchmark: AttackBenchmark) -> dict[str, str]:
    """Keys and headings of a benchmark's figures in the order of tables.

    Clean accuracy, PGD and UA2, then the core attacks as the paper has them, then all others.
    """
    core = [name for name in PAPER_ORDER if name in benchmark.core]
    core += [name for name in benchmark.core if name not in core]
    rest = [name for name in benchmark.attacks if name not in core and name != "pgd"]
    columns = {"clean_accuracy": "Clean"}
    if "pgd" in benchmark.attacks and "pgd" not in core:
        norm = benchmark.attacks["pgd"].parameters.get("norm")
        columns["pgd"] = "PGD L∞" if norm == "linf" else "PGD"
    columns["ua2"] = "UA2"
    return columns | {name: attack_heading(name) for name in (*core, *rest)}


def attack_heading(attack: str) -> str:
    """What an attack is called above its figures."""
    first, *others = (_ABBREVIATIONS.get(word, word) for word in attack.split("_"))
    return " ".join([first if first.isupper() else first.capitalize(), *others])


def _row_of(summary: AttackSummary, level: Level) -> ResultRow:
    figures: dict[str, Figure] = {
        "clean_accuracy": summary.clean_accuracy,
        "ua2": summary.ua2[level],
    }
    for name in summary.benchmark.attacks:
        figures[name] = summary.accuracy(name, level)
    for each in summary.sets:
        if each.level == level:
            figures[f"mean:{each.over.name}"] = each.mean
            figures[f"worst:{each.over.name}"] = each.worst
    return ResultRow(
        source="run", model=summary.model, level=level, figures=figures, summary=summary
    )


def _row_of_paper(result: PublishedResult) -> ResultRow:
    figures: dict[str, Figure] = {
        "clean_accuracy": result.clean_accuracy,
        "pgd": result.pgd,
        "ua2": result.ua2,
        **result.attacks,
    }
    return ResultRow(source="paper", model=result.model, level="medium", figures=figures)


def _notes(summary: AttackSummary) -> list[str]:
    notes = list(summary.check.lines) if summary.check else ["not checked (unforeseen check)"]
    if summary.partial or not summary.complete:
        notes.append(f"partial: {'; '.join(summary.partial) or 'the run is not finished'}")
    if summary.nonfinite:
        notes.append(f"{summary.nonfinite} non-finite (counted as wrong)")
    if summary.unreadable:
        notes.append(f"{summary.unreadable} unreadable (outside every figure)")
    # Each level's figures are of the pictures that have all verdicts there, which in an unfinished
    # run aren't the same.
    notes += [
        f"over {', '.join(each.over.attacks)} at {each.level}: only the {each.mean.n} of "
        f"{counted(summary.images, 'picture')} with a verdict under each, so other lines are of others"
        for each in summary.sets
        if each.mean is not None and each.mean.n < summary.images - summary.unreadable
    ]
    return notes


def _why_not_beside_the_paper(
    benchmark: AttackBenchmark, edition: str, levels: Sequence[Level]
) -> str | None:
    if not published_results(benchmark.name):
        return (
            "the paper's rows are not shown: there are rows with each attack for imagenet-ua only; "
            "what else the paper prints, unforeseen list models --paper 1 says"
        )
    if benchmark.name not in BENCHMARKS or (
        benchmark.without_optional() != load_benchmark(benchmark.name).without_optional()
    ):
        return (
            f"the paper's rows are not shown: these runs are not of the built-in {benchmark.name}"
        )
    if edition != "published":
        return (
            "the paper's rows are not shown: they are of edition published, "
            f"and edition {edition} is judged otherwise"
        )
    if "medium" not in levels:
        return "the paper's rows are not shown: they are of level medium"
    return None
