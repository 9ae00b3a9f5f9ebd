"""Evasion rates as a table: of what a filter flags, the share that gets through once obfuscated."""

__all__ = [
    "EvasionLine",
    "EvasionTable",
    "evasion_table",
    "evasions_to_csv",
    "evasions_to_json",
    "evasions_to_markdown",
    "evasions_to_rich",
    "flagging_of",
]

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.metrics import Estimate, Flagging
from unforeseen.metrics.evasion import evasion_rate, flagged_clean, worst_evasion_rate
from unforeseen.positive_class import Filter, class_number
from unforeseen.report.grids import escaped, fitting, grid, markdown_table, percent, plain
from unforeseen.report.obfuscation_tables import ORIGINS, names_of, run_notes
from unforeseen.report.run_names import mixed_pictures
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary
from unforeseen.run_folder.read_run import ReadObfuscationRun

_ABOUT = (
    "Percent, with 95 % intervals (Wilson's) and the pictures that each is a share of; below the first "
    "line these are the ones that it counts."
)


@dataclass(frozen=True, kw_only=True)
class EvasionLine:
    """One figure of each run.

    Attributes:
        key: ``flagged_clean``, ``worst`` or an obfuscation's name.
        heading: For people.
        figures: In the order of the table's columns; None where nothing was flagged.
    """

    key: str
    heading: str
    figures: tuple[Estimate | None, ...]


@dataclass(frozen=True, kw_only=True)
class EvasionTable:
    """Evasion rates of runs.

    Attributes:
        positive: Name of the positive class; None where what is classified right counts as flagged.
        threshold: From which probability on a picture of it is flagged; None without a class.
        notes: Whose pictures these are, and what else must be read before the figures.
        columns: What the runs are called.
        lines: The share flagged as it is, the worst of all, then each obfuscation.
    """

    positive: str | None
    threshold: float | None
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[EvasionLine, ...]

    @property
    def title(self) -> str:
        """Class and threshold."""
        if self.positive is None:
            return "Evasion: classified right as they are, wrong once obfuscated"
        return f"Evasion: {self.positive} flagged from a probability of {self.threshold:g} on"


def evasion_table(runs: Sequence[ReadObfuscationRun], wanted: Filter | None = None) -> EvasionTable:
    """Counts evasion rates of runs.

    Args:
        runs: Each by itself.
        wanted: What is flagged; None takes pictures of all classes, and what is classified right for
            flagged.

    Raises:
        UnknownNameError: A run has no such class.
    """
    flaggings = [flagging_of(run.summary, wanted) for run in runs]
    pairs = list(zip(runs, flaggings, strict=True))
    ran = list(dict.fromkeys(each.obfuscation for run in runs for each in run.summary.obfuscations))
    lines = [
        EvasionLine(
            key="flagged_clean",
            heading="Right as they are" if wanted is None else "Flagged as they are",
            figures=tuple(flagged_clean(run.rows, each) for run, each in pairs),
        ),
        EvasionLine(
            key="worst",
            heading="Evades under at least one",
            figures=tuple(_worst(run, each) for run, each in pairs),
        ),
    ]
    lines += [
        EvasionLine(
            key=name,
            heading=name,
            figures=tuple(evasion_rate(run.rows, name, each) for run, each in pairs),
        )
        for name in ran
    ]
    summaries = [run.summary for run in runs]
    names = names_of(summaries)
    first = flaggings[0]
    return EvasionTable(
        positive=None if first is None else runs[0].summary.classes[first.label].name,
        threshold=None if first is None else first.threshold,
        notes=(
            *mixed_pictures(summaries),
            *dict.fromkeys(ORIGINS[each.made_by] for each in summaries),
            *run_notes(summaries, names),
        ),
        columns=tuple(names),
        lines=tuple(lines),
    )


def flagging_of(summary: ObfuscationSummary, wanted: Filter | None) -> Flagging | None:
    """What is flagged, by the labels of a run; raises UnknownNameError, as :func:`class_number` does."""
    if wanted is None:
        return None
    names = [each.name for each in summary.classes]
    return Flagging(class_number(wanted.positive, names, of=summary.data), wanted.threshold)


def evasions_to_rich(table: EvasionTable, *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints, at most so many characters wide."""
    parts: list[RenderableType] = [Text(plain(table.title), style="bold")]
    parts += [Text(plain(note), style="yellow") for note in table.notes]
    parts += [grid(cells) for cells in fitting(_cells(table), width)]
    return Group(*parts, Text(_ABOUT))


def evasions_to_markdown(table: EvasionTable) -> str:
    """Writes the table in GitHub's Markdown, under a heading."""
    blocks = [f"### {escaped(table.title)}", *map(escaped, table.notes)]
    return "\n\n".join([*blocks, markdown_table(_cells(table)), escaped(_ABOUT)]) + "\n"


def evasions_to_csv(table: EvasionTable) -> str:
    """Writes a line for each run and figure: model, positive, threshold, figure, value, low, high, n, notes."""
    headings = ("model", "positive", "threshold", "figure", "value", "low", "high", "n", "notes")
    notes = "; ".join(table.notes)
    lines: list[tuple[object, ...]] = []
    for number, name in enumerate(table.columns):
        for line in table.lines:
            figure = line.figures[number]
            shown = ("", "", "", "") if figure is None else figure[:4]
            lines.append((name, table.positive, table.threshold, line.key, *shown, notes))
    return csv_text(headings, lines)


def evasions_to_json(table: EvasionTable) -> str:
    """Writes a JSON object: positive, threshold (both may be null), notes and, of each run, its figures by key."""
    content = {
        "positive": table.positive,
        "threshold": table.threshold,
        "notes": list(table.notes),
        "runs": [
            {
                "name": name,
                "figures": {
                    line.key: None
                    if (figure := line.figures[number]) is None
                    else figure.to_record()
                    for line in table.lines
                },
            }
            for number, name in enumerate(table.columns)
        ],
    }
    return json_text(content)


def _worst(run: ReadObfuscationRun, flagging: Flagging | None) -> Estimate | None:
    names = [each.obfuscation for each in run.summary.obfuscations]
    return worst_evasion_rate(run.rows, names, flagging) if names else None


def _cells(table: EvasionTable) -> list[list[str]]:
    lines = [
        [line.heading, *(percent(each, interval=True, n=True) for each in line.figures)]
        for line in table.lines
    ]
    return [["", *table.columns], *lines]
