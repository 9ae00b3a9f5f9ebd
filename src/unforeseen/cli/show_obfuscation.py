"""What ``unforeseen show`` prints of an obfuscation."""

__all__ = ["show_obfuscation"]

import inspect
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unforeseen.benchmarks import ObfuscationSetting
    from unforeseen.transforms.obfuscation import AnyObfuscation


def show_obfuscation(kind: "type[AnyObfuscation]", benchmark: str | None) -> None:
    """Prints its look, group, ranges, parameters, assets and source.

    Args:
        kind: Which.
        benchmark: Whose ranges: a name or a file; None for its own.

    Raises:
        UserError: The benchmark can't be read, or doesn't have it.
    """
    from unforeseen.cli.output import print_listing, print_paragraph

    setting = None if benchmark is None else _setting(kind.name, benchmark)
    print_paragraph(f"{kind.name}: {kind.summary}")
    print_paragraph(_description(kind))
    print_paragraph(f"Category: {kind.category}. {_group(kind, setting)}")
    if kind.asset_kinds:
        print_paragraph(
            f"Takes from a pack of assets: {', '.join(kind.asset_kinds)}.{_network(kind)} {_shipped(kind)}"
        )
    recorded = ", ".join(field.name for field in fields(kind.parameters))
    print_paragraph(f"Recorded with each picture: {recorded}.")
    print_paragraph(f"Source: {kind.source}")
    usual, of_benchmark = kind(), {} if setting is None else setting.ranges
    rows = [
        (
            each.name,
            *(f"{end:.4g}" for end in of_benchmark.get(each.name, getattr(usual, each.name))),
            each.metadata["meaning"],
        )
        for each in fields(kind)
    ]
    if rows:
        print_listing("Drawn evenly between", ("name", "lowest", "highest", "meaning"), rows)


def _setting(name: str, benchmark: str) -> "ObfuscationSetting":
    from unforeseen.benchmarks import ObfuscationBenchmark, load_benchmark
    from unforeseen.errors import UserError

    source = load_benchmark(benchmark)
    if not isinstance(source, ObfuscationBenchmark):
        raise UserError(
            f"--benchmark: expected a benchmark of obfuscations, got {source.name}, whose attacks are "
            "optimised. Such as: --benchmark image-obfuscation"
        )
    return source.obfuscation(name)


def _network(kind: "type[AnyObfuscation]") -> str:
    from unforeseen.stylization.names import STYLE_KINDS

    if not set(STYLE_KINDS) & set(kind.asset_kinds):
        return ""
    return (
        " A network in the pack must know them: unforeseen make styles trains one for yours; the "
        "program's pack has one."
    )


def _shipped(kind: "type[AnyObfuscation]") -> str:
    """Which assets it draws from where nobody names another pack."""
    from unforeseen.transforms.assets.pack import default_assets

    names = [name for each in kind.asset_kinds for name in default_assets().names(each)]
    return f"In the program's pack: {', '.join(names)}."


def _group(kind: "type[AnyObfuscation]", setting: "ObfuscationSetting | None") -> str:
    held_out = kind.held_out if setting is None else setting.group == "hold-out"
    return "Held out: nobody may train on it." if held_out else "Models may be trained on it."


def _description(kind: type) -> str:
    """A class's docstring in one paragraph."""
    return " ".join((inspect.getdoc(kind) or "").split())
