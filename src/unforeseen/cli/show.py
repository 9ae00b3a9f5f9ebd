"""``unforeseen show``: one attack in words."""

__all__ = ["show"]

from dataclasses import fields
from typing import Annotated

import typer


def show(attack: Annotated[str, typer.Argument(help="Name of an attack.")]) -> None:
    """Show an attack: what it looks like, its formula, its parameters, its radii, its source."""
    from unforeseen.benchmarks import BENCHMARKS, load_benchmark
    from unforeseen.cli.output import print_listing, print_paragraph
    from unforeseen.transforms import attack_class

    kind = attack_class(attack)
    example = kind()
    balls = example.balls
    print_paragraph(f"{kind.name}: {kind.summary}")
    print_paragraph(kind.formula)
    norms = ", ".join(f"{name} in an {_norm(ball.norm)} ball" for name, ball in balls.items())
    step = "by the gradient's sign" if example.step_rule == "sign" else "along the gradient"
    print_paragraph(f"Optimised: {norms}, all of radius ε; each step goes {step}.")
    print_paragraph(f"Source: {kind.source}")

    benchmarks = [load_benchmark(name) for name in BENCHMARKS]
    settings = [(each.name, each.attacks[attack]) for each in benchmarks if attack in each.attacks]
    parameters = [
        (
            field.name,
            str(getattr(example, field.name)),
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


def _norm(norm: str) -> str:
    return {"linf": "L∞", "l2": "L2"}[norm]
