"""Evasion rates as a table: of what a filter flags, the share that gets through once obfuscated."""

__all__ = [
    "EvasionLine",
    "EvasionTable",
    "evasion_table",
    "evasions_to_csv",
    "evasions_to_json",
    "evasions_to_markdown",
    "evasions_to_rich",
    "positive_label",
]

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.metrics import Estimate
from unforeseen.metrics.evasion import evasion_rate, flagged_clean, worst_evasion_rate
from unforeseen.positive_class import class_number, expect_flagging
from unforeseen.report.grids import escaped, fitting, grid, markdown_table, percent, plain
from unforeseen.report.obfuscation_tables import ORIGINS, names_of, run_notes
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


def evasion_table(
    runs: Sequence[ReadObfuscationRun], positive: str | None = None, threshold: float | None = None
) -> EvasionTable:
    """Counts evasion rates of runs.

    Args:
        runs: Each by itself.
        positive: A class by its name, in any case, or by its number; None takes pictures of all
            classes, and what is classified right for flagged.
        threshold: From which probability on a picture is flagged, in (0, 1]; None without a class.

    Raises:
        UnknownNameError: A run has no such class.
        UserError: The threshold is no probability above 0, or one is without the other.
    """
    expect_flagging(positive, threshold)
    labels = [positive_label(run.summary, positive) for run in runs]
    pairs = list(zip(runs, labels, strict=True))
    ran = list(dict.fromkeys(each.obfuscation for run in runs for each in run.summary.obfuscations))
    lines = [
        EvasionLine(
            key="flagged_clean",
            heading="Right as they are" if positive is None else "Flagged as they are",
            figures=tuple(flagged_clean(run.rows, label, threshold) for run, label in pairs),
        ),
        EvasionLine(
            key="worst",
            heading="Evades under at least one",
            figures=tuple(_worst(run, label, threshold) for run, label in pairs),
        ),
    ]
    lines += [
        EvasionLine(
            key=name,
            heading=name,
            figures=tuple(evasion_rate(run.rows, name, label, threshold) for run, label in pairs),
        )
        for name in ran
    ]
    summaries = [run.summary for run in runs]
    names = names_of(summaries)
    return EvasionTable(
        positive=None if labels[0] is None else runs[0].summary.classes[labels[0]].name,
        threshold=threshold,
        notes=(
            *dict.fromkeys(ORIGINS[each.made_by] for each in summaries),
            *run_notes(summaries, names),
        ),
        columns=tuple(names),
        lines=tuple(lines),
    )


def positive_label(summary: ObfuscationSummary, positive: str | None) -> int | None:
    """The label of a class of a run, as :func:`class_number` finds it; of None, None."""
    if positive is None:
        return None
    return class_number(positive, [each.name for each in summary.classes], of=summary.data)


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


def _worst(run: ReadObfuscationRun, label: int | None, threshold: float | None) -> Estimate | None:
    names = [each.obfuscation for each in run.summary.obfuscations]
    return worst_evasion_rate(run.rows, names, label, threshold) if names else None


def _cells(table: EvasionTable) -> list[list[str]]:
    lines = [
        [line.heading, *(percent(each, interval=True, n=True) for each in line.figures)]
        for line in table.lines
    ]
    return [["", *table.columns], *lines]
