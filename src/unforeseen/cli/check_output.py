"""What is printed of what was checked: a set-up, a pack of assets, a run's figures, an attack's contract."""

__all__ = ["print_asset_check", "print_check", "print_recount", "print_verdict"]

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from unforeseen.cli.output import filled, print_listing, print_paragraph
from unforeseen.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unforeseen.asset_check.examination import Examination
    from unforeseen.check.result import CheckResult
    from unforeseen.contract.examination import Verdict
    from unforeseen.recount import Recount
    from unforeseen.running.plan import Plan
    from unforeseen.transforms.assets.manifest import AssetKind

#: How much of what was seen of one kind is printed.
_SEEN = 3


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


def print_asset_check(
    folder: Path, examination: "Examination", *, origins: "Mapping[AssetKind, Path] | None" = None
) -> None:
    """What there is in a folder of assets, what is odd, and last what is wrong, a line each.

    Args:
        folder: Where it lies.
        examination: What was found.
        origins: Of a pack that was made of several: where each kind comes from.
    """
    from unforeseen.asset_check.examination import IN_THE_PAPER
    from unforeseen.counted import counted

    columns = {
        "kind": [*examination.counts],
        "here": [str(count) for count in examination.counts.values()],
        "in the paper": [str(IN_THE_PAPER[kind]) for kind in examination.counts],
    }
    if origins is not None:
        columns["from"] = [_origin(origins.get(kind)) for kind in examination.counts]
    console = Console(highlight=False, soft_wrap=True)
    console.print(escape(f"Assets of {folder}"))
    print_listing("", tuple(columns), list(zip(*columns.values(), strict=True)))
    if examination.licences:
        of_each = [
            (one_line(licence), str(count)) for licence, count in examination.licences.items()
        ]
        print_listing("", ("licence", "assets and network"), of_each)
    for note in examination.notes:
        console.print(escape(one_line(f"note: {note}")))
    for fault in examination.faults:
        console.print(escape(one_line(f"wrong: {fault}")))
    there = counted(sum(examination.counts.values()), "asset")
    if examination.has_network:
        there += " and a network"
    if examination.faults:
        found = f"{counted(len(examination.faults), 'thing')} wrong."
    elif examination.notes:
        found = f"{counted(len(examination.notes), 'note')}, nothing that can't be used."
    else:
        found = "nothing wrong."
    console.print(escape(f"{there}, {found}"))


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
    head = filled(f"{mark}  {verdict.check.holds}.", console.width, hang=" " * 8)
    console.print(escape(head))
    if verdict.fine:
        return
    lines = [f"seen: {one_line(each)}" for each in verdict.seen[:_SEEN]]
    if len(verdict.seen) > _SEEN:
        lines.append(f"and {len(verdict.seen) - _SEEN} more of the kind")
    if with_cause and not verdict.raised:
        lines.append(f"usual cause: {verdict.check.cause}.")
    for line in lines:
        console.print(escape(filled(f"{' ' * 8}{line}", console.width, hang=" " * 10)))


def _origin(folder: Path | None) -> str:
    """What a pack is called beside others."""
    from unforeseen.transforms.assets.pack import default_assets

    if folder is None:
        return ""
    return "this program" if folder == default_assets().folder else one_line(str(folder))


def _print_last(text: str) -> None:
    """Prose, wrapped, and no empty line behind it."""
    Console().print(escape(text), highlight=False)


def _print_field(name: str, value: str) -> None:
    """A line that isn't wrapped, so as to be copied."""
    Console(highlight=False, soft_wrap=True).print(f"{name:<10} {escape(one_line(value))}")
