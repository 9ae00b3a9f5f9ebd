"""Normalisation as the first layer, so that pictures stay in [0, 1] everywhere outside."""

__all__ = ["Normalised"]

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError


class Normalised(nn.Module):
    """``module((x − mean) / std)``, channel by channel.

    Args:
        module: Takes normalised pictures (B, C, H, W).
        mean: One number per channel, on the scale where pictures are in [0, 1].
        std: Likewise, positive.

    Raises:
        ModelError: ``mean`` and ``std`` differ in length, or a ``std`` isn't positive.
    """

    mean: Tensor
    std: Tensor

    def __init__(self, module: nn.Module, mean: Sequence[float], std: Sequence[float]) -> None:
        super().__init__()
        if len(mean) != len(std) or not all(value > 0 for value in std):
            raise ModelError(
                "expected mean and std of one number per channel, std positive; "
                f"got mean {tuple(mean)} and std {tuple(std)}."
            )
        self.module = module
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32).view(1, -1, 1, 1))
        self.register_buffer("std", torch.tensor(std, dtype=torch.float32).view(1, -1, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Takes pictures (B, C, H, W) in [0, 1]; returns what the module returns."""
        scores: Tensor = self.module((x - self.mean) / self.std)
        return scores
