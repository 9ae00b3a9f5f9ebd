"""``unforeseen list``: what there is to choose from."""

__all__ = ["list_things"]

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.errors import UnknownNameError

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting


def list_things(
    what: Annotated[str, typer.Argument(help="attacks, benchmarks, models or data.")],
) -> None:
    """List attacks, benchmarks, or the ways to name models and data."""
    from unforeseen.cli.output import print_listing

    if what not in _LISTINGS:
        raise UnknownNameError("list", what, _LISTINGS)
    title, columns, rows = _LISTINGS[what]()
    print_listing(title, columns, rows)


Listing = tuple[str, Sequence[str], Sequence[Sequence[str]]]


def _attacks() -> Listing:
    from unforeseen.benchmarks import BENCHMARKS, load_benchmark
    from unforeseen.transforms import ATTACKS

    entries = [entry for name in BENCHMARKS for entry in load_benchmark(name).attacks.values()]
    rows = []
    for name, attack in ATTACKS.items():
        rows.append((name, _groups(entries, name), attack.summary))
        variants = {each.name: each for each in entries if each.attack == name != each.name}
        for variant in variants.values():
            parameters = ", ".join(f"{key} = {value}" for key, value in variant.parameters.items())
            named = "; run where it is named" if variant.group == "optional" else ""
            what = f"{name} with {parameters}{named}"
            rows.append((variant.name, _groups(entries, variant.name), what))
    return "Attacks (more of one: unforeseen show NAME)", ("attack", "group", "what one sees"), rows


def _groups(entries: Sequence["AttackSetting"], name: str) -> str:
    return "/".join(sorted({each.group for each in entries if each.name == name}))


def _benchmarks() -> Listing:
    from unforeseen.benchmarks import BENCHMARKS, load_benchmark

    rows = []
    for name in BENCHMARKS:
        benchmark = load_benchmark(name)
        rows.append((name, benchmark.title, ", ".join(benchmark.editions)))
    return "Benchmarks (or the path of your own .toml)", ("benchmark", "title", "editions"), rows


def _models() -> Listing:
    from unforeseen.models import MODEL_SCHEMES

    rows = [(name, each.description, each.example) for name, each in MODEL_SCHEMES.items()]
    return "Ways to name a model", ("scheme", "what", "example"), rows


def _data() -> Listing:
    from unforeseen.data import DATA_SCHEMES

    rows = [
        (name, each.description, "\n".join(each.examples)) for name, each in DATA_SCHEMES.items()
    ]
    return "Ways to name data", ("scheme", "what", "example"), rows


_LISTINGS: dict[str, Callable[[], Listing]] = {
    "attacks": _attacks,
    "benchmarks": _benchmarks,
    "data": _data,
    "models": _models,
}
