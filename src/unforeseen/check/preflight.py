"""All questions of a check, in order, on pictures that are in memory."""

__all__ = ["CHECKING", "few", "preflight"]

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from unforeseen.check.accuracy import accuracy_evidence
from unforeseen.check.asking import Asker
from unforeseen.check.at_zero import cells_to_try, right_at_zero
from unforeseen.check.causes import usual_causes
from unforeseen.check.cross_check import cross_check_evidence
from unforeseen.check.findings import AtZero, Evidence
from unforeseen.check.gradients import NO_GRADIENT, gradients_evidence
from unforeseen.check.label_order import GAIN, label_order_evidence
from unforeseen.check.normalisation import normalisation_evidence, variants
from unforeseen.check.outputs import logits_evidence, outputs_evidence
from unforeseen.check.reach import reach_note
from unforeseen.check.repetition import batch_evidence, random_evidence
from unforeseen.check.result import MANY, CheckResult
from unforeseen.check.right import correct, predictions
from unforeseen.check.sample import Sample, stacked
from unforeseen.check.state import Buffers, training_note
from unforeseen.data.dataset import DataCard
from unforeseen.data.label_spaces import class_names_of
from unforeseen.data.pictures import Picture
from unforeseen.errors import QueryBudgetError
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.headed import without_head
from unforeseen.running.cell_kinds import AttackedCell
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter

#: The stage that a check is, as reporters are told.
CHECKING = "checking the model"
#: Pictures that gradients, repetitions, the cross-check and δ = 0 are tried on: of 32 pixels, and
#: of 224, where each costs fifty times as much.
_SMALL, _LARGE = 32, 16
#: Of a black box, whose answers may cost money.
_DEAR = 4

_Question = tuple[str, Callable[[], Evidence]]


def preflight(
    plan: Plan,
    asker: Asker,
    card: DataCard,
    pictures: Sequence[Picture],
    *,
    subset: str,
    reporter: Reporter,
    expected: float | None = None,
    known: Mapping[str, int | None] | None = None,
) -> CheckResult:
    """Asks everything.

    Args:
        plan: What is to be run; questions about gradients are asked only where it needs them.
        asker: On what, and how much of it may be asked.
        card: Of the data.
        pictures: At least one, all of one size.
        subset: A hash of their ids.
        reporter: Who watches.
        expected: Accuracy in [0, 1] that the user expects; None takes what the model's card says.
        known: What a black box was heard to predict, by picture: all that is looked at of its
            answers to pictures as they are. None where its logits weren't finite. Only the first
            few of these are asked about again.

    Raises:
        ModelError: The model fails.
        QueryBudgetError: A black box may not even be asked about the pictures as they are.
    """
    model = asker.classifier
    handed_over = _handed_over(model)
    with model.inference():
        reporter.advance(CHECKING, 0, 1, "accuracy")
        buffers = Buffers.of(model.module) if isinstance(model, DifferentiableClassifier) else None
        sample = stacked(pictures)
        logits = _logits(asker, sample, known or {})
        questions = _Questions(plan, asker, card, sample, logits, reporter)
        evidence, at_zero = questions.asked(buffers, expected)
    found = [handed_over, *evidence]
    several = len(set(sample.labels.tolist())) > 1
    if several and len(pictures) < MANY and not any(each.findings for each in found):
        found = [Evidence(notes=(reach_note(len(pictures)),)), *found]
    return CheckResult.of(found, pictures=len(pictures), subset=subset, at_zero=at_zero)


def few(classifier: Predictor, height: int, width: int) -> int:
    """How many pictures of a size the dearer questions are asked about."""
    if not isinstance(classifier, DifferentiableClassifier):
        return _DEAR
    return _SMALL if min(height, width) < 128 else _LARGE


