"""Points drawn anew each time, wherever the search is (paper, appendix K)."""

__all__ = ["FreshDraws"]

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor
from typing_extensions import override

from unforeseen.constraints import shaped_like
from unforeseen.search.movement import NOTHING, Movement, NoState, Point
from unforeseen.transforms.base import AnyAttack, Latents


@dataclass(frozen=True, kw_only=True)
class FreshDraws(Movement[NoState]):
    """Each point is uniform in its ball (and in the box it is clipped to), whatever came before."""

    name: ClassVar[str] = "random"
    needs_gradient: ClassVar[bool] = False

    @override
    def begin(self, latents: Latents, radius: Tensor) -> NoState:
        return NOTHING

    @override
    def move(
        self, attack: AnyAttack, point: Point, state: NoState, *, steps: int
    ) -> tuple[Latents, NoState]:
        drawn = {}
        streams = [
            key.stream("draw", step=done)
            for key, done in zip(point.keys, point.updates, strict=True)
        ]
        for name, value in point.latents.tensors().items():
            ball, shape = attack.balls[name], tuple(value.shape[1:])
            unit = np.stack([ball.draw(stream, shape) for stream in streams])
            drawn[name] = torch.from_numpy(unit).to(value) * shaped_like(point.radius, value)
        return attack.project(point.latents.replace(drawn), point.radius), NOTHING
