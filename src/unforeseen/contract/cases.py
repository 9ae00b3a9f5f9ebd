"""Which attack a user means, with which parameters and radius, in each geometry."""

__all__ = ["USUAL_RADIUS", "cases_of"]

from collections.abc import Sequence
from pathlib import Path

from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.contract.case import GEOMETRIES, SIZES, Case
from unforeseen.search.user_attacks import built_attack
from unforeseen.transforms import attack_class
from unforeseen.transforms.named_setting import setting_named

#: For an attack of which no benchmark says one.
USUAL_RADIUS = 0.1

#: Whose parameters and radii are taken for a built-in attack.
_USUAL = "imagenet-ua-full"


def cases_of(
    attack: str,
    benchmark: AttackBenchmark | None = None,
    *,
    radius: float | None = None,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> tuple[Case, ...]:
    """The cases that an attack's contract is tried on, one for each geometry.

    Args:
        attack: ``py:WHERE:CLASS``, relative to the current folder; a built-in attack's name; or
            what the benchmark calls one.
        benchmark: Whose parameters and highest radius to take. None takes the attack's defaults,
            for a built-in attack what ImageNet-UA says.
        radius: ε instead of the benchmark's.
        sizes: Height and width of the pictures.

    Raises:
        UnknownNameError: There is no such attack.
        AttackError: It is the user's, and can't be used.
        BenchmarkError: The benchmark's parameters don't fit it.
        UserError: The benchmark has it more than once.
    """
    setting = (
        load_attack_benchmark(_USUAL).attacks.get(attack)
        if benchmark is None
        else setting_named(attack, benchmark)
    )
    if setting is None:
        kind, parameters, high = attack_class(attack, folder=Path.cwd()), {}, USUAL_RADIUS
    else:
        kind = attack_class(setting.attack, folder=setting.folder)
        parameters, high = dict(setting.parameters), setting.radii["high"]
    return tuple(
        Case(
            attack=built_attack(kind, parameters, geometry=geometry),
            radius=high if radius is None else radius,
            sizes=tuple(sizes),
        )
        for geometry in GEOMETRIES
    )
