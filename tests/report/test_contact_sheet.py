"""A contact sheet shows each pixel, and names that fit."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from unforeseen.errors import RunError
from unforeseen.report.contact_sheet import CAPTION, GAP, LEFT, _cut, _wrapped, draw_contact_sheet


def noise(side: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)


def drawn(path: Path, side: int, *, title: str = "title") -> tuple[NDArray[np.uint8], list[str]]:
    rows = [
        (name, [noise(side, 10 * row + column) for column in range(3)])
        for row, name in enumerate(["original", "BackgroundBlurComposition"])
    ]
    draw_contact_sheet(path, title=title, columns=["cat", "$dog$", "Chair / Throne"], rows=rows)
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")), [name for name, _ in rows]


@pytest.mark.parametrize(("side", "scale"), [(224, 1), (299, 1), (32, 7), (96, 2)])
def test_pictures_are_shown_pixel_by_pixel_small_ones_enlarged(
    tmp_path: Path, side: int, scale: int
) -> None:
    seen, _ = drawn(tmp_path / "sheet.png", side)
    step = side * scale + GAP
    above = len(seen) - 2 * step
    assert seen.shape[1:] == (LEFT + 3 * step, 3)
    for row in range(2):
        for column in range(3):
            top, left = above + row * step, LEFT + column * step
            tile = seen[top : top + step - GAP : scale, left : left + step - GAP : scale]
            np.testing.assert_array_equal(tile, noise(side, 10 * row + column))


def test_names_stand_left_of_and_above_pictures_and_not_on_them(tmp_path: Path) -> None:
    seen, _ = drawn(tmp_path / "sheet.png", 224, title="a title of many words " * 40)
    above = len(seen) - 2 * (224 + GAP)
    assert (seen[:above] < 128).any()
    assert (seen[above:, :LEFT] < 128).any()
    # Nothing is written beyond a border.
    for border in (seen[0], seen[-1, :LEFT], seen[:, 0]):
        assert (border == 255).all()


@pytest.mark.parametrize(("side", "scale"), [(224, 1), (32, 7)])
def test_a_caption_stands_below_its_picture_and_nothing_where_there_is_none(
    tmp_path: Path, side: int, scale: int
) -> None:
    rows = [(name, [noise(side, column) for column in range(2)]) for name in ("one", "two")]
    captions = [["", ""], ["dotted-river", ""]]
    for number, captioned in enumerate((captions, [["", ""], ["", ""]])):
        draw_contact_sheet(
            tmp_path / f"{number}.png", title="t", columns="ab", rows=rows, captions=captioned
        )
    with Image.open(tmp_path / "0.png") as image:
        seen = np.asarray(image.convert("RGB"))
    across, down = side * scale + GAP, side * scale + GAP + CAPTION
    above = len(seen) - 2 * down
    for row in range(2):
        for column in range(2):
            top, left = above + row * down, LEFT + column * across
            tile = seen[top : top + side * scale : scale, left : left + side * scale : scale]
            np.testing.assert_array_equal(tile, noise(side, column))
            below = seen[top + side * scale : top + down, left : left + side * scale]
            assert (below < 128).any() == bool(captions[row][column])
            assert (below[:2] == 255).all()
    with Image.open(tmp_path / "1.png") as image:
        assert image.height == len(seen) - 2 * CAPTION


def test_headings_stand_above_the_row_that_they_are_about(tmp_path: Path) -> None:
    rows = [(name, [noise(224, 0)]) for name in ("original", "one", "two")]
    sheets = []
    for headed in (0, 1):
        draw_contact_sheet(
            tmp_path / "sheet.png", title="t", columns=["draw 1"], rows=rows, headed=headed
        )
        with Image.open(tmp_path / "sheet.png") as image:
            sheets.append(np.asarray(image.convert("RGB"))[:, LEFT : LEFT + 224])
    over, between = sheets
    assert over.shape == between.shape
    step = 224 + GAP
    np.testing.assert_array_equal(over[-2 * step :], between[-2 * step :])
    first = len(over) - 3 * step
    assert (over[first : first + 224] == noise(224, 0)).all()
    (top,) = [y for y in range(first) if (between[y : y + 224] == noise(224, 0)).all()]
    band = between[top + 224 : len(between) - 2 * step]
    assert (band < 128).any()
    assert not (between[:top] < 128).any()


def test_a_caption_is_one_line_of_what_fits() -> None:
    assert _cut("snowy-village, vertical", 24) == "snowy-village, vertical"
    assert _cut("a\nb", 24) == "a b"
    assert _cut("a" * 25, 24) == "a" * 23 + "…"


def test_there_is_no_empty_band_below_the_title(tmp_path: Path) -> None:
    short, _ = drawn(tmp_path / "short.png", 224)
    # A title of a line and headings of one: no run of empty lines is as high as a line of letters.
    above = short[: len(short) - 2 * (224 + GAP)]
    inked = np.flatnonzero([bool((line < 128).any()) for line in above])
    assert np.diff([0, *inked, len(above)]).max() < 20
    long, _ = drawn(tmp_path / "long.png", 224, title="a title of many words " * 40)
    assert len(long) > len(short)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("original", ["original"]),
        ("BackgroundBlurComposition", ["BackgroundBlur", "Composition"]),
        ("LowContrastTriangles", ["LowContrast", "Triangles"]),
        ("Chair / Throne", ["Chair / Throne"]),
        ("great grey owl, Strix nebulosa", ["great grey owl,", "Strix nebulosa"]),
        ("a" * 40, ["a" * 14 + "…"]),
        (
            "one two three four five six seven eight nine ten",
            ["one two three", "four five six", "…"],
        ),
    ],
)
def test_names_are_broken_where_words_begin(name: str, lines: list[str]) -> None:
    assert _wrapped(name).splitlines() == lines


def test_a_place_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError):
        drawn(tmp_path / "file" / "sheet.png", 32)


def test_what_can_not_be_printed_does_not_keep_a_sheet_from_being_drawn(tmp_path: Path) -> None:
    """A stranger's record may hold a lone surrogate, which Matplotlib can't draw."""
    sheets = []
    for bad, name in (("\ud800", "a"), ("\u202e", "b"), ("\ufffd", "c")):
        path = tmp_path / f"{name}.png"
        text = f"{bad}x"
        draw_contact_sheet(
            path, title=text, columns=[text], rows=[(text, [noise(32, 0)])], captions=[[text]]
        )
        sheets.append(path.read_bytes())
    assert len(set(sheets)) == 1
