"""``unforeseen list``: what there is to choose from."""

__all__ = ["list_things"]

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.errors import UnknownNameError, UserError

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting
    from unforeseen.cli.output import Entry
    from unforeseen.models.papers import PaperModel

#: In the order in which a paper's models are listed.
_DATASETS = ("imagenet", "imagenet100", "cifar10")


def list_things(
    what: Annotated[
        str,
        typer.Argument(help="attacks, obfuscations, searches, benchmarks, models, heads or data."),
    ],
    paper: Annotated[
        int | None,
        typer.Option(
            metavar="1|2",
            help="With models: those that a paper measured, and how to name them: 1 for "
            "unforeseen adversaries, 2 for image obfuscations.",
        ),
    ] = None,
) -> None:
    """List attacks, obfuscations, searches, benchmarks or models."""
    from unforeseen.cli.output import print_entries, print_listing

    if what not in _LISTINGS:
        raise UnknownNameError("list", what, _LISTINGS)
    if paper is not None:
        if what != "models":
            raise UserError(
                f"--paper lists models; expected: unforeseen list models --paper {paper}"
            )
        for title, entries in _models_of_paper(paper):
            print_entries(title, entries)
        return
    listing = _LISTINGS[what]()
    if len(listing) == 2:
        print_entries(*listing)
    else:
        print_listing(*listing)


Listing = tuple[str, Sequence[str], Sequence[Sequence[str]]]
Entries = tuple[str, "Sequence[Entry]"]


def _attacks() -> Listing:
    from unforeseen.benchmarks import BENCHMARKS, AttackBenchmark, load_benchmark
    from unforeseen.transforms import ATTACKS

    benchmarks = map(load_benchmark, BENCHMARKS)
    entries = [
        entry
        for benchmark in benchmarks
        if isinstance(benchmark, AttackBenchmark)
        for entry in benchmark.attacks.values()
    ]
    rows = []
    for name, attack in ATTACKS.items():
        rows.append((name, _groups(entries, name), attack.summary))
        variants = {each.name: each for each in entries if each.attack == name != each.name}
        for variant in variants.values():
            parameters = ", ".join(f"{key} = {value}" for key, value in variant.parameters.items())
            named = "; run where it is named" if variant.group == "optional" else ""
            what = f"{name} with {parameters}{named}"
            rows.append((variant.name, _groups(entries, variant.name), what))
    title = (
        "Attacks (more of one: unforeseen show NAME; a class of your own: py:path/to/file.py:CLASS)"
    )
    return title, ("attack", "group", "what one sees"), rows


def _obfuscations() -> Listing:
    from unforeseen.transforms import OBFUSCATIONS

    rows = [
        (name, each.category, "hold-out" if each.held_out else "training", each.summary)
        for name, each in OBFUSCATIONS.items()
    ]
    title = "Obfuscations (more of one: unforeseen show NAME)"
    return title, ("obfuscation", "category", "group", "what one sees"), rows


def _groups(entries: Sequence["AttackSetting"], name: str) -> str:
    return "/".join(sorted({each.group for each in entries if each.name == name}))


def _benchmarks() -> Listing:
    from unforeseen.benchmarks import BENCHMARKS, AttackBenchmark, load_benchmark

    rows = []
    for name in BENCHMARKS:
        benchmark = load_benchmark(name)
        editions = benchmark.editions if isinstance(benchmark, AttackBenchmark) else ()
        rows.append((name, benchmark.title, ", ".join(editions)))
    return "Benchmarks (or the path of your own .toml)", ("benchmark", "title", "editions"), rows


def _models() -> Entries:
    from unforeseen.models import MODEL_SCHEMES

    schemes = {name: (each.description, [each.example]) for name, each in MODEL_SCHEMES.items()}
    return _ways("Ways to name a model", schemes)


def _ways(title: str, schemes: Mapping[str, tuple[str, Sequence[str]]]) -> Entries:
    """What each scheme stands for, and examples below it."""
    from unforeseen.cli.output import Entry

    width = max(map(len, schemes))
    return title, [
        Entry(f"{name:<{width}}  {description}", examples, hang=width + 2)
        for name, (description, examples) in schemes.items()
    ]


def _models_of_paper(paper: int) -> Sequence[Entries]:
    """First the models that can be had, then the others; each part by data set."""
    from unforeseen.models.papers import PAPERS, models_of_paper

    if paper not in PAPERS:
        expected = " or ".join(f"{number}: {title}" for number, (title, _) in PAPERS.items())
        raise UserError(f"--paper: expected {expected}; got {paper}.")
    title, score = PAPERS[paper]
    models = sorted(models_of_paper(paper), key=lambda each: _DATASETS.index(each.dataset))
    parts = {
        f"Models of: {title}": [each for each in models if each.uri],
        "Its models that no library has": [each for each in models if not each.uri],
    }
    return [(part, [_entry(each, score) for each in found]) for part, found in parts.items()]


def _entry(model: "PaperModel", score: str) -> "Entry":
    from unforeseen.cli.output import Entry

    figures = (
        (name, value) for name, value in (("clean", model.clean_accuracy), (score, model.score))
    )
    printed = "".join(f", {name} {value} %" for name, value in figures if value is not None)
    head = f"{model.model} ({model.dataset}, {model.where}{printed})"
    remark = {
        "same": "",
        "alike": "probably the paper's weights",
        "family": "of a collection that the paper names",
        "none": "",
    }[model.weights]
    notes = "; ".join(text for text in (remark, model.note) if text)
    if not model.uri:
        return Entry(f"{head}: {notes}")
    return Entry(head, [model.uri], notes)


def _heads() -> Listing:
    from unforeseen.models.heads import HEADS

    rows = [(name, each.description) for name, each in HEADS.items()]
    rows.append(("FILE.csv", "groups of classes: a table with the columns class and group"))
    rows.append(("FILE.json", "likewise: an object, group → list of classes; * is all others"))
    return "Heads, from a model's outputs to classes", ("head", "what it does"), rows


def _searches() -> Listing:
    from unforeseen.search.settings import SEARCHES

    return "Searches for the worst point", ("search", "what it does"), [*SEARCHES.items()]


def _data() -> Entries:
    from unforeseen.data import DATA_SCHEMES

    schemes = {name: (each.description, each.examples) for name, each in DATA_SCHEMES.items()}
    return _ways("Ways to name data", schemes)


_LISTINGS: dict[str, Callable[[], Listing | Entries]] = {
    "attacks": _attacks,
    "benchmarks": _benchmarks,
    "data": _data,
    "heads": _heads,
    "models": _models,
    "obfuscations": _obfuscations,
    "searches": _searches,
}
