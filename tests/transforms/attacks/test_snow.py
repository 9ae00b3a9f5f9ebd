"""Snow: streaks read from the specification's sentence, scipy's convolution, drawn statistics."""

import itertools
import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy import ndimage, optimize, signal, stats

from oracles import Array, assert_uniform, pictures, snow_streak
from unforeseen.benchmarks.edition import Geometry
from unforeseen.constraints import Ball
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.snow import Snow, SnowLatents, SnowScene

PROBABILITIES = {1: 0.6, 3: 0.3, 5: 0.1}
MANY = [str(number) for number in range(300)]


def many_streaks(attack: Snow) -> Array:
    """Streaks of 300 pictures, (300, layers, k, k)."""
    x = torch.zeros(1, 3, 32, 32).expand(len(MANY), -1, -1, -1)
    return attack.draw_scene(x, keys_for(attack, MANY)).streak.double().numpy()


def overcast(x: Array) -> Array:
    luma = 0.2126 * x[:, :1] + 0.7152 * x[:, 1:2] + 0.0722 * x[:, 2:]
    return 0.85 * x + 0.15 * np.maximum(x, 1.5 * luma + 0.5)


def matches(streaks: Array, known: Array) -> NDArray[np.bool_]:
    """Which of the known kernels (n, k, k) each of a picture's streaks is, (layers, n)."""
    distance: Array = np.abs(streaks[:, None] - known).max(axis=(2, 3))
    return distance < 1e-5


def test_streaks_are_those_of_the_specification_in_their_frequencies() -> None:
    size, offsets = 15, range(1, 8)
    labels = list(itertools.product(offsets, offsets, PROBABILITIES))
    known = np.stack([snow_streak(size, *label) for label in labels])
    counts = np.zeros(len(labels), dtype=np.int64)
    mirrored_pictures = 0
    for streaks in many_streaks(Snow(blur_size=1)):
        mirrored = not matches(streaks, known).any(axis=1).all()
        mirrored_pictures += mirrored
        found = matches(streaks[..., ::-1] if mirrored else streaks, known)
        # Each is one of them and no other; all of a picture's are mirrored, or none.
        assert (found.sum(axis=1) == 1).all()
        counts += found.sum(axis=0)

    assert stats.binomtest(mirrored_pictures, len(MANY), 0.5).pvalue > 1e-3
    by_label = counts.reshape(len(offsets), len(offsets), len(PROBABILITIES))
    by_thickness = by_label.sum(axis=(0, 1))
    expected = [counts.sum() * share for share in PROBABILITIES.values()]
    assert stats.chisquare(by_thickness, expected).pvalue > 1e-3
    assert stats.chisquare(by_label.sum(axis=2).ravel()).pvalue > 1e-3


@pytest.mark.parametrize("blur_size", [1, 3])
def test_streaks_are_point_symmetric(blur_size: int) -> None:
    streaks = many_streaks(Snow(blur_size=blur_size))
    np.testing.assert_allclose(streaks, streaks[..., ::-1, ::-1], atol=1e-6)


def test_the_three_pixel_streak_is_known_in_closed_form() -> None:
    streaks = many_streaks(Snow(layers=5, kernel_size=3, grid=10, blur_size=1)).reshape(-1, 3, 3)
    seen = set()
    for streak in streaks:
        flat = streak if streak[0, 0] == 1 else streak[:, ::-1]
        # At slope 1, w = T·√2/2; a cell beside the diagonal is at distance 1 from it.
        side = flat[0, 1]
        np.testing.assert_allclose(flat, [[1, side, 0], [side, 1, side], [0, side, 1]], atol=1e-6)
        seen.add(round(float(side), 5))
    assert seen == {round(math.sqrt(2) / 4, 5), 1.0}


