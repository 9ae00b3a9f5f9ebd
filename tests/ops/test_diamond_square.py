"""Diamond-square against midpoints displaced one at a time, and in closed form."""

import numpy as np
import pytest
import torch

from oracles import diamond_square_heights
from unforeseen.ops.diamond_square import diamond_square, displacement_count


def random_displacement(batch: int, side: int) -> torch.Tensor:
    shape = (batch, displacement_count(side))
    return torch.from_numpy(np.random.default_rng(side).uniform(-1, 1, shape))


@pytest.mark.parametrize("side", [2, 4, 32, 64])
@pytest.mark.parametrize("decay", [1.0, 2.0, 3.0])
def test_every_midpoint_is_where_its_neighbours_and_its_displacement_put_it(
    side: int, decay: float
) -> None:
    displacement = random_displacement(2, side)
    seen = diamond_square(displacement, side, decay=decay)
    assert seen.shape == (2, side, side)
    for each in range(2):
        expected = diamond_square_heights(displacement[each].numpy(), side, decay)
        np.testing.assert_allclose(seen[each], expected, atol=1e-12)


def test_two_by_two_points_are_known_in_closed_form() -> None:
    centre, horizontal, vertical = 0.5, 0.03, -0.07
    seen = diamond_square(torch.tensor([[centre, horizontal, vertical]]), 2, decay=3.0)
    expected = [[0, centre / 2 + horizontal], [centre / 2 + vertical, centre]]
    torch.testing.assert_close(seen, torch.tensor([expected]))


def test_one_displacement_of_the_finest_level_moves_one_point_by_its_weight() -> None:
    side, decay = 16, 3.0
    displacement = torch.zeros(1, displacement_count(side), dtype=torch.float64)
    # Level 3: 8 × 8 centres, then as many horizontal edges; of those the one in row 5, column 2.
    displacement[0, 3 * (1 + 4 + 16) + 64 + 5 * 8 + 2] = 1
    expected = torch.zeros(1, side, side, dtype=torch.float64)
    expected[0, 2 * 5, 2 * 2 + 1] = decay**-3
    torch.testing.assert_close(diamond_square(displacement, side, decay=decay), expected)


def test_a_surface_of_one_point_is_flat() -> None:
    assert displacement_count(1) == 0
    assert torch.equal(diamond_square(torch.zeros(2, 0), 1, decay=3.0), torch.zeros(2, 1, 1))


def test_the_surface_is_linear_in_its_displacements() -> None:
    drawn = random_displacement(2, 32)
    one, other = drawn[:1], drawn[1:]
    together = diamond_square(2 * one - other, 32, decay=3.0)
    apart = [diamond_square(each, 32, decay=3.0) for each in (one, other)]
    torch.testing.assert_close(together, 2 * apart[0] - apart[1])
