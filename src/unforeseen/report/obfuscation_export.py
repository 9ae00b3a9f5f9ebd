"""Tables of obfuscation runs for programs: CSV and JSON, shares in [0, 1] at full precision.

CSV has two lines for each run, one for each weighting, with these columns:

* benchmark, weighting (``balanced`` or ``unweighted``), top, model (what the table calls the run),
  head, data, made_by, worst_of, seed, images, complete, partial (reasons joined by ``; ``),
  nonfinite, unreadable, check (its verdict);
* for each figure (``worst:SET`` and ``mean:SET`` of each set, ``clean``, each obfuscation) four: its
  name holds the value, and ``NAME_low``, ``NAME_high``, ``NAME_n`` the 95 % interval and the number
  of pictures.

What was not run is empty.
"""

__all__ = ["obfuscations_to_csv", "obfuscations_to_json"]

from collections.abc import Sequence
from typing import Any, get_args

from unforeseen.report.obfuscation_tables import ObfuscationTable
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.run_folder.obfuscation_figures import Weighting


def obfuscations_to_csv(tables: Sequence[ObfuscationTable]) -> str:
    """Writes tables as CSV; the module's documentation describes the columns."""
    keys = list(dict.fromkeys(line.key for table in tables for line in table.lines))
    lines = [
        _line(table, column, weighting, keys)
        for table in tables
        for column in range(len(table.columns))
        for weighting in get_args(Weighting)
    ]
    return csv_text([*lines[0]] if lines else [], (line.values() for line in lines))


def obfuscations_to_json(tables: Sequence[ObfuscationTable]) -> str:
    """Writes tables as a JSON list.

    Each has ``benchmark``, ``top``, ``origin``, ``notes`` and ``runs``; each run ``name``, ``head``,
    ``figures`` (by name, each with ``balanced`` and ``unweighted``: an estimate as in summary.json, or
    null) and ``summary`` (the content of summary.json; null of an oracle over several models). It is
    written in ASCII, so that no terminal's or pipe's encoding can spoil it.
    """
    content = [
        {
            "benchmark": table.benchmark,
            "top": table.top,
            "origin": table.origin,
            "notes": list(table.notes),
            "runs": [
                {
                    "name": name,
                    "head": summary and summary.head,
                    "figures": {line.key: line.figures[column].to_record() for line in table.lines},
                    "summary": summary and summary.to_record(),
                }
                for column, (name, summary) in enumerate(
                    zip(table.columns, table.summaries, strict=True)
                )
            ],
        }
        for table in tables
    ]
    return json_text(content)


def _line(
    table: ObfuscationTable, column: int, weighting: Weighting, keys: Sequence[str]
) -> dict[str, Any]:
    run = table.summaries[column]
    line: dict[str, Any] = {
        "benchmark": table.benchmark,
        "weighting": weighting,
        "top": table.top,
        "model": table.columns[column],
        "head": run and run.head,
        "data": run and run.data,
        "made_by": run and run.made_by,
        "worst_of": run and run.worst_of,
        "seed": run and run.seed,
        "images": run and run.images,
        "complete": run and run.complete,
        "partial": run and "; ".join(run.partial),
        "nonfinite": run and run.nonfinite,
        "unreadable": run and run.unreadable,
        "check": run and ("not checked" if run.check is None else run.check.verdict),
    }
    figures = {each.key: each.figures[column].by(weighting) for each in table.lines}
    for key in keys:
        estimate = figures.get(key)
        line[key] = estimate and estimate.value
        line[f"{key}_low"] = estimate and estimate.low
        line[f"{key}_high"] = estimate and estimate.high
        line[f"{key}_n"] = estimate and estimate.n
    return line
