"""What ``unforeseen show`` prints of a benchmark."""

__all__ = ["show_benchmark"]

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from unforeseen.benchmarks import LEVELS, AttackBenchmark, ObfuscationBenchmark
from unforeseen.cli.output import print_listing, print_paragraph
from unforeseen.transforms import attack_class, obfuscation_class
from unforeseen.typed_command import as_typed

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting, Benchmark, Edition, ObfuscationSetting
    from unforeseen.judging import Judging

_JUDGED: Mapping["Judging", str] = {
    "last": "the last iterate counts",
    "any": "no visited point may fool the model",
}
_GEOMETRIES: Mapping[str, str] = {
    "published": "coordinates as in the paper's tables",
    "centred": "coordinates of a correct sampler",
}


def show_benchmark(benchmark: "Benchmark", named: str) -> None:
    """Prints its kind, pictures, metric, editions, source, and what it runs.

    Args:
        benchmark: Which.
        named: As the user named it, by which commands find it again.

    Raises:
        UnknownNameError: It has an attack or obfuscation that there isn't.
    """
    print_paragraph(f"{benchmark.name}. {benchmark.title}.")
    if isinstance(benchmark, AttackBenchmark):
        _show_attacks(benchmark, named)
    elif isinstance(benchmark, ObfuscationBenchmark):
        _show_obfuscations(benchmark, named)


def _pictures(benchmark: "Benchmark") -> str:
    count = "as many as the data have" if benchmark.images is None else f"{benchmark.images:,}"
    classes = "as the data say" if benchmark.classes is None else f"{benchmark.classes:,}"
    space = "" if benchmark.label_space is None else f" ({benchmark.label_space})"
    by_model = "" if benchmark.prepares_alike else ", where the model doesn't say otherwise"
    return (
        f"Pictures: {count}. Classes: {classes}{space}. Size: "
        f"{benchmark.image_size}×{benchmark.image_size} pixels. Prepared: "
        f"{benchmark.preprocessing.in_words()}{by_model}."
    )


def _show_attacks(benchmark: "AttackBenchmark", named: str) -> None:
    print_paragraph("A benchmark of attacks, which are optimised against the model.")
    print_paragraph(_pictures(benchmark))
    print_paragraph(
        f"Metric: UA2, the mean accuracy over the {len(benchmark.core)} attacks of group core."
    )
    for edition in benchmark.editions.values():
        default = ", the default" if edition.name == benchmark.default_edition else ""
        print_paragraph(f"Edition {edition.name}{default}: {_edition(edition)}.")
    print_paragraph(f"Source: {benchmark.source}")
    for each in benchmark.attacks.values():
        if not each.user_made:
            attack_class(each.attack)  # Raises where there is none; code of the user's isn't run.
    rows = [
        (
            each.name,
            each.group,
            *(f"{each.radii[level]:.4g}" for level in LEVELS),
            str(each.steps),
            f"{each.step_size:.4g}",
        )
        for each in benchmark.attacks.values()
    ]
    levels = (f"ε {level}" for level in LEVELS)
    print_listing("Attacks", ("attack", "group", *levels, "steps", "step size"), rows)
    for each in benchmark.attacks.values():
        if each.attack != each.name:
            print_paragraph(f"{each.name} is {_variant(each)}.")
    _say_how_to_see_one(next(iter(benchmark.attacks)), named)


def _variant(setting: "AttackSetting") -> str:
    parameters = ", ".join(f"{key} = {value}" for key, value in setting.parameters.items())
    return f"{setting.attack} with {parameters}" if parameters else setting.attack


def _edition(edition: "Edition") -> str:
    constant = (
        ""
        if edition.gradient_batch is None
        else f"; gradients of L2 steps divided by {edition.gradient_batch} first"
    )
    return f"{_GEOMETRIES[edition.geometry]}; {_JUDGED[edition.judging]}{constant}"


def _show_obfuscations(benchmark: "ObfuscationBenchmark", named: str) -> None:
    print_paragraph(
        "A benchmark of obfuscations, which are drawn at random and never see the model."
    )
    print_paragraph(_pictures(benchmark))
    print_paragraph(
        "Metric: the worst case over the hold-outs. A picture counts if it is classified right under "
        "every one of them, and every class weighs the same."
    )
    print_paragraph(f"Source: {benchmark.source}")
    columns = ["obfuscation", "group", "category"]
    rows = [
        [name, each.group, obfuscation_class(name).category]
        for name, each in benchmark.obfuscations.items()
    ]
    if any(each.ranges for each in benchmark.obfuscations.values()):
        columns.append("ranges of its own")
        for row, each in zip(rows, benchmark.obfuscations.values(), strict=True):
            row.append(_ranges(each))
    print_listing("Obfuscations", columns, rows)
    if benchmark.obfuscations:
        _say_how_to_see_one(next(iter(benchmark.obfuscations)), named)


def _ranges(setting: "ObfuscationSetting") -> str:
    return ", ".join(
        f"{name} {low:.4g} to {high:.4g}" for name, (low, high) in setting.ranges.items()
    )


def _say_how_to_see_one(example: str, named: str) -> None:
    typer.echo(f"More of one: {as_typed('show', example, '--benchmark', named)}")
