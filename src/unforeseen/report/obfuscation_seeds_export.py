"""Obfuscations with several seeds for programs: CSV and JSON, shares in [0, 1] at full precision.

CSV has a line for each figure at each seed, class-balanced and not:

* experiment (``seeds``), benchmark, weighting (``balanced`` or ``unweighted``), top, model (its URI),
  images; figure (``worst:SET``, ``mean:SET``, ``clean``, an obfuscation's name);
* value: the seed, ``mean`` or ``standard_deviation`` (n − 1);
* estimate, low, high, n, interval: the share, its 95 % interval, the number of pictures (of a mean
  or deviation: of seeds) and how the interval was made.

What was not run is empty.
"""

__all__ = ["obfuscation_seeds_to_csv", "obfuscation_seeds_to_json"]

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from unforeseen.report.experiment_export import estimate_cells, spread_cells
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds
from unforeseen.report.obfuscation_tables import FigureLine
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.run_folder.obfuscation_figures import Weighting

_COLUMNS = (
    *("experiment", "benchmark", "weighting", "top", "model", "images", "figure", "value"),
    *("estimate", "low", "high", "n", "interval"),
)


def obfuscation_seeds_to_csv(tables: Sequence[ObfuscationSeeds]) -> str:
    """Writes tables as CSV; the module's documentation describes the columns."""
    lines = (
        [cells.get(column) for column in _COLUMNS]
        for table in tables
        for weighting in get_args(Weighting)
        for line in table.table.lines
        for cells in _csv_lines(table, line, weighting)
    )
    return csv_text(_COLUMNS, lines)


def obfuscation_seeds_to_json(tables: Sequence[ObfuscationSeeds]) -> str:
    """Writes tables as a JSON list.

    Each has ``experiment``, ``benchmark``, ``top``, ``model``, ``images``, ``values`` (the seeds),
    ``notes`` and ``figures`` by name, each with ``balanced`` and ``unweighted``: an estimate or null
    for each seed in ``estimates``, and their ``spread``. It is written in ASCII, so that no
    terminal's or pipe's encoding can spoil it.
    """
    content = [
        {
            "experiment": "seeds",
            "benchmark": table.table.benchmark,
            "top": table.table.top,
            "model": table.model,
            "images": table.images,
            "values": list(table.seeds),
            "notes": list(table.notes),
            "figures": {
                line.key: {
                    weighting: _recorded(table, line, weighting)
                    for weighting in get_args(Weighting)
                }
                for line in table.table.lines
            },
        }
        for table in tables
    ]
    return json_text(content)


def _csv_lines(
    table: ObfuscationSeeds, line: FigureLine, weighting: Weighting
) -> Iterator[dict[str, Any]]:
    about = {
        "experiment": "seeds",
        "benchmark": table.table.benchmark,
        "weighting": weighting,
        "top": table.table.top,
        "model": table.model,
        "images": table.images,
        "figure": line.key,
    }
    for seed, figure in zip(table.seeds, line.figures, strict=True):
        yield about | {"value": seed} | estimate_cells(figure.by(weighting))
    for cells in spread_cells(table.spread(line, weighting)):
        yield about | cells


def _recorded(table: ObfuscationSeeds, line: FigureLine, weighting: Weighting) -> dict[str, Any]:
    figures = [each.by(weighting) for each in line.figures]
    found = table.spread(line, weighting)
    return {
        "estimates": [figure and figure.to_record() for figure in figures],
        "spread": found and found.to_record(),
    }
