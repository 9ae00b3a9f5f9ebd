"""What the plot of seeds shows, of attacks and of obfuscations. Needs no Matplotlib."""

__all__ = ["SeedsLine", "SeedsPanel", "attack_panels", "obfuscation_panels"]

from collections.abc import Sequence
from typing import NamedTuple, get_args

from unforeseen.metrics import Estimate, Spread
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
from unforeseen.run_folder.obfuscation_figures import Weighting


class SeedsLine(NamedTuple):
    """One figure with each seed.

    Attributes:
        heading: For people.
        figures: One for each seed; None where it wasn't run.
        spread: Over these; None where there are none.
        summed_up: Whether it is over several attacks or obfuscations, and so is black.
    """

    heading: str
    figures: tuple[Estimate | None, ...]
    spread: Spread | None
    summed_up: bool


class SeedsPanel(NamedTuple):
    """Figures below each other.

    Attributes:
        title: Its first line: what was run.
        of: Its second: on which model and pictures.
        lines: From the top.
    """

    title: str
    of: str
    lines: tuple[SeedsLine, ...]


def attack_panels(tables: Sequence[ExperimentTable]) -> tuple[SeedsPanel, ...]:
    """A panel for each level."""
    panels = []
    for table in tables:
        about, _, of = table.title.partition(": ")
        lines = tuple(
            SeedsLine(line.heading, line.figures, line.spread, line.kind == "mean")
            for line in table.blocks[0].lines
        )
        panels.append(SeedsPanel(f"{about}, {len(table.values)} seeds", of, lines))
    return tuple(panels)


def obfuscation_panels(table: ObfuscationSeeds) -> tuple[SeedsPanel, ...]:
    """A panel for each weighting, as in the paper's figure C.22."""
    return tuple(
        SeedsPanel(
            table.about(weighting),
            table.of,
            tuple(
                SeedsLine(
                    line.heading,
                    tuple(each.by(weighting) for each in line.figures),
                    table.spread(line, weighting),
                    ":" in line.key,
                )
                for line in table.table.lines
            ),
        )
        for weighting in get_args(Weighting)
    )
