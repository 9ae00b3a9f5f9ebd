"""All questions of a check, in order, on pictures that are in memory."""

__all__ = ["few", "preflight"]

from collections.abc import Callable, Sequence

from unforeseen.check.accuracy import accuracy_evidence
from unforeseen.check.asking import Asker
from unforeseen.check.at_zero import affordable_cells, cells_to_try, right_at_zero
from unforeseen.check.cross_check import cross_check_evidence
from unforeseen.check.findings import Evidence
from unforeseen.check.gradients import NO_GRADIENT, gradients_evidence
from unforeseen.check.label_order import GAIN, label_order_evidence
from unforeseen.check.normalisation import normalisation_evidence, variants
from unforeseen.check.outputs import logits_evidence, outputs_evidence
from unforeseen.check.repetition import batch_evidence, random_evidence
from unforeseen.check.result import CheckResult
from unforeseen.check.right import correct, predictions
from unforeseen.check.sample import stacked
from unforeseen.check.state import Buffers, training_note
from unforeseen.data.dataset import DataCard
from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_class_names
from unforeseen.data.pictures import Picture
from unforeseen.errors import QueryBudgetError
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.headed import without_head
from unforeseen.plan import Plan
from unforeseen.reporter import Reporter

#: Pictures that gradients, repetitions, the cross-check and δ = 0 are tried on: of 32 pixels, and
#: of 224, where each costs fifty times as much.
_SMALL, _LARGE = 32, 16
#: Of a black box, whose answers may cost money.
_DEAR = 4

_Question = tuple[str, Callable[[], Evidence]]


def preflight(
    plan: Plan,
    classifier: Predictor,
    card: DataCard,
    pictures: Sequence[Picture],
    *,
    subset: str,
    batch_size: int,
    reporter: Reporter,
    expected: float | None = None,
) -> CheckResult:
    """Asks everything.

    Args:
        plan: What is to be run; questions about gradients are asked only where it needs them.
        classifier: On what.
        card: Of the data.
        pictures: At least one, all of one size.
        subset: A hash of their ids.
        batch_size: How many the model sees at once.
        reporter: Who watches.
        expected: Accuracy in [0, 1] that the user expects; None takes what the model's card says.

    Raises:
        ModelError: The model fails.
    """
    return _Preflight(plan, classifier, card, pictures, batch_size, reporter).run(subset, expected)


def few(classifier: Predictor, height: int, width: int) -> int:
    """How many pictures of a size the dearer questions are asked about."""
    if not isinstance(classifier, DifferentiableClassifier):
        return _DEAR
    return _SMALL if min(height, width) < 128 else _LARGE


