"""What attacks share that treat the edges of a picture in another way than the rest."""

__all__ = ["EdgeMap", "EdgeMapAttack"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from typing_extensions import override

from unforeseen.ops.canny import CannyVariant, canny_edges
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import Attack, LatentsT, Scene


@dataclass(frozen=True, kw_only=True)
class EdgeMap(Scene):
    """``edges``: pixels on an edge of the picture, (B, 1, H, W), boolean. Nothing in it is random."""

    of_the_picture: ClassVar[bool] = True

    edges: Tensor


class EdgeMapAttack(Attack[EdgeMap, LatentsT]):
    """An attack whose scene is the picture's edges as Canny finds them."""

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> EdgeMap:
        variant: CannyVariant = "published" if self.geometry == "published" else "standard"
        return EdgeMap(edges=canny_edges(x, variant=variant))
