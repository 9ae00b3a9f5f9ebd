"""``unforeseen list``: what there is to choose from."""

__all__ = ["list_things"]

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.errors import UnknownNameError, UserError

if TYPE_CHECKING:
    from unforeseen.benchmarks import AttackSetting
    from unforeseen.models.papers import PaperModel


def list_things(
    what: Annotated[str, typer.Argument(help="attacks, benchmarks, models, heads or data.")],
    paper: Annotated[
        int | None,
        typer.Option(
            metavar="1|2",
            help="With models: those that a paper measured, and how to name them: 1 for "
            "unforeseen adversaries, 2 for image obfuscations.",
        ),
    ] = None,
) -> None:
    """List attacks, benchmarks, heads, or ways to name models and data."""
    from unforeseen.cli.output import print_entries, print_listing

    if what not in _LISTINGS:
        raise UnknownNameError("list", what, _LISTINGS)
    if paper is not None:
        if what != "models":
            raise UserError(
                f"--paper lists models; expected: unforeseen list models --paper {paper}"
            )
        print_entries(*_models_of_paper(paper))
        return
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


def _models_of_paper(paper: int) -> tuple[str, Sequence[Sequence[str]]]:
    from unforeseen.models.papers import PAPERS, models_of_paper

    if paper not in PAPERS:
        expected = " or ".join(f"{number}: {title}" for number, (title, _) in PAPERS.items())
        raise UserError(f"--paper: expected {expected}; got {paper}.")
    title, score = PAPERS[paper]
    return f"Models of: {title}", [_entry(each, score) for each in models_of_paper(paper)]


def _entry(model: "PaperModel", score: str) -> Sequence[str]:
    figures = (
        (name, value) for name, value in (("clean", model.clean_accuracy), (score, model.score))
    )
    printed = "".join(f", {name} {value} %" for name, value in figures if value is not None)
    remark = {
        "same": "",
        "alike": "probably the paper's weights",
        "family": "of a collection that the paper names",
        "none": "not in any library",
    }[model.weights]
    notes = "; ".join(text for text in (remark, model.note) if text)
    lines = (f"{model.model} ({model.dataset}, {model.where}{printed})", model.uri, notes)
    return [line for line in lines if line]


def _heads() -> Listing:
    from unforeseen.models.heads import HEADS

    rows = [(name, each.description) for name, each in HEADS.items()]
    rows.append(("FILE.csv", "groups of classes: a table with the columns class and group"))
    rows.append(("FILE.json", "likewise: an object, group → list of classes; * is all others"))
    return "Heads, from a model's outputs to classes", ("head", "what it does"), rows


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
    "heads": _heads,
    "models": _models,
}
