"""Everything that commands print."""

__all__ = [
    "Entry",
    "as_typed",
    "print_asset_check",
    "print_check",
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
    "print_recount",
    "print_tables",
    "print_verdict",
    "say",
    "saying_how_to_go_on",
]

import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from unforeseen.errors import one_line

if TYPE_CHECKING:
    from unforeseen.asset_check.examination import Examination
    from unforeseen.check.result import CheckResult
    from unforeseen.contract.examination import Verdict
    from unforeseen.experiment_folder.cost_times import CostTimes
    from unforeseen.recount import Recount
    from unforeseen.report.confusion_table import ConfusionTable
    from unforeseen.report.evasion_table import EvasionTable
    from unforeseen.report.experiment_tables import ExperimentTable
    from unforeseen.report.hold_out_table import HoldOutChoices
    from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
    from unforeseen.report.obfuscation_tables import ObfuscationTable
    from unforeseen.report.tables import ResultTable
    from unforeseen.run_folder.obfuscation_figures import Weighting
    from unforeseen.running.plan import Plan

_INDENT = " " * 4
#: How much of what was seen of one kind is printed.
_SEEN = 3
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: What belongs together in a formula: short brackets, and operators with both their sides.
_BRACKETED = re.compile(r"\((?:[^()]|\([^()]*\)){0,40}\)")
_AT_OPERATOR = re.compile(r" (?=[=+−·∗≤~∈])|(?<=[=+−·∗≤~∈]) |(?<=\d) (?=[a-z])|(?<=Σ_[a-z]) ")


def say(text: str) -> None:
    """A line to the person at the terminal (standard error)."""
    Console(stderr=True).print(escape(text), highlight=False, soft_wrap=True)


def as_typed(command: Sequence[str]) -> str:
    """A command quoted for the shell of the system."""
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


@contextmanager
def saying_how_to_go_on(out: Path) -> Iterator[None]:
    """Where Ctrl-C or SIGTERM ends the run inside, says where its rows are and how it is continued.

    Nothing, where it ends before the run folder is begun.
    """
    try:
        yield
    except KeyboardInterrupt:
        if out.exists():
            say(f"Stopped. Every finished row is in {out}. To go on, run the same command again:")
            say(f"  {as_typed(['unforeseen', *sys.argv[1:]])}")
        raise


def print_paragraph(text: str) -> None:
    """Prose, wrapped, and an empty line."""
    Console().print(f"{escape(text)}\n", highlight=False)


def print_listing(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table; on narrow terminals cells are folded, but no line of a heading is."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold", min_width=max(map(len, column.split("\n"))))
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    Console().print(table)


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
        console.print(escape(_filled(each.head, console.width, hang=" " * each.hang)))
        for uri in each.uris:
            console.print(escape(f"{_INDENT}{uri}"))
        if each.note:
            note = _filled(f"{_INDENT}{each.note}", console.width, hang=_INDENT)
            console.print(escape(note))
    console.print()


def _filled(text: str, width: int, *, hang: str) -> str:
    """Words in lines of a width; all but the first begin with ``hang``."""
    return textwrap.fill(text, width, subsequent_indent=hang, break_on_hyphens=False)


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

    Console().print(hold_outs_to_rich(found))


def print_costs(measured: "Sequence[CostTimes]") -> None:
    """What attacks cost."""
    from unforeseen.report.cost_table import costs_to_rich

    Console().print(costs_to_rich(measured))


def print_check(result: "CheckResult", plan: "Plan | None", *, model: str, data: str) -> None:
    """Verdict, findings, what was looked at, and the figures behind them.

    Args:
        result: What was found.
        plan: Of the run to come.
        model: How the user named it.
        data: Likewise.
    """
    from unforeseen.check.figures import figures_of
    from unforeseen.counted import counted

    print_paragraph(result.verdict)
    for finding in result.findings:
        print_paragraph(f"{finding.kind}: {finding.text}")
    for note in result.notes:
        print_paragraph(f"note: {note}")
    _print_field("model", model)
    _print_field("data", data)
    if plan is not None:
        edition = plan.options().get("edition")
        named = (
            plan.benchmark.name if edition is None else f"{plan.benchmark.name}, edition {edition}"
        )
        _print_field("benchmark", named)
    print_listing(
        f"\nMeasured on {counted(result.pictures, 'picture')}",
        ("what", "value", "pictures"),
        figures_of(result),
    )
    if not result.at_zero:
        return
    print_listing(
        "Before any step (δ = 0)",
        ("attack", "classified right", "pictures"),
        [(each.attack, str(each.right), str(each.of)) for each in result.at_zero],
    )
    _print_last(
        "In edition published some attacks change a picture even then, as the program behind the "
        "paper's tables did. That is no fault of the model, but part of its accuracy under them."
    )


