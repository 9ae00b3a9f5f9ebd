"""A smaller picture somewhere on a larger one."""

__all__ = ["draw_place", "shrunk"]

from unforeseen.rng import Stream
from unforeseen.transforms.obfuscation import ImageSize


def shrunk(size: ImageSize, *, down: float, across: float) -> ImageSize:
    """A size times the factors of height and width, in whole pixels, at least one."""
    height, width = size
    return max(1, round(down * height)), max(1, round(across * width))


def draw_place(stream: Stream, inner: ImageSize, outer: ImageSize) -> tuple[int, int]:
    """Draws the top and left of a picture of size ``inner``, all of it inside ``outer``."""
    top, left = (
        int(stream.integers(0, outer_side - inner_side))
        for inner_side, outer_side in zip(inner, outer, strict=True)
    )
    return top, left
