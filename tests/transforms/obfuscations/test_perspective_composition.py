"""PerspectiveComposition: scenes whose result is known, and Matplotlib's polygons."""

from collections import Counter

import numpy as np
import pytest
import torch
from matplotlib.path import Path as Polygon
from torch import Tensor

from made_assets import BARE_SCENE, COVERED_SCENE, PLACED_SCENE
from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.perspective_composition import (
    PerspectiveComposition,
    PerspectiveCompositionParameters,
)

SIZES = [(96, 96), (33, 47), (224, 224), (64, 32)]


def composed(x: Tensor, scene: str, assets: AssetPack) -> Tensor:
    return PerspectiveComposition().apply(x, PerspectiveCompositionParameters(scene=scene), assets)


@pytest.mark.parametrize("size", [(96, 96), (224, 224)])
def test_a_place_as_large_as_the_scene_gives_the_picture_back(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    x = pictures(1, *size, dtype=torch.float64)[0]
    torch.testing.assert_close(composed(x, BARE_SCENE, assets), x, atol=1e-9, rtol=0)


@pytest.mark.parametrize("size", SIZES)
def test_a_scene_that_lies_over_all_of_the_picture_stays_as_it_is(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    seen = composed(pictures(1, *size)[0], COVERED_SCENE, assets)
    assert torch.equal(seen, assets.scene(COVERED_SCENE, size).image)


@pytest.mark.parametrize("size", SIZES)
def test_the_picture_is_seen_inside_its_corners_where_nothing_lies_over_it(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    scene = assets.scene(PLACED_SCENE, size)
    rows, columns = np.indices(size)
    centres = np.stack([columns.ravel() + 0.5, rows.ravel() + 0.5], axis=1)
    polygon = Polygon([*scene.corners.numpy(), scene.corners.numpy()[0]], closed=True)
    # Within a pixel of an edge, picture and scene are mixed.
    well_inside, well_outside = (
        torch.from_numpy(polygon.contains_points(centres, radius=radius).reshape(size))
        for radius in _radii(polygon, centres)
    )
    well_outside = ~well_outside
    assert well_inside.sum() > 0.04 * rows.size
    # No picture of the made pack has this colour on its own.
    seen = composed(torch.full((3, *size), 0.123), PLACED_SCENE, assets)
    below, above = scene.foreground == 0, scene.foreground == 1
    inside = seen[:, well_inside & below]
    torch.testing.assert_close(inside, torch.full_like(inside, 0.123))
    for outside in (well_outside, well_inside & above):
        assert torch.equal(seen[:, outside], scene.image[:, outside])


def _radii(polygon: Polygon, centres: np.ndarray) -> tuple[float, float]:
    """By how much to shrink and to grow: Matplotlib's sign depends on the polygon's turn."""
    counts = {
        radius: int(polygon.contains_points(centres, radius=radius).sum()) for radius in (2.0, -2.0)
    }
    return min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)


def test_the_pictures_corners_go_to_the_scenes_corners_in_their_order(assets: AssetPack) -> None:
    size = (224, 224)
    x = torch.zeros(3, *size)
    x[0, :112, :112] = 1  # upper left: red
    x[1, :112, 112:] = 1  # upper right: green
    x[2, 112:, 112:] = 1  # lower right: blue
    x[:, 112:, :112] = 1  # lower left: white
    seen = composed(x, PLACED_SCENE, assets)
    corners = assets.scene(PLACED_SCENE, size).corners
    middle = corners.mean(0)
    # The scene lies over the upper half.
    for corner, colour in ((2, (0.0, 0.0, 1.0)), (3, (1.0, 1.0, 1.0))):
        column, row = (corners[corner] + 0.15 * (middle - corners[corner])).long().tolist()
        assert seen[:, row, column].tolist() == pytest.approx(colour, abs=1e-5)


def test_every_scene_comes_equally_often(assets: AssetPack) -> None:
    counts = Counter(each.scene for each in drawn(PerspectiveComposition(), assets, number=300))
    assert set(counts) == set(assets.names("scene"))
    assert min(counts.values()) > 70
