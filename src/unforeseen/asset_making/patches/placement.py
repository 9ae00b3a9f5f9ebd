"""The ways in which a patch is laid on a picture while it is optimised and measured.

Anywhere: at a random place, in a random size, turned (Brown et al. 2017, section 2). In the corners: as
the obfuscation AdversarialPatches lays it.
"""

__all__ = ["PlacementRanges", "anywhere", "draw_corners", "in_corners", "placed"]

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from unforeseen.ops.compositing import blend
from unforeseen.ops.perspective import warp
from unforeseen.ops.resizing import resize
from unforeseen.rng import Stream
from unforeseen.transforms.obfuscations.adversarial_patches import AdversarialPatches, with_patches
from unforeseen.transforms.ranges import ImageSize


@dataclass(frozen=True, kw_only=True)
class PlacementRanges:
    """What a placement is drawn from, evenly.

    Attributes:
        side: Side of the patch, as a share of the picture's shorter one.
        angle: Rotation in degrees, either way at most that much.
    """

    side: tuple[float, float] = (0.2, 0.35)
    angle: float = 20.0


def anywhere(image: Tensor, patch: Tensor, stream: Stream, ranges: PlacementRanges) -> Tensor:
    """Lays a patch at a place that is drawn.

    Args:
        image: (3, H, W) in [0, 1].
        patch: (3, S, S) in [0, 1].
        stream: Gives what is random.
        ranges: To draw from.

    Returns:
        (3, H, W) in [0, 1]; differentiable in the patch.
    """
    height, width = image.shape[1:]
    return placed(image, patch, draw_corners(stream, (height, width), ranges))


def in_corners(image: Tensor, patch: Tensor, stream: Stream) -> Tensor:
    """Lays a patch as AdversarialPatches does; else like :func:`anywhere`."""
    height, width = image.shape[1:]
    parameters = AdversarialPatches().sample_for("", stream, (height, width))
    return with_patches(image, resize(patch, (parameters.side, parameters.side)), parameters)


def draw_corners(stream: Stream, size: ImageSize, ranges: PlacementRanges) -> Tensor:
    """Draws where the corners of a patch go; all of it lies inside the picture.

    Args:
        stream: Gives what is random.
        size: Height and width of the picture in pixels.
        ranges: To draw from.

    Returns:
        (4, 2): x and y in pixels of the patch's upper left, upper right, lower right and lower left
        corner.
    """
    height, width = size
    side = float(stream.uniform(*ranges.side)) * min(size)
    angle = math.radians(float(stream.uniform(-ranges.angle, ranges.angle)))
    across, down = (float(each) for each in stream.uniform(0, 1, (2,)))
    cosine, sine = math.cos(angle), math.sin(angle)
    # Half of the upright square that the turned patch needs.
    reach = side / 2 * (abs(cosine) + abs(sine))
    x, y = reach + across * (width - 2 * reach), reach + down * (height - 2 * reach)
    signs = torch.tensor([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    turn = torch.tensor([[cosine, sine], [-sine, cosine]])
    return torch.tensor([x, y]) + side / 2 * signs @ turn


def placed(image: Tensor, patch: Tensor, corners: Tensor) -> Tensor:
    """Lays a patch on a picture; differentiable in the patch.

    Args:
        image: (3, H, W) in [0, 1].
        patch: (3, S, S) in [0, 1].
        corners: As :func:`draw_corners` gives them.

    Returns:
        (3, H, W) in [0, 1].
    """
    height, width = image.shape[1:]
    warped = warp(patch, corners, (height, width))
    return blend(image, warped.image, warped.coverage)
