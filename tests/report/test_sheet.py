"""A sheet: every picture is there, in its own colours, and none over another."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from report.drawn import drawn as figure_axes
from unforeseen.errors import RunError
from unforeseen.report import sheet
from unforeseen.report.sheet import Section, SheetPicture, draw_sheet


def picture(name: str, height: int = 32, width: int = 32) -> SheetPicture:
    return SheetPicture(name, np.full((height, width, 3), (200, 40, 90), np.uint8))


OUTLINED = SheetPicture(
    "outlined",
    np.zeros((32, 32, 3), np.uint8),
    np.array([[0, 0], [32, 0], [32, 32], [0, 32]], np.float32),
)
SECTIONS = [
    Section("Square $ones_{", 3, [picture(f"square {number}") for number in range(7)]),
    Section("Wide", 2, [picture(f"wide {number}", 8, 90) for number in range(3)]),
    Section("Outlined", 4, [OUTLINED]),
]


def test_every_picture_is_drawn_once_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = figure_axes(monkeypatch, sheet, lambda path: draw_sheet(path, SECTIONS))
    names = [each.name for section in SECTIONS for each in section.pictures]
    assert [each.get_xlabel() for each in axes] == names
    assert [len(each.patches) for each in axes] == [0] * 10 + [1]


def test_no_picture_lies_over_another_or_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = figure_axes(monkeypatch, sheet, lambda path: draw_sheet(path, SECTIONS))
    boxes = [each.get_position() for each in axes]
    for number, box in enumerate(boxes):
        assert 0 <= box.x0 < box.x1 <= 1
        assert 0 <= box.y0 < box.y1 <= 1
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_pictures_keep_their_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = figure_axes(monkeypatch, sheet, lambda path: draw_sheet(path, SECTIONS))
    for each, shape in ((axes[0], 1), (axes[7], 90 / 8)):
        box = each.get_window_extent()
        assert box.width / box.height == pytest.approx(shape, rel=0.01)


def test_an_outline_along_the_edges_of_the_first_and_last_pixel_is_drawn_at_the_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    axes = figure_axes(monkeypatch, sheet, lambda path: draw_sheet(path, SECTIONS))[-1]
    drawn = axes.patches[0].get_extents().transformed(axes.transAxes.inverted())
    assert (drawn.x0, drawn.y0, drawn.x1, drawn.y1) == pytest.approx((0, 0, 1, 1))


def test_the_file_is_a_picture_in_the_colours_that_were_given(tmp_path: Path) -> None:
    draw_sheet(tmp_path / "sheet.png", SECTIONS)
    with Image.open(tmp_path / "sheet.png") as image:
        assert image.format == "PNG"
        colours = np.asarray(image.convert("RGB")).reshape(-1, 3)
    assert (colours == (200, 40, 90)).all(1).mean() > 0.3


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RunError, match="can't be written"):
        draw_sheet(tmp_path / "file" / "sheet.png", SECTIONS)
