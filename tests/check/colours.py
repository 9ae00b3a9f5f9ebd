"""Pictures of 27 colours, a classifier that knows them exactly, and ways to break it.

The nearest of 27 colours is a linear classifier: ‖c − p‖² = ‖c‖² − 2c·p + ‖p‖², whose first term all
classes share. So its accuracy is 100 % by construction, its gradients are smooth, and what each
fault does to it follows from arithmetic.
"""

__all__ = ["COLOURS", "Changed", "NearestColour", "coloured", "found"]

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from data.in_memory import InMemory
from small import as_arrays, small_benchmark
from unforeseen import check_model
from unforeseen.check.result import CheckResult

COLOURS = torch.tensor(list(itertools.product((0.15, 0.5, 0.85), repeat=3)))
CLASSES = len(COLOURS)


class NearestColour(nn.Module):
    """Logits −sharpness · ‖mean colour − p‖², but for what all classes share; 27 of them."""

    def __init__(self, *, sharpness: float = 60.0) -> None:
        super().__init__()
        self.colours = nn.Parameter(COLOURS.clone())
        self.sharpness = sharpness

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(dim=(2, 3))
        scores = 2 * mean @ self.colours.T - self.colours.square().sum(dim=1)
        return self.sharpness * scores


class Changed(nn.Module):
    """The classifier with something done to its pictures or its outputs."""

    def __init__(
        self,
        *,
        before: Callable[[Tensor], Tensor] = lambda x: x,
        after: Callable[[Tensor], Tensor] = lambda z: z,
        sharpness: float = 60.0,
    ) -> None:
        super().__init__()
        self.model = NearestColour(sharpness=sharpness)
        self.before = before
        self.after = after

    def forward(self, x: Tensor) -> Tensor:
        return self.after(self.model(self.before(x)))


def coloured(each: int = 4, *, labels: Sequence[int] | None = None, seed: int = 0) -> InMemory:
    """``each`` pictures of every colour, a little noisy, labelled by it.

    Args:
        each: How many.
        labels: Number of each colour, where it is another than its place in ``COLOURS``.
        seed: Of the noise.
    """
    generator = torch.Generator().manual_seed(seed)
    colours = COLOURS.repeat(each, 1)[..., None, None]
    pictures = colours + 0.1 * (torch.rand(len(colours), 3, 32, 32, generator=generator) - 0.5)
    numbers = list(range(CLASSES)) if labels is None else list(labels)
    return InMemory(as_arrays(pictures), numbers * each)


def found(model: Any, data: InMemory | None = None, **options: Any) -> CheckResult:
    """What a check says."""
    return check_model(model, data or coloured(), small_benchmark(), **options)
