"""What attacks cost, for people and for programs. Needs neither torch nor a model.

CSV has a line for each attack of each measurement: benchmark, edition, level, model, device,
batch_size; attack; ratio, ratio_low, ratio_high (a step in steps of PGD: median and range over
rounds), milliseconds (a step for one picture), once (scene, start and judging, in steps of the
attack), steps (the benchmark's number), whole (all of them and what comes once, in PGD's), and the
number of rounds behind these. What wasn't measured is empty.
"""

__all__ = ["about", "costs_to_csv", "costs_to_json", "costs_to_markdown", "costs_to_rich"]

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.experiment_folder.cost_times import CostTimes
from unforeseen.report.cost_figures import AttackCost, OverRounds, costs_of, unsteadiness
from unforeseen.report.grids import NOT_RUN, escaped, grid, markdown_table, plain
from unforeseen.report.serialised import csv_text, json_text

_TITLE = "Time per step, in steps of PGD"
_HEADINGS = ("attack", "× PGD", "range", "ms/step", "once", "steps", "all × PGD")
_LEGEND = (
    "× PGD: median, and range over rounds. ms/step: for one picture. once: scene, start and judging, "
    "in steps. all × PGD: that and the benchmark's steps, in all of PGD's."
)
_TOO_QUICK = (
    "–: not measured, or too quick for this machine (give more --steps or a larger --batch-size)."
)
_LEFT_OUT = "Rounds in which a step of PGD took no time say nothing of a ratio."


def about(times: CostTimes) -> str:
    """What was measured and on what, in a line."""
    height, width = times.picture_size
    machine = times.environment.get("device_name") or times.environment.get("platform")
    done = times.finished_rounds
    rounds = times.rounds if done == times.rounds else f"{done} of {times.rounds}"
    return plain(
        f"{times.benchmark}, edition {times.edition}, level {times.level}: {times.model}, "
        f"{times.batch_size} × {height}×{width} px at once, {rounds} rounds of {times.timed_steps} "
        f"steps; {times.environment.get('device')} ({machine}), threads: "
        f"{times.environment.get('threads')}"
    )


def costs_to_rich(measured: Sequence[CostTimes]) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints; the quickest attack first."""
    parts: list[RenderableType] = []
    for times in measured:
        parts += [Text(_TITLE, style="bold"), Text(about(times))]
        parts += [Text(note, style="yellow") for note in _notes(times)]
        parts.append(grid(_lines(times)))
        parts += map(Text, _legend(times))
    return Group(*parts)


def costs_to_markdown(measured: Sequence[CostTimes]) -> str:
    """Writes tables in GitHub's Markdown, each under a heading and its conditions."""
    blocks = []
    for times in measured:
        blocks += [f"### {_TITLE}", escaped(about(times)), *map(escaped, _notes(times))]
        blocks.append(markdown_table(_lines(times)))
        blocks += map(escaped, _legend(times))
    return "\n\n".join(blocks) + "\n"


def costs_to_csv(measured: Sequence[CostTimes]) -> str:
    """Writes CSV; the module's documentation describes the columns."""
    lines = [
        {
            "benchmark": times.benchmark,
            "edition": times.edition,
            "level": times.level,
            "model": times.model,
            "device": times.environment.get("device"),
            "batch_size": times.batch_size,
        }
        | _figures(cost)
        for times in measured
        for cost in costs_of(times)
    ]
    return csv_text([*lines[0]], (line.values() for line in lines))


def costs_to_json(measured: Sequence[CostTimes]) -> str:
    """Writes a JSON list: of each measurement the content of ``cost.json``, and ``costs``.

    ``costs`` holds the figures of each attack by the names of CSV's columns, null where nothing was
    measured. It is written in ASCII, so that no terminal's or pipe's encoding can spoil it.
    """
    content = [
        times.to_record() | {"costs": [_figures(cost) for cost in costs_of(times)]}
        for times in measured
    ]
    return json_text(content)


def _figures(cost: AttackCost) -> dict[str, Any]:
    ratio = cost.ratio
    return {
        "attack": cost.attack,
        "ratio": ratio and ratio.median,
        "ratio_low": ratio and ratio.low,
        "ratio_high": ratio and ratio.high,
        "milliseconds": cost.seconds and 1000 * cost.seconds.median,
        "once": cost.once,
        "steps": cost.updates,
        "whole": cost.whole and cost.whole.median,
        "rounds": cost.rounds,
    }


def _notes(times: CostTimes) -> list[str]:
    note = unsteadiness(costs_of(times))
    return [] if note is None else [note]


def _lines(times: CostTimes) -> list[list[str]]:
    """Heading and rows, an attack a line."""
    return [[*_HEADINGS], *map(_line, costs_of(times))]


def _line(cost: AttackCost) -> list[str]:
    ratio = cost.ratio
    return [
        cost.label,
        _median(ratio, 2),
        NOT_RUN if ratio is None else f"{ratio.low:.2f}–{ratio.high:.2f}",
        _median(cost.seconds, 2, times=1000),
        NOT_RUN if cost.once is None else f"{cost.once:.1f}",
        str(cost.updates),
        _median(cost.whole, 2),
    ]


def _median(rounds: OverRounds | None, digits: int, *, times: float = 1) -> str:
    return NOT_RUN if rounds is None else f"{times * rounds.median:.{digits}f}"


def _legend(times: CostTimes) -> list[str]:
    costs = costs_of(times)
    return [
        _LEGEND,
        *([] if all(cost.ratio for cost in costs) else [_TOO_QUICK]),
        *([] if all(cost.rounds == cost.timed for cost in costs) else [_LEFT_OUT]),
    ]
