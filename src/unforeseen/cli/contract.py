"""``unforeseen contract``: does an attack do what every attack must?"""

__all__ = ["contract"]

import re
from typing import Annotated

import typer

#: What a shell takes for "no": something is broken.
BROKEN = 1

_SMALLEST, _LARGEST = 32, 4096


def contract(
    attack: Annotated[
        str,
        typer.Argument(
            help="A class of yours, py:path/to/file.py:CLASS or py:package.module:CLASS, whose code "
            "is run; or the name of an attack, built-in or of the benchmark."
        ),
    ],
    benchmark: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose parameters and highest radius to take: a name or a .toml file. [default: "
            "the attack's own parameters; of built-in ones, ImageNet-UA's]",
        ),
    ] = None,
    radius: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="The largest that it is meant for. [default: the benchmark's, else 0.1]",
        ),
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HxW",
            help="Height and width in pixels at which values and gradients of pictures are looked "
            "at; may be given several times. All else is tried at small sizes, as an attack must "
            "take any from 32x32. [default: seven from 32x32 to 384x384, not all of them square or "
            "even]",
        ),
    ] = None,
) -> None:
    """Try an attack of your own: does it do what every attack must?

    Pictures, gradients, random draws, batches, parameters, in both geometries. Says what holds and
    then what is broken, what was seen and what usually causes it. Needs no model. Exit code 0 where all is fine, 1 where
    something is broken.
    """
    from unforeseen.benchmarks import load_attack_benchmark
    from unforeseen.cli.check_output import print_verdict
    from unforeseen.cli.making_progress import waiting
    from unforeseen.cli.output import print_paragraph, say
    from unforeseen.counted import counted
    from unforeseen.positive import positive_number

    source = None if benchmark is None else load_attack_benchmark(benchmark)
    chosen = None if radius is None else positive_number("radius", radius)
    wanted = [_size(each) for each in size or ()]

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.contract import CHECKS, ROOTS
        from unforeseen.contract.case import SIZES
        from unforeseen.contract.cases import cases_of
        from unforeseen.contract.examination import examine

    cases = cases_of(attack, source, radius=chosen, sizes=wanted or SIZES)
    tried = counted(len(cases[0].sizes), "size")
    say(
        f"{attack}: trying {tried} in {len(cases)} geometries, with radii up to {cases[0].radius:g} …"
    )
    broken = []
    for verdict in examine(cases):
        if verdict.fine:
            print_verdict(verdict)
        else:
            broken.append(verdict)
    if not broken:
        print_paragraph(f"\n{attack}: all {len(CHECKS)} hold.")
        return
    # Last, as a line of what holds scrolls what doesn't away.
    rooted = any(verdict.name in ROOTS and not verdict.raised for verdict in broken)
    for verdict in broken:
        print_verdict(verdict, with_cause=not rooted or verdict.name in ROOTS)
    told = f"{attack}: {len(broken)} of {len(CHECKS)} are broken."
    if rooted and len(broken) > 1:
        told += " Mend what has a usual cause first: the others may follow from it."
    print_paragraph(f"\n{told}")
    raise typer.Exit(BROKEN)


def _size(text: str) -> tuple[int, int]:
    """Height and width; raises UserError."""
    from unforeseen.errors import UserError

    found = re.fullmatch(r"(\d{1,4})[x×](\d{1,4})", text.strip().lower(), re.ASCII)
    sides = tuple(map(int, found.groups())) if found else ()
    if len(sides) != 2 or min(sides) < _SMALLEST or max(sides) > _LARGEST:
        raise UserError(
            f"--size: expected height and width in pixels from {_SMALLEST} to {_LARGEST}, as 33x47; "
            f"got {text!r:.40}."
        )
    return sides
