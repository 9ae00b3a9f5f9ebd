"""How losses went down: a table and a plot."""

__all__ = ["COLUMNS", "CURVE_FILE", "PLOT_FILE", "write_curve"]

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from unforeseen.files.atomic import save_file
from unforeseen.report.drawing import save_figure
from unforeseen.style_training.losses import Losses

CURVE_FILE = "losses.csv"
PLOT_FILE = "losses.png"
COLUMNS = ("step", "total", *Losses._fields)

_SIZE, _DPI = (7.5, 4.5), 130


def write_curve(folder: Path, curve: Sequence[Sequence[float]]) -> None:
    """Writes both files.

    Args:
        folder: Where to.
        curve: Lines of :data:`COLUMNS`; losses are unweighted, but in the total.

    Raises:
        RunError: One can't be written.
    """
    lines = [",".join(COLUMNS), *(_line(each) for each in curve)]
    save_file(folder / CURVE_FILE, ("\n".join(lines) + "\n").encode())
    if curve:
        _draw(folder / PLOT_FILE, curve)


def _line(figures: Sequence[float]) -> str:
    return ",".join([str(int(figures[0])), *(f"{each:.6g}" for each in figures[1:])])


def _draw(path: Path, curve: Sequence[Sequence[float]]) -> None:
    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    steps, *columns = zip(*curve, strict=True)
    for name, column in zip(COLUMNS[1:], columns, strict=True):
        axes.plot(steps, column, label=name, linewidth=2.2 if name == "total" else 1.2)
    axes.set_yscale("log")
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    axes.grid(visible=True, color="0.92", linewidth=0.6)
    axes.legend(frameon=False)
    save_figure(figure, path)
