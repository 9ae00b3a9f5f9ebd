"""Evasion rates at the end of a run, and what can be said of the class before it begins."""

__all__ = ["expect_class", "say_where_evasions_are", "show_evasion_rates"]

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unforeseen.positive_class import Filter, class_number

if TYPE_CHECKING:
    from unforeseen.cli.ahead import Opened


def expect_class(positive: str, opened: "Opened", *, heads: Sequence[str]) -> None:
    """Refuses a class that a run won't have, before hours are spent on it.

    Args:
        positive: As the user names it.
        opened: Benchmark and data.
        heads: As the user names them; groups have names where the data's labels have none.

    Raises:
        BenchmarkError: The benchmark is of attacks.
        UnknownNameError: There is no such class.
        ModelError: The last head is a file that can't be read.
    """
    from unforeseen.benchmarks.kinds import expect_obfuscations

    expect_obfuscations(opened.benchmark)
    class_number(positive, _names(opened, heads), of=opened.dataset.card.uri)


def show_evasion_rates(out: Path, wanted: Filter) -> None:
    """Prints them, of a run that has ended."""
    from unforeseen.cli.output import print_evasions
    from unforeseen.report.evasion_table import evasion_table
    from unforeseen.run_folder.read_run import read_obfuscation_run

    print_evasions(evasion_table([read_obfuscation_run(out)], wanted))


def say_where_evasions_are(out: Path, wanted: Filter) -> None:
    """Says with which commands rates and pictures are shown."""
    from unforeseen.cli.output import say
    from unforeseen.typed_command import as_typed

    asked = [str(out), "--positive", wanted.positive, "--threshold", f"{wanted.threshold:g}"]
    say(f"Evasion rates: {as_typed('results', *asked)}")
    say(f"Which pictures got through, and by what: {as_typed('evasions', *asked)}")


def _names(opened: "Opened", heads: Sequence[str]) -> Sequence[str]:
    """Of all classes that the run will have; ``class 3`` where nothing names it."""
    from unforeseen.data.super_classes import super_class_names

    benchmark, card = opened.benchmark, opened.dataset.card
    names: Sequence[str]
    if card.label_space is None or benchmark.label_space != "imagenet16":
        names = card.class_names
    else:
        names = super_class_names()
    if not names and heads:
        names = _group_names(heads[-1])
    if not names and benchmark.label_space == "imagenet16":
        names = super_class_names()
    classes = max(len(names), int(opened.dataset.labels.max(initial=-1)) + 1)
    if len(names) >= classes or benchmark.label_space == "imagenet16":
        return names
    return [*names, *(f"class {number}" for number in range(len(names), classes))]


def _group_names(head: str) -> Sequence[str]:
    # Heads come with torch, which takes seconds to import.
    from unforeseen.models.head_files import read_groups
    from unforeseen.models.heads import HEADS
    from unforeseen.uri import Uri

    if head in HEADS:
        return HEADS[head].make().class_names
    path = Uri.parse(head).path
    return tuple(read_groups(path)) if path.lower().endswith((".csv", ".json")) else ()
