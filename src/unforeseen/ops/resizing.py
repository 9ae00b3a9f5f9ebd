"""Pictures in another size."""

__all__ = ["resize"]

import torch.nn.functional as F
from torch import Tensor


def resize(image: Tensor, size: tuple[int, int]) -> Tensor:
    """Resizes a picture bilinearly, with antialiasing where it becomes smaller.

    Args:
        image: (C, H, W) in [0, 1].
        size: Height and width of the result.
    """
    # Weights add up to 1 only as far as rounding allows.
    return F.interpolate(image[None], size, mode="bilinear", antialias=True)[0].clamp(0, 1)
