"""Autograd against finite differences, in float64, for every latent of every attack."""

import math

import pytest
import torch
from torch import Tensor

from contracts.attack_cases import GEOMETRIES, AttackCase, keys_for
from oracles import pictures
from unforeseen.benchmarks.benchmark import Geometry, Parameter
from unforeseen.transforms import ATTACKS

#: Small settings, and a radius at which neither clamp nor box bites anywhere.
SMALL: dict[str, tuple[dict[str, Parameter], float]] = {
    "wood": ({"resolution": 6}, 0.05),
    "glitch": ({"bars": 5}, 0.05),
    "jpeg": ({}, 0.02),
    "pgd": ({}, 0.05),
    "gabor": ({"sides": 3, "kernel_size": 13}, 0.005),
    "kaleidoscope": ({"shapes": 4, "shape_size": 6}, 0.05),
    "pixel": ({"block": 5}, 1.0),
    "elastic": ({"spacing": 8}, 0.1),
    "prison": ({}, 0.05),
    "whirlpool": ({"whirlpools": 3}, 1.0),
    "polkadot": ({"dots": 5}, 2.0),
    "snow": ({"layers": 2, "kernel_size": 5, "grid": 5}, 3.0),
}


def away_from_kinks(name: str, value: Tensor, radius: float) -> Tensor:
    """Latents of a size that keeps the picture off the corners of clamp, abs and |sin|."""
    generator = torch.Generator().manual_seed(0)
    unit = torch.rand(value.shape, generator=generator, dtype=torch.float64)
    signs = torch.where(
        torch.rand(value.shape, generator=generator, dtype=torch.float64) < 0.5, -1.0, 1.0
    )
    if name in {"mix", "rim", "weight"}:
        signs = signs.abs()
    length = math.sqrt(value[0].numel()) if name in {"mix", "flow", "intensity"} else 1.0
    return signs * radius * (0.2 + 0.6 * unit) / length


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("name", ATTACKS)
def test_gradients_are_those_of_the_picture(name: str, geometry: Geometry) -> None:
    parameters, radius = SMALL.get(name, ({}, 0.05))
    attack = ATTACKS[name].from_parameters(parameters, geometry=geometry)
    case = AttackCase(benchmark="none", attack=attack, radius=radius)
    x = pictures(1, 32, 35, low=0.3, high=0.6, dtype=torch.float64)
    scene, start = case.drawn(x, keys_for(attack, ["a"]))
    values = start.tensors()
    for latent in values:
        others = {
            each: away_from_kinks(each, value, radius)
            for each, value in values.items()
            if each != latent
        }

        def painted(
            value: Tensor, latent: str = latent, others: dict[str, Tensor] = others
        ) -> Tensor:
            made: Tensor = attack.paint(x, start.replace({**others, latent: value}), scene)
            return made

        point = away_from_kinks(latent, values[latent], radius).requires_grad_()
        (gradient,) = torch.autograd.grad(painted(point).sum(), [point])
        assert (gradient != 0).any()
        assert torch.autograd.gradcheck(painted, (point,), fast_mode=True, eps=1e-7, atol=1e-5)
