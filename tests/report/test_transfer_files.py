"""The table and the plot of a transfer."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from PIL import Image

from made_runs import EVERY, made_frame, made_record, planned_attack_run
from unforeseen.errors import RunError
from unforeseen.experiment_folder.transfer_runs import TransferRun
from unforeseen.report import transfer_files, transfer_plot
from unforeseen.report.tables import ResultTable, result_tables
from unforeseen.report.transfer_files import transfer_table, write_transfer_report
from unforeseen.report.transfer_plot import draw_transfer
from unforeseen.run_folder.attack_summary import summarise_attacks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "timm:resnet50"


def made_run(folder: str, survivors: int = 3, **change: Any) -> TransferRun:
    record = made_record(**({"levels": ("medium",)} | change))
    frame = made_frame(record, survivors=survivors)
    return TransferRun(folder, summarise_attacks(planned_attack_run(record), frame))


def made_runs(**change: Any) -> list[TransferRun]:
    return [
        made_run("source", 0, model=SOURCE, **change),
        made_run("vit", 5, model="timm:vit", source_model=SOURCE, **change),
        made_run("vit-2", 8, model="timm:vit", source_model=SOURCE, **change),
    ]


def drawn(
    monkeypatch: pytest.MonkeyPatch, path: Path, table: ResultTable, names: Sequence[str]
) -> list[str]:
    """Everything that is written into the fields."""
    written: list[str] = []
    draw = Axes.text

    def note(axes: Axes, x: float, y: float, s: str, *args: Any, **kwargs: Any) -> Any:
        written.append(s)
        return draw(axes, x, y, s, *args, **kwargs)

    monkeypatch.setattr(Axes, "text", note)
    draw_transfer(path, table, names)
    return written


def test_a_plot_shows_every_figure_of_the_table_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = transfer_table(tmp_path, made_runs(attacks=("pgd", "wood")))
    assert list(table.columns) == ["clean_accuracy", "pgd", "ua2", "wood"]
    written = drawn(monkeypatch, tmp_path / "plot.png", table, ["a", "b", "c"])
    assert written == [
        *("100.0", "0.0", "0.0"),
        *("100.0", "50.0", "50.0"),
        *("100.0", "80.0", "80.0"),
    ]
    with Image.open(tmp_path / "plot.png") as image:
        pixels = np.asarray(image.convert("L"))
    assert pixels.min() < 100
    assert pixels.max() > 250


@pytest.mark.parametrize("attacks", [("pgd",), ("pgd", "wood"), EVERY])
def test_a_plots_title_is_never_wider_than_the_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attacks: tuple[str, ...]
) -> None:
    table = transfer_table(tmp_path, made_runs(attacks=attacks))
    figures: list[Figure] = []
    monkeypatch.setattr(transfer_plot, "save_figure", lambda figure, _: figures.append(figure))
    draw_transfer(tmp_path / "plot.png", table, ["a", "b", "c"])
    (figure,) = figures
    figure.draw_without_rendering()
    (title,) = figure.texts
    inside, whole = title.get_window_extent(), figure.bbox
    assert whole.x0 <= inside.x0 < inside.x1 <= whole.x1


@pytest.mark.parametrize("name", ["a$b$c", "x" * 300, "ⅸ\n(source model)", "two\nlines\nand\nmore"])
def test_any_name_can_be_drawn(tmp_path: Path, name: str) -> None:
    table = transfer_table(tmp_path, made_runs())
    draw_transfer(tmp_path / "plot.png", table, [name] * 3)
    assert (tmp_path / "plot.png").exists()


def test_rows_are_called_by_their_folders_and_the_source_by_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = made_runs(levels=("low", "high"))
    monkeypatch.setattr(transfer_files, "read_transfer", lambda _: tuple(runs))
    called: list[str] = []
    monkeypatch.setattr(
        "unforeseen.report.transfer_plot.draw_transfer", lambda *given: called.extend(given[2])
    )
    table = write_transfer_report(tmp_path)
    assert called == [
        *("resnet50\n(source model) (low)", "resnet50\n(source model) (high)"),
        *("vit (low)", "vit (high)", "vit-2 (low)", "vit-2 (high)"),
    ]
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["source_model"] for line in lines] == ["", "", *[SOURCE] * 4]
    assert len(table.rows) == 6


def test_runs_of_two_editions_are_no_transfer(tmp_path: Path) -> None:
    source, *targets = made_runs()
    other = made_run("source", edition="strict")
    with pytest.raises(RunError, match="expected runs of one benchmark and edition"):
        transfer_table(tmp_path, [other, *targets])
    (table,) = result_tables([source.summary, *(each.summary for each in targets)])
    assert transfer_table(tmp_path, [source, *targets]) == table
