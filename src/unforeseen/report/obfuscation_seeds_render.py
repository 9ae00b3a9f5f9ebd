"""Tables of obfuscations with several seeds for reading: on a terminal and as Markdown. Percent."""

__all__ = ["obfuscation_seeds_to_markdown", "obfuscation_seeds_to_rich"]

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.counted import counted
from unforeseen.metrics import Spread
from unforeseen.report.experiment_render import about_intervals
from unforeseen.report.grids import (
    NOT_RUN,
    escaped,
    fitting,
    grid,
    markdown_table,
    percent,
    plain,
)
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
from unforeseen.run_folder.obfuscation_figures import Weighting

#: Above means and deviations.
_SPREAD = "mean ± SD"


def obfuscation_seeds_to_rich(
    tables: Iterable[ObfuscationSeeds], weighting: Weighting, *, width: int
) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        tables: As made by :func:`unforeseen.report.obfuscation_seeds.obfuscation_seeds`.
        weighting: Which figures are shown.
        width: Of the terminal in characters; seeds that find no room go on below.
    """
    parts: list[RenderableType] = []
    for table in tables:
        parts += [Text(plain(line), style="bold") for line in _heads(table, weighting)]
        parts += [Text(plain(note), style="yellow") for note in table.notes]
        parts += [grid(cells) for cells in fitting(_cells(table, weighting), width)]
        parts.append(Text(_about(table, weighting)))
    return Group(*parts)


def obfuscation_seeds_to_markdown(tables: Iterable[ObfuscationSeeds], weighting: Weighting) -> str:
    """Writes tables in GitHub's Markdown, each under a heading, its headline and its notes."""
    blocks = []
    for table in tables:
        title, headline = _heads(table, weighting)
        blocks += [f"### {escaped(title)}", f"**{escaped(headline)}**"]
        blocks += map(escaped, table.notes)
        blocks.append(markdown_table(_cells(table, weighting)))
        blocks.append(escaped(_about(table, weighting)))
    return "\n\n".join(blocks) + "\n"


def _heads(table: ObfuscationSeeds, weighting: Weighting) -> tuple[str, str]:
    """The title, and the figure that sums all up."""
    first = table.table.lines[0]
    found = table.spread(first, weighting)
    told = "not run" if found is None else f"{_shown(found)} over {counted(found.n, 'seed')}"
    return f"{table.about(weighting)}: {table.of}", f"{first.heading}: {told}"


def _cells(table: ObfuscationSeeds, weighting: Weighting) -> list[list[str]]:
    """Heading and lines: a figure a line, first what all seeds came to, then each."""
    cells = [["", _SPREAD, *table.table.columns]]
    for line in table.table.lines:
        figures = [percent(each.by(weighting)) for each in line.figures]
        cells.append([line.heading, _shown(table.spread(line, weighting)), *figures])
    return cells


def _shown(found: Spread | None) -> str:
    """Two decimals, since deviations are small; a dash for what a single seed doesn't have."""
    if found is None:
        return NOT_RUN
    deviation = NOT_RUN if found.deviation is None else f"{100 * found.deviation:.2f}"
    return f"{100 * found.mean:.2f} ± {deviation}"


def _about(table: ObfuscationSeeds, weighting: Weighting) -> str:
    figures = [each.by(weighting) for line in table.table.lines for each in line.figures]
    return f"SD: standard deviation over seeds (n − 1). {about_intervals(figures)}"
