"""Networks and pictures with which a patch is made in moments."""

__all__ = ["COLOURS", "ColourNet", "colour_networks", "pictures_of_colours"]

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from data.in_memory import InMemory
from unforeseen.asset_making.patches.networks import Network
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier

COLOURS = ("red", "green", "blue")


class ColourNet(nn.Module):
    """Names the colour that there is most of: logits are the channels' means, times a factor.

    So the optimum is known: a patch towards a colour has all of it and nothing of the picture's own.
    """

    def __init__(self, sharpness: float = 20.0) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(sharpness))

    def forward(self, x: Tensor) -> Tensor:
        return self.sharpness * x.mean(dim=(2, 3))


def colour_networks(count: int = 1, *, held_out: int = 0) -> list[Network]:
    """Networks of different sharpness; the last ones are held out."""
    return [
        Network(
            DifferentiableClassifier(
                ColourNet(20.0 + number),
                ModelCard(
                    uri=f"colours:{number}",
                    fingerprint=f"{number:032x}",
                    classes=3,
                    class_names=COLOURS,
                ),
            ),
            number >= count,
        )
        for number in range(count + held_out)
    ]


def pictures_of_colours(labels: Sequence[int], *, side: int = 36) -> InMemory:
    """Pictures that are mostly of their class's colour."""
    generator = np.random.default_rng(0)
    contents = []
    for label in labels:
        pixels = generator.integers(40, 80, (side, side, 3), dtype=np.uint8)
        pixels[..., label] += 60
        contents.append(pixels)
    return InMemory(contents, list(labels))
