"""A classifier behind a head (:mod:`unforeseen.models.heads`)."""

__all__ = ["with_head", "without_head"]

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.models.classifier import (
    DifferentiableClassifier,
    HeadCard,
    ModelCard,
    Predictor,
)
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
        layer = _HeadLayer(made, card.uri).to(classifier.device)
        if isinstance(classifier, DifferentiableClassifier):
            module = nn.Sequential(classifier.module, layer)
            classifier = DifferentiableClassifier(module, headed, classifier.device)
        else:
            classifier = _HeadedPredictor(classifier, layer, headed)
    return classifier


def without_head(classifier: DifferentiableClassifier) -> DifferentiableClassifier:
    """The classifier whose outputs :func:`with_head` mapped; the same where it has no head."""
    module = classifier.module
    while isinstance(module, nn.Sequential) and isinstance(module[-1], _HeadLayer):
        module = module[0]
    if module is classifier.module:
        return classifier
    return DifferentiableClassifier(module, classifier.card, classifier.device)


class _HeadLayer(nn.Module):
    """Applies a head to logits (B, outputs); gives (B, classes)."""

    members: Tensor
    absent: Tensor
    offset: Tensor

    def __init__(self, head: Head, uri: str) -> None:
        super().__init__()
        self._head = head
        self._uri = uri
        longest = max(map(len, head.groups))
        padded = [[*group, *[0] * (longest - len(group))] for group in head.groups]
        sizes = torch.tensor([len(group) for group in head.groups])
        self.register_buffer("members", torch.tensor(padded))
        self.register_buffer("absent", torch.arange(longest) >= sizes[:, None])
        self.register_buffer("offset", sizes.double().log() * (head.combine == "mean"))

    def forward(self, logits: Tensor) -> Tensor:
        # What isn't logits goes on as it is: the classifier says what is wrong with it.
        if not isinstance(logits, Tensor) or logits.ndim != 2 or not logits.is_floating_point():
            return logits
        if logits.shape[1] != self._head.outputs:
            raise ModelError(
                f"{self._uri}: head {self._head.name} is for {self._head.outputs:,} outputs, got "
                f"{logits.shape[1]:,}."
            )
        if self.members.shape[1] == 1:
            return logits[:, self.members[:, 0]]
        scores = logits if logits.dtype == torch.float64 else logits.float()
        members = scores[:, self.members].masked_fill(self.absent, -math.inf)
        return members.logsumexp(dim=2) - self.offset.to(scores)


class _HeadedPredictor(Predictor):
    """A classifier without gradients behind a head."""

    def __init__(self, predictor: Predictor, layer: _HeadLayer, card: ModelCard) -> None:
        self._predictor = predictor
        self._layer = layer
        self.card = card
        self.device = predictor.device

    def logits(self, x: Tensor) -> Tensor:
        """See the base class."""
        scores: Tensor = self._layer(self._predictor.logits(x))
        return scores

    @property
    def queries(self) -> int | None:
        """The inner classifier's."""
        return self._predictor.queries

    @property
    def queries_left(self) -> int | None:
        """The inner classifier's."""
        return self._predictor.queries_left

    def begin_pass(self, number: int) -> None:
        """The inner classifier's."""
        self._predictor.begin_pass(number)

    def forget(self) -> None:
        """The inner classifier's."""
        self._predictor.forget()

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
        head=HeadCard(name=name, outputs=outputs, mapping=mapping),
    )
