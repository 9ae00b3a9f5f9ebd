"""Compositing: exact ends, and nothing else touched."""

import numpy as np
import pytest
import torch
from torch import Tensor

from oracles import pictures
from unforeseen.errors import DataError
from unforeseen.ops.compositing import blend, paste, tiled


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def two(request: pytest.FixtureRequest) -> tuple[Tensor, Tensor]:
    under, over = pictures(2, 32, 40, dtype=request.param)
    return under, over


def test_a_blend_is_exactly_one_picture_at_0_and_the_other_at_1(
    two: tuple[Tensor, Tensor],
) -> None:
    under, over = two
    assert torch.equal(blend(under, over, 0.0), under)
    assert torch.equal(blend(under, over, 1.0), over)
    ends = torch.zeros(32, 40)
    ends[:, 20:] = 1
    mixed = blend(under, over, ends)
    assert torch.equal(mixed, torch.cat([under[..., :20], over[..., 20:]], dim=-1))


@pytest.mark.parametrize("opacity", [0.1, 0.5, 0.83])
def test_a_blend_is_the_weighted_mean(two: tuple[Tensor, Tensor], opacity: float) -> None:
    under, over = two
    expected = (1 - opacity) * under.double().numpy() + opacity * over.double().numpy()
    np.testing.assert_allclose(blend(under, over, opacity).numpy(), expected, atol=2e-7)


def test_the_lower_picture_says_of_which_type_a_blend_is(two: tuple[Tensor, Tensor]) -> None:
    under, over = two
    assert blend(under, over.float(), torch.tensor(0.5)).dtype == under.dtype


def test_a_blend_of_pictures_stays_between_0_and_1(two: tuple[Tensor, Tensor]) -> None:
    for extreme in (torch.zeros_like(two[0]), torch.ones_like(two[0])):
        opacity = torch.linspace(0, 1, 32 * 40).reshape(32, 40)
        mixed = blend(extreme, two[1], opacity)
        assert mixed.min() >= 0
        assert mixed.max() <= 1


def test_a_pasted_picture_replaces_what_it_covers_and_nothing_else(
    two: tuple[Tensor, Tensor],
) -> None:
    under, over = two
    before = under.clone()
    piece = over[:, :7, :11]
    seen = paste(under, piece, top=20, left=29)
    assert torch.equal(seen[:, 20:27, 29:40], piece)
    outside = torch.ones(32, 40, dtype=torch.bool)
    outside[20:27, 29:40] = False
    assert torch.equal(seen[:, outside], under[:, outside])
    assert torch.equal(under, before)


@pytest.mark.parametrize("size", [(4, 3), (8, 9), (10, 4), (2, 1), (1, 11)])
def test_a_tile_is_repeated_from_the_upper_left_corner(size: tuple[int, int]) -> None:
    tile = torch.arange(24.0).reshape(2, 4, 3)
    seen = tiled(tile, size)
    rows, columns = np.indices(size)
    np.testing.assert_array_equal(seen, tile.numpy()[:, rows % 4, columns % 3])


@pytest.mark.parametrize(("top", "left"), [(-1, 0), (0, -1), (26, 0), (0, 30), (2**62, 0)])
def test_a_picture_that_would_lie_partly_outside_is_refused(
    two: tuple[Tensor, Tensor], top: int, left: int
) -> None:
    under, over = two
    with pytest.raises(DataError, match="expected a place inside a picture of 40×32 pixels"):
        paste(under, over[:, :7, :11], top=top, left=left)
