"""A classifier behind a head (:mod:`unforeseen.models.heads`)."""

__all__ = ["with_head", "without_head"]

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from torch import Tensor, nn

from unforeseen.models.cards import HeadCard, ModelCard
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.head_layer import HeadLayer
from unforeseen.models.heads import Head, load_head

_USUAL_SIDE = 224


def with_head(
    classifier: Predictor,
    head: str | Head | Sequence[str | Head],
    *,
    image_size: tuple[int, int] | None = None,
) -> Predictor:
    """A classifier whose scores are those of a head's classes.

    It has gradients if ``classifier`` has. Its card keeps the model's fingerprint and names the
    head beside it.

    Args:
        classifier: Whose outputs to map; it isn't changed.
        head: As in :func:`load_head`, or made; of several each maps what the one before it gives.
        image_size: Height and width in pixels of the picture that the model is asked about where
            only that tells its number of outputs; None takes its own, else 224 × 224.

    Raises:
        UnknownNameError: There is no such head.
        ModelError: The head doesn't fit the model.
        UserError: An option is malformed.
    """
    for each in [head] if isinstance(head, str | Head) else head:
        card = classifier.card
        outputs = card.classes or classifier.count_classes(image_size or _own_size(card))
        made = load_head(each, card, outputs) if isinstance(each, str) else each
        headed = _card_with(card, made)
        layer = HeadLayer(made, card.uri).to(classifier.device)
        if isinstance(classifier, DifferentiableClassifier):
            module = nn.Sequential(classifier.module, layer)
            classifier = DifferentiableClassifier(module, headed, classifier.device)
        else:
            classifier = _HeadedPredictor(classifier, layer, headed)
    return classifier


def without_head(classifier: DifferentiableClassifier) -> DifferentiableClassifier:
    """The classifier whose outputs :func:`with_head` mapped; the same where it has no head."""
    module = classifier.module
    while isinstance(module, nn.Sequential) and isinstance(module[-1], HeadLayer):
        module = module[0]
    if module is classifier.module:
        return classifier
    return DifferentiableClassifier(module, classifier.card, classifier.device)


class _HeadedPredictor(Predictor):
    """A classifier without gradients behind a head."""

    def __init__(self, predictor: Predictor, layer: HeadLayer, card: ModelCard) -> None:
        self._predictor = predictor
        self._layer = layer
        self.card = card
        self.device = predictor.device

    def logits(self, x: Tensor, *, pass_number: int = 0) -> Tensor:
        """See the base class."""
        scores: Tensor = self._layer(self._predictor.logits(x, pass_number=pass_number))
        return scores

    @property
    def queries(self) -> int | None:
        """The inner classifier's."""
        return self._predictor.queries

    @property
    def queries_left(self) -> int | None:
        """The inner classifier's."""
        return self._predictor.queries_left

    def afford(self, x: Tensor, *, passes: int) -> None:
        """The inner classifier's."""
        self._predictor.afford(x, passes=passes)

    def report_to(self, note: Callable[[str], None]) -> None:
        """The inner classifier's."""
        self._predictor.report_to(note)

    @contextmanager
    def inference(self) -> Iterator[None]:
        """The inner classifier's."""
        with self._predictor.inference():
            yield


def _own_size(card: ModelCard) -> tuple[int, int]:
    crop = card.preprocessing.crop if card.preprocessing else None
    return crop or (_USUAL_SIDE, _USUAL_SIDE)


def _card_with(card: ModelCard, head: Head) -> ModelCard:
    """The model's card with the head on it, after any that is there."""
    names = head.class_names
    if not names and len(card.class_names) == head.outputs:
        names = tuple(card.class_names[group[0]] for group in head.groups)
    name, mapping, outputs = head.name, head.mapping, head.outputs
    if card.head is not None:
        name = f"{card.head.name} + {head.name}"
        mapping = hashlib.sha256(f"{card.head.mapping}{head.mapping}".encode()).hexdigest()[:32]
        outputs = card.head.outputs
    return replace(
        card,
        classes=len(head.groups),
        class_names=names,
        accuracy=card.accuracy if head.keeps_accuracy else None,
        head=HeadCard(
            name=name, outputs=outputs, mapping=mapping, class_names=tuple(head.class_names)
        ),
    )
