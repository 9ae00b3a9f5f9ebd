"""Pictures cut into blocks, at sizes that the block doesn't divide too."""

__all__ = ["block_count", "spread"]

from torch import Tensor


def block_count(length: int, block: int) -> int:
    """How many blocks cover ``length`` pixels; the last may be narrower."""
    return -(-length // block)


def spread(values: Tensor, block: tuple[int, int], size: tuple[int, int]) -> Tensor:
    """Gives each pixel the value of its block.

    Args:
        values: (…, rows, columns), one value per block.
        block: (height, width) of a block in pixels.
        size: (H, W) of the picture; what sticks out is cut off.

    Returns:
        (…, H, W).
    """
    tall = values.repeat_interleave(block[0], dim=-2)[..., : size[0], :]
    return tall.repeat_interleave(block[1], dim=-1)[..., : size[1]]
