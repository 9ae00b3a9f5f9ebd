"""From summaries of obfuscation runs to tables of plain data: figures down, runs across.

Runs share a table if they are of one benchmark, of pictures of one origin and counted at one k.
Scores on the published pictures can be put beside the paper's; those on pictures that this program
made, only beside each other.
"""

__all__ = [
    "ORIGINS",
    "FigureLine",
    "ObfuscationTable",
    "lines_of",
    "names_of",
    "notes_of",
    "obfuscation_table",
    "obfuscation_tables",
    "picture_counts",
    "run_notes",
    "said_once",
    "share_a_table",
]

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from types import MappingProxyType

from unforeseen.benchmarks import ObfuscationBenchmark
from unforeseen.data.obfuscated_dataset import MadeBy
from unforeseen.metrics import Estimate
from unforeseen.metrics.verdicts import TopK
from unforeseen.obfuscation_sets import HOLD_OUT, ObfuscationSet, usual_sets
from unforeseen.report.obfuscation_settings import settings_of
from unforeseen.report.run_names import RunIdentity, letters_for, mixed_pictures, run_names
from unforeseen.rows import CLEAN
from unforeseen.run_folder.obfuscation_figures import NOT_COUNTED, Accuracies, Weighting
from unforeseen.run_folder.obfuscation_summary import ClassCount, ObfuscationSummary

#: What a table says of its pictures before any figure.
ORIGINS: Mapping[MadeBy, str] = MappingProxyType(
    {
        "unforeseen": "pictures made by this project: comparable with each other only",
        "published": "the published pictures: comparable with the paper's scores",
    }
)

#: More classes than these are summed up instead of listed.
_LISTED_CLASSES = 20


@dataclass(frozen=True, kw_only=True)
class FigureLine:
    """One figure of each run.

    Attributes:
        key: ``clean``, an obfuscation's name, ``worst:SET`` or ``mean:SET``.
        heading: For people.
        figures: In the order of the table's columns.
    """

    key: str
    heading: str
    figures: tuple[Accuracies, ...]


