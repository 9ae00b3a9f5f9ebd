"""ColorNoiseBlocks: which channels are shifted, by how much, block by block."""

import numpy as np
import torch

from oracles import assert_uniform, pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.color_noise_blocks import (
    ColorNoiseBlocks,
    ColorNoiseBlocksParameters,
)


def shifts(x: torch.Tensor, block: int, seed: int, assets: AssetPack) -> np.ndarray:
    """What was added to each value, modulo 1."""
    parameters = ColorNoiseBlocksParameters(block=block, seed=seed)
    seen = ColorNoiseBlocks().apply(x, parameters, assets)
    return ((seen - x).numpy() + 1e-9) % 1


def test_one_channel_of_each_block_is_shifted_by_one_value(assets: AssetPack) -> None:
    x = pictures(1, 60, 44, dtype=torch.float64)[0]
    added = shifts(x, 16, 3, assets)
    for top in range(0, 60, 16):
        for left in range(0, 44, 16):
            block = added[:, top : top + 16, left : left + 16]
            assert np.ptp(block, axis=(1, 2)).max() < 1e-9
            assert (block[:, 0, 0] > 1e-6).sum() == 1


def test_shifts_are_uniform_and_channels_equally_frequent(assets: AssetPack) -> None:
    x = torch.full((3, 600, 600), 0.25, dtype=torch.float64)
    added = shifts(x, 12, 5, assets)[:, ::12, ::12].reshape(3, -1)
    assert_uniform(added.max(0), 0, 1)
    counts = np.bincount(added.argmax(0), minlength=3) / added.shape[1]
    assert np.abs(counts - 1 / 3).max() < 0.03


def test_what_exceeds_1_begins_at_0_again(assets: AssetPack) -> None:
    white = torch.ones(3, 64, 64)
    parameters = ColorNoiseBlocksParameters(block=16, seed=1)
    seen = ColorNoiseBlocks().apply(white, parameters, assets)
    assert float(seen.min()) < 0.9
    assert float(seen.max()) <= 1
