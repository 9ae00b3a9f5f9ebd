"""The curve: means of so many steps, the last ones' too, however often it was stopped."""

import math
from pathlib import Path

import numpy as np

from unforeseen.asset_making.checkpoint import Checkpoint
from unforeseen.asset_making.curve import Column, Curve

BOTH = (Column("total"), Column("style"))


def filled(curve: Curve, steps: range) -> Curve:
    for step in steps:
        curve.add(step, [float(step), 2.0 * step])
    return curve


def test_lines_are_means_and_the_last_steps_have_one_too() -> None:
    curve = filled(Curve(BOTH, 3, None), range(1, 6))
    assert curve.lines == [[3.0, 2.0, 4.0]]
    assert curve.all_lines == [[3.0, 2.0, 4.0], [5.0, 4.5, 9.0]]
    assert filled(Curve(BOTH, 20, None), range(1, 2)).all_lines == [[1.0, 1.0, 2.0]]
    assert Curve(BOTH, 20, None).all_lines == []


def test_it_goes_on_as_if_it_had_not_been_stopped() -> None:
    first = filled(Curve(BOTH, 3, None), range(1, 6))
    assert len(first.all_lines) == 2
    found = Checkpoint(
        deciding={},
        seconds=0.0,
        made_on=[],
        lines=first.lines,
        waiting=first.waiting,
        state={"steps": 5},
    )
    whole = filled(Curve(BOTH, 3, None), range(1, 9))
    assert filled(Curve(BOTH, 3, found), range(6, 9)).all_lines == whole.all_lines


def test_losses_that_are_not_finite_count_nowhere() -> None:
    curve = Curve([Column("loss")], 2, None)
    for step, loss in enumerate((1.0, math.nan, math.inf, math.nan, 4.0), start=1):
        curve.add(step, [loss])
    assert curve.all_lines == [[1.0, 1.0], [5.0, 4.0]]


def test_it_is_a_table_and_a_plot_even_where_losses_are_below_zero(tmp_path: Path) -> None:
    """Leads of logits are: a logarithm would show nothing of them."""
    curve = Curve([Column("loss")], 1, None)
    for step, loss in enumerate((3.0, 0.5, -2.0), start=1):
        curve.add(step, [loss])
    curve.write(tmp_path / "crane-134.losses.csv")
    assert (tmp_path / "crane-134.losses.csv").read_text(encoding="utf-8").splitlines() == [
        "step,loss",
        "1,3",
        "2,0.5",
        "3,-2",
    ]
    assert (tmp_path / "crane-134.losses.png").exists()
    assert curve._figure().axes[0].get_yscale() == "linear"


def test_several_losses_are_drawn_by_their_logarithms_and_one_as_it_is() -> None:
    several = filled(Curve(BOTH, 3, None), range(1, 6))
    assert several._figure().axes[0].get_yscale() == "log"
    lead = Curve([Column("loss")], 1, None)
    lead.add(1, [3.0])
    assert lead._figure().axes[0].get_yscale() == "linear"


def test_parts_are_drawn_as_they_count_in_the_total_and_without_those_that_do_not(
    tmp_path: Path,
) -> None:
    """A part that lies above the total says that it isn't one."""
    columns = [
        Column("total"),
        Column("features", weight=0.25),
        Column("patches", weight=6),
        Column("variation", weight=0),
    ]
    curve = Curve(columns, 1, None)
    curve.add(1, [7.0, 16.0, 0.5, 9.0])
    curve.add(2, [4.0, 10.0, 0.25, 9.0])
    (axes,) = curve._figure().axes
    drawn = {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines}
    assert drawn == {
        "total": [7.0, 4.0],
        "0.25 · features": [4.0, 2.5],
        "6 · patches": [3.0, 1.5],
    }
    curve.write(tmp_path / "losses.csv")
    assert (tmp_path / "losses.csv").read_text(encoding="utf-8").splitlines() == [
        "step,total,features,patches,variation",
        "1,7,16,0.5,9",
        "2,4,10,0.25,9",
    ]


def test_the_legend_lies_beside_the_lines_and_one_loss_needs_none() -> None:
    figure = filled(Curve(BOTH, 1, None), range(1, 9))._figure()
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert not legend.get_window_extent().overlaps(figure.axes[0].get_window_extent())
    lead = Curve([Column("loss", axis="lead in logits")], 1, None)
    lead.add(1, [3.0])
    figure = lead._figure()
    assert (figure.legends, figure.axes[0].get_legend()) == ([], None)
    assert figure.axes[0].get_ylabel() == "lead in logits"


def test_without_a_line_there_is_a_table_and_no_plot(tmp_path: Path) -> None:
    Curve([Column("loss")], 1, None).write(tmp_path / "losses.csv")
    assert [each.name for each in tmp_path.iterdir()] == ["losses.csv"]
