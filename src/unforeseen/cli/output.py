"""What commands print: prose, lists and tables."""

__all__ = [
    "Entry",
    "filled",
    "print_confusion",
    "print_costs",
    "print_entries",
    "print_evasions",
    "print_experiment",
    "print_formula",
    "print_hold_outs",
    "print_listing",
    "print_obfuscation_seeds",
    "print_obfuscations",
    "print_paragraph",
    "print_tables",
    "say",
    "saying_how_to_go_on",
]

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from unforeseen.errors import printable
from unforeseen.typed_command import as_typed

if TYPE_CHECKING:
    from unforeseen.experiment_folder.cost_times import CostTimes
    from unforeseen.report.confusion_table import ConfusionTable
    from unforeseen.report.evasion_table import EvasionTable
    from unforeseen.report.experiment_tables import ExperimentTable
    from unforeseen.report.hold_out_table import HoldOutChoices
    from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
    from unforeseen.report.obfuscation_tables import ObfuscationTable
    from unforeseen.report.tables import ResultTable
    from unforeseen.run_folder.obfuscation_figures import Weighting

_INDENT = " " * 4
#: Letters up to which words stay whole in tables where that can be.
_SHORT_WORD = 16
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: What belongs together in a formula: short brackets, and operators with both their sides.
_BRACKETED = re.compile(r"\((?:[^()]|\([^()]*\)){0,40}\)")
_AT_OPERATOR = re.compile(r" (?=[=+−·∗≤~∈])|(?<=[=+−·∗≤~∈]) |(?<=\d) (?=[a-z])|(?<=Σ_[a-z]) ")


def say(text: str) -> None:
    """A line to the person at the terminal (standard error)."""
    Console(stderr=True).print(escape(text), highlight=False, soft_wrap=True)


@contextmanager
def saying_how_to_go_on(
    out: Path, *, kept: str = "Every finished row", marker: str = ""
) -> Iterator[None]:
    """Where Ctrl-C or SIGTERM ends what runs inside, says what is kept and how it is continued.

    Nothing, where it ends before the folder is begun.

    Args:
        out: The folder.
        kept: What of it is there.
        marker: The file there by which one that is begun is known; without one any folder is.
    """
    try:
        yield
    except KeyboardInterrupt:
        if (out / marker).exists():
            say(f"Stopped. {kept} is in {out}. To go on, run the same command again:")
            say(f"  {as_typed(*sys.argv[1:])}")
        raise


def print_paragraph(text: str) -> None:
    """Prose, wrapped, and an empty line. The text may be a stranger's."""
    Console().print(f"{escape(printable(text))}\n", highlight=False)


