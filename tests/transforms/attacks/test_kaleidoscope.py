"""Kaleidoscope: closed forms on a scene made by hand, statistics of scenes that are drawn."""

import colorsys
import itertools

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy import ndimage, stats
from torch import Tensor

from oracles import assert_uniform, pictures
from unforeseen.contract.case import keys_for
from unforeseen.ops.shapes import CORNERS, SQUARE, TRIANGLE
from unforeseen.rng import Stream
from unforeseen.transforms.attacks.kaleidoscope import (
    Kaleidoscope,
    KaleidoscopeLatents,
    KaleidoscopeScene,
    _turn,
)

SIZE = (33, 47)
#: Room around a picture for shapes that stick out.
MARGIN = 64


def square_scene(*corners: tuple[int, int], colour: float = 0.5) -> KaleidoscopeScene:
    """Squares of 4 × 4 pixels at the given corners, with the rims of 2 pixels around them."""
    covered, rim = torch.zeros(2, 1, 1, *SIZE, dtype=torch.bool)
    for row, column in corners:
        rim[..., max(row - 2, 0) : row + 6, max(column - 2, 0) : column + 6] = True
    for row, column in corners:
        covered[..., max(row, 0) : row + 4, max(column, 0) : column + 4] = True
    return KaleidoscopeScene(
        origin=torch.tensor([corners]),
        bitmap=torch.ones(1, len(corners), 4, 4),
        colour=torch.full((1, len(corners), 3), colour),
        covered=covered,
        rim=rim & ~covered,
    )


def latents_of(scene: KaleidoscopeScene, colour: float, rim: float) -> KaleidoscopeLatents:
    return KaleidoscopeLatents(
        colour=torch.full_like(scene.colour, colour), rim=torch.full((1, 1, *SIZE), rim)
    )


def placed(scene: KaleidoscopeScene, example: int) -> list[NDArray[np.bool_]]:
    """Each shape of an example alone, on a canvas with a margin."""
    canvases = []
    side = scene.bitmap.shape[-1]
    for (row, column), bitmap in zip(
        scene.origin[example].tolist(), scene.bitmap[example].numpy(), strict=True
    ):
        canvas = np.zeros([length + 2 * MARGIN for length in SIZE], dtype=np.bool_)
        top, left = row + MARGIN, column + MARGIN
        canvas[top : top + side, left : left + side] = bitmap > 0
        canvases.append(canvas)
    return canvases


def drawn(attack: Kaleidoscope, count: int, size: tuple[int, int]) -> KaleidoscopeScene:
    x = torch.zeros(1, 3, *size).expand(count, -1, -1, -1)
    return attack.draw_scene(x, keys_for(attack, [str(number) for number in range(count)]))


@pytest.mark.parametrize(("colour", "rim"), [(0.0, 0.0), (0.1, 0.15), (-0.1, -0.15)])
def test_a_square_dims_the_picture_adds_its_colour_and_has_a_grey_rim(
    colour: float, rim: float
) -> None:
    x = pictures(1, *SIZE)
    scene = square_scene((10, 20))
    seen = Kaleidoscope().render(x, latents_of(scene, colour, rim), scene)
    expected = x.clone()
    expected[..., 8:16, 18:26] = abs(rim)
    expected[..., 10:14, 20:24] = x[..., 10:14, 20:24] * 0.1 + 0.5 + colour
    torch.testing.assert_close(seen, expected)


def test_overlapping_squares_dim_once_and_add_up() -> None:
    x = torch.full((1, 3, *SIZE), 0.5)
    scene = square_scene((10, 20), (12, 22), colour=0.3)
    seen = Kaleidoscope(transparency=0.2).render(x, latents_of(scene, 0.05, 0.0), scene)
    assert seen[0, 0, 10, 20] == pytest.approx(0.5 * 0.2 + 0.35)
    assert seen[0, 0, 12, 22] == pytest.approx(0.5 * 0.2 + 2 * 0.35)
    assert seen[0, 0, 15, 25] == pytest.approx(0.5 * 0.2 + 0.35)


def test_colours_clamp() -> None:
    x = pictures(1, *SIZE)
    scene = square_scene((10, 20), colour=0.99)
    seen = Kaleidoscope(transparency=1).render(x, latents_of(scene, 0.15, 0), scene)
    assert (seen[..., 10:14, 20:24] == 1).all()


def test_a_square_that_sticks_out_is_cut_off() -> None:
    x = torch.zeros(1, 3, *SIZE)
    scene = square_scene((-2, 45), (31, -3), colour=0.5)
    seen = Kaleidoscope().render(x, latents_of(scene, 0.0, 0.0), scene)[0, 0]
    expected = torch.zeros(SIZE)
    expected[:2, 45:] = 0.5
    expected[31:, :1] = 0.5
    torch.testing.assert_close(seen, expected)


@pytest.mark.parametrize("edge_width", [5, 4, 1, 7])
def test_covered_and_rim_are_unions_over_the_shapes(edge_width: int) -> None:
    attack = Kaleidoscope(shapes=5, shape_size=6, edge_width=edge_width)
    scene = drawn(attack, 6, SIZE)
    reach = edge_width // 2
    neighbourhood = np.ones((2 * reach + 1, 2 * reach + 1), dtype=np.bool_)
    inside = np.s_[MARGIN : MARGIN + SIZE[0], MARGIN : MARGIN + SIZE[1]]
    for example in range(6):
        shapes = placed(scene, example)
        rims = [ndimage.binary_dilation(shape, neighbourhood) & ~shape for shape in shapes]
        covered = np.logical_or.reduce(shapes)[inside]
        rim = np.logical_or.reduce(rims)[inside]
        np.testing.assert_array_equal(scene.covered[example, 0], covered)
        np.testing.assert_array_equal(scene.rim[example, 0], rim)


