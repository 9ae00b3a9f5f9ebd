"""Which balls the attacks' latents lie in and how they are stepped, as the specification lists."""

import math

import pytest

from unforeseen.benchmarks.edition import Geometry
from unforeseen.constraints import Ball, StepRule
from unforeseen.contract.case import GEOMETRIES
from unforeseen.transforms import ATTACKS

LINF, L2 = Ball(norm="linf"), Ball(norm="l2")

SETS: dict[str, tuple[dict[str, Ball], StepRule]] = {
    "pgd": ({"delta": LINF}, "sign"),
    "wood": ({"turbulence": LINF}, "sign"),
    "glitch": ({"shift": LINF}, "sign"),
    "jpeg": ({"coefficients": LINF}, "sign"),
    "gabor": ({"impulses": LINF}, "sign"),
    "kaleidoscope": ({"colour": LINF, "rim": LINF}, "sign"),
    "pixel": ({"mix": Ball(norm="l2", low=0, high=1)}, "l2"),
    "elastic": ({"flow": L2}, "sign"),
    "prison": ({"delta": Ball(norm="linf", low=0)}, "sign"),
    "texture": ({"whitening": LINF}, "sign"),
    "edge": ({"delta": LINF}, "sign"),
    "blur": ({"weight": Ball(norm="linf", low=0)}, "sign"),
    "hsv": ({"shift": LINF}, "sign"),
    "fog": ({"displacement": LINF}, "sign"),
    "fbm": ({"vectors": LINF}, "sign"),
    "klotski": ({"shift": LINF}, "sign"),
    "whirlpool": ({"strength": L2}, "l2"),
    "polkadot": ({"size": Ball(norm="l2", folded=True)}, "l2"),
    "mix": ({"weight": L2}, "l2"),
    "snow": ({"intensity": L2}, "sign"),
}


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("name", SETS)
def test_balls_and_step_rule_are_the_specified_ones(name: str, geometry: Geometry) -> None:
    attack = ATTACKS[name].from_parameters({}, geometry=geometry)
    assert (dict(attack.balls), attack.step_rule) == SETS[name]


def test_the_l2_baseline_steps_along_the_gradient() -> None:
    attack = ATTACKS["pgd"].from_parameters({"norm": "l2"}, geometry="centred")
    assert dict(attack.balls) == {"delta": L2}
    assert attack.step_rule == "l2"
    assert math.isinf(attack.balls["delta"].high)
