"""Alternate lines, counted pixel by pixel."""

import pytest
import torch

from unforeseen.transforms.obfuscations.choices import Direction
from unforeseen.transforms.obfuscations.lines import alternate_lines


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("width", [1, 3, 7, 100])
def test_lines_alternate_beginning_at_the_upper_left(direction: Direction, width: int) -> None:
    lines = alternate_lines(torch.zeros(3, 10, 17), width, direction)
    assert lines.shape == ((10, 1) if direction == "horizontal" else (1, 17))
    whole = lines.expand(10, 17)
    for row in range(10):
        for column in range(17):
            along = row if direction == "horizontal" else column
            assert bool(whole[row, column]) == (along // width % 2 == 0)
