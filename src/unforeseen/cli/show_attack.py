"""What ``unforeseen show`` prints of an attack."""

__all__ = ["show_attack"]

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting


def show_attack(attack: str, benchmark: str | None) -> None:
    """Prints its look, formula, balls, source, parameters and radii.

    Args:
        attack: Its name, or ``py:path/to/file.py:CLASS``, whose code is run.
        benchmark: Whose radii and parameters: a name or a file; None for all built-in ones.

    Raises:
        UserError: The benchmark can't be read, or doesn't have it; or there is nothing of that name.
    """
    from unforeseen.benchmarks import (
        BENCHMARKS,
        AttackBenchmark,
        load_attack_benchmark,
        load_benchmark,
    )
    from unforeseen.benchmarks.attack_setting import PYTHON
    from unforeseen.cli.output import print_formula, print_listing, print_paragraph
    from unforeseen.errors import UnknownNameError
    from unforeseen.search.user_attacks import built_attack
    from unforeseen.transforms import ATTACKS, OBFUSCATIONS, attack_class
    from unforeseen.transforms.named_setting import setting_named

    if benchmark is None:
        built_in = [load_benchmark(name) for name in BENCHMARKS]
        entries = [
            (each.name, each.attacks[attack])
            for each in built_in
            if isinstance(each, AttackBenchmark) and attack in each.attacks
        ]
    else:
        source = load_attack_benchmark(benchmark)
        entries = [(source.name, setting_named(attack, source))]
    if not entries and attack not in ATTACKS and not attack.startswith(PYTHON):
        raise UnknownNameError(
            "attack, obfuscation or benchmark",
            attack,
            [*ATTACKS, *OBFUSCATIONS, *BENCHMARKS],
            "See: unforeseen list attacks, list obfuscations, list benchmarks. Or name the .toml file "
            "of a benchmark, or an attack of your own: py:path/to/file.py:CLASS.",
        )
    settings = _merged(entries)
    name, folder = (
        (settings[0][1].attack, settings[0][1].folder) if settings else (attack, Path.cwd())
    )
    kind = attack_class(name, folder=folder)
    default = kind()
    parameters_of_first = settings[0][1].parameters if settings else {}
    example = built_attack(kind, parameters_of_first, geometry="centred")
    balls = example.balls
    print_paragraph(f"{attack}: {kind.summary}")
    print_formula(kind.formula)
    norms = ", ".join(f"{name} in an {_norm(ball.norm)} ball" for name, ball in balls.items())
    step = "by the gradient's sign" if example.step_rule == "sign" else "along the gradient"
    print_paragraph(f"Optimised: {norms}, all of radius ε; each step goes {step}.")
    print_paragraph(f"Source: {kind.source}")

    if any(setting.group == "optional" for _, setting in settings):
        optional = settings[0][1].name
        print_paragraph(f"Optional: run only where it is named (--attacks {optional}).")

    parameters = [
        (
            field.name,
            str(getattr(default, field.name)),
            *(str(setting.parameters.get(field.name, "")) for _, setting in settings),
            str(field.metadata.get("meaning", "")),
        )
        for field in fields(kind)
        if field.name != "geometry"
    ]
    names = tuple(name for name, _ in settings)
    if parameters:
        print_listing("Parameters", ("name", "default", *names, "meaning"), parameters)
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


def _merged(
    entries: Sequence[tuple[str, "AttackSetting"]],
) -> list[tuple[str, "AttackSetting"]]:
    """Benchmarks that set an attack alike share an entry, a line of it each."""
    merged: list[tuple[str, AttackSetting]] = []
    for name, setting in entries:
        for place, (names, other) in enumerate(merged):
            if other == setting:
                merged[place] = (f"{names}\n{name}", other)
                break
        else:
            merged.append((name, setting))
    return merged


def _norm(norm: str) -> str:
    return {"linf": "L∞", "l2": "L2"}[norm]
