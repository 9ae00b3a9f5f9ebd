"""Tables of experiments for programs: CSV and JSON, shares in [0, 1] at full precision.

CSV has a line for each figure of each model at each value:

* experiment, benchmark, edition, level; model (its URI; empty for the mean over models, where there
  are several); images; figure (``clean_accuracy``, ``ua2``, an attack's name, ``mean:A+B``);
* value: what was varied. Of seeds also ``mean`` and ``standard_deviation`` (n − 1);
* estimate, low, high, n, interval: the share, its 95 % interval, the number of pictures (of a mean
  or deviation over seeds: of seeds) and how the interval was made;
* chosen: ``true`` at the value that the sweep speaks for under the attack; see
  :attr:`unforeseen.report.experiment_tables.ExperimentTable.choices`.

What was not run is empty.
"""

__all__ = ["estimate_cells", "experiments_to_csv", "experiments_to_json", "spread_cells"]

from collections.abc import Iterator, Sequence
from typing import Any

from unforeseen.metrics import Estimate, Spread
from unforeseen.report.experiment_tables import Block, ExperimentTable, Line
from unforeseen.report.serialised import csv_text, json_text

_COLUMNS = (
    *("experiment", "benchmark", "edition", "level", "model", "images", "figure", "value"),
    *("estimate", "low", "high", "n", "interval", "chosen"),
)


def experiments_to_csv(tables: Sequence[ExperimentTable]) -> str:
    """Writes tables as CSV; the module's documentation describes the columns."""
    lines = (
        [cells.get(column) for column in _COLUMNS]
        for table in tables
        for block in table.blocks
        for line in block.lines
        for cells in _csv_lines(table, block, line)
    )
    return csv_text(_COLUMNS, lines)


def experiments_to_json(tables: Sequence[ExperimentTable]) -> str:
    """Writes tables as a JSON list.

    Each has ``experiment``, ``benchmark``, ``edition``, ``level``, ``models``, ``images``,
    ``values``, ``notes``, ``choices`` (each ``attack``, ``value``, ``accuracy``, ``lowest``) and
    ``blocks``; each block ``model`` (null for the mean over models) and ``figures`` by name, with an
    estimate or null for each value and, of seeds, their ``spread``. It is written in ASCII, so that
    no terminal's or pipe's encoding can spoil it.
    """
    content = [
        {
            "experiment": table.experiment,
            "benchmark": table.benchmark,
            "edition": table.edition,
            "level": table.level,
            "models": list(table.models),
            "images": table.images,
            "values": list(table.values),
            "notes": list(table.notes),
            "choices": [
                {
                    "attack": each.attack,
                    "value": each.value,
                    "accuracy": each.accuracy,
                    "lowest": each.lowest,
                }
                for each in table.choices
            ],
            "blocks": [
                {
                    "model": block.model,
                    "figures": {line.key: _recorded(line) for line in block.lines},
                }
                for block in table.blocks
            ],
        }
        for table in tables
    ]
    return json_text(content)


def estimate_cells(figure: Estimate | None) -> dict[str, Any]:
    """``estimate`` and all that belongs to it; nothing of what was not run."""
    if figure is None:
        return {}
    record = figure.to_record()
    return {"estimate": record.pop("value")} | record


def spread_cells(found: Spread | None) -> Iterator[dict[str, Any]]:
    """``value``, ``estimate`` and ``n`` of mean and standard deviation; nothing where there are none."""
    if found is not None:
        yield {"value": "mean", "estimate": found.mean, "n": found.n}
        yield {"value": "standard_deviation", "estimate": found.deviation, "n": found.n}


def _csv_lines(table: ExperimentTable, block: Block, line: Line) -> Iterator[dict[str, Any]]:
    about = {
        "experiment": table.experiment,
        "benchmark": table.benchmark,
        "edition": table.edition,
        "level": table.level,
        "model": block.model,
        "images": table.images,
        "figure": line.key,
    }
    chosen = {each.attack: each.value for each in table.choices} if block is table.blocks[0] else {}
    for value, figure in zip(table.values, line.figures, strict=True):
        marked = {"chosen": value == chosen[line.key]} if line.key in chosen else {}
        yield about | {"value": value} | estimate_cells(figure) | marked
    for cells in spread_cells(line.spread):
        yield about | cells


def _recorded(line: Line) -> dict[str, Any]:
    return {
        "estimates": [figure and figure.to_record() for figure in line.figures],
        "spread": line.spread and line.spread.to_record(),
    }
