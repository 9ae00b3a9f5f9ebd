"""FBM: octaves of Perlin noise, interpolated pixel by pixel and added by hand."""

import math

import numpy as np
import pytest
import torch

from oracles import Array, assert_uniform, perlin_plane, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.fbm import Fbm, FbmLatents
from unforeseen.transforms.base import NoScene

#: Pictures, the side of the noise that covers them, and its number of octaves.
SIZES = [(32, 32, 32, 2), (33, 47, 64, 3), (40, 64, 64, 3)]


def slopes(batch: int, octaves: int, strength: float) -> list[Array]:
    """Vectors on the lattice of each octave, (B, n, n, 2)."""
    generator = np.random.default_rng(octaves)
    sides = [8 * 2**octave + 1 for octave in range(octaves)]
    return [generator.uniform(-strength, strength, (batch, n, n, 2)) for n in sides]


def flattened(octaves: list[Array]) -> FbmLatents:
    flat = np.concatenate([vectors.reshape(len(vectors), -1, 2) for vectors in octaves], axis=1)
    return FbmLatents(vectors=torch.from_numpy(flat))


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width", "side", "octaves"), SIZES)
@pytest.mark.parametrize(("strength", "persistence"), [(0.08, 0.5), (3.0, 0.8)])
def test_octaves_of_noise_are_added_to_every_channel(
    geometry: Geometry,
    height: int,
    width: int,
    side: int,
    octaves: int,
    strength: float,
    persistence: float,
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    vectors = slopes(2, octaves, strength)
    seen = Fbm(geometry=geometry, persistence=persistence).render(x, flattened(vectors), NoScene())
    top, left = (side - height) // 2, (side - width) // 2
    for each in range(2):
        noise = sum(
            math.sqrt(2) * persistence**octave * perlin_plane(vectors[octave][each], side)
            for octave in range(octaves)
        )
        visible = np.asarray(noise)[top : top + height, left : left + width]
        expected = np.clip(x[each].numpy() + visible, 0, 1)
        np.testing.assert_allclose(seen[each], expected, atol=1e-12)


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (128, 224)])
def test_no_slopes_are_the_identity(size: tuple[int, int]) -> None:
    x = pictures(2, *size)
    attack = Fbm()
    start = attack.start(x, NoScene(), torch.zeros(2), keys_for(attack, ["a", "b"]))
    assert torch.equal(attack.render(x, start, NoScene()), x)


@pytest.mark.parametrize(
    ("size", "octaves"), [((32, 32), 2), ((33, 32), 3), ((224, 224), 5), ((256, 100), 5)]
)
def test_there_are_as_many_octaves_as_the_size_asks_for(
    size: tuple[int, int], octaves: int
) -> None:
    # ⌈log2 size⌉ − 3 of them, so that the finest cells are 2 pixels wide.
    assert octaves == math.ceil(math.log2(max(size))) - 3
    attack = Fbm()
    start = attack.start(
        torch.zeros(1, 3, *size), NoScene(), torch.ones(1), keys_for(attack, ["a"])
    ).vectors
    assert start.shape == (1, sum((8 * 2**octave + 1) ** 2 for octave in range(octaves)), 2)


def test_only_the_published_edition_judges_before_the_last_update() -> None:
    assert Fbm(geometry="published").unseen_updates == 1
    assert Fbm(geometry="centred").unseen_updates == 0


def test_the_start_is_uniform_and_positive() -> None:
    x = pictures(2, 33, 47)
    attack = Fbm()
    radius = torch.tensor([0.03, 0.3])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).vectors
    assert_uniform(start[0], 0, 0.03)
    assert_uniform(start[1], 0, 0.3)
