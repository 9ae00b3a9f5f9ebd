"""The plot of a sweep shows the table's figures, each under its own name."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.text import Annotation

from made_experiments import Survivors, made_experiment
from made_runs import CORE
from report.drawn import drawn, numbers, tick_labels
from unforeseen.experiment_folder.record import ExperimentName
from unforeseen.report import sweep_plot
from unforeseen.report.experiment_tables import experiment_tables

COUNTS: Survivors = {
    name: (9 - index, 7 - index // 2, 4 - index // 3) for index, name in enumerate((*CORE, "pgd"))
}


@pytest.mark.parametrize(
    ("name", "values"), [("steps", (0, 1, 20)), ("radii", (0.5, 1, 2)), ("step-sizes", (1, 2, 4))]
)
def test_lines_band_labels_and_ticks_are_those_of_the_table(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: ExperimentName,
    values: tuple[float, ...],
) -> None:
    folder = made_experiment(tmp_path, name, values, {"a.pt2": COUNTS}, levels=("low", "medium"))
    tables = experiment_tables(folder)
    panels = drawn(monkeypatch, sweep_plot, lambda path: sweep_plot.draw_sweep(tables, path))
    for axes, table in zip(panels, tables, strict=True):
        figures = table.blocks[0].lines
        shares = {
            each.heading: [100 * figure.value for figure in each.figures if figure is not None]
            for each in figures
        }
        # A label points at the end of a line, by which it is told whose line that is.
        labels = {text.get_text(): text for text in axes.texts if isinstance(text, Annotation)}
        assert len(axes.lines) == len(labels) == len(shares) == len(COUNTS) + 2
        for heading, line in zip(shares, axes.lines, strict=True):
            assert numbers(line.get_xdata()) == list(values)
            assert numbers(line.get_ydata()) == pytest.approx(shares[heading])
            assert labels[heading].xy == pytest.approx((values[-1], shares[heading][-1]))
            assert labels[heading].get_color() == line.get_color()
        # The higher a line ends, the higher stands its label.
        by_height = sorted(labels.values(), key=lambda label: label.xyann[1])
        assert [label.xy[1] for label in by_height] == sorted(each.xy[1] for each in by_height)
        mean = figures[-2]
        (band,) = (each for each in axes.collections if isinstance(each, PolyCollection))
        corners = {(x, y) for x, y in numbers(np.round(numbers(band.get_paths()[0].vertices), 6))}
        assert {
            (value, round(100 * bound, 6))
            for value, figure in zip(values, mean.figures, strict=True)
            if figure is not None
            for bound in (figure.low, figure.high)
        } <= corners
        assert tick_labels(axes, "x") == dict(zip(values, table.headings, strict=True))
        assert axes.get_ylim() == (-2, 102)
        assert table.level in axes.get_title()


def test_a_value_that_was_not_run_is_no_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: dict[str, Survivors] = {"a.pt2": {"wood": (8, 6, 3)}, "b.pt2": {"wood": (6, 4, 1)}}
    folder = made_experiment(tmp_path, "steps", (0, 1, 5), counts)
    (folder / "b" / "steps-1" / "run.json").unlink()
    tables = experiment_tables(folder)
    (axes,) = drawn(monkeypatch, sweep_plot, lambda path: sweep_plot.draw_sweep(tables, path))
    wood = axes.lines[0]
    assert numbers(wood.get_xdata()) == [0, 5]
    assert numbers(wood.get_ydata()) == pytest.approx([70, 20])


@pytest.mark.parametrize(
    "values",
    [
        (1e-12, 0.3, 0.30000000000000004, 1.0, 1.0000000000001, 1e12),
        (0.5, 0.55, 0.6, 0.65, 0.7, 4.0),
    ],
)
def test_values_close_to_each_other_are_told_apart_and_not_written_over_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: tuple[float, ...]
) -> None:
    counts: Survivors = {"wood": tuple(range(len(values)))}
    (table,) = experiment_tables(made_experiment(tmp_path, "radii", values, {"a.pt2": counts}))
    assert [float(heading) for heading in table.headings] == list(values)
    (axes,) = drawn(monkeypatch, sweep_plot, lambda path: sweep_plot.draw_sweep([table], path))
    written = [label for label in axes.get_xticklabels() if label.get_text()]
    assert written[0].get_text() == table.headings[0]
    assert 2 < len(written) < len(values)
    ends = [label.get_window_extent() for label in written]
    assert all(one.x1 < other.x0 for one, other in pairwise(ends))


def test_one_value_has_its_interval_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made_experiment(tmp_path, "steps", (5,), {"a.pt2": {"wood": (6,), "pixel": (2,)}})
    (table,) = experiment_tables(folder)
    (axes,) = drawn(monkeypatch, sweep_plot, lambda path: sweep_plot.draw_sweep([table], path))
    (mean,) = table.blocks[0].lines[-2].figures
    assert mean is not None
    (bar,) = (each for each in axes.collections if isinstance(each, LineCollection))
    ((low, high),) = numbers(bar.get_segments())
    assert low == pytest.approx([5, 100 * mean.low])
    assert high == pytest.approx([5, 100 * mean.high])
