"""Convolution through Fourier space against scipy's direct sum."""

import numpy as np
import pytest
import torch
from scipy import signal

from oracles import pictures
from unforeseen.ops.convolution import convolve_and_sum, convolve_same, fast_length


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (5, 7)])
@pytest.mark.parametrize("kernel", [1, 3, 5])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_equals_scipys_direct_convolution(
    size: tuple[int, int], kernel: int, dtype: torch.dtype, tolerance: float
) -> None:
    x = pictures(2, *size, dtype=dtype)
    kernels = pictures(2, kernel, kernel, seed=1, low=-1, dtype=dtype)
    seen = convolve_same(x, kernels)
    assert seen.dtype == dtype
    for each in range(2):
        for channel in range(3):
            expected = signal.convolve2d(x[each, channel], kernels[each, channel], mode="same")
            np.testing.assert_allclose(seen[each, channel], expected, atol=tolerance)


def test_one_kernel_serves_all_channels_by_broadcasting() -> None:
    x, kernel = pictures(2, 12, 9), pictures(2, 3, 3, seed=1)[:, :1]
    torch.testing.assert_close(
        convolve_same(x, kernel), convolve_same(x, kernel.expand(-1, 3, -1, -1))
    )


def test_the_sum_is_that_of_the_planes() -> None:
    x, kernels = pictures(2, 33, 47, dtype=torch.float64), pictures(2, 5, 5, seed=1)
    apart = convolve_same(x, kernels.double())
    summed = convolve_and_sum(x, kernels.double())
    torch.testing.assert_close(summed, apart.sum(dim=1, keepdim=True))


def test_an_off_centre_impulse_shifts_to_where_it_lies() -> None:
    x, kernel = pictures(1, 10, 12), torch.zeros(1, 1, 3, 3)
    kernel[0, 0, 2, 0] = 1
    expected = torch.zeros_like(x)
    expected[..., 1:, :-1] = x[..., :-1, 1:]
    torch.testing.assert_close(convolve_same(x, kernel), expected, atol=1e-6, rtol=0)


def is_fast(number: int) -> bool:
    return number % 2 == 0 and 2**20 * 3**20 * 5**20 % number == 0


def test_the_fast_length_is_the_next_even_number_made_of_two_three_and_five() -> None:
    for length in range(1, 1000):
        expected = next(number for number in range(length, 2 * length + 2) if is_fast(number))
        assert fast_length(length) == expected
