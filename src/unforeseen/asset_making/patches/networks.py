"""The networks that a patch is optimised against and measured on."""

__all__ = ["Network", "class_count", "open_networks"]

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from unforeseen.data.dataset import Dataset
from unforeseen.errors import DataError, ModelError, UserError
from unforeseen.label_space import LABEL_SPACES
from unforeseen.models import load_model
from unforeseen.models.classifier import DifferentiableClassifier, Predictor


class Network(NamedTuple):
    """A network.

    Attributes:
        classifier: It has gradients unless it is held out.
        held_out: Whether patches are only measured on it.
    """

    classifier: Predictor
    held_out: bool

    @property
    def differentiable(self) -> DifferentiableClassifier:
        """The classifier of one that isn't held out."""
        assert isinstance(self.classifier, DifferentiableClassifier)
        return self.classifier


def open_networks(
    uris: Sequence[str],
    held_out: Sequence[str],
    *,
    head: Sequence[str],
    device: torch.device,
    report: Callable[[int], None] = lambda _done: None,
) -> list[Network]:
    """Loads networks.

    Args:
        uris: Of those to optimise against, at least one.
        held_out: Of those to measure on only.
        head: As in :func:`unforeseen.models.load_model`, for all of them.
        device: Where to.
        report: Told how many are loaded.

    Raises:
        UserError: One can't be loaded, or is to be both.
        ModelError: One to optimise against has no gradients.
    """
    both = [uri for uri in uris if uri in held_out]
    if both:
        raise UserError(
            f"{both[0]}: expected either --model or --held-out-model, got both. A patch isn't held out from a "
            "model that it is optimised against."
        )
    networks = []
    for uri in dict.fromkeys((*uris, *held_out)):
        networks.append(Network(load_model(uri, device=device, head=head), uri in held_out))
        report(len(networks))
    for each in networks:
        if not each.held_out and not isinstance(each.classifier, DifferentiableClassifier):
            raise ModelError(
                f"{each.classifier.card.uri}: expected a model with gradients to optimise a patch "
                "against, got one that can only be asked. Give it as --held-out-model."
            )
    return networks


def class_count(networks: Sequence[Network], dataset: Dataset, picture_size: int) -> int:
    """How many classes the networks have, which must be those of the labels.

    Args:
        networks: At least one.
        dataset: Whose labels.
        picture_size: Side of the pictures in pixels.

    Raises:
        ModelError: They differ, or there are others than the labels are of.
        DataError: A label is of no class.
    """
    counts = {
        each.classifier.card.uri: each.classifier.card.classes
        or each.classifier.count_classes(picture_size)
        for each in networks
    }
    space = dataset.card.label_space
    (first, classes), *_ = counts.items()
    expected = classes if space is None else LABEL_SPACES[space]
    for uri, count in counts.items():
        if count != expected:
            whose = f"{first} has" if space is None else f"the labels of {dataset.card.uri} are of"
            raise ModelError(
                f"{uri}: expected {expected:,} classes, as {whose}, got {count:,}. Give a --head that "
                "maps its outputs to them."
            )
    if dataset.labels.size and not 0 <= dataset.labels.min() <= dataset.labels.max() < classes:
        raise DataError(
            f"{dataset.card.uri}: expected labels from 0 to {classes - 1:,}, got some from "
            f"{dataset.labels.min():,} to {dataset.labels.max():,}."
        )
    return classes
