"""Klotski: whole-pixel shifts are array slices; others are sampled by scipy, block by block."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, pictures, sample
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.klotski import Klotski, KlotskiLatents
from unforeseen.transforms.base import NoScene

#: Height, width, blocks, height and width of a block: with a remainder, without, with lost blocks.
BLOCKS = [(32, 32, 8, 4, 4), (33, 47, 8, 5, 6), (48, 32, 5, 10, 7), (32, 40, 1, 32, 40)]

each_layout = pytest.mark.parametrize(
    ("height", "width", "blocks", "block_height", "block_width"), BLOCKS
)


def random_shift(shape: tuple[int, int], strength: float) -> np.ndarray:
    return np.random.default_rng(0).uniform(-strength, strength, (*shape, 2))


@each_layout
def test_no_shift_is_the_identity_when_centred(
    height: int, width: int, blocks: int, block_height: int, block_width: int
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    shift = x.new_zeros(2, -(-height // block_height), -(-width // block_width), 2)
    seen = Klotski(blocks=blocks).render(x, KlotskiLatents(shift=shift), NoScene())
    torch.testing.assert_close(seen, x, atol=1e-12, rtol=0)


@each_layout
def test_whole_pixels_move_each_block_by_itself_and_leave_black(
    height: int, width: int, blocks: int, block_height: int, block_width: int
) -> None:
    x = pictures(1, height, width, dtype=torch.float64)
    shape = (-(-height // block_height), -(-width // block_width))
    pixels = np.random.default_rng(0).integers(-6, 7, (*shape, 2))
    shift = torch.from_numpy(pixels * 2 / np.array([width, height]))[None]
    seen = Klotski(blocks=blocks).render(x, KlotskiLatents(shift=shift), NoScene())[0].numpy()

    margin = 6
    wide = np.pad(x[0].numpy(), ((0, 0), (margin, margin), (margin, margin)))
    expected = np.empty_like(seen)
    for row in range(height):
        for column in range(width):
            across, down = pixels[row // block_height, column // block_width]
            source = (row + margin + down, column + margin + across)
            expected[:, row, column] = wide[:, source[0], source[1]]
    np.testing.assert_allclose(seen, expected, atol=1e-12)


@each_layout
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("strength", [0.0, 0.3])
def test_blocks_sample_bilinearly_from_the_editions_grid(
    geometry: Geometry,
    strength: float,
    height: int,
    width: int,
    blocks: int,
    block_height: int,
    block_width: int,
) -> None:
    x = pictures(1, height, width, dtype=torch.float64)
    shift = random_shift((-(-height // block_height), -(-width // block_width)), strength)
    latents = KlotskiLatents(shift=torch.from_numpy(shift)[None])
    seen = Klotski(blocks=blocks, geometry=geometry).render(x, latents, NoScene())[0].numpy()
    down, across = np.mgrid[:height, :width]
    moved = shift[down // block_height, across // block_width]
    half = 0 if geometry == "published" else 1
    for channel in range(3):
        expected = sample(
            x[0, channel].numpy(),
            (2 * across + half) / width - 1 + moved[..., 0],
            (2 * down + half) / height - 1 + moved[..., 1],
            "zeros",
        )
        np.testing.assert_allclose(seen[channel], expected, atol=1e-12)


def test_the_start_is_uniform_between_zero_and_the_radius_in_every_block() -> None:
    x = pictures(2, 320, 33)
    radius = torch.tensor([0.05, 0.2])
    start = Klotski(blocks=16).start(x, NoScene(), radius, keys_for(Klotski(), ["a", "b"])).shift
    assert start.shape == (2, 16, 11, 2)
    for each, limit in zip(start, radius.tolist(), strict=True):
        assert_uniform(each, 0, limit)
