"""When one way of looking is better than another, beyond chance."""

import pytest
import torch

from unforeseen.check.right import is_clearly_better


def better(gained: int, lost: int, **options: float) -> bool:
    """Of 100 pictures."""
    other = torch.zeros(100, dtype=torch.bool)
    other[:gained] = True
    usual = torch.zeros(100, dtype=torch.bool)
    usual[gained : gained + lost] = True
    return is_clearly_better(other, usual, **options)


@pytest.mark.parametrize(
    ("gained", "lost", "expected"),
    [
        # Two-sided sign test: 2 · 2⁻¹⁰ = 0.00195, 2 · 2⁻¹¹ = 0.00098.
        (10, 0, False),
        (11, 0, True),
        (0, 50, False),
        (50, 50, False),
        # 2 · Σ_{k≤5} C(n, k) / 2ⁿ is 0.00151 for n = 27, 0.00091 for n = 28.
        (22, 5, False),
        (23, 5, True),
    ],
)
def test_a_gain_must_be_beyond_chance(gained: int, lost: int, *, expected: bool) -> None:
    assert better(gained, lost) == expected


@pytest.mark.parametrize(("gained", "expected"), [(19, False), (20, True)])
def test_a_gain_must_be_large_enough(gained: int, *, expected: bool) -> None:
    assert better(gained, 0, gain=0.2) == expected


@pytest.mark.parametrize(("gained", "expected"), [(6, False), (7, True)])
def test_how_sure_one_must_be_can_be_chosen(gained: int, *, expected: bool) -> None:
    """2 · 2⁻⁶ = 0.031, 2 · 2⁻⁷ = 0.016."""
    assert better(gained, 0, significance=0.02) == expected