def print_listing(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table. On narrow terminals cells are folded, but no line of a heading and no name is.

    Longer words are broken before shorter ones.

    Args:
        title: Above it; may be empty.
        columns: Headings, maybe of several lines.
        rows: Cells, maybe a stranger's; the words of the first, which say what the row is about, stay
            whole.
    """
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    frame, room = 3 * len(columns) + 1, Console().width
    rows = [[*map(printable, row)] for row in rows]
    widths = _widths(columns, rows, room - frame)
    for column, width in zip(columns, widths, strict=True):
        table.add_column(column, overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(escape, row))
    # A terminal that is too narrow for headings and names wraps the lines itself.
    Console(width=max(room, sum(widths) + frame)).print(table)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Columns as wide as their content, or the widest of them as narrow as fits, but never too narrow."""
    cells = [[column, *(row[index] for row in rows)] for index, column in enumerate(columns)]
    needed = [_widest(line for cell in each for line in cell.split("\n")) for each in cells]
    least = [_widest(column.split("\n")) for column in columns]
    least[0] = max(least[0], _widest(word for row in rows for word in row[0].split()))
    longest = [_widest(word for cell in each for word in cell.split()) for each in cells]
    for short in range(_SHORT_WORD, -1, -1):
        whole = [max(low, min(high, short)) for low, high in zip(least, longest, strict=True)]
        if sum(whole) > room:
            continue
        for most in range(max(needed), 0, -1):
            widths = [max(low, min(high, most)) for low, high in zip(whole, needed, strict=True)]
            if sum(widths) <= room:
                return widths
    # Without room even for the names lines are too long anyway.
    return [max(low, min(high, _SHORT_WORD)) for low, high in zip(least, longest, strict=True)]


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


class Entry(NamedTuple):
    """Something that a list is about.

    Attributes:
        head: Name and description; wrapped.
        uris: Lines that stay whole, whatever the terminal's width, so as to be copied.
        note: Wrapped; may be empty.
        hang: By how much further lines of the head are indented.
    """

    head: str
    uris: Sequence[str] = ()
    note: str = ""
    hang: int = 4


def print_entries(title: str, entries: Sequence[Entry]) -> None:
    """A heading, entries below it and an empty line."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(escape(f"{title}\n"))
    for each in entries:
        console.print(escape(filled(each.head, console.width, hang=" " * each.hang)))
        for uri in each.uris:
            console.print(escape(f"{_INDENT}{uri}"))
        if each.note:
            note = filled(f"{_INDENT}{each.note}", console.width, hang=_INDENT)
            console.print(escape(note))
    console.print()


def filled(text: str, width: int, *, hang: str) -> str:
    """Words in lines of a width, longer ones whole; all lines but the first begin with ``hang``."""
    return textwrap.fill(
        text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    )


def print_formula(formula: str) -> None:
    """A formula and an empty line; lines end between terms and not within one."""
    console = Console(highlight=False, soft_wrap=True)
    bound = _BRACKETED.sub(lambda found: found[0].replace(" ", _NO_BREAK), formula)
    bound = _AT_OPERATOR.sub(_NO_BREAK, bound)
    wrapped = textwrap.fill(bound, console.width, break_on_hyphens=False)
    console.print(escape(f"{wrapped.replace(_NO_BREAK, ' ')}\n"))


def print_tables(tables: "Sequence[ResultTable]") -> None:
    """The results of one or several runs."""
    from unforeseen.report.render import to_rich

    console = Console()
    console.print(to_rich(tables, width=console.width))


def print_experiment(tables: "Sequence[ExperimentTable]") -> None:
    """The results of an experiment."""
    from unforeseen.report.experiment_render import experiments_to_rich

    console = Console()
    console.print(experiments_to_rich(tables, width=console.width))


def print_obfuscations(tables: "Sequence[ObfuscationTable]", weighting: "Weighting") -> None:
    """The results of runs of obfuscations."""
    from unforeseen.report.obfuscation_render import obfuscations_to_rich

    console = Console()
    console.print(obfuscations_to_rich(tables, weighting, width=console.width))


def print_obfuscation_seeds(tables: "Sequence[ObfuscationSeeds]", weighting: "Weighting") -> None:
    """The results of obfuscations with several seeds."""
    from unforeseen.report.obfuscation_seeds_render import obfuscation_seeds_to_rich

    console = Console()
    console.print(obfuscation_seeds_to_rich(tables, weighting, width=console.width))


def print_confusion(tables: "Sequence[ConfusionTable]") -> None:
    """What pictures are taken for."""
    from unforeseen.report.confusion_table import confusions_to_rich

    console = Console()
    console.print(confusions_to_rich(tables, width=console.width))


def print_evasions(table: "EvasionTable") -> None:
    """What gets through."""
    from unforeseen.report.evasion_table import evasions_to_rich

    console = Console()
    console.print(evasions_to_rich(table, width=console.width))


def print_hold_outs(found: "Sequence[HoldOutChoices]") -> None:
    """Where choices of hold-outs stand."""
    from unforeseen.report.hold_out_table import hold_outs_to_rich

    console = Console()
    console.print(hold_outs_to_rich(found, width=console.width))


def print_costs(measured: "Sequence[CostTimes]") -> None:
    """What attacks cost."""
    from unforeseen.report.cost_table import costs_to_rich

    Console().print(costs_to_rich(measured))
