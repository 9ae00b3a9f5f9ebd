"""A picture cut into lines, every other one of which is treated in another way."""

__all__ = ["alternate_lines"]

import torch
from torch import Tensor

from unforeseen.transforms.obfuscations.choices import Direction


def alternate_lines(image: Tensor, width: int, direction: Direction) -> Tensor:
    """Whether a pixel is in the first, third … line, counted from the upper left.

    Args:
        image: (…, H, W).
        width: Of a line, in pixels; the last may be narrower.
        direction: In which lines run.

    Returns:
        Booleans, (H, 1) for horizontal and (1, W) for vertical lines.
    """
    across = 1 if direction == "horizontal" else 0
    length = image.shape[-2:][1 - across]
    first = torch.arange(length, device=image.device) // width % 2 == 0
    return first.unsqueeze(across)
