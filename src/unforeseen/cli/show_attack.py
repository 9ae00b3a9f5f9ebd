"""What ``unforeseen show`` prints of an attack."""

__all__ = ["show_attack"]

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

from unforeseen.benchmarks import (
    BENCHMARKS,
    AttackBenchmark,
    AttackSetting,
    load_attack_benchmark,
    load_benchmark,
)
from unforeseen.benchmarks.attack_setting import PYTHON, Parameter
from unforeseen.cli.output import print_formula, print_listing, print_paragraph
from unforeseen.errors import UnknownNameError
from unforeseen.search.user_attacks import built_attack
from unforeseen.transforms import ATTACKS, OBFUSCATIONS, attack_class
from unforeseen.transforms.base import AnyAttack
from unforeseen.transforms.named_setting import setting_named

_NORMS = {"linf": "L∞", "l2": "L2"}


class _Setting(NamedTuple):
    """An attack as benchmarks set it, by their names, a line each."""

    benchmarks: str
    setting: AttackSetting


def show_attack(attack: str, benchmark: str | None) -> None:
    """Prints its look, formula, balls, source, parameters and radii.

    Args:
        attack: Its name, or ``py:path/to/file.py:CLASS``, whose code is run.
        benchmark: Whose radii and parameters: a name or a file; None for all built-in ones.

    Raises:
        UserError: The benchmark can't be read, or doesn't have it; or there is nothing of that name.
    """
    settings = _merged(_settings_of(attack, benchmark))
    if not settings and attack not in ATTACKS and not attack.startswith(PYTHON):
        raise _unknown(attack)
    first = settings[0].setting if settings else None
    if first is None:
        kind = attack_class(attack, folder=Path.cwd())
    else:
        kind = attack_class(first.attack, folder=first.folder)
    _print_in_words(attack, kind, {} if first is None else first.parameters)
    if first is not None and any(each.setting.group == "optional" for each in settings):
        print_paragraph(f"Optional: run only where it is named (--attacks {first.name}).")
    _print_parameters(kind, settings)
    _print_radii(settings)


def _settings_of(attack: str, benchmark: str | None) -> list[_Setting]:
    """How a benchmark sets the attack, or each of the built-in ones that have it."""
    if benchmark is not None:
        source = load_attack_benchmark(benchmark)
        return [_Setting(source.name, setting_named(attack, source))]
    return [
        _Setting(each.name, each.attacks[attack])
        for each in map(load_benchmark, BENCHMARKS)
        if isinstance(each, AttackBenchmark) and attack in each.attacks
    ]


def _unknown(name: str) -> UnknownNameError:
    return UnknownNameError(
        "attack, obfuscation or benchmark",
        name,
        [*ATTACKS, *OBFUSCATIONS, *BENCHMARKS],
        "See: unforeseen list attacks, list obfuscations, list benchmarks. Or name the .toml file "
        "of a benchmark, or an attack of your own: py:path/to/file.py:CLASS.",
    )


def _print_in_words(
    attack: str, kind: type[AnyAttack], parameters: Mapping[str, Parameter]
) -> None:
    """Look, formula, balls and source."""
    example = built_attack(kind, parameters, geometry="centred")
    print_paragraph(f"{attack}: {kind.summary}")
    print_formula(kind.formula)
    norms = ", ".join(
        f"{name} in an {_NORMS[ball.norm]} ball" for name, ball in example.balls.items()
    )
    step = "by the gradient's sign" if example.step_rule == "sign" else "along the gradient"
    print_paragraph(f"Optimised: {norms}, all of radius ε; each step goes {step}.")
    print_paragraph(f"Source: {kind.source}")


def _print_parameters(kind: type[AnyAttack], settings: Sequence[_Setting]) -> None:
    """Each with its default, and with what each benchmark sets instead."""
    default = kind()
    rows = [
        (
            field.name,
            str(getattr(default, field.name)),
            *(str(setting.parameters.get(field.name, "")) for _, setting in settings),
            str(field.metadata.get("meaning", "")),
        )
        for field in fields(kind)
        if field.name != "geometry"
    ]
    if rows:
        names = (name for name, _ in settings)
        print_listing("Parameters", ("name", "default", *names, "meaning"), rows)


def _print_radii(settings: Sequence[_Setting]) -> None:
    """A line for each way to set it."""
    rows = [
        (
            name,
            *(f"{setting.radii[level]:.4g}" for level in setting.radii),
            str(setting.steps),
            f"{setting.step_size:g}",
        )
        for name, setting in settings
    ]
    if rows:
        print_listing("Radii ε", ("benchmark", "low", "medium", "high", "steps", "step size"), rows)


def _merged(entries: Sequence[_Setting]) -> list[_Setting]:
    """Benchmarks that set an attack alike share an entry."""
    merged: list[_Setting] = []
    for each in entries:
        for place, other in enumerate(merged):
            if other.setting == each.setting:
                merged[place] = _Setting(f"{other.benchmarks}\n{each.benchmarks}", other.setting)
                break
        else:
            merged.append(each)
    return merged
