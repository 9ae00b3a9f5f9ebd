"""A picture laid into four corners, as if seen from another place.

Points are x and y in pixels; (0, 0) is the upper left corner of the first pixel, whose centre is
(0.5, 0.5).
"""

__all__ = ["Warped", "homography", "is_convex", "warp"]

import math
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.errors import DataError
from unforeseen.ops.resizing import resize
from unforeseen.ops.sampling import pixel_centres, sample_at

_CORNERS = 4
#: A corner's triangle must have this share of the quadrilateral: with less, the opposite side is
#: enlarged beyond any use, and on the way to none the horizon comes into the picture.
_LEAST_TRIANGLE = 1e-3


class Warped(NamedTuple):
    """A picture in perspective.

    Attributes:
        image: (C, H, W); 0 where nothing of the picture is.
        coverage: (H, W) in [0, 1]: how much of each pixel the picture covers. Laid over a background:
            ``background + coverage * (image - background)``.
    """

    image: Tensor
    coverage: Tensor


def warp(image: Tensor, corners: Tensor, size: tuple[int, int]) -> Warped:
    """Moves a picture's corners to the given points, and the rest by the homography that does so.

    Where the picture becomes smaller it is first reduced with an antialiasing filter, then sampled
    bilinearly. Edges are antialiased by their distance from the pixels' centres.

    Args:
        image: (C, h, w) in [0, 1].
        corners: (4, 2): where the upper left, upper right, lower right and lower left corner go; they
            may lie outside the result.
        size: Height and width of the result.

    Raises:
        DataError: The corners are no convex quadrilateral, clockwise on the screen.
    """
    points = [(float(x), float(y)) for x, y in corners.tolist()]
    if not is_convex(corners):
        raise DataError(
            "corners: expected upper left, upper right, lower right and lower left of a convex "
            f"quadrilateral, got {points}."
        )
    reduced = _reduced(image, points)
    picture = image.new_zeros((image.shape[0], *size))
    coverage = image.new_zeros(size)
    top, bottom = _extent([y for _, y in points], size[0])
    left, right = _extent([x for x, _ in points], size[1])
    if top < bottom and left < right:
        x, y = pixel_centres(bottom - top, right - left, image)
        x, y = x + left, y + top
        box = (slice(top, bottom), slice(left, right))
        coverage[box] = _coverage(points, x, y)
        across, down = _unit_coordinates(points, x, y)
        height, width = reduced.shape[1:]
        picture[(slice(None), *box)] = sample_at(
            reduced, across * width, down * height, outside="border"
        ) * (coverage[box] > 0)
    return Warped(picture, coverage)


def homography(corners: Tensor) -> Tensor:
    """The matrix that takes the unit square to a quadrilateral (Heckbert 1989, section 2.2.3).

    Args:
        corners: (4, 2): images of (0, 0), (1, 0), (1, 1) and (0, 1).

    Returns:
        (3, 3) in float64: (x, y, w) = M · (u, v, 1), and the point is (x / w, y / w).
    """
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners.double().tolist()
    ax, ay, bx, by = x1 - x2, y1 - y2, x3 - x2, y3 - y2
    sx, sy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
    determinant = ax * by - bx * ay
    g, h = (sx * by - bx * sy) / determinant, (ax * sy - sx * ay) / determinant
    return torch.tensor(
        [
            [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
            [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
            [g, h, 1],
        ],
        dtype=torch.float64,
    )


def is_convex(corners: Tensor, *, least_triangle: float = _LEAST_TRIANGLE) -> bool:
    """Whether four corners are a convex quadrilateral, clockwise on the screen and not nearly flat.

    Args:
        corners: (4, 2).
        least_triangle: The share of the area that two neighbouring sides must span.
    """
    points = corners.double()
    if points.shape != (_CORNERS, 2) or not points.isfinite().all():
        return False
    to_next, to_last = points.roll(-1, 0) - points, points.roll(1, 0) - points
    triangles = to_next[:, 0] * to_last[:, 1] - to_next[:, 1] * to_last[:, 0]
    return bool((triangles > least_triangle * triangles.sum().abs() / 2).all())


_Points = list[tuple[float, float]]


def _reduced(image: Tensor, points: _Points) -> Tensor:
    """The picture at the size of the longer of two opposite sides, where that is smaller."""
    sides = [math.dist(points[i], points[(i + 1) % _CORNERS]) for i in range(_CORNERS)]
    height, width = image.shape[1:]
    size = (
        min(height, math.ceil(max(sides[1], sides[3]))),
        min(width, math.ceil(max(sides[0], sides[2]))),
    )
    if size == (height, width):
        return image
    return resize(image, size)


def _extent(coordinates: list[float], length: int) -> tuple[int, int]:
    """The pixels of one axis that the picture touches, each a little more than half a pixel wide."""
    return (
        max(0, min(length, math.floor(min(coordinates) - 0.5))),
        min(length, max(0, math.ceil(max(coordinates) + 0.5))),
    )


def _coverage(points: _Points, x: Tensor, y: Tensor) -> Tensor:
    """How much of pixels is inside, by their centres' distance from the nearest side."""
    nearest = torch.full_like(x, math.inf)
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        length = math.dist((x0, y0), (x1, y1))
        across, down = (x1 - x0) / length, (y1 - y0) / length
        nearest = torch.minimum(nearest, (y - y0) * across - (x - x0) * down)
    return (nearest + 0.5).clamp(0, 1)


def _unit_coordinates(points: _Points, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Which points of the unit square are seen at these pixels."""
    inverse = torch.linalg.inv(homography(torch.tensor(points, dtype=torch.float64))).tolist()
    across, down, depth = (row[0] * x + row[1] * y + row[2] for row in inverse)
    # Positive inside; behind the horizon, far outside, any point will do.
    depth = depth.clamp(min=torch.finfo(x.dtype).tiny ** 0.5)
    return across / depth, down / depth
