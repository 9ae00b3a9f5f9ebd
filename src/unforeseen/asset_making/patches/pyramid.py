"""A patch as a sum of coarse and fine layers, so that large shapes come before noise.

Optimised pixel by pixel, a patch becomes noise that only its own networks see. With a layer for each scale
the same steps move all pixels of a shape together (Olah et al. 2017, *Feature visualization*, on
preconditioning), and the patch misleads other networks too.
"""

__all__ = ["PatchPyramid"]

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from unforeseen.rng import Stream

#: Side of the coarsest layer in pixels.
_COARSEST = 4
#: How far the first values are from 0, which is grey.
_START = 0.1


class PatchPyramid:
    """Layers of 4, 8, 16 … pixels and of the patch's own side, enlarged bilinearly and added up.

    Args:
        size: Side of the patch in pixels.
        stream: Gives the first values.
        device: Where.
    """

    def __init__(self, size: int, stream: Stream, device: torch.device) -> None:
        self.size = size
        sides = [min(_COARSEST, size)]
        while 2 * sides[-1] < size:
            sides.append(2 * sides[-1])
        self.layers = [
            torch.from_numpy(stream.uniform(-_START, _START, (1, 3, side, side)))
            .to(device)
            .requires_grad_()
            for side in dict.fromkeys((*sides, size))
        ]

    def patch(self) -> Tensor:
        """(3, size, size) in (0, 1); differentiable in the layers."""
        size = (self.size, self.size)
        enlarged = [F.interpolate(each, size, mode="bilinear") for each in self.layers]
        return torch.stack(enlarged).sum(dim=0)[0].sigmoid()

    @torch.no_grad()
    def set(self, layers: Sequence[Tensor]) -> None:
        """Takes the values of layers of the same sides; raises ValueError for others."""
        for own, other in zip(self.layers, layers, strict=True):
            if own.shape != other.shape:
                raise ValueError("layers of other sides")
            own.copy_(other)
