"""What attacks cost, as a table for a terminal and for programs. Needs neither torch nor a model."""

__all__ = ["COLUMNS", "about", "cost_lines", "to_csv"]

import csv
import io
from typing import Any

from unforeseen.experiments.cost_times import AttackCost, CostTimes, Spread, costs_of
from unforeseen.report.grids import plain

#: Headings of :func:`cost_lines`.
COLUMNS = (
    "attack",
    "× PGD",
    "range",
    "ms per step\nper picture",
    "once,\nin steps",
    "steps",
    "all,\n× PGD",
)
_NOT_MEASURED = "–"


def about(times: CostTimes) -> str:
    """What was measured and on what, in a line."""
    height, width = times.picture_size
    threads = times.environment.get("threads")
    machine = times.environment.get("device_name") or times.environment.get("platform")
    where = f"{times.environment.get('device')} ({machine}), threads: {threads}"
    done = times.finished_rounds
    rounds = times.rounds if done == times.rounds else f"{done} of {times.rounds}"
    return plain(
        f"{times.benchmark}, edition {times.edition}, level {times.level}: {times.model}, "
        f"{times.batch_size} × {width}×{height} px at once, {rounds} rounds of {times.timed_steps} "
        f"steps; {where}"
    )


def cost_lines(times: CostTimes) -> list[list[str]]:
    """The quickest attack first; a cell for each of :data:`COLUMNS`."""
    return [_line(cost) for cost in costs_of(times)]


def to_csv(times: CostTimes) -> str:
    """A line for each attack; medians, and the ranges over rounds. What wasn't measured is empty.

    ``ratio``, ``ratio_low``, ``ratio_high``: a step, in PGD's; ``milliseconds``: per step and
    picture; ``once``: scene, start and judging, in steps of the attack; ``steps``: the
    benchmark's; ``whole``: all of them, and what comes once, in PGD's; ``rounds``.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    lines = [_fields(cost) for cost in costs_of(times)]
    writer.writerow(lines[0])
    writer.writerows(["" if value is None else value for value in line.values()] for line in lines)
    return buffer.getvalue()


def _fields(cost: AttackCost) -> dict[str, Any]:
    ratio = cost.ratio
    return {
        "attack": plain(cost.attack),
        "ratio": ratio and ratio.median,
        "ratio_low": ratio and ratio.low,
        "ratio_high": ratio and ratio.high,
        "milliseconds": cost.seconds and 1000 * cost.seconds.median,
        "once": cost.once and cost.once.median,
        "steps": cost.updates,
        "whole": cost.whole and cost.whole.median,
        "rounds": cost.rounds,
    }


def _line(cost: AttackCost) -> list[str]:
    ratio = cost.ratio
    return [
        plain(cost.attack),
        _median(ratio, 2),
        _NOT_MEASURED if ratio is None else f"{ratio.low:.2f}–{ratio.high:.2f}",
        _median(cost.seconds, 2, times=1000),
        _median(cost.once, 1),
        str(cost.updates),
        _median(cost.whole, 2),
    ]


def _median(spread: Spread | None, digits: int, *, times: float = 1) -> str:
    return _NOT_MEASURED if spread is None else f"{times * spread.median:.{digits}f}"
