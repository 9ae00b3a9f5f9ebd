"""Confusion as tables and heat maps."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from made_obfuscations import (
    LABELS,
    made_read_run,
    made_record,
    made_verdicts,
    obfuscation_benchmark,
)
from report.drawn import drawn
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.report import confusion_plot
from unforeseen.report.confusion_plot import draw_confusion
from unforeseen.report.confusion_table import (
    confusion_tables,
    confusions_to_csv,
    confusions_to_json,
    confusions_to_markdown,
    confusions_to_rich,
)


def test_counts_are_by_true_class_and_prediction_in_every_format() -> None:
    record = made_record(obfuscations=["SwirlWarp"])
    verdicts = made_verdicts(record) | {"SwirlWarp": [True, True, False] + [True] * 7}
    run = made_read_run(record, verdicts)
    (table,) = confusion_tables([run], ["swirlwarp"])
    # Wrong rows are taken for the next class: a dog for an elephant.
    assert table.counts.counts[10, 10:12].tolist() == [4, 1]
    assert table.counts.counts.sum() == len(LABELS)
    (content,) = json.loads(confusions_to_json([table]))
    assert content["counts"] == table.counts.counts.tolist()
    lines = list(csv.DictReader(io.StringIO(confusions_to_csv([table]))))
    assert {
        (each["true"], each["predicted"]): int(each["pictures"])
        for each in lines
        if each["true"] == "Dog"
    } == {("Dog", "Dog"): 4, ("Dog", "Elephant"): 1}
    lines_of_markdown = confusions_to_markdown([table]).splitlines()
    (dogs,) = (line for line in lines_of_markdown if line.startswith("| 10 "))
    assert [cell.strip() for cell in dogs.split("|")][12:14] == ["4", "1"]
    assert any(line.startswith("0 Airplane, 1 Bear, ") for line in lines_of_markdown)


def test_sixteen_classes_find_room_on_a_usual_terminal() -> None:
    record = made_record(obfuscations=["SwirlWarp"])
    (table,) = confusion_tables([made_read_run(record)], ["SwirlWarp"])
    out = io.StringIO()
    Console(width=80, file=out).print(confusions_to_rich([table], width=80))
    assert "10 Dog" in out.getvalue()
    grid = [
        line.split() for line in out.getvalue().splitlines() if re.match(r" *\d+ +[\d·] ", line)
    ]
    assert [line[0] for line in grid] == ["0", "1", "3", "9", "10"]
    assert {len(line) for line in grid[1:]} == {17}


def test_why_a_run_is_partial_stands_above_its_numbers_once() -> None:
    run = made_read_run(made_record(obfuscations=["SwirlWarp"], worst_of=3))
    tables = confusion_tables([run], ["all"])
    why = "the worst of 3 draws of each picture"
    assert confusions_to_markdown(tables).count(why) == 1
    assert confusions_to_json(tables).count(why) == len(tables) == 2
    assert why in confusions_to_csv(tables)


def test_nonfinite_outputs_have_a_column_of_their_own() -> None:
    record = made_record(obfuscations=["SwirlWarp"])
    run = made_read_run(record, status={("SwirlWarp", 0): "nonfinite"})
    (table,) = confusion_tables([run], ["SwirlWarp"])
    assert table.counts.nonfinite[10] == 1
    assert "not finite" in confusions_to_markdown([table])
    assert "not finite" in confusions_to_csv([table])
    (clean,) = confusion_tables([run], ["clean"])
    assert "not finite" not in confusions_to_markdown([clean])


def test_all_stands_for_what_was_run_and_other_names_are_refused() -> None:
    run = made_read_run(made_record(obfuscations=["SwirlWarp", "LineShift"]))
    tables = confusion_tables([run], ["all", "clean"])
    assert [each.transform for each in tables] == ["clean", "SwirlWarp", "LineShift"]
    with pytest.raises(UserError, match="TextOverlay was not run"):
        confusion_tables([run], ["TextOverlay"])
    with pytest.raises(UnknownNameError, match="Did you mean SwirlWarp"):
        confusion_tables([run], ["SwirlWrap"])
    with pytest.raises(UserError, match="got none"):
        confusion_tables([run], [])


def test_more_classes_than_a_table_holds_are_left_to_csv(tmp_path: Path) -> None:
    benchmark = obfuscation_benchmark("image-obfuscation-own")
    record = made_record(benchmark=benchmark, obfuscations=[], classes=[f"c{n}" for n in range(60)])
    tables = confusion_tables([made_read_run(record)], ["clean"])
    assert len(confusions_to_csv(tables).splitlines()) > 1
    with pytest.raises(UserError, match="60 classes are too many for a table; give --format csv"):
        confusions_to_markdown(tables)
    with pytest.raises(UserError, match="60 classes are too many for a heat map"):
        draw_confusion(tmp_path / "plot.png", tables)


def test_the_heat_map_is_dark_where_all_are_right_and_grey_where_nothing_is(tmp_path: Path) -> None:
    record = made_record(obfuscations=[])
    run = made_read_run(record, {"clean": [True] * 10})
    draw_confusion(tmp_path / "plot.png", confusion_tables([run], ["clean"]))
    pixels = np.asarray(Image.open(tmp_path / "plot.png").convert("RGB")).reshape(-1, 3)
    dark = (pixels == (8, 48, 107)).all(axis=1)  # the darkest of matplotlib's Blues
    grey = (abs(pixels.astype(int) - 229) <= 1).all(axis=1)
    # Four classes of sixteen have pictures: four dark fields, twelve grey lines.
    assert 8 * dark.sum() < grey.sum()
    assert dark.any()


def test_all_heat_maps_of_a_run_are_no_wider_than_a_screen(tmp_path: Path) -> None:
    draw_confusion(tmp_path / "plot.png", confusion_tables([made_read_run(made_record())], ["all"]))
    with Image.open(tmp_path / "plot.png") as image:
        assert image.width < 1920


@pytest.mark.parametrize("number", [1, 2, 5])
def test_no_text_of_heat_maps_is_cut_off(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["SwirlWarp", "LineShift", "InvertLines", "Interleave"]
    run = made_read_run(made_record(obfuscations=names))
    tables = confusion_tables([run], ["clean", *names][:number])
    axes = drawn(monkeypatch, confusion_plot, lambda path: draw_confusion(path, tables))
    assert len(axes) >= number
    for each in axes[:number]:
        labels = (*each.get_xticklabels(), *each.get_yticklabels())
        for text in (each.title, each.xaxis.label, *labels):
            box, whole = text.get_window_extent(), each.figure.bbox
            assert 0 <= box.x0 < box.x1 <= whole.x1
            assert 0 <= box.y0 < box.y1 <= whole.y1