def test_streaks_are_softened_by_a_gaussian_of_ten_to_fifteen_pixels() -> None:
    sharp, soft = many_streaks(Snow(blur_size=1))[:40], many_streaks(Snow(blur_size=3))[:40]
    widths = []
    for before, after in zip(sharp.reshape(-1, 15, 15), soft.reshape(-1, 15, 15), strict=True):

        def misfit(sigma: float, before: Array = before, after: Array = after) -> float:
            side = math.exp(-1 / (2 * sigma**2))
            weights = np.array([side, 1, side]) / (1 + 2 * side)
            blurred = ndimage.correlate1d(before, weights, axis=0, mode="mirror")
            blurred = ndimage.correlate1d(blurred, weights, axis=1, mode="mirror")
            return float(np.square(blurred - after).sum())

        best = optimize.minimize_scalar(misfit, bounds=(5, 30), options={"xatol": 1e-5})
        assert best.fun < 1e-10
        widths.append(best.x)
    assert min(widths) > 9.99
    assert max(widths) < 15.01
    assert_uniform(np.array(widths), 10, 15)


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), [(32, 32), (33, 47)])
@pytest.mark.parametrize("kernel_size", [15, 3])
def test_snow_is_the_fourth_power_of_flakes_convolved_with_streaks(
    geometry: Geometry, height: int, width: int, kernel_size: int
) -> None:
    attack = Snow(layers=3, kernel_size=kernel_size, grid=6, geometry=geometry)
    x = pictures(2, height, width, high=0.5, dtype=torch.float64)
    keys = keys_for(attack, ["a", "b"])
    scene = attack.draw_scene(x, keys)
    intensity = pictures(1, 2, scene.place.shape[1], seed=1, low=-0.8, high=0.8)[0, 0].double()
    seen = attack.render(x, SnowLatents(intensity=intensity), scene)

    snow = np.zeros((2, 1, height, width))
    for each in range(2):
        flakes = np.zeros((3, height, width))
        for place, value, present in zip(
            scene.place[each].tolist(),
            intensity[each].tolist(),
            scene.present[each].tolist(),
            strict=True,
        ):
            if present:
                flakes[np.unravel_index(place, flakes.shape)] = value**4
        for layer, streak in zip(flakes, scene.streak[each].numpy(), strict=True):
            snow[each, 0] += signal.convolve2d(layer, streak, mode="same")
    assert snow.max() > 0.1
    np.testing.assert_allclose(seen, np.clip(overcast(x.numpy()) + snow, 0, 1), atol=1e-12)


def test_without_flakes_the_sky_is_overcast() -> None:
    attack = Snow()
    x = pictures(2, 33, 47)
    scene = attack.draw_scene(x, keys_for(attack, ["a", "b"]))
    none = SnowLatents(intensity=torch.zeros_like(scene.present))
    expected = np.clip(overcast(x.numpy()), 0, 1)
    np.testing.assert_allclose(attack.render(x, none, scene), expected, atol=1e-6)


def flake_cells(scene: SnowScene, example: int) -> list[int]:
    return scene.place[example][scene.present[example] == 1].tolist()


@pytest.mark.parametrize(("grid", "layers"), [(15, 5), (10, 5), (1, 2)])
def test_one_cell_in_grid_squared_holds_a_flake_anywhere(grid: int, layers: int) -> None:
    attack = Snow(grid=grid, layers=layers)
    x = torch.zeros(1, 3, 64, 48).expand(20, -1, -1, -1)
    scene = attack.draw_scene(x, keys_for(attack, MANY[:20]))
    assert set(scene.present.flatten().tolist()) <= {0.0, 1.0}
    cells = layers * 64 * 48
    found = [flake_cells(scene, each) for each in range(20)]
    for each in found:
        assert len(set(each)) == len(each)
        assert all(0 <= cell < cells for cell in each)
    flakes = np.concatenate([np.array(each) for each in found])
    assert stats.binomtest(len(flakes), 20 * cells, 1 / grid**2).pvalue > 1e-3
    assert_uniform(flakes + 0.5, 0, cells)


def test_the_start_is_projected_with_every_cell_and_masked_afterwards() -> None:
    attack = Snow()
    x = pictures(2, 33, 47)
    keys = keys_for(attack, ["a", "b"])
    scene = attack.draw_scene(x, keys)
    radius = torch.tensor([10.0, 1e6])
    start = attack.start(x, scene, radius, keys).intensity
    cells = 5 * 33 * 47
    for each, key in enumerate(keys):
        u = key.stream("start").uniform(0, 1, (cells,)).astype(np.float64)
        everywhere = np.exp(-u / 5)
        projected = everywhere * min(1, float(radius[each]) / np.linalg.norm(everywhere))
        expected = projected[scene.place[each].numpy()] * scene.present[each].numpy()
        np.testing.assert_allclose(start[each], expected, rtol=1e-5)
        flakes = len(flake_cells(scene, each))
        if each == 0:
            share = float(start[each].norm()) / 10
            assert share == pytest.approx(math.sqrt(flakes / cells), rel=0.02)
    # Where the radius is no limit, the logarithms of the flakes are the draws themselves.
    assert_uniform(-5 * start[1][scene.present[1] == 1].log(), 0, 1)
    assert Ball(norm="l2").norm_of(start)[0] < 10
