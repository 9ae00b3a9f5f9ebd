"""How high several models together reach, beside each of them: appendix C.2 of Stimberg et al. 2023."""

__all__ = ["CEILINGS", "ceiling_table"]

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from unforeseen.counted import counted
from unforeseen.errors import UserError
from unforeseen.metrics.ceiling import CeilingKind, ceiling
from unforeseen.metrics.verdicts import TOP, LabelledVerdicts, TopK, labelled_verdicts
from unforeseen.obfuscation_sets import usual_sets
from unforeseen.report.obfuscation_tables import (
    ORIGINS,
    ObfuscationTable,
    lines_of,
    names_of,
    notes_of,
    picture_counts,
    share_a_table,
)
from unforeseen.rows import CLEAN
from unforeseen.run_folder.obfuscation_figures import Accuracies, Weighting, figures_of_joint
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary, class_counts
from unforeseen.run_folder.read_run import ReadObfuscationRun

#: What the oracles are called.
CEILINGS: Mapping[CeilingKind, str] = MappingProxyType(
    {"obfuscation": "Ceiling by obfuscation", "image": "Ceiling by image"}
)

#: What a cell's record calls the ways in which pictures can differ.
_IN_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "made": "other ready-made pictures, or not ready-made",
        "files": "other files",
        "draws": "worst of several draws",
        "obfuscation": "version or ranges",
    }
)

_WHAT_IT_IS = (
    "an oracle is no model: by obfuscation it takes the predictions of the model that is best under "
    "each, by image a picture is right where any model is"
)


def ceiling_table(
    runs: Sequence[ReadObfuscationRun], *, weighting: Weighting = "balanced", top: TopK = 1
) -> ObfuscationTable:
    """Figures of each model and of two oracles, all on the pictures that every model has judged.

    Args:
        runs: Of several models.
        weighting: By which the best model under each obfuscation is chosen.
        top: Among how many of the most probable classes the true one must be.

    Raises:
        UserError: Runs can't be combined: only one, a network twice, other benchmarks, pictures of
            other origin, obfuscated in another way, or none in common.
        RunError: Runs give a picture different labels.
    """
    summaries = [each.summary for each in runs]
    if len(runs) < 2:
        raise UserError("expected runs of several models, got one: an oracle needs a choice.")
    _expect_different_networks(runs)
    for other in summaries[1:]:
        if not share_a_table(summaries[0], other):
            raise UserError(
                f"{other.model}: expected a run of the same benchmark on pictures of the same origin "
                f"as {summaries[0].model}'s; figures of others can't be combined."
            )
    benchmark = max((each.benchmark for each in summaries), key=lambda each: len(each.obfuscations))
    transforms = _run_by_all(runs)
    _expect_same_pictures(runs, transforms)
    rows = [each.rows for each in runs]
    every = labelled_verdicts(rows, transforms, "", TOP[top])
    if not every.names:
        raise UserError("the runs have no picture in common that all of them have judged.")
    sets = usual_sets(benchmark)

    def figures(joint: LabelledVerdicts) -> Mapping[str, Accuracies]:
        return figures_of_joint(joint, transforms, sets, seed=summaries[0].seed)

    by_model = every.right.reshape(-1, len(runs), len(transforms))
    columns = [figures(every._replace(right=by_model[:, number])) for number in range(len(runs))]
    oracles = {
        kind: ceiling(rows, transforms, kind, TOP[top], balanced=weighting == "balanced")
        for kind in CEILINGS
    }
    return ObfuscationTable(
        benchmark=benchmark.name,
        top=top,
        origin=ORIGINS[summaries[0].made_by],
        facts=(
            *picture_counts(class_counts(runs[0].planned, every.labels.tolist()), benchmark),
            *_fewer(summaries, len(every.names)),
            _WHAT_IT_IS,
        ),
        about=tuple(
            (*_best(number, transforms, oracles["obfuscation"].best), *notes_of(summary, top))
            for number, summary in enumerate(summaries)
        ),
        columns=(*CEILINGS.values(), *names_of(summaries)),
        lines=lines_of(
            benchmark, sets, [*(figures(each.joint) for each in oracles.values()), *columns]
        ),
        summaries=(*(None for _ in CEILINGS), *summaries),
    )


def _run_by_all(runs: Sequence[ReadObfuscationRun]) -> list[str]:
    """Clean, and the obfuscations that every model was run on; raises UserError where there is none."""
    ran = [{cell.transform for cell in each.planned.cells} for each in runs]
    shared = set.intersection(*ran)
    obfuscations = [name for name in runs[0].summary.benchmark.obfuscations if name in shared]
    if not obfuscations:
        raise UserError("the runs have no obfuscation in common.")
    return [CLEAN, *obfuscations] if CLEAN in shared else obfuscations


def _expect_different_networks(runs: Sequence[ReadObfuscationRun]) -> None:
    """Raises UserError where a network is there twice: two tries of one would look like two models."""
    first: dict[tuple[str, str | None], str] = {}
    for each in runs:
        network = each.planned.network
        if network in first:
            raise UserError(
                f"{each.summary.model}: expected runs of different models, got two of the network of "
                f"{first[network]}. Leave one out."
            )
        first[network] = each.summary.model


def _expect_same_pictures(runs: Sequence[ReadObfuscationRun], transforms: Sequence[str]) -> None:
    """Raises UserError where pictures were drawn otherwise: the best of several draws is mere luck."""
    first = runs[0]
    for each in runs[1:]:
        for name in transforms:
            one, other = first.planned.how[name], each.planned.how[name]
            differing = sorted(key for key in {**one, **other} if one.get(key) != other.get(key))
            if differing:
                raise UserError(
                    f"{each.summary.model}: expected a run on the same pictures as "
                    f"{first.summary.model}'s; those of {name} were made in another way "
                    f"({', '.join(_IN_WORDS.get(key, key) for key in differing)})."
                )


def _fewer(summaries: Sequence[ObfuscationSummary], n: int) -> Iterator[str]:
    """Where models have judged other pictures besides, how many are counted of how many."""
    if any(each.images > n for each in summaries):
        of = " and ".join(f"{each.images:,}" for each in summaries)
        yield f"counted on the {counted(n, 'picture')} that every model has judged, of {of}"


def _best(model: int, transforms: Sequence[str], best: Sequence[int]) -> Iterator[str]:
    """Under which obfuscations a model is the best, in words."""
    under = [
        transform
        for transform, number in zip(transforms, best, strict=True)
        if number == model and transform != CLEAN
    ]
    if under:
        yield f"best by obfuscation: {', '.join(under)}"
