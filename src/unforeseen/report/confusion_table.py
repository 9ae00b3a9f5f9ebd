"""What pictures of each class are taken for, as tables: appendix C.9 of Stimberg et al. 2023.

Rows are true classes, columns what was predicted; both by number, as names of 16 classes find no room
side by side. What the numbers stand for is said above.
"""

__all__ = [
    "MOST_CLASSES",
    "ConfusionTable",
    "confusion_tables",
    "confusions_to_csv",
    "confusions_to_json",
    "confusions_to_markdown",
    "confusions_to_rich",
]

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.errors import UserError
from unforeseen.metrics.confusion import Confusion, confusion
from unforeseen.report.grids import escaped, fitting, grid, markdown_table, plain
from unforeseen.report.obfuscation_tables import ORIGINS, names_of, run_notes
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.rows import CLEAN
from unforeseen.run_folder.read_run import ReadObfuscationRun

_NOTHING = "not finite"
#: More classes than these are too many for a table.
MOST_CLASSES = 40


@dataclass(frozen=True, kw_only=True)
class ConfusionTable:
    """One run under one transform.

    Attributes:
        run: What the run is called.
        transform: ``clean`` or an obfuscation.
        classes: Names by label.
        counts: Pictures.
        notes: Whose pictures they are, and what else must be read before the numbers.
    """

    run: str
    transform: str
    classes: tuple[str, ...]
    counts: Confusion
    notes: tuple[str, ...]

    @property
    def title(self) -> str:
        """Run and transform."""
        return f"{self.run}, {self.transform}: true class down, prediction across"


def confusion_tables(
    runs: Sequence[ReadObfuscationRun], names: Sequence[str]
) -> tuple[ConfusionTable, ...]:
    """Counts confusion for each run and transform.

    Args:
        runs: Each by itself.
        names: Obfuscations in any case, ``clean``, or ``all`` for everything that was run.

    Raises:
        UserError: One was not run (UnknownNameError where the benchmark has none of that name).
    """
    tables: list[ConfusionTable] = []
    for run, name in zip(runs, names_of([run.summary for run in runs]), strict=True):
        classes = tuple(each.name for each in run.summary.classes)
        notes = (ORIGINS[run.summary.made_by], *run_notes([run.summary], [name]))
        tables += [
            ConfusionTable(
                run=name,
                transform=transform,
                classes=classes,
                counts=confusion(run.rows, transform, len(classes)),
                notes=notes,
            )
            for transform in _chosen(run, names)
        ]
    return tuple(tables)


def confusions_to_rich(tables: Sequence[ConfusionTable], *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`confusion_tables`.
        width: Of the terminal in characters; columns that find no room go on below.
    """
    parts: list[RenderableType] = []
    for table, notes in zip(tables, _new_notes(tables), strict=True):
        parts.append(Text(plain(table.title), style="bold"))
        parts += [Text(plain(note), style="yellow") for note in notes]
        parts += [grid(cells) for cells in fitting(_cells(table), width)]
    return Group(*parts)


def confusions_to_markdown(tables: Sequence[ConfusionTable]) -> str:
    """Writes tables in GitHub's Markdown, each under a heading."""
    blocks: list[str] = []
    for table, notes in zip(tables, _new_notes(tables), strict=True):
        blocks += [f"### {escaped(table.title)}", *map(escaped, notes)]
        blocks.append(markdown_table(_cells(table)))
    return "\n\n".join(blocks) + "\n"


def confusions_to_csv(tables: Sequence[ConfusionTable]) -> str:
    """Writes a line for each pair of classes that occurs: model, transform, true, predicted, pictures, notes.

    What isn't finite is taken for ``not finite``.
    """
    lines = [
        (table.run, table.transform, name, predicted or _NOTHING, n, "; ".join(table.notes))
        for table in tables
        for name, predicted, n in table.counts.pairs(table.classes)
    ]
    return csv_text(("model", "transform", "true", "predicted", "pictures", "notes"), lines)


def confusions_to_json(tables: Sequence[ConfusionTable]) -> str:
    """Writes a JSON list; ``counts`` is true class × prediction, ``nonfinite`` by true class."""
    content = [
        {
            "model": table.run,
            "transform": table.transform,
            "notes": list(table.notes),
            "classes": list(table.classes),
            "counts": table.counts.counts.tolist(),
            "nonfinite": table.counts.nonfinite.tolist(),
        }
        for table in tables
    ]
    return json_text(content)


def _new_notes(tables: Sequence[ConfusionTable]) -> list[tuple[str, ...]]:
    """Of each table, its notes and what numbers stand for, where they aren't those of the one above."""
    notes = [(*table.notes, _legend(table)) for table in tables]
    return [
        () if number and each == notes[number - 1] else each for number, each in enumerate(notes)
    ]


def _chosen(run: ReadObfuscationRun, names: Sequence[str]) -> list[str]:
    ran = [cell.transform for cell in run.planned.cells]
    chosen: list[str] = []
    for name in names:
        if name.lower() == "all":
            chosen += ran
            continue
        known = CLEAN if name.lower() == CLEAN else run.summary.benchmark.obfuscation(name).name
        if known not in ran:
            raise UserError(f"confusion: {known} was not run; there are {', '.join(ran)}.")
        chosen.append(known)
    if not chosen:
        raise UserError("confusion: expected obfuscations, clean or all, got none.")
    return list(dict.fromkeys(chosen))


def _legend(table: ConfusionTable) -> str:
    return ", ".join(f"{label} {name}" for label, name in enumerate(table.classes))


def _cells(table: ConfusionTable) -> list[list[str]]:
    """Heading and lines: a true class a line; both by number."""
    if len(table.classes) > MOST_CLASSES:
        raise UserError(
            f"confusion: {len(table.classes)} classes are too many for a table; give --format csv or "
            "json."
        )
    lost = bool(table.counts.nonfinite.any())
    cells = [["", *map(str, range(len(table.classes))), *([_NOTHING] if lost else [])]]
    for label in range(len(table.classes)):
        if not table.counts.pictures[label]:
            continue
        counts = [
            *table.counts.counts[label].tolist(),
            *([table.counts.nonfinite[label]] if lost else []),
        ]
        cells.append([str(label), *(str(n) if n else "·" for n in counts)])
    return cells
