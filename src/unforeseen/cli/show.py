"""``unforeseen show``: one attack, obfuscation or benchmark in words."""

__all__ = ["show"]

from typing import Annotated

import typer


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of an attack, obfuscation or benchmark; a benchmark's .toml file; or an attack of "
            "yours: py:path/to/file.py:CLASS, whose code is run.",
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
    """Show an attack, obfuscation or benchmark in words.

    Of an attack or obfuscation its look, parameters and source; of a benchmark its pictures, its
    metric, and every attack or obfuscation in it.
    """
    from unforeseen.benchmarks import load_benchmark, names_benchmark
    from unforeseen.cli.show_attack import show_attack
    from unforeseen.cli.show_benchmark import show_benchmark
    from unforeseen.cli.show_obfuscation import show_obfuscation
    from unforeseen.errors import UserError
    from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
    from unforeseen.typed_command import as_typed

    if names_benchmark(name):
        if benchmark is not None:
            raise UserError(
                f"--benchmark: expected the name of an attack or obfuscation before it, got {name}, "
                f"which is a benchmark itself: {as_typed('show', name)}"
            )
        show_benchmark(load_benchmark(name), name)
    elif name.lower() in {known.lower() for known in OBFUSCATIONS}:
        show_obfuscation(obfuscation_class(name), benchmark)
    else:
        show_attack(name, benchmark)