class _Questions:
    """All that is asked once the answers to the pictures as they are known."""

    def __init__(
        self,
        plan: Plan,
        asker: Asker,
        card: DataCard,
        sample: Sample,
        logits: Tensor,
        reporter: Reporter,
    ) -> None:
        self._plan = plan
        self._asker = asker
        self._card = card
        self._sample = sample
        self._pictures, self._labels = sample.pictures, sample.labels
        self._logits = logits
        self._right = correct(logits, sample.labels)
        self._reporter = reporter
        self._model = asker.classifier
        self._few = few(self._model, *sample.pictures.shape[-2:])

    def asked(
        self, buffers: Buffers | None, expected: float | None
    ) -> tuple[list[Evidence], list[AtZero]]:
        """Asks one after the other; what an allowance isn't enough for is left out."""
        accuracy, order = self._accuracy(expected), self._label_order()
        questions = self._questions(buffers, order, suspicious=bool(accuracy.findings))
        cells = cells_to_try(self._plan)
        total = 1 + len(questions) + len(cells)
        evidence = [accuracy, order]
        left_out = []
        for done, (about, ask) in enumerate(questions, start=1):
            self._reporter.advance(CHECKING, done, total, about)
            try:
                evidence.append(ask())
            except QueryBudgetError:
                left_out.append(about)
        if left_out:
            note = (
                f"not looked at, because a quarter of the budget is for the check: "
                f"{', '.join(left_out)}."
            )
            evidence.append(Evidence(notes=(note,)))
        return evidence, self._at_zero(cells, done=1 + len(questions), total=total)

    def _at_zero(self, cells: Sequence[AttackedCell], *, done: int, total: int) -> list[AtZero]:
        """All cells, or none where a black box may not be asked about so many pictures."""
        sample = self._sample.first(self._few)
        found = []
        if self._asker.may_ask(len(sample.ids) * len(cells)):
            for number, cell in enumerate(cells, start=done):
                self._reporter.advance(CHECKING, number, total, f"{cell.transform} at δ = 0")
                found.append(right_at_zero(self._asker, cell, sample, self._right[: self._few]))
        return found

    def _questions(
        self, buffers: Buffers | None, order: Evidence, *, suspicious: bool
    ) -> list[_Question]:
        model = self._model
        questions: list[_Question] = [("outputs", self._outputs)]
        if isinstance(model, DifferentiableClassifier) or suspicious:
            questions.append(("normalisation", lambda: self._normalisation(order)))
        questions.append(("randomness", self._repetition))
        if isinstance(model, DifferentiableClassifier) and self._optimises():
            questions.append(("gradients", self._gradients))
        if isinstance(model, DifferentiableClassifier) and buffers is not None:
            questions.append(("state", lambda: buffers.evidence(model.module)))
        return questions

    def _optimises(self) -> bool:
        return any(cell.search.needs_gradient for cell in self._plan.attacked)

    def _accuracy(self, expected: float | None) -> Evidence:
        by = "you"
        space = self._card.label_space
        comparable = space is not None and space == self._plan.benchmark.label_space
        if expected is None and comparable and self._covers_the_classes():
            expected, by = self._model.card.accuracy, "the model's makers"
        return accuracy_evidence(
            self._logits, self._labels, expected=expected, by=by, causes=usual_causes(self._model)
        )

    def _covers_the_classes(self) -> bool:
        """Whether as many classes occur as can: on a few of them a model may well be weaker."""
        return len(set(self._labels.tolist())) == min(len(self._labels), self._logits.shape[1])

    def _outputs(self) -> Evidence:
        outputs = outputs_evidence(self._logits, self._labels)
        model = self._model
        # Of a black box the logits are logarithms of probabilities by construction.
        if not isinstance(model, DifferentiableClassifier):
            return outputs
        bare = without_head(model)
        if bare is model:
            return outputs.and_also(logits_evidence(self._logits))
        asker = Asker(bare, self._asker.batch_size, self._reporter.note)
        return outputs.and_also(logits_evidence(asker.logits(self._pictures[: self._few])))

    def _label_order(self) -> Evidence:
        if self._right.float().mean() > 1 - GAIN:
            return Evidence()
        space = self._card.label_space or self._plan.benchmark.label_space
        return label_order_evidence(
            self._logits,
            self._labels,
            names=self._card.class_names or (class_names_of(space) if space else ()),
            model_names=self._model.card.class_names,
        )

    def _normalisation(self, order: Evidence) -> Evidence:
        card = self._model.card
        tried = variants(card.mean, card.std)
        if not isinstance(self._model, DifferentiableClassifier):
            tried = tuple(each for each in tried if each.in_range)
        return normalisation_evidence(
            self._asker,
            self._pictures,
            self._labels,
            self._logits,
            tried,
            at_least=max((each.value for each in order.measurements), default=0.0),
        )

    def _repetition(self) -> Evidence:
        differentiable = isinstance(self._model, DifferentiableClassifier)
        some = self._pictures[: self._few]
        random = random_evidence(self._asker, some, eot=self._plan.eot)
        if random.findings or random.notes or not differentiable:
            return random
        return random.and_also(batch_evidence(self._asker, some))

    def _gradients(self) -> Evidence:
        # Outputs that aren't finite are wrong already, and a finding of their own.
        some = (predictions(self._logits) >= 0).nonzero()[: self._few, 0]
        if not len(some):
            return Evidence()
        gradients = gradients_evidence(self._asker, self._pictures[some], self._labels[some])
        if any(finding.about == NO_GRADIENT for finding in gradients.findings):
            return gradients
        return gradients.and_also(self._cross_check())

    def _cross_check(self) -> Evidence:
        right = self._right.nonzero()[: self._few, 0]
        return cross_check_evidence(
            self._asker,
            self._pictures[right],
            self._labels[right],
            self._logits[right],
            seed=self._plan.seed,
            eot=self._plan.eot,
        )


def _logits(asker: Asker, sample: Sample, known: Mapping[str, int | None]) -> Tensor:
    """The answers to pictures as they are, (N, classes); where only a prediction is known, 1 for it."""
    dearer = few(asker.classifier, *sample.pictures.shape[-2:])
    asked = [
        number for number, name in enumerate(sample.ids) if number < dearer or name not in known
    ]
    answers = asker.logits(sample.pictures[asked])
    logits = answers.new_zeros(len(sample.ids), answers.shape[1])
    logits[asked] = answers
    for number in sorted({*range(len(sample.ids))} - {*asked}):
        said = known[sample.ids[number]]
        if said is None:
            logits[number] = torch.nan
        else:
            logits[number, said] = 1
    return logits


def _handed_over(model: Predictor) -> Evidence:
    # What is loaded by name is in the mode that its library makes it in.
    own = model.card.uri.startswith(("module:", "py:"))
    if own and isinstance(model, DifferentiableClassifier):
        return training_note(model.module)
    return Evidence()
