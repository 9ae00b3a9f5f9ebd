"""What built-in attacks are known to do otherwise, and why. Attacks of users have no exceptions."""

__all__ = ["dead_latents", "rounding_of"]

import torch
from torch import Tensor

from unforeseen.contract.case import Case
from unforeseen.transforms.attacks.wood import Wood

#: By how much a picture in single precision may differ from the same in double precision.
_ROUNDING = 1e-4
#: The steep flanks of Wood's rings (a power of 1/8) magnify it.
_ROUNDING_OF_WOOD = 5e-2


def rounding_of(case: Case) -> float:
    """By how much a picture in float32 may differ from the same in float64."""
    return _ROUNDING_OF_WOOD if isinstance(case.attack, Wood) else _ROUNDING


def dead_latents(case: Case, gradient: Tensor, size: tuple[int, int]) -> Tensor:
    """Where a gradient may be NaN: in edition published, what Wood's central pixel reads."""
    dead = torch.zeros_like(gradient, dtype=torch.bool)
    if isinstance(case.attack, Wood) and case.attack.geometry == "published":
        reads = [
            int((length // 2 + 0.5) * resolution / length - 0.5)
            for length, resolution in zip(size, gradient.shape[-2:], strict=True)
        ]
        dead[..., reads[0] : reads[0] + 2, reads[1] : reads[1] + 2] = True
    return dead
