"""Convolution with one kernel per picture."""

__all__ = ["convolve_and_sum", "convolve_same"]

import torch
from torch import Tensor


def convolve_same(x: Tensor, kernel: Tensor) -> Tensor:
    """Zero-padded convolution of the size of ``x``, through Fourier space.

    A grouped convolution with a kernel per picture is slow on CPUs; this costs the same at any
    kernel size and is as exact as float32 allows.

    Args:
        x: (…, H, W).
        kernel: (…, k, k) with odd k; leading axes broadcast against those of ``x``.

    Returns:
        (…, H, W).
    """
    return _back(_product(x, kernel), x, kernel)


def convolve_and_sum(x: Tensor, kernel: Tensor) -> Tensor:
    """The sum of convolutions over the axis before height, (…, 1, H, W); see :func:`convolve_same`.

    Planes are added up before they are transformed back, which then takes one transform instead of
    one each.
    """
    return _back(_product(x, kernel).sum(dim=-3, keepdim=True), x, kernel)


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


def _size(x: Tensor, kernel: Tensor) -> tuple[int, int]:
    """Height and width that hold the whole convolution."""
    height, width = (
        fast_length(length + reach - 1)
        for length, reach in zip(x.shape[-2:], kernel.shape[-2:], strict=True)
    )
    return height, width


def _product(x: Tensor, kernel: Tensor) -> Tensor:
    """The spectrum of the convolution."""
    size = _size(x, kernel)
    product: Tensor = torch.fft.rfft2(x, s=size) * torch.fft.rfft2(kernel, s=size)
    return product


def _back(spectrum: Tensor, x: Tensor, kernel: Tensor) -> Tensor:
    """From a spectrum to the part of the size of ``x``."""
    full: Tensor = torch.fft.irfft2(spectrum, s=_size(x, kernel))
    height, width = x.shape[-2:]
    top, left = kernel.shape[-2] // 2, kernel.shape[-1] // 2
    return full[..., top : top + height, left : left + width]
