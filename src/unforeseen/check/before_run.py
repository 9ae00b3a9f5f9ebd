"""The check on the first pictures of a run: made, or taken from the run that is continued."""

__all__ = ["QUICK", "THOROUGH", "check_first", "refuse_near_chance"]

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import torch

from unforeseen.check.accuracy import LOW, NEAR_CHANCE
from unforeseen.check.asking import Asker
from unforeseen.check.at_zero import cells_to_try, right_at_zero
from unforeseen.check.preflight import CHECKING, few, preflight
from unforeseen.check.result import CHECK_VERSION, MANY, CheckResult
from unforeseen.check.right import correct
from unforeseen.check.sample import stacked
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify, subset_hash
from unforeseen.data.pictures import Picture, stream_pictures
from unforeseen.errors import ModelError
from unforeseen.models.classifier import Predictor
from unforeseen.running.compatibility import of_the_benchmarks_size
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter
from unforeseen.stage_reporter import in_one

#: Pictures that are looked at before a run, and by ``unforeseen check``.
QUICK, THOROUGH = 128, 512


def check_first(
    plan: Plan,
    classifier: Predictor,
    dataset: Dataset,
    indices: Sequence[int],
    *,
    batch_size: int,
    reporter: Reporter,
    previous: CheckResult | None = None,
    expected: float | None = None,
    known: Mapping[str, int | None] | None = None,
) -> CheckResult | None:
    """Checks a model on pictures.

    Args:
        plan: What is to be run.
        classifier: On what.
        dataset: With which pictures.
        indices: The pictures to look at, of ``dataset``; fewer of a black box with a small budget.
        batch_size: How many the model sees at once.
        reporter: Who watches.
        previous: What was found before in the same folder, with the same plan but for attacks and
            levels. Where it is of these pictures or of more, only new attacks are looked at.
        expected: Accuracy in [0, 1] that the user expects, or None.
        known: What the rows of the same folder say that a black box predicts, by picture; see
            :func:`~unforeseen.check.preflight.preflight`.

    Returns:
        What was found, or None where none of the pictures can be read.

    Raises:
        DataError: A picture is of a size that doesn't fit.
        ModelError: The model fails.
    """
    with in_one(reporter, CHECKING):
        asker = Asker(classifier, batch_size, reporter.note)
        if asker.left is not None:
            # What is left over is enough to ask a few again.
            indices = indices[: max(1, asker.left - few(classifier, *plan.picture_size))]
        ids = identify(dataset, indices)
        subset = subset_hash(ids)
        known = known or {}
        # The first few are asked about again; they had better be new.
        chosen = sorted(zip(indices, ids, strict=True), key=lambda each: each[1] in known)
        if (
            previous is not None
            and previous.version == CHECK_VERSION
            and (previous.subset == subset or previous.pictures > len(chosen))
        ):
            return _with_new_attacks(previous, plan, asker, dataset, chosen, known)
        pictures = _readable(plan, dataset, chosen)
        if not pictures:
            return None
        return preflight(
            plan,
            asker,
            dataset.card,
            pictures,
            subset=subset,
            reporter=reporter,
            expected=expected,
            known=known,
        )


def refuse_near_chance(result: CheckResult, model: str, data: str) -> None:
    """Ends a run whose figures could mean nothing.

    Args:
        result: Of a check.
        model: The model's URI.
        data: The data's URI.

    Raises:
        ModelError: At least 100 pictures were looked at, and the accuracy is near chance.
    """
    near = next((each for each in result.findings if each.about == NEAR_CHANCE), None)
    if near is None or result.pictures < MANY:
        return
    others = (each for each in result.findings if each.about not in (NEAR_CHANCE, LOW))
    cause = next((each.text for each in others), near.advice)
    raise ModelError(f"{model} on {data}: {near.seen} {cause} --no-check runs it all the same.")


def _with_new_attacks(
    previous: CheckResult,
    plan: Plan,
    asker: Asker,
    dataset: Dataset,
    chosen: Sequence[tuple[int, str]],
    known: Mapping[str, int | None],
) -> CheckResult:
    count = few(asker.classifier, *plan.picture_size)
    cells = cells_to_try(plan, {each.attack for each in previous.at_zero})
    # These pictures are asked about as they are, too.
    if not cells or not asker.may_ask(count * (1 + len(cells))):
        return previous
    pictures = _readable(plan, dataset, chosen[:count])
    if not pictures:
        return previous
    with asker.classifier.inference():
        sample = stacked(pictures)
        if known.keys() >= set(sample.ids):
            said = (known[name] for name in sample.ids)
            right = torch.tensor([-1 if each is None else each for each in said]) == sample.labels
        else:
            right = correct(asker.logits(sample.pictures), sample.labels)
        new = [right_at_zero(asker, cell, sample, right) for cell in cells]
    return replace(previous, at_zero=(*previous.at_zero, *new))


def _readable(plan: Plan, dataset: Dataset, chosen: Sequence[tuple[int, str]]) -> list[Picture]:
    stream = stream_pictures(dataset, chosen, plan.preprocessing)
    with closing(stream):
        fitting = of_the_benchmarks_size(stream, plan, dataset.card)
        return [each for each in fitting if isinstance(each, Picture)]
