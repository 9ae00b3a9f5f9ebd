"""The table of attacks is whole, says what it holds, and takes parameters with care."""

import pkgutil
from importlib import import_module

import pytest

from unforeseen.benchmarks.attack_setting import Parameter
from unforeseen.errors import BenchmarkError, UserError
from unforeseen.transforms import ATTACKS, attack_class, attacks
from unforeseen.transforms.base import AnyAttack

each_attack = pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))

#: Attacks whose arithmetic has changed since their first rows; what is added here makes such unusable.
RAISED = {"hsv": 2, "polkadot": 2, "snow": 2, "whirlpool": 2}

#: Each attack's parameters with values that are just out of their range.
OUT_OF_RANGE: list[tuple[str, str, Parameter]] = [
    ("wood", "rings", 0),
    ("wood", "resolution", 0),
    ("glitch", "bars", 0),
    ("glitch", "grey_strength", 1.5),
    ("glitch", "grey_strength", float("nan")),
    ("gabor", "sides", 0),
    ("gabor", "kernel_size", 22),
    ("gabor", "kernel_size", 11),
    ("gabor", "sigma", -1.0),
    ("gabor", "density", 1.1),
    ("kaleidoscope", "shapes", 0),
    ("kaleidoscope", "shape_size", 1),
    ("kaleidoscope", "transparency", -0.1),
    ("kaleidoscope", "edge_width", 0),
    ("pixel", "block", 0),
    ("pixel", "reduce", "median"),
    ("pgd", "norm", "l1"),
    ("elastic", "spacing", 0),
    ("prison", "bars", 1),
    ("prison", "bars", 33),
    ("prison", "bar_width", 0),
    ("klotski", "blocks", 0),
    ("whirlpool", "whirlpools", 0),
    ("whirlpool", "radius", 0.0),
    ("whirlpool", "twist", -0.1),
    ("polkadot", "dots", 0),
    ("polkadot", "sharpness", -1.0),
    ("polkadot", "threshold", -0.1),
    ("mix", "blur_size", 10),
    ("mix", "blur_size", 65),
    ("mix", "blur_sigma", 0.0),
    ("snow", "layers", 0),
    ("snow", "kernel_size", 14),
    ("snow", "grid", 0),
    ("snow", "blur_size", 2),
    ("blur", "blur_size", 16),
    ("blur", "blur_size", 65),
    ("blur", "blur_sigma", 0.0),
    ("blur", "weight_size", 0),
    ("blur", "weight_sigma", -1.0),
    ("hsv", "blur_size", 4),
    ("hsv", "blur_sigma", 0.0),
    ("fog", "decay", 0.5),
    ("fbm", "persistence", -0.1),
    ("fbm", "persistence", 1.1),
]


def test_every_file_of_attacks_is_in_the_table() -> None:
    files = {module.name for module in pkgutil.iter_modules(attacks.__path__)}
    assert files == set(ATTACKS)
    for name in files:
        module = import_module(f"{attacks.__name__}.{name}")
        assert ATTACKS[name].__name__ in module.__all__


@each_attack
def test_an_attack_stands_under_its_name(attack: type[AnyAttack]) -> None:
    assert ATTACKS[attack.name] is attack


@pytest.mark.parametrize(("attack", "name", "value"), OUT_OF_RANGE)
def test_a_parameter_out_of_its_range_is_refused_in_one_line(
    attack: str, name: str, value: Parameter
) -> None:
    with pytest.raises(BenchmarkError, match=f"{attack}.{name}: expected") as caught:
        ATTACKS[attack].from_parameters({name: value}, geometry="centred")
    assert "\n" not in str(caught.value)
    assert repr(value) in str(caught.value)


def test_an_unknown_attack_is_told_its_near_matches() -> None:
    with pytest.raises(UserError, match="Did you mean wood") as caught:
        attack_class("woood")
    assert "\n" not in str(caught.value)


@each_attack
def test_versions_are_raised_on_purpose(attack: type[AnyAttack]) -> None:
    assert attack.version == RAISED.get(attack.name, 1)
