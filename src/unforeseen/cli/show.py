"""``unforeseen show``: one attack or obfuscation in words."""

__all__ = ["show"]

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting


def show(
    attack: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of an attack or obfuscation, or an attack of yours: py:path/to/file.py:CLASS, "
            "whose code is run.",
        ),
    ],
    benchmark: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose radii and parameters, or ranges: a name or a .toml file. [default: of an "
            "attack, all built-in ones; of an obfuscation, its own]",
        ),
    ] = None,
) -> None:
    """Show an attack or obfuscation: its look, parameters, source."""
    from unforeseen.benchmarks import (
        BENCHMARKS,
        AttackBenchmark,
        load_attack_benchmark,
        load_benchmark,
    )
    from unforeseen.benchmarks.attack_setting import PYTHON
    from unforeseen.cli.output import print_formula, print_listing, print_paragraph
    from unforeseen.cli.show_obfuscation import show_obfuscation
    from unforeseen.errors import UnknownNameError
    from unforeseen.search.user_attacks import built_attack
    from unforeseen.transforms import ATTACKS, OBFUSCATIONS, attack_class, obfuscation_class
    from unforeseen.transforms.named_setting import setting_named

    if attack.lower() in {name.lower() for name in OBFUSCATIONS}:
        show_obfuscation(obfuscation_class(attack), benchmark)
        return
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
        hint = "Or name an attack of your own: py:path/to/file.py:CLASS."
        raise UnknownNameError("attack or obfuscation", attack, [*ATTACKS, *OBFUSCATIONS], hint)
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
