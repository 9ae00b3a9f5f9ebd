"""An attack to be tried, the pictures it is tried on, and points of its balls."""

__all__ = [
    "GEOMETRIES",
    "SIZES",
    "Case",
    "Point",
    "boundary",
    "drawn",
    "interior",
    "keys_for",
    "outside",
    "pictures",
    "points",
    "scene_of",
    "size_in_words",
]

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from unforeseen.benchmarks.edition import Geometry
from unforeseen.constraints import shaped_like
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import AnyAttack, DonorScene, Latents, Scene

GEOMETRIES: tuple[Geometry, ...] = ("centred", "published")
#: Height and width in pixels: square and not, odd, and not a multiple of 8.
SIZES = ((32, 32), (33, 47), (128, 224), (224, 224), (256, 256), (299, 299), (384, 384))


@dataclass(frozen=True, kw_only=True)
class Case:
    """One attack with its parameters, in one geometry.

    Attributes:
        attack: What is tried.
        radius: The largest ε that it is meant for.
        sizes: Height and width of the pictures whose values and gradients are looked at.
    """

    attack: AnyAttack
    radius: float
    sizes: tuple[tuple[int, int], ...] = SIZES

    def radii(self, x: Tensor) -> Tensor:
        """A radius per example, falling from the first to the last, (B,)."""
        return x.new_tensor([self.radius / (1 + number) for number in range(len(x))])

    def begun(self, x: Tensor, ids: Sequence[str]) -> tuple[Scene, Latents]:
        """Scene and first latents, as a search takes them."""
        keys = keys_for(self.attack, ids)
        scene = scene_of(self.attack, x, keys)
        start: Latents = self.attack.begin(x, scene, self.radii(x), keys)
        return scene, start

    def projected(self, latents: Latents, x: Tensor) -> Latents:
        """Latents moved into their balls."""
        moved: Latents = self.attack.project(latents, self.radii(x))
        return moved


def pictures(
    batch: int,
    height: int,
    width: int,
    *,
    seed: int = 0,
    low: float = 0.0,
    high: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Noise in [low, high], (B, 3, H, W): no two pixels are alike, so that any shift shows."""
    noise = np.random.default_rng(seed).uniform(low, high, (batch, 3, height, width))
    return torch.from_numpy(noise).to(dtype)


def keys_for(
    attack: AnyAttack, ids: Sequence[str], *, seed: int = 0, restart: int = 0
) -> list[ExampleKey]:
    """One key per example id."""
    return [
        ExampleKey(seed=seed, transform=attack.name, example_id=name, restart=restart)
        for name in ids
    ]


def scene_of(attack: AnyAttack, x: Tensor, keys: Sequence[ExampleKey]) -> Scene:
    """The scene as a search completes it, with the negative as the picture to take from."""
    scene: Scene = attack.draw_scene(x, keys)
    return replace(scene, donor=1 - x) if isinstance(scene, DonorScene) else scene


def drawn(case: Case, x: Tensor, ids: Sequence[str], *, seed: int = 0) -> tuple[Scene, Latents]:
    """Scene and start before it is projected, all radii alike."""
    keys = keys_for(case.attack, ids, seed=seed)
    scene = scene_of(case.attack, x, keys)
    start: Latents = case.attack.start(x, scene, x.new_full((len(x),), case.radius), keys)
    return scene, start


def interior(case: Case, like: Latents, x: Tensor) -> Latents:
    """Random latents halfway between the ball's centre and its boundary."""
    return case.projected(_scattered(case, like, share=0.5), x)


def boundary(case: Case, like: Latents, x: Tensor) -> Latents:
    """Random latents on the ball's boundary: a corner of a cube, a point of a sphere."""
    return case.projected(_scattered(case, like, share=1.0), x)


def outside(case: Case, like: Latents, x: Tensor) -> Latents:
    """Random latents on all sides of the ball, ten radii away; not projected."""
    generator = np.random.default_rng(1)
    return like.map(
        lambda value: (
            torch.from_numpy(generator.choice([-10.0, 10.0], tuple(value.shape))).to(value)
            * shaped_like(case.radii(x), value)
        )
    )


class Point(NamedTuple):
    """What a picture is made of.

    Attributes:
        where: At which size, and where in the ball, in words.
        size: Height and width.
        x: (B, 3, H, W).
        latents: In their balls.
        scene: As drawn.
    """

    where: str
    size: tuple[int, int]
    x: Tensor
    latents: Latents
    scene: Scene


def points(case: Case) -> Iterator[Point]:
    """At every size two pictures at the start, inside the ball and on its boundary."""
    for size in case.sizes:
        x = pictures(2, *size)
        scene, start = case.begun(x, ("a", "b"))
        for where, latents in (
            ("at the start", start),
            ("inside the ball", interior(case, start, x)),
            ("on the ball's boundary", boundary(case, start, x)),
        ):
            yield Point(f"{size_in_words(x)}, {where}", size, x, latents, scene)


def size_in_words(x: Tensor) -> str:
    """``33×47``: height and width of pictures (B, 3, H, W)."""
    return f"{x.shape[-2]}×{x.shape[-1]}"


def _scattered(case: Case, like: Latents, *, share: float) -> Latents:
    generator = np.random.default_rng(0)
    scattered = {}
    for name, tensor in like.tensors().items():
        ball = case.attack.balls[name]
        values = generator.standard_normal(tuple(tensor.shape))
        values = np.sign(values) if ball.norm == "linf" and share == 1 else values
        direction = torch.from_numpy(np.abs(values) if ball.low >= 0 else values).to(tensor)
        length = ball.norm_of(direction) / (share * case.radii(direction))
        scattered[name] = direction / shaped_like(length, direction)
    return like.replace(scattered)
