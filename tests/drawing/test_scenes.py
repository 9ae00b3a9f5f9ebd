"""The shipped scenes against the code that renders them (Blender isn't needed) and what a place must be."""

import ast
import math
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from unforeseen.transforms.assets.pack import default_assets

DRAWING = Path(__file__).parents[2] / "drawing"


def drawn_scenes() -> dict[str, str]:
    """The file that renders each scene, read from the imports and the table of drawing/scenes.py."""
    tree = ast.parse((DRAWING / "scenes.py").read_text("utf-8"))
    files = {
        each.name: f"{node.module.replace('.', '/')}.py"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for each in node.names
    }
    table = next(
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
    )
    names = [key.value for key in table.keys if isinstance(key, ast.Constant)]
    return {name: files[name] for name in map(str, names)}


def shipped_scenes() -> list[str]:
    return list(default_assets().manifest.assets["scene"])


def test_each_shipped_scene_names_the_code_that_renders_it() -> None:
    pack = default_assets()
    said = {name: pack.asset("scene", name).source.split(": ")[-1] for name in shipped_scenes()}
    assert said == drawn_scenes()


@pytest.mark.parametrize("name", shipped_scenes())
def test_a_placed_picture_has_a_quarter_to_a_half_of_the_scene_s_side(name: str) -> None:
    corners = default_assets().asset("scene", name).corners
    area = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise((*corners, corners[0]))) / 2
    assert 0.25 <= math.sqrt(area) <= 0.5


@pytest.mark.parametrize("name", shipped_scenes())
def test_small_parts_of_a_placed_picture_are_hidden_at_most(name: str) -> None:
    """Frames, leaves, curtains: a quarter in all. Reflections lie over it and hide nothing."""
    scene = default_assets().scene(name, (224, 224))
    corners = [(float(x), float(y)) for x, y in scene.corners]
    rows, columns = scene.foreground.shape
    hidden = [
        bool(scene.foreground[row, column] > 0.5)
        for row in range(rows)
        for column in range(columns)
        if all(
            (x2 - x1) * (row + 0.5 - y1) > (y2 - y1) * (column + 0.5 - x1)
            for (x1, y1), (x2, y2) in pairwise((*corners, corners[0]))
        )
    ]
    assert sum(hidden) / len(hidden) <= 0.25


@pytest.mark.parametrize("name", shipped_scenes())
def test_a_scene_and_its_foreground_have_512_pixels_a_side(name: str) -> None:
    pack = default_assets()
    asset = pack.asset("scene", name)
    assert asset.foreground is not None
    for file in (asset.file, asset.foreground):
        with Image.open(pack.folder / file) as picture:
            assert picture.size == (512, 512)


def test_there_are_as_many_as_in_the_paper() -> None:
    assert len(shipped_scenes()) == 14
