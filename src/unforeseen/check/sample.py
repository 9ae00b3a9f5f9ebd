"""The pictures that a check looks at, as tensors."""

__all__ = ["Sample", "stacked"]

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unforeseen.data.pictures import Picture


class Sample(NamedTuple):
    """N pictures on the CPU.

    Attributes:
        pictures: (N, 3, H, W), uint8.
        labels: (N,), int64.
        ids: What each picture's random draws are keyed by.
    """

    pictures: Tensor
    labels: Tensor
    ids: tuple[str, ...]

    def first(self, count: int) -> "Sample":
        """The first few."""
        return Sample(self.pictures[:count], self.labels[:count], self.ids[:count])


def stacked(pictures: Sequence[Picture]) -> Sample:
    """Puts pictures of one size together; there must be one at least."""
    return Sample(
        torch.stack([picture.image for picture in pictures]),
        torch.tensor([picture.label for picture in pictures]),
        tuple(picture.example_id for picture in pictures),
    )
