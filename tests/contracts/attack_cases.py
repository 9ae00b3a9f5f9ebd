"""Every attack as the benchmarks set it, and points of its ball."""

__all__ = ["CASES", "GEOMETRIES", "AttackCase", "boundary", "interior", "keys_for", "scene_of"]

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Geometry
from unforeseen.rng import ExampleKey
from unforeseen.transforms import ATTACKS
from unforeseen.transforms.base import AnyAttack, DonorScene, Latents, Scene

GEOMETRIES: tuple[Geometry, ...] = ("centred", "published")

#: For an attack that no benchmark sets yet.
USUAL_RADIUS = 0.1


@dataclass(frozen=True, kw_only=True)
class AttackCase:
    """One attack, with the largest radius that its benchmark asks for."""

    benchmark: str
    attack: AnyAttack
    radius: float

    def __str__(self) -> str:
        return f"{self.attack.name}-{self.attack.geometry}-{self.benchmark}"

    def radii(self, x: Tensor) -> Tensor:
        """A radius per example, falling from the first to the last."""
        return x.new_tensor([self.radius / (1 + number) for number in range(len(x))])

    def drawn(self, x: Tensor, keys: Sequence[ExampleKey]) -> tuple[Scene, Latents]:
        """Scene and first latents."""
        scene = scene_of(self.attack, x, keys)
        start: Latents = self.attack.begin(x, scene, self.radii(x), keys)
        return scene, start

    def projected(self, latents: Latents, x: Tensor) -> Latents:
        """Moves latents into their balls."""
        moved: Latents = self.attack.project(latents, self.radii(x))
        return moved


def _case(benchmark: str, name: str, geometry: Geometry) -> AttackCase:
    settings = load_benchmark(f"{benchmark}-full").attacks
    parameters = settings[name].parameters if name in settings else {}
    return AttackCase(
        benchmark=benchmark,
        attack=ATTACKS[name].from_parameters(parameters, geometry=geometry),
        radius=settings[name].radii["high"] if name in settings else USUAL_RADIUS,
    )


CASES = [
    _case(benchmark, name, geometry)
    for benchmark in ("imagenet-ua", "cifar10-ua")
    for name in ATTACKS
    for geometry in GEOMETRIES
]


def scene_of(attack: AnyAttack, x: Tensor, keys: Sequence[ExampleKey]) -> Scene:
    """The scene as a search completes it, with the negative as the picture to take from."""
    scene: Scene = attack.draw_scene(x, keys)
    return replace(scene, donor=1 - x) if isinstance(scene, DonorScene) else scene


def keys_for(attack: AnyAttack, ids: Sequence[str], *, seed: int = 0) -> list[ExampleKey]:
    """One key per example id."""
    return [ExampleKey(seed=seed, transform=attack.name, example_id=name) for name in ids]


def interior(case: AttackCase, like: Latents, x: Tensor, *, seed: int = 0) -> Latents:
    """Random latents halfway between the ball's centre and its boundary."""
    return case.projected(_scattered(case, like, seed, share=0.5), x)


def boundary(case: AttackCase, like: Latents, x: Tensor, *, seed: int = 0) -> Latents:
    """Random latents on the ball's boundary: a corner of a cube, a point of a sphere."""
    return case.projected(_scattered(case, like, seed, share=1.0), x)


def _scattered(case: AttackCase, like: Latents, seed: int, *, share: float) -> Latents:
    generator = np.random.default_rng(seed)
    scattered = {}
    for name, tensor in like.tensors().items():
        ball = case.attack.balls[name]
        drawn = generator.standard_normal(tuple(tensor.shape))
        drawn = np.sign(drawn) if ball.norm == "linf" and share == 1 else drawn
        direction = torch.from_numpy(np.abs(drawn) if ball.low >= 0 else drawn).to(tensor)
        length = ball.norm_of(direction) / (share * case.radii(direction))
        scattered[name] = direction / length.reshape(-1, *(1,) * (tensor.ndim - 1))
    return like.replace(scattered)