@pytest.mark.parametrize(
    ("shape_size", "size", "expected"), [(15, (224, 224), 221.0), (4, (32, 32), 13.2)]
)
def test_the_mean_area_of_a_shape_is_the_specified_one(
    shape_size: int, size: tuple[int, int], expected: float
) -> None:
    area = drawn(Kaleidoscope(shapes=400, shape_size=shape_size), 30, size).bitmap.sum(dim=(2, 3))
    assert float(area.mean()) == pytest.approx(expected, rel=0.02)


def discs_of(scene: KaleidoscopeScene, shape_size: int, border: int) -> Tensor:
    """Which shapes are discs, found by their bitmap; (B, N)."""
    side = scene.bitmap.shape[-1]
    middle = border + shape_size // 2
    row, column = np.mgrid[:side, :side]
    disc = (row - middle) ** 2 + (column - middle) ** 2 < (shape_size / 2) ** 2
    return (scene.bitmap == torch.from_numpy(disc)).all(dim=-1).all(dim=-1)


def test_a_third_of_the_shapes_are_discs_with_centres_anywhere() -> None:
    attack = Kaleidoscope(shapes=400, shape_size=15)
    size = (40, 64)
    scene = drawn(attack, 10, size)
    discs = discs_of(scene, 15, 2)
    assert stats.binomtest(int(discs.sum()), discs.numel(), 1 / 3).pvalue > 1e-3
    centres = scene.origin[discs] + 2 + 15 // 2
    for axis, length in enumerate(size):
        counts = np.bincount(centres[:, axis].numpy(), minlength=length)
        assert len(counts) == length
        assert stats.chisquare(counts).pvalue > 1e-3


def test_the_others_are_triangles_and_squares_in_equal_parts() -> None:
    scene = drawn(Kaleidoscope(shapes=400, shape_size=15), 10, (224, 224))
    polygons = ~discs_of(scene, 15, 2)
    area = scene.bitmap[polygons].sum(dim=(1, 2))
    # 15² against √3/4 · 25²: halfway between lies no area of either, rounding included.
    triangles = int((area > 248).sum())
    assert stats.binomtest(triangles, len(area), 0.5).pvalue > 1e-3


@pytest.mark.parametrize("length", [32, 224])
@pytest.mark.parametrize("edge", [15, 6])
def test_a_vertex_of_each_polygon_is_a_whole_pixel_uniform_in_its_range(
    length: int, edge: int
) -> None:
    if 2 * edge + 3 > length:
        low, high = 0, length - 1
    else:
        low, high = edge + 1, length - edge - 2
    attack = Kaleidoscope(shapes=20000)
    vertices = attack._vertex(Stream(length, edge), length, np.full(20000, edge))
    counts = np.bincount(vertices - low, minlength=high - low + 1)
    assert len(counts) == high - low + 1
    assert stats.chisquare(counts).pvalue > 1e-3


def test_polygons_stay_off_the_edge_of_a_large_picture() -> None:
    attack = Kaleidoscope(shapes=400, shape_size=15, edge_width=1)
    scene = drawn(attack, 10, (224, 224))
    polygons = ~discs_of(scene, 15, 0)
    which, row, column = np.nonzero(scene.bitmap[polygons].numpy())
    origin = scene.origin[polygons].numpy()
    # A vertex is more than an edge away from the border; a square's diagonal is 1.41 edges.
    for axis, offset in enumerate((row, column)):
        pixel = offset + origin[which, axis]
        assert pixel.min() >= 16 - 15 * np.sqrt(2) - 1
        assert pixel.max() <= 224 - 17 + 15 * np.sqrt(2) + 1


@pytest.mark.parametrize(("kind", "corners"), [(TRIANGLE, 3), (SQUARE, 4)])
def test_turned_shapes_keep_their_edges_and_angles(kind: int, corners: int) -> None:
    angle = np.linspace(0, 6, 50)
    turned = _turn(np.repeat(CORNERS[kind][None], 50, axis=0) * 7, angle)
    for one, other in itertools.pairwise([*range(corners), 0]):
        np.testing.assert_allclose(np.linalg.norm(turned[:, one] - turned[:, other], axis=1), 7)
    diagonal = 7 * np.sqrt(2) if kind == SQUARE else 7
    np.testing.assert_allclose(np.linalg.norm(turned[:, 2], axis=1), diagonal)
    first_edge = np.stack([7 * np.sin(angle), 7 * np.cos(angle)], axis=1)
    np.testing.assert_allclose(turned[:, 1], first_edge, atol=1e-12)


def test_colours_are_saturated_and_bright_in_every_hue() -> None:
    scene = drawn(Kaleidoscope(shapes=400), 10, (224, 224))
    hsv = np.array([colorsys.rgb_to_hsv(*rgb) for rgb in scene.colour.flatten(0, 1).tolist()])
    for values, low in zip(hsv.T, (0.0, 0.7, 0.8), strict=True):
        assert_uniform(values, low, 1)
    for low, channel in ((0.7, 1), (0.8, 2)):
        assert hsv[:, channel].min() >= low - 1e-6


def test_the_start_is_uniform_two_sided_for_colours_and_one_sided_for_rims() -> None:
    x = pictures(2, *SIZE)
    attack = Kaleidoscope(shapes=200)
    keys = keys_for(attack, ["a", "b"])
    scene = attack.draw_scene(x, keys)
    radius = torch.tensor([0.15, 0.05])
    start = attack.start(x, scene, radius, keys)
    for each, limit in enumerate(radius.tolist()):
        assert_uniform(start.colour[each], -limit, limit)
        assert_uniform(start.rim[each], 0, limit)
