"""``unforeseen list``: what there is to choose from."""

__all__ = ["list_things"]

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli.formats import Format, FormatOption
from unforeseen.cli.listing import Cell, Listing, show_listing
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.uri import path_of

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting
    from unforeseen.cli.output import Entry
    from unforeseen.models.papers import PaperModel

#: In the order in which a paper's models are listed.
_DATASETS = ("imagenet", "imagenet100", "cifar10")


def list_things(
    what: Annotated[
        str,
        typer.Argument(
            help="attacks, obfuscations, assets, searches, benchmarks, models, heads or data."
        ),
    ],
    paper: Annotated[
        int | None,
        typer.Option(
            metavar="1|2",
            help="With models: those that a paper measured, and how to name them: 1 for "
            "unforeseen adversaries, 2 for image obfuscations.",
        ),
    ] = None,
    assets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With assets: those of this pack. [default: those that ship]",
            file_okay=False,
        ),
    ] = None,
    output_format: FormatOption = Format.table,
) -> None:
    """List what there is: attacks, models, heads, data and more."""
    if what not in _LISTINGS:
        raise UnknownNameError("list", what, _LISTINGS)
    if assets is not None:
        if what != "assets":
            raise UserError("--assets: expected assets to be listed: unforeseen list assets.")
        show_listing(_assets(path_of(str(assets))), output_format)
        return
    if paper is None:
        show_listing(_LISTINGS[what](), output_format)
        return
    if what != "models":
        raise UserError(f"--paper lists models; expected: unforeseen list models --paper {paper}")
    show_listing(_models_of_paper(paper), output_format)


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
    return Listing(
        title="Attacks (more of one: unforeseen show NAME; a class of your own: "
        "py:path/to/file.py:CLASS)",
        columns={"name": "attack", "group": "group", "summary": "what one sees"},
        rows=rows,
    )


def _obfuscations() -> Listing:
    from unforeseen.transforms import OBFUSCATIONS

    rows = [
        (name, each.category, "hold-out" if each.held_out else "training", each.summary)
        for name, each in OBFUSCATIONS.items()
    ]
    return Listing(
        title="Obfuscations (more of one: unforeseen show NAME)",
        columns={
            "name": "obfuscation",
            "category": "category",
            "group": "group",
            "summary": "what one sees",
        },
        rows=rows,
    )


def _assets(folder: Path | None = None) -> Listing:
    """Of a pack; None takes the one that ships."""
    from unforeseen.transforms.assets.pack import AssetPack, default_assets

    pack = default_assets() if folder is None else AssetPack(folder)
    whose = "the program" if folder is None else str(folder)
    return Listing(
        title=f"Assets of {whose}",
        columns={"name": "asset", "kind": "kind", "licence": "licence"},
        rows=[
            (name, kind, asset.licence)
            for kind, assets in pack.manifest.assets.items()
            for name, asset in assets.items()
        ],
    )


def _groups(entries: Sequence["AttackSetting"], name: str) -> str:
    return "/".join(sorted({each.group for each in entries if each.name == name}))


def _benchmarks() -> Listing:
    from unforeseen.benchmarks import BENCHMARKS, AttackBenchmark, load_benchmark

    rows = []
    for name in BENCHMARKS:
        benchmark = load_benchmark(name)
        editions = benchmark.editions if isinstance(benchmark, AttackBenchmark) else ()
        rows.append((name, benchmark.title, tuple(editions)))
    return Listing(
        title="Benchmarks (more of one: unforeseen show NAME; or the path of your own .toml)",
        columns={"name": "benchmark", "title": "title", "editions": "editions"},
        rows=rows,
    )


def _models() -> Listing:
    from unforeseen.models import MODEL_SCHEMES

    schemes = {name: (each.description, [each.example]) for name, each in MODEL_SCHEMES.items()}
    return _ways("Ways to name a model", schemes)


def _ways(title: str, schemes: Mapping[str, tuple[str, Sequence[str]]]) -> Listing:
    """What each scheme stands for, and examples below it."""
    from unforeseen.cli.output import Entry

    width = max(map(len, schemes))
    return Listing(
        title=title,
        columns={"name": "scheme", "summary": "what it names", "examples": "examples"},
        rows=[(name, summary, tuple(examples)) for name, (summary, examples) in schemes.items()],
        entries={
            title: [
                Entry(f"{name:<{width}}  {description}", examples, hang=width + 2)
                for name, (description, examples) in schemes.items()
            ]
        },
    )


def _models_of_paper(paper: int) -> Listing:
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
    return Listing(
        title=f"Models of: {title}",
        columns={
            "name": "model",
            "dataset": "classes of",
            "where": "where",
            "clean_accuracy": "clean, %",
            "score": f"{score}, %",
            "uri": "URI",
            "weights": "weights",
            "note": "note",
        },
        rows=[_row(each) for found in parts.values() for each in found],
        entries={part: [_entry(each, score) for each in found] for part, found in parts.items()},
    )


def _row(model: "PaperModel") -> Sequence[Cell]:
    return (
        model.model,
        model.dataset,
        model.where,
        model.clean_accuracy,
        model.score,
        model.uri or None,
        model.weights,
        model.note or None,
    )


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
    return Listing(
        title="Heads, from a model's outputs to classes",
        columns={"name": "head", "summary": "what it does"},
        rows=rows,
    )


def _searches() -> Listing:
    from unforeseen.search.settings import SEARCHES

    return Listing(
        title="Searches for the worst point",
        columns={"name": "search", "summary": "what it does"},
        rows=[*SEARCHES.items()],
    )


def _data() -> Listing:
    from unforeseen.data import DATA_SCHEMES

    schemes = {name: (each.description, each.examples) for name, each in DATA_SCHEMES.items()}
    return _ways("Ways to name data", schemes)


_LISTINGS: dict[str, Callable[[], Listing]] = {
    "assets": _assets,
    "attacks": _attacks,
    "benchmarks": _benchmarks,
    "data": _data,
    "heads": _heads,
    "models": _models,
    "obfuscations": _obfuscations,
    "searches": _searches,
}
