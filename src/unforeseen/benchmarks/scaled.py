"""A benchmark whose radii or step sizes are multiples of another's: one point of a sweep.

Attacks have no common unit: a radius is a shift of pixels here and a share of ink there. What can be
varied for all of them together is the multiple of what the benchmark says.
"""

__all__ = ["Scaled", "in_name", "scaled", "unscaled"]

import sys
from dataclasses import replace
from typing import Literal

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.attack_setting import AttackSetting
from unforeseen.benchmarks.benchmark import LONGEST_NAME
from unforeseen.errors import UserError

Scaled = Literal["radii", "step-sizes"]

#: Digits that survive a multiplication and a division.
_DIGITS = 12


def scaled(benchmark: AttackBenchmark, what: Scaled, factor: float) -> AttackBenchmark:
    """The benchmark with every radius, or every step size, times a factor.

    Args:
        benchmark: The original.
        what: ``radii``, those of all levels, or ``step-sizes``.
        factor: Above 0. With 1 the benchmark itself comes back, so that its cells are the same.

    Returns:
        Under a name of its own, ``cifar10-ua-radii-x0.5``.

    Raises:
        UserError: A number leaves what floats can hold, or the name would be too long.
    """
    if factor == 1:
        return benchmark
    name = benchmark.name + _suffix(what, factor)
    if len(name) > LONGEST_NAME:
        raise UserError(
            f"benchmark {benchmark.name}: expected a name of up to "
            f"{LONGEST_NAME - len(_suffix(what, factor))} characters, to tell its multiples by."
        )
    for setting in benchmark.attacks.values():
        for number in _numbers(setting, what):
            if not sys.float_info.min <= number * factor <= sys.float_info.max:
                raise UserError(
                    f"{what}: {factor:g} times {number:g}, of {setting.name}, is beyond what can "
                    "be computed with. Choose a multiple nearer to 1."
                )
    return replace(
        benchmark,
        name=name,
        title=f"{benchmark.title}; {what} × {in_name(factor)}",
        attacks={key: _times(each, what, factor) for key, each in benchmark.attacks.items()},
    )


def unscaled(benchmark: AttackBenchmark, what: Scaled, factor: float) -> AttackBenchmark:
    """What :func:`scaled` made this of, but for digits beyond the twelfth.

    Two points of one sweep are of one benchmark if these are equal.
    """
    attacks = {key: _over(each, what, factor) for key, each in benchmark.attacks.items()}
    name = benchmark.name if factor == 1 else benchmark.name.removesuffix(_suffix(what, factor))
    return replace(benchmark, name=name, attacks=attacks)


def in_name(value: float) -> str:
    """A number as part of a name or folder: ``10``, ``0.5``, ``1e-05``; other numbers, other text."""
    return repr(value).removesuffix(".0").replace("+", "")


def _suffix(what: Scaled, factor: float) -> str:
    return f"-{what}-x{in_name(factor)}"


def _numbers(setting: AttackSetting, what: Scaled) -> tuple[float, ...]:
    return tuple(setting.radii.values()) if what == "radii" else (setting.step_size,)


def _times(setting: AttackSetting, what: Scaled, factor: float) -> AttackSetting:
    if what == "step-sizes":
        return replace(setting, step_size=setting.step_size * factor)
    return replace(
        setting, radii={level: radius * factor for level, radius in setting.radii.items()}
    )


def _over(setting: AttackSetting, what: Scaled, factor: float) -> AttackSetting:
    if what == "step-sizes":
        return replace(setting, step_size=_quotient(setting.step_size, factor))
    return replace(
        setting, radii={level: _quotient(radius, factor) for level, radius in setting.radii.items()}
    )


def _quotient(number: float, factor: float) -> float:
    return float(f"{number / factor:.{_DIGITS}g}")
