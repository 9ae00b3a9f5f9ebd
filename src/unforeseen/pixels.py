"""Pictures in 8 bits, as files and figures hold them."""

__all__ = ["in_8_bits", "pixels_of"]

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def in_8_bits(picture: Tensor) -> Tensor:
    """Rounds a picture in [0, 1]; values that lie a little outside don't wrap around."""
    return (picture * 255).round().clamp(0, 255).byte()


def pixels_of(picture: Tensor) -> NDArray[np.uint8]:
    """A picture as arrays hold it.

    Args:
        picture: (3, H, W), uint8, or floating point in [0, 1], which is rounded to 8 bits.

    Returns:
        (H, W, 3).
    """
    if picture.is_floating_point():
        picture = in_8_bits(picture)
    pixels: NDArray[np.uint8] = picture.detach().permute(1, 2, 0).contiguous().cpu().numpy()
    return pixels
