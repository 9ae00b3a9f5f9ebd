"""Convolution with one kernel per picture."""

__all__ = ["convolve_same"]

import torch
from torch import Tensor


def convolve_same(x: Tensor, kernel: Tensor, *, summed: bool = False) -> Tensor:
    """Zero-padded convolution of the size of ``x``, through Fourier space.

    A grouped convolution with a kernel per picture is slow on CPUs; this costs the same at any
    kernel size and is as exact as float32 allows.

    Args:
        x: (…, H, W).
        kernel: (…, k, k) with odd k; leading axes broadcast against those of ``x``.
        summed: Whether to add the planes of the axis before height up. That is done before they
            are transformed back, which then takes one transform instead of one each.

    Returns:
        (…, H, W); where summed, with 1 plane in the axis before height.
    """
    height, width = x.shape[-2:]
    size = (fast_length(height + kernel.shape[-2] - 1), fast_length(width + kernel.shape[-1] - 1))
    spectrum = torch.fft.rfft2(x, s=size) * torch.fft.rfft2(kernel, s=size)
    if summed:
        spectrum = spectrum.sum(dim=-3, keepdim=True)
    full: Tensor = torch.fft.irfft2(spectrum, s=size)
    top, left = kernel.shape[-2] // 2, kernel.shape[-1] // 2
    return full[..., top : top + height, left : left + width]


def fast_length(length: int) -> int:
    """The smallest even number ≥ ``length`` with no prime factor above 5."""
    candidate = length + length % 2
    while _without_small_factors(candidate) > 1:
        candidate += 2
    return candidate


def _without_small_factors(number: int) -> int:
    for factor in (2, 3, 5):
        while number % factor == 0:
            number //= factor
    return number
