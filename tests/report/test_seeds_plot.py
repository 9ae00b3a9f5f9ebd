"""The plot of seeds shows the table's figures, each in the line of its name."""

from pathlib import Path
from typing import get_args

import pytest
from matplotlib.patches import Rectangle

from made_experiments import Survivors, made_experiment
from made_obfuscations import made_seeds
from made_runs import CORE
from report.drawn import drawn, numbers, tick_labels
from unforeseen.metrics import Estimate
from unforeseen.report import seeds_plot
from unforeseen.report.experiment_tables import experiment_tables
from unforeseen.report.obfuscation_seeds import obfuscation_seeds
from unforeseen.report.seeds_panels import attack_panels, obfuscation_panels
from unforeseen.run_folder.obfuscation_figures import Weighting

COUNTS: Survivors = {
    name: (9 - index, 8 - index // 2, 8 if index < 2 else 1 + index // 3)
    for index, name in enumerate((*CORE, "pgd"))
}


def off_the_line(figures: list[Estimate]) -> list[float]:
    """One above, none or one below: of three seeds at most three are equal."""
    shares = [figure.value for figure in figures]
    evenly = {1: (0.0,), 2: (-0.08, 0.08), 3: (-0.16, 0.0, 0.16)}
    return [
        evenly[shares.count(share)][shares[:index].count(share)]
        for index, share in enumerate(shares)
    ]


def test_dots_strokes_and_intervals_are_those_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_experiment(
        tmp_path, "seeds", (0, 1, 4), {"a.pt2": COUNTS}, levels=("low", "medium")
    )
    tables = experiment_tables(folder)
    panels = drawn(
        monkeypatch, seeds_plot, lambda path: seeds_plot.draw_seeds(attack_panels(tables), path)
    )
    for axes, table in zip(panels, tables, strict=True):
        lines = table.blocks[0].lines
        bars = [each for each in axes.patches if isinstance(each, Rectangle)]
        assert tick_labels(axes, "y") == {place: line.heading for place, line in enumerate(lines)}
        assert len(axes.collections) == len(axes.lines) == len(bars) == len(lines)
        for place, line in enumerate(lines):
            figures = [figure for figure in line.figures if figure is not None]
            assert numbers(axes.collections[place].get_offsets()) == [
                pytest.approx([100 * figure.value, place + off])
                for figure, off in zip(figures, off_the_line(figures), strict=True)
            ]
            bar = bars[place]
            assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx(
                (100 * figures[0].low, 100 * figures[0].high)
            )
            assert bar.get_y() + bar.get_height() / 2 == pytest.approx(place)
            stroke = axes.lines[place]
            assert line.spread is not None
            assert numbers(stroke.get_xdata()) == pytest.approx([100 * line.spread.mean] * 2)
            assert sum(numbers(stroke.get_ydata())) / 2 == pytest.approx(place)
        # The first line of the table is at the top.
        bottom, top = axes.get_ylim()
        assert bottom > top
        assert axes.get_xlim() == (-2, 102)
        assert table.level in axes.get_title()


def test_obfuscations_have_a_panel_for_each_weighting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = obfuscation_seeds(made_seeds(tmp_path, (0, 1, 4)))
    panels = obfuscation_panels(table)
    axes = drawn(monkeypatch, seeds_plot, lambda path: seeds_plot.draw_seeds(panels, path))
    assert len(axes) == 2
    lines = table.table.lines
    for each, weighting in zip(axes, get_args(Weighting), strict=True):
        assert table.table.title(weighting) in each.get_title()
        assert tick_labels(each, "y") == {place: line.heading for place, line in enumerate(lines)}
        for place, line in enumerate(lines):
            figures = [figure.by(weighting) for figure in line.figures]
            shares = [figure.value for figure in figures if figure is not None]
            dots = numbers(each.collections[place].get_offsets())
            assert [x for x, _ in dots] == pytest.approx([100 * share for share in shares])
            spread = table.spread(line, weighting)
            assert spread is not None
            assert numbers(each.lines[place].get_xdata()) == pytest.approx([100 * spread.mean] * 2)


def test_no_text_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    panels = obfuscation_panels(obfuscation_seeds(made_seeds(tmp_path, (0, 1))))
    axes = drawn(monkeypatch, seeds_plot, lambda path: seeds_plot.draw_seeds(panels, path))
    figure = axes[0].figure
    for each in axes:
        for text in (each.title, each.xaxis.label, *each.get_yticklabels()):
            box = text.get_window_extent()
            assert 0 <= box.x0 < box.x1 <= figure.bbox.x1
            assert 0 <= box.y0 < box.y1 <= figure.bbox.y1
