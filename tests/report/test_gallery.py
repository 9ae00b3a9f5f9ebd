from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from report.drawn import drawn as figure_axes
from unforeseen.errors import RunError
from unforeseen.report import gallery
from unforeseen.report.gallery import Tile, draw_gallery


def tile(caption: str, colour: tuple[int, int, int], *, right: bool = True) -> Tile:
    return Tile(image=np.full((32, 32, 3), colour, np.uint8), caption=caption, right=right)


def drawn(path: Path, caption: str) -> np.ndarray:
    draw_gallery(
        path,
        title="a $title_{ of $20",
        columns=["clean", "wood"],
        rows=[
            ("cat", [tile("cat", (10, 20, 200)), tile(caption, (200, 20, 10), right=False)]),
            ("dog", [tile("dog", (10, 200, 20)), None]),
        ],
    )
    with Image.open(path) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB")).copy()


def shows(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((picture == colour).all(axis=-1).sum() > 500)


def test_every_tile_is_shown_in_its_own_colours(tmp_path: Path) -> None:
    picture = drawn(tmp_path / "gallery.png", "cat")
    for colour in ((10, 20, 200), (200, 20, 10), (10, 200, 20)):
        assert shows(picture, colour)


def test_a_small_picture_is_enlarged_without_new_colours(tmp_path: Path) -> None:
    checks = np.indices((8, 8)).sum(axis=0) % 2 * 255
    image = np.stack([checks] * 3, axis=-1).astype(np.uint8)
    line = [Tile(image=image, caption="", right=True)]
    draw_gallery(tmp_path / "gallery.png", title="", columns=[""], rows=[("", line)])
    with Image.open(tmp_path / "gallery.png") as drawn_image:
        greys = np.asarray(drawn_image.convert("L"))
    middle = greys[greys.shape[0] // 2 - 40 :][:80, greys.shape[1] // 2 - 40 :][:, :80]
    assert set(np.unique(middle)) == {0, 255}


def test_a_long_title_stays_inside(tmp_path: Path) -> None:
    widths = []
    for title in ("", "word " * 60):
        line = [tile("", (1, 2, 3))]
        draw_gallery(tmp_path / "gallery.png", title=title, columns=[""], rows=[("", line)])
        with Image.open(tmp_path / "gallery.png") as image:
            edge = np.asarray(image.convert("L"))[:, [0, -1]]
        assert (edge == 255).all()
        widths.append(image.width)
    assert widths[0] == widths[1]


def test_a_gallery_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    line = [tile("", (1, 2, 3))]
    with pytest.raises(RunError, match="can't be written"):
        draw_gallery(tmp_path / "file" / "x.png", title="", columns=[""], rows=[("", line)])


@pytest.mark.parametrize("caption", ["$x^2", "a_{b", r"\frac{", "", "very " * 40])
def test_captions_are_words_and_never_formulas(tmp_path: Path, caption: str) -> None:
    drawn(tmp_path / "gallery.png", caption)


def test_a_row_without_its_first_picture_is_named_below_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = [tile("cat", (10, 20, 200))] * 2
    rows: list[tuple[str, list[Tile | None]]] = [("start", [*line]), ("optimised", [None, line[0]])]

    def draw(path: Path) -> None:
        draw_gallery(path, title="", columns=["original", "low"], rows=rows)

    panels = figure_axes(monkeypatch, gallery, draw)
    start, optimised = (panels[index].yaxis.label for index in (0, 2))
    assert (start.get_text(), optimised.get_text()) == ("start", "optimised")
    assert start.get_rotation() == optimised.get_rotation()
    places = [label.get_window_extent() for label in (start, optimised)]
    assert places[0].x0 == pytest.approx(places[1].x0, abs=3)
    pictures = [panels[index].get_window_extent() for index in (1, 3)]
    # Between two rows is room for a line and no more than another.
    assert pictures[0].y0 - pictures[1].y1 < pictures[0].height / 4