@dataclass(frozen=True, kw_only=True)
class ObfuscationTable:
    """Runs of one benchmark on pictures of one origin.

    Attributes:
        benchmark: Its name.
        top: Among how many of the most probable classes the true one had to be.
        origin: Whose pictures they are, in words.
        facts: What must be read before the figures and is true of all columns.
        about: The same of each run: how many pictures of which class there are, why it is partial,
            failures.
        columns: What the runs are called.
        lines: The headline first.
        summaries: The runs, one for each column; none of an oracle over several.
    """

    benchmark: str
    top: TopK
    origin: str
    facts: tuple[str, ...]
    about: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    lines: tuple[FigureLine, ...]
    summaries: tuple[ObfuscationSummary | None, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be read before the figures, each thing once."""
        pairs = zip(self.columns, self.summaries, strict=True)
        return (*self.facts, *said_once(self.about, [name for name, run in pairs if run]))

    def lettered(self) -> "ObfuscationTable":
        """The table with letters for the names of its runs."""
        pairs = list(zip(self.columns, self.summaries, strict=True))
        letters = iter(letters_for([name for name, run in pairs if run]))
        return replace(self, columns=tuple(next(letters) if run else name for name, run in pairs))

    def title(self, weighting: Weighting) -> str:
        """Benchmark, weighting and k."""
        balance = "class-balanced" if weighting == "balanced" else "every picture weighs the same"
        return f"{self.benchmark}, top {self.top}, {balance}"

    def headlines(self, weighting: Weighting) -> list[tuple[str, Estimate | None]]:
        """The first figure of each column, which sums it up."""
        first = self.lines[0]
        return [
            (f"{name}: {first.heading.lower()}", each.by(weighting))
            for name, each in zip(self.columns, first.figures, strict=True)
        ]


def obfuscation_tables(summaries: Sequence[ObfuscationSummary]) -> tuple[ObfuscationTable, ...]:
    """Groups runs into tables, in the order in which their first run comes."""
    groups: list[list[ObfuscationSummary]] = []
    for summary in summaries:
        for group in groups:
            if share_a_table(group[0], summary):
                group.append(summary)
                break
        else:
            groups.append([summary])
    return tuple(
        replace(obfuscation_table(group, names_of(group)), facts=tuple(mixed_pictures(group)))
        for group in groups
    )


def obfuscation_table(
    summaries: Sequence[ObfuscationSummary], names: Sequence[str]
) -> ObfuscationTable:
    """Puts runs that may share a table into one.

    Args:
        summaries: Of the runs, at least one.
        names: What the runs are called.
    """
    # The one with the most obfuscations: others may be of before some were added.
    benchmark = max((each.benchmark for each in summaries), key=lambda each: len(each.obfuscations))
    return ObfuscationTable(
        benchmark=benchmark.name,
        top=summaries[0].top,
        origin=ORIGINS[summaries[0].made_by],
        facts=(),
        about=tuple(
            (*told, *picture_counts(each.classes, each.benchmark), *notes_of(each, each.top))
            for told, each in zip(_told_apart(summaries, names), summaries, strict=True)
        ),
        columns=tuple(names),
        lines=lines_of(
            benchmark,
            tuple(dict.fromkeys(each.over for summary in summaries for each in summary.sets)),
            [summary.figures for summary in summaries],
        ),
        summaries=tuple(summaries),
    )


def lines_of(
    benchmark: ObfuscationBenchmark,
    sets: Sequence[ObfuscationSet],
    figures: Sequence[Mapping[str, Accuracies]],
) -> tuple[FigureLine, ...]:
    """Puts figures into the order of tables: the headline, clean, other sets, each obfuscation.

    Args:
        benchmark: Of the obfuscations.
        sets: Those whose mean and worst case there are; the headline is over the first.
        figures: Of each column, by key. What has none in any of them gets no line, unless it was run
            on pictures that are all missing.
    """
    headings: dict[str, str] = {}
    for number, each in enumerate(sets):
        headings[each.worst_key] = f"Worst over {_in_words(each)}"
        headings[each.mean_key] = f"Mean over {_in_words(each)}"
        if not number:
            headings[CLEAN] = "Clean"
    names = (*benchmark.names("hold-out"), *benchmark.names("training"))
    for name in names:
        held_out = benchmark.obfuscations[name].group == "hold-out"
        headings[name] = f"{name} (hold-out)" if held_out else name
    first = next(iter(headings))
    run = {key for each in figures for key in each if key in names}
    lines = [
        FigureLine(key=key, heading=heading, figures=_of_all(figures, key))
        for key, heading in headings.items()
    ]
    return tuple(
        line
        for line in lines
        if line.key == first
        or line.key in run
        or any(each.balanced is not None for each in line.figures)
    )


def _told_apart(
    summaries: Sequence[ObfuscationSummary], names: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Settings of each run that aren't those of all, where its name doesn't say them."""
    settings = settings_of(summaries)
    differ = [len(set(of_all)) > 1 for of_all in zip(*settings, strict=True)]
    for name, mine in zip(names, settings, strict=True):
        told = ", ".join(compress(mine, differ))
        yield () if told in name else (f"run with {told}",)


def _of_all(figures: Sequence[Mapping[str, Accuracies]], key: str) -> tuple[Accuracies, ...]:
    return tuple(each.get(key, NOT_COUNTED) for each in figures)


def _in_words(over: ObfuscationSet) -> str:
    return "the hold-outs" if over.name == HOLD_OUT else over.name.replace("+", ", ")


def share_a_table(one: ObfuscationSummary, other: ObfuscationSummary) -> bool:
    """Whether figures of two runs mean the same: one benchmark, and pictures of one origin.

    Ranges may differ of obfuscations that only one of them ran.
    """
    sets = [usual_sets(each.benchmark) for each in (one, other)]
    both = {each.obfuscation for each in one.obfuscations} & {
        each.obfuscation for each in other.obfuscations
    }
    return (one.top, one.made_by, sets[0]) == (other.top, other.made_by, sets[1]) and (
        one.benchmark.without_optional(but=both) == other.benchmark.without_optional(but=both)
    )


def names_of(summaries: Sequence[ObfuscationSummary]) -> list[str]:
    """What runs are called in a table of all of them."""
    return run_names(
        [
            RunIdentity(each.model, each.head, each.data, settings)
            for each, settings in zip(summaries, settings_of(summaries), strict=True)
        ]
    )


def run_notes(
    summaries: Sequence[ObfuscationSummary], names: Sequence[str], top: TopK = 1
) -> tuple[str, ...]:
    """In what runs differ, what was found before them, why they are partial, their failures, and what is a mere bound.

    Args:
        summaries: Of the runs.
        names: What the runs are called.
        top: Among how many of the most probable classes the true one has to be.
    """
    told = _told_apart(summaries, names)
    notes = [(*apart, *notes_of(each, top)) for apart, each in zip(told, summaries, strict=True)]
    return said_once(notes, names)


def notes_of(summary: ObfuscationSummary, top: TopK = 1) -> tuple[str, ...]:
    """The same of one run."""
    return (*_notes(summary), *_bound(summary, top))


def picture_counts(classes: Sequence[ClassCount], benchmark: ObfuscationBenchmark) -> Iterator[str]:
    """How many pictures there are of which class; nothing where there are none."""
    noun = "super-class" if benchmark.label_space == "imagenet16" else "class"
    there = [each for each in classes if each.n]
    if len(there) > _LISTED_CLASSES:
        numbers = sorted(each.n for each in there)
        yield f"pictures per {noun}: {numbers[0]:,} to {numbers[-1]:,} in {len(there):,} of them"
    elif there:
        listed = ", ".join(f"{each.name} {each.n:,}" for each in there)
        yield f"pictures per {noun}: {listed}"


def said_once(notes: Sequence[Iterable[str]], names: Sequence[str]) -> tuple[str, ...]:
    """Notes of each run: first, with its name, what isn't true of all, then what is."""
    about: dict[str, list[str]] = {}
    for name, of_run in zip(names, notes, strict=True):
        for note in of_run:
            about.setdefault(note, []).append(name)
    of_some = {note: runs for note, runs in about.items() if len(runs) < len(names)}
    return (
        *(f"{', '.join(runs)}: {note}" for note, runs in of_some.items()),
        *(note for note in about if note not in of_some),
    )


def _notes(summary: ObfuscationSummary) -> Iterator[str]:
    yield from summary.check.lines if summary.check else ("not checked (unforeseen check)",)
    if summary.partial or not summary.complete:
        yield f"partial: {'; '.join(summary.partial) or 'the run is not finished'}"
    if summary.other_assets and summary.other_assets not in summary.partial:
        yield f"assets: {summary.other_assets}"
    if summary.nonfinite:
        yield f"{summary.nonfinite} non-finite (counted as wrong)"
    if summary.unreadable:
        yield f"{summary.unreadable} unreadable (outside every figure that needs them)"


def _bound(summary: ObfuscationSummary, top: TopK) -> Iterator[str]:
    """A row holds one draw of several, and of the others only whether all are right."""
    if summary.worst_of > 1 and top > 1:
        yield (
            f"top {top} of the draw of the highest loss: another of the {summary.worst_of} may be of a lower "
            "rank, so accuracies are upper bounds"
        )
