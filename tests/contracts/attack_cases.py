"""Every built-in attack as the benchmarks set it, in both geometries."""

__all__ = ["CASES", "SIZED_CASES", "SMALL_CASES"]

from dataclasses import replace

from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.benchmarks.attack_setting import Parameter
from unforeseen.contract.case import GEOMETRIES, SIZES, Case
from unforeseen.contract.cases import USUAL_RADIUS, cases_of
from unforeseen.transforms import ATTACKS

#: CIFAR-10's parameters, which are meant for 32 px, at the sizes that could trip them.
_SMALL_SIZES = ((32, 32), (33, 47))

#: Small settings, and a radius at which neither clamp nor box bites anywhere.
_SMALL: dict[str, tuple[dict[str, Parameter], float]] = {
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


def _cases(benchmark: str, name: str) -> dict[str, Case]:
    """One case for each geometry; an attack that no benchmark sets has its own parameters."""
    source = load_attack_benchmark(f"{benchmark}-full")
    sizes = SIZES if benchmark == "imagenet-ua" else _SMALL_SIZES
    cases = (
        cases_of(name, source, sizes=sizes)
        if name in source.attacks
        else cases_of(name, radius=USUAL_RADIUS, sizes=sizes)
    )
    return {f"{name}-{each.attack.geometry}-{benchmark}": each for each in cases}


def _small(name: str) -> dict[str, Case]:
    parameters, radius = _SMALL.get(name, ({}, 0.05))
    return {
        f"{name}-{geometry}-small": Case(
            attack=ATTACKS[name].from_parameters(parameters, geometry=geometry), radius=radius
        )
        for geometry in GEOMETRIES
    }


CASES = {
    label: case
    for benchmark in ("imagenet-ua", "cifar10-ua")
    for name in ATTACKS
    for label, case in _cases(benchmark, name).items()
}

SMALL_CASES = {label: case for name in ATTACKS for label, case in _small(name).items()}

#: Every case at every size on its own.
SIZED_CASES = {
    f"{label}-{height}x{width}": replace(case, sizes=((height, width),))
    for label, case in CASES.items()
    for height, width in case.sizes
}
