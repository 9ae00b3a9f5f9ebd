"""8 bits: rounded to the nearest, and never around the ends."""

import numpy as np
import torch

from unforeseen.pixels import in_8_bits, pixels_of


def test_each_of_256_values_is_itself_and_halves_lie_between() -> None:
    values = torch.arange(256)
    assert torch.equal(in_8_bits(values / 255).long(), values)
    assert in_8_bits(torch.tensor([0.4 / 255, 0.6 / 255])).tolist() == [0, 1]


def test_what_lies_a_little_outside_does_not_wrap_around() -> None:
    assert in_8_bits(torch.tensor([-0.01, 1.01])).tolist() == [0, 255]


def test_channels_come_last_in_arrays_and_bytes_stay() -> None:
    picture = torch.arange(24, dtype=torch.uint8).reshape(3, 2, 4)
    expected = np.moveaxis(picture.numpy(), 0, 2)
    assert np.array_equal(pixels_of(picture), expected)
    assert np.array_equal(pixels_of(picture.float() / 255), expected)