def print_asset_check(folder: Path, examination: "Examination") -> None:
    """What there is in a folder of assets, what is odd, and last what is wrong, a line each."""
    from unforeseen.asset_check.examination import IN_THE_PAPER
    from unforeseen.counted import counted

    rows = [
        (kind, str(count), str(IN_THE_PAPER[kind])) for kind, count in examination.counts.items()
    ]
    console = Console(highlight=False, soft_wrap=True)
    console.print(escape(f"Assets of {folder}"))
    print_listing("", ("kind", "here", "in the paper"), rows)
    if examination.licences:
        of_each = [
            (one_line(licence), str(count)) for licence, count in examination.licences.items()
        ]
        print_listing("", ("licence", "assets"), of_each)
    for note in examination.notes:
        console.print(escape(one_line(f"note: {note}")))
    for fault in examination.faults:
        console.print(escape(one_line(f"wrong: {fault}")))
    there = counted(sum(examination.counts.values()), "asset")
    wrong = counted(len(examination.faults), "thing")
    verdict = f"{there}, {wrong} wrong." if examination.faults else f"{there}, nothing wrong."
    console.print(escape(verdict))


def print_recount(name: str, result: "Recount") -> None:
    """What a recount found. What it shows of rows and files may be a stranger's."""
    from unforeseen.report.grids import plain

    if result.differences:
        lines = [
            [
                one_line(str(cell), longest=80)
                for cell in (each.figure, each.recounted, each.claimed, each.where)
            ]
            for each in result.differences
        ]
        print_listing("Figures that differ", ("figure", "by the rows", "claimed", "by"), lines)
    if result.violations:
        lines = [[each.rule, str(each.cases), plain(each.example)] for each in result.violations]
        print_listing("What contradicts what", ("must hold", "broken", "first"), lines)
    for note in result.notes:
        print_paragraph(f"{name}: {note}.")
    counted = f"{result.figures} figures from {result.rows:,} rows"
    if result.agrees:
        _print_last(f"{name}: {counted}, all equal; the rows contradict nothing.")
        return
    different = len({each.figure for each in result.differences})
    _print_last(
        f"{name}: {counted}: {different} of them differ, rules broken: {len(result.violations)}."
    )


def print_verdict(verdict: "Verdict", *, with_cause: bool = True) -> None:
    """What came of one check of an attack's contract; a line where it is fine.

    Args:
        verdict: Of the check.
        with_cause: Whether what usually breaks it is likely to be what broke it here.
    """
    console = Console(highlight=False, soft_wrap=True)
    mark = "fine  " if verdict.fine else "BROKEN"
    head = _filled(f"{mark}  {verdict.check.holds}.", console.width, hang=" " * 8)
    console.print(escape(head))
    if verdict.fine:
        return
    lines = [f"seen: {one_line(each)}" for each in verdict.seen[:_SEEN]]
    if len(verdict.seen) > _SEEN:
        lines.append(f"and {len(verdict.seen) - _SEEN} more of the kind")
    if with_cause and not verdict.raised:
        lines.append(f"usual cause: {verdict.check.cause}.")
    for line in lines:
        console.print(escape(_filled(f"{' ' * 8}{line}", console.width, hang=" " * 10)))


def _print_last(text: str) -> None:
    """Prose, wrapped, and no empty line behind it."""
    Console().print(escape(text), highlight=False)


def _print_field(name: str, value: str) -> None:
    """A line that isn't wrapped, so as to be copied."""
    Console(highlight=False, soft_wrap=True).print(f"{name:<10} {escape(one_line(value))}")
