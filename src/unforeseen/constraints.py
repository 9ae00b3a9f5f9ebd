"""The balls that latents are kept in, and how a gradient moves a point in them (paper, section 4.1)."""

__all__ = ["Ball", "Norm", "StepRule", "shaped_like", "step"]

import math
import sys
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.rng import Stream

Norm = Literal["linf", "l2"]
StepRule = Literal["sign", "l2"]

#: What edition ``published`` adds to the norm that it divides a gradient by.
PUBLISHED_NORM_GUARD = 1e-8


@dataclass(frozen=True, kw_only=True)
class Ball:
    """{δ : ‖δ‖_p ≤ ε, low ≤ δ ≤ high}, per example over all axes but the first.

    Attributes:
        norm: ``linf`` (largest entry) or ``l2`` (Euclidean).
        low: Smallest value of an entry.
        high: Largest value of an entry.
        folded: Entries change their sign where they are negative, after everything else.
    """

    norm: Norm
    low: float = -math.inf
    high: float = math.inf
    folded: bool = False

    def norm_of(self, latent: Tensor) -> Tensor:
        """‖δ‖_p of each example: (B, …) → (B,)."""
        flat = latent.flatten(1)
        return flat.abs().amax(dim=1) if self.norm == "linf" else _euclidean(flat)

    def project(self, latent: Tensor, radius: Tensor) -> Tensor:
        """Moves each example to the nearest point of its ball, clips it to the box, then folds it.

        Args:
            latent: (B, …).
            radius: ε per example, (B,).
        """
        radius = shaped_like(radius, latent)
        if self.norm == "linf":
            latent = torch.minimum(torch.maximum(latent, -radius), radius)
        else:
            length = shaped_like(self.norm_of(latent), latent)
            latent = latent * (radius / length).clamp(max=1.0).nan_to_num(nan=1.0)
        if not (math.isinf(self.low) and math.isinf(self.high)):
            latent = latent.clamp(self.low, self.high)
        return latent.abs() if self.folded else latent

    def draw(self, stream: Stream, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """A point uniform in the ball of radius 1, on that side of 0 that the box leaves.

        Args:
            stream: Where randomness comes from.
            shape: Of the latent of one example.
        """
        if self.norm == "linf":
            return stream.uniform(0 if self.low >= 0 else -1, 1, shape).astype(np.float64)
        point = stream.normal(shape)
        if self.low >= 0:
            point = np.abs(point)
        length = float(stream.uniform(0, 1)) ** (1 / max(1, point.size))
        scale = length / max(float(np.linalg.norm(point)), sys.float_info.min)
        scaled: NDArray[np.float64] = point * scale
        return scaled


def shaped_like(per_example: Tensor, tensor: Tensor) -> Tensor:
    """(B,) → (B, 1, …), in the dtype of ``tensor``."""
    return per_example.to(tensor.dtype).reshape(-1, *(1,) * (tensor.ndim - 1))


def step(
    latent: Tensor,
    gradient: Tensor,
    *,
    size: float,
    rule: StepRule,
    gradient_batch: int | None,
) -> Tensor:
    """One unprojected step of gradient ascent.

    Args:
        latent: δ, (B, …).
        gradient: g of the per-example loss, finite, shaped like ``latent``.
        size: α.
        rule: ``sign``: δ + α·sign(g); ``l2``: δ + α·g/‖g‖₂.
        gradient_batch: None normalises exactly, whatever the size of g. N stands for the
            published procedure, which divides g/N by its norm plus 1e-8, so that pictures
            classified with confidence hardly move under ``l2``.
    """
    if rule == "sign":
        return latent + size * gradient.sign()
    if gradient_batch is None:
        # Scaling by the largest entry first: squares of a gradient of 1e-25 would vanish.
        largest = shaped_like(gradient.flatten(1).abs().amax(dim=1), gradient)
        direction = torch.where(largest > 0, gradient / largest, 0.0)
        length = shaped_like(_euclidean(direction.flatten(1)), gradient)
        return latent + size * torch.where(length > 0, direction / length, 0.0)
    mean_gradient = gradient / gradient_batch
    length = shaped_like(_euclidean(mean_gradient.flatten(1)), gradient)
    return latent + size * mean_gradient / (length + PUBLISHED_NORM_GUARD)


def _euclidean(flat: Tensor) -> Tensor:
    length: Tensor = torch.linalg.vector_norm(flat, dim=1)
    return length
