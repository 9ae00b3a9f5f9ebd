"""Blocks by explicit indices."""

import numpy as np
import pytest
import torch

from unforeseen.ops.blocks import block_count, spread


@pytest.mark.parametrize(
    ("length", "block", "expected"), [(32, 8, 4), (33, 8, 5), (31, 8, 4), (5, 8, 1), (7, 1, 7)]
)
def test_blocks_cover_a_length(length: int, block: int, expected: int) -> None:
    assert block_count(length, block) == expected


@pytest.mark.parametrize("block", [(4, 4), (3, 5), (1, 1), (40, 40)])
@pytest.mark.parametrize("size", [(32, 32), (33, 47)])
def test_each_pixel_gets_the_value_of_its_block(
    block: tuple[int, int], size: tuple[int, int]
) -> None:
    counts = [block_count(*pair) for pair in zip(size, block, strict=True)]
    values = torch.from_numpy(np.random.default_rng(0).uniform(size=(2, 3, *counts)))
    seen = spread(values, block, size)
    assert seen.shape == (2, 3, *size)
    for row in range(size[0]):
        for column in range(size[1]):
            expected = values[..., row // block[0], column // block[1]]
            assert torch.equal(seen[..., row, column], expected)
