"""Tables for programs: CSV and JSON, shares in [0, 1] at full precision.

CSV has a line for each run and level, and for each row of the paper, with these columns:

* source (``run`` or ``paper``), benchmark, edition, level, model, head (its name, where the
  model has one), source_model (whom the pictures were made against, where that is another model),
  data, seed, images, complete, partial (reasons joined by ``; ``), nonfinite, unreadable,
  gradient_evaluations, check (its verdict);
* for each figure (``clean_accuracy``, ``ua2``, each attack, and ``mean:SET`` and ``worst:SET`` of
  the sets that were asked for, such as ``mean:jpeg+wood``) four: its name holds the value, and
  ``NAME_low``, ``NAME_high``, ``NAME_n`` the 95 % interval and the number of pictures.

What was not run, and what the paper doesn't print, is empty. Lines of different benchmarks or
editions can follow each other; they say which they are.
"""

__all__ = ["to_csv", "to_json"]

from collections.abc import Sequence
from typing import Any

from unforeseen.metrics import Estimate
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.report.tables import Figure, ResultRow, ResultTable


def to_csv(tables: Sequence[ResultTable]) -> str:
    """Writes tables as CSV; the module's documentation describes the columns."""
    keys = list(dict.fromkeys(key for table in tables for key in table.keys))
    lines = [_line(table, row, keys) for table in tables for row in table.rows]
    return csv_text([*lines[0]] if lines else [], (line.values() for line in lines))


def to_json(tables: Sequence[ResultTable]) -> str:
    """Writes tables as a JSON list.

    Each has ``benchmark``, ``edition``, ``levels``, ``notes`` and ``rows``; each row ``source``,
    ``model``, ``head`` (its name, or null), ``level``, ``figures`` (by name: an estimate as in summary.json, the paper's share,
    or null) and ``summary`` (the content of summary.json; null for the paper's rows). It is
    written in ASCII, so that no terminal's or pipe's encoding can spoil it.
    """
    content = [
        {
            "benchmark": table.benchmark,
            "edition": table.edition,
            "levels": list(table.levels),
            "notes": list(table.notes),
            "rows": [
                {
                    "source": row.source,
                    "model": row.model,
                    "head": None if row.summary is None else row.summary.head,
                    "level": row.level,
                    "figures": {key: _recorded(row.figures.get(key)) for key in table.keys},
                    "summary": None if row.summary is None else row.summary.to_record(),
                }
                for row in table.rows
            ],
        }
        for table in tables
    ]
    return json_text(content)


def _line(table: ResultTable, row: ResultRow, keys: Sequence[str]) -> dict[str, Any]:
    run = row.summary
    line: dict[str, Any] = {
        "source": row.source,
        "benchmark": table.benchmark,
        "edition": table.edition,
        "level": row.level,
        "model": row.model,
        "head": run and run.head,
        "source_model": run and run.source_model,
        "data": run and run.data,
        "seed": run and run.seed,
        "images": run and run.images,
        "complete": run and run.complete,
        "partial": run and "; ".join(run.partial),
        "nonfinite": run and run.nonfinite,
        "unreadable": run and run.unreadable,
        "gradient_evaluations": run and run.gradient_evaluations,
        "check": run and ("not checked" if run.check is None else run.check.verdict),
    }
    for key in keys:
        figure = row.figures.get(key)
        estimate = figure if isinstance(figure, Estimate) else None
        line[key] = figure.value if isinstance(figure, Estimate) else figure
        line[f"{key}_low"] = estimate and estimate.low
        line[f"{key}_high"] = estimate and estimate.high
        line[f"{key}_n"] = estimate and estimate.n
    return line


def _recorded(figure: Figure) -> Any:
    return figure.to_record() if isinstance(figure, Estimate) else figure