class _Preflight:
    """One call of :func:`preflight`."""

    def __init__(
        self,
        plan: Plan,
        classifier: Predictor,
        card: DataCard,
        pictures: Sequence[Picture],
        batch_size: int,
        reporter: Reporter,
    ) -> None:
        self.plan = plan
        self.classifier = classifier
        self.card = card
        self.sample = stacked(pictures)
        self.pictures, self.labels = self.sample.pictures, self.sample.labels
        self.reporter = reporter
        self.asker = Asker(classifier, batch_size, reporter.note)
        self.few = few(classifier, *self.pictures.shape[-2:])

    def run(self, subset: str, expected: float | None) -> CheckResult:
        handed_over = self._handed_over()
        with self.classifier.inference():
            self.reporter.checking("accuracy", 0, 1)
            buffers = self._buffers()
            self.logits = self.asker.logits(self.pictures)
            accuracy = self._accuracy(expected)
            questions = self._questions(accuracy, buffers)
            cells = affordable_cells(self.classifier, cells_to_try(self.plan), self.few)
            total = 1 + len(questions) + len(cells)
            evidence = [handed_over, accuracy]
            at_zero = []
            sample = self.sample.first(self.few)
            right = correct(self.logits[: self.few], sample.labels)
            try:
                for done, (about, ask) in enumerate(questions, start=1):
                    self.reporter.checking(about, done, total)
                    evidence.append(ask())
                for done, cell in enumerate(cells, start=1 + len(questions)):
                    self.reporter.checking(f"{cell.transform} at δ = 0", done, total)
                    at_zero.append(right_at_zero(self.asker, cell, sample, right))
            except QueryBudgetError:
                evidence.append(Evidence(notes=("the budget ended before the check did.",)))
            self.reporter.checking("", total, total)
        return CheckResult.of(evidence, pictures=len(self.pictures), subset=subset, at_zero=at_zero)

    def _questions(self, accuracy: Evidence, buffers: Buffers | None) -> list[_Question]:
        model = self.classifier
        black_box = not isinstance(model, DifferentiableClassifier)
        questions: list[_Question] = [
            ("outputs", self._outputs),
            ("label order", self._label_order),
        ]
        if not black_box or accuracy.findings:
            questions.append(("normalisation", self._normalisation))
        questions.append(("randomness", self._repetition))
        if isinstance(model, DifferentiableClassifier) and self._optimises():
            questions.append(("gradients", self._gradients))
        if isinstance(model, DifferentiableClassifier) and buffers is not None:
            questions.append(("state", lambda: buffers.evidence(model.module)))
        return questions

    def _handed_over(self) -> Evidence:
        model = self.classifier
        # What is loaded by name is in the mode that its library makes it in.
        own = model.card.uri.startswith(("module:", "py:"))
        if own and isinstance(model, DifferentiableClassifier):
            return training_note(model.module)
        return Evidence()

    def _buffers(self) -> Buffers | None:
        model = self.classifier
        return Buffers.of(model.module) if isinstance(model, DifferentiableClassifier) else None

    def _optimises(self) -> bool:
        return any(cell.search is not None and cell.search.steps > 0 for cell in self.plan.cells)

    def _accuracy(self, expected: float | None) -> Evidence:
        by = "you"
        space = self.card.label_space
        if expected is None and space is not None and space == self.plan.benchmark.label_space:
            expected, by = self.classifier.card.accuracy, "the model's makers"
        return accuracy_evidence(self.logits, self.labels, expected=expected, by=by)

    def _outputs(self) -> Evidence:
        outputs = outputs_evidence(self.logits, self.labels)
        model = self.classifier
        # Of a black box the logits are logarithms of probabilities by construction.
        if not isinstance(model, DifferentiableClassifier):
            return outputs
        bare = without_head(model)
        if bare is model:
            return outputs.and_also(logits_evidence(self.logits))
        asker = Asker(bare, self.asker.batch_size, self.reporter.note)
        return outputs.and_also(logits_evidence(asker.logits(self.pictures[: self.few])))

    def _label_order(self) -> Evidence:
        if correct(self.logits, self.labels).float().mean() > 1 - GAIN:
            return Evidence()
        return label_order_evidence(
            self.logits,
            self.labels,
            names=self.card.class_names or self._names_of_space(),
            model_names=self.classifier.card.class_names,
        )

    def _names_of_space(self) -> Sequence[str]:
        space = self.card.label_space or self.plan.benchmark.label_space
        if space == "imagenet":
            return imagenet_class_names()
        if space == "imagenet100":
            return imagenet_class_names()[::10]
        return CIFAR10_CLASSES if space == "cifar10" else ()

    def _normalisation(self) -> Evidence:
        card = self.classifier.card
        tried = variants(card.mean, card.std)
        if not isinstance(self.classifier, DifferentiableClassifier):
            tried = tuple(each for each in tried if each.in_range)
        return normalisation_evidence(self.asker, self.pictures, self.labels, self.logits, tried)

    def _repetition(self) -> Evidence:
        differentiable = isinstance(self.classifier, DifferentiableClassifier)
        some = self.pictures[: self.few]
        random = random_evidence(self.asker, some, eot=self.plan.eot)
        if random.findings or random.notes or not differentiable:
            return random
        batches = batch_evidence(self.asker, some)
        return Evidence(batches.findings, batches.notes, random.measurements + batches.measurements)

    def _gradients(self) -> Evidence:
        # Outputs that aren't finite are wrong already, and a finding of their own.
        some = (predictions(self.logits) >= 0).nonzero()[: self.few, 0]
        if not len(some):
            return Evidence()
        gradients = gradients_evidence(self.asker, self.pictures[some], self.labels[some])
        if any(finding.about == NO_GRADIENT for finding in gradients.findings):
            return gradients
        return gradients.and_also(self._cross_check())

    def _cross_check(self) -> Evidence:
        right = correct(self.logits, self.labels).nonzero()[: self.few, 0]
        return cross_check_evidence(
            self.asker,
            self.pictures[right],
            self.labels[right],
            self.logits[right],
            seed=self.plan.seed,
            eot=self.plan.eot,
        )
