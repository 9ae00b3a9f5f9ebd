"""Everything that an attack of your own is made of, in one import; see docs/your-own-attack.md.

What stands here stays as it is. Functions of :mod:`unforeseen.ops` may be used too, but may change.
"""

__all__ = [
    "Attack",
    "Ball",
    "DonorAttack",
    "DonorScene",
    "ExampleKey",
    "Geometry",
    "Latents",
    "NoScene",
    "Scene",
    "SceneFreeAttack",
    "StepRule",
    "Stream",
    "parameter",
    "stack",
    "stack_named",
    "uniform_start",
]

from unforeseen.constraints import Ball, StepRule
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.base import (
    Attack,
    DonorAttack,
    DonorScene,
    Geometry,
    Latents,
    NoScene,
    Scene,
    SceneFreeAttack,
    stack,
    stack_named,
    uniform_start,
)
from unforeseen.transforms.parameters import parameter
