"""What a patch does to networks: how often they are right with and without it, and name its target."""

__all__ = ["Effect", "measure"]

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Self

import torch
from torch import Tensor

from unforeseen.adversarial_patches.conditions import CONDITIONS, Condition, pictures_in
from unforeseen.adversarial_patches.networks import Network
from unforeseen.adversarial_patches.recipe import PatchRecipe
from unforeseen.adversarial_patches.targets import Target
from unforeseen.data.dataset import Dataset
from unforeseen.data.pictures import Picture, stream_pictures
from unforeseen.data.super_classes import super_classes
from unforeseen.errors import DataError
from unforeseen.metrics.estimate import Estimate
from unforeseen.metrics.wilson import wilson
from unforeseen.models.head_layer import HeadLayer
from unforeseen.models.heads import HEADS
from unforeseen.transforms.assets.pack import AssetPack

#: How many pictures networks see at a time.
_BATCH = 16
_OF_SUPER_CLASSES = "imagenet16"


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What one network said of pictures in one condition.

    Attributes:
        network: Its URI.
        held_out: Whether the patch was not optimised against it.
        condition: Of the pictures.
        accuracy: Share of the pictures that it took for what they are.
        target_rate: Share of the pictures of other classes that it took for the target; None without a
            target.
        super_class_accuracy: Of the pictures of ImageNet's 16 super-classes, the share of which it
            named the right one, by the mean of its members' probabilities: what the benchmark
            image-obfuscation counts. None where labels aren't known to be ImageNet's classes.
    """

    network: str
    held_out: bool
    condition: Condition
    accuracy: Estimate | None
    target_rate: Estimate | None
    super_class_accuracy: Estimate | None

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            name: value.to_record() if isinstance(value, Estimate) else value
            for name, value in vars(self).items()
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Takes back what :meth:`to_record` gave; raises TypeError or ValueError for anything else."""
        read: dict[str, Any] = {
            name: _estimate(value) if isinstance(value, dict) else value
            for name, value in record.items()
        }
        effect = cls(**read)
        shares = (effect.accuracy, effect.target_rate, effect.super_class_accuracy)
        if not (
            isinstance(effect.network, str)
            and isinstance(effect.held_out, bool)
            and effect.condition in CONDITIONS
            and all(each is None or isinstance(each, Estimate) for each in shares)
        ):
            raise ValueError("expected an effect")
        return effect


def measure(
    target: Target,
    pack: AssetPack,
    networks: Sequence[Network],
    dataset: Dataset,
    indices: Sequence[int],
    recipe: PatchRecipe,
    *,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Effect]:
    """Asks every network about pictures without the patch, with it anywhere, and under AdversarialPatches.

    All networks see the same pictures, rounded to 8 bits. Places are drawn from the seed and the picture's
    number. Unreadable pictures count nowhere.

    Args:
        target: Says which patch, and what it leads to.
        pack: Where it lies.
        networks: To ask.
        dataset: Whose pictures.
        indices: Which of them.
        recipe: Says the pictures' size, the seed and the places.
        report: Told how many pictures are done, and of how many.

    Returns:
        Network by network, in the order of :data:`CONDITIONS`.

    Raises:
        DataError: No picture can be read.
        ModelError: A network fails.
    """
    chosen = [(index, str(index)) for index in indices]
    of_imagenet = dataset.card.label_space == "imagenet"
    counts = {
        (row, condition): _Counts(of_imagenet=of_imagenet)
        for row in range(len(networks))
        for condition in CONDITIONS
    }
    done = 0
    report(done, len(indices))
    with ExitStack() as stack:
        for each in networks:
            stack.enter_context(each.classifier.inference())
        for pictures in _in_batches(
            each
            for each in stream_pictures(dataset, chosen, recipe.preprocessing)
            if isinstance(each, Picture)
        ):
            labels = torch.tensor([each.label for each in pictures])
            for condition in CONDITIONS:
                shown = pictures_in(condition, pictures, target.patch, pack, recipe)
                for row, network in enumerate(networks):
                    with torch.no_grad():
                        logits = network.classifier.logits(
                            shown.to(network.classifier.device)
                        ).cpu()
                    counts[row, condition].add(logits, labels, target.number)
            done += len(pictures)
            report(done, len(indices))
    if not done:
        raise DataError(f"{dataset.card.uri}: expected pictures to measure on; none can be read.")
    return [
        counts[row, condition].effect(network, condition)
        for row, network in enumerate(networks)
        for condition in CONDITIONS
    ]


def _estimate(record: Mapping[str, Any]) -> Estimate:
    read = Estimate(**record)
    if read != wilson(round(read.value * read.n), read.n):
        raise ValueError("expected a share of pictures with Wilson's interval")
    return read


class _Counts:
    """How often a network was right, and named the target."""

    def __init__(self, *, of_imagenet: bool) -> None:
        self._of_imagenet = of_imagenet
        self._right = Counter[str]()
        self._of = Counter[str]()

    def add(self, logits: Tensor, labels: Tensor, target: int | None) -> None:
        """Counts a batch; a picture with scores that aren't finite counts as wrong."""
        finite = logits.isfinite().all(dim=1)
        said = logits.nan_to_num().argmax(dim=1)
        self._count("accuracy", (said == labels) & finite)
        if target is not None:
            self._count("target_rate", ((said == target) & finite)[labels != target])
        if self._of_imagenet:
            own = torch.tensor([_super_class_of().get(int(label), -1) for label in labels])
            named = _by_super_class()(logits.nan_to_num()).argmax(dim=1)
            self._count("super_class_accuracy", ((named == own) & finite)[own >= 0])

    def effect(self, network: Network, condition: Condition) -> Effect:
        """What came out."""
        return Effect(
            network=network.classifier.card.uri,
            held_out=network.held_out,
            condition=condition,
            accuracy=self._share("accuracy"),
            target_rate=self._share("target_rate"),
            super_class_accuracy=self._share("super_class_accuracy"),
        )

    def _count(self, what: str, verdicts: Tensor) -> None:
        self._right[what] += int(verdicts.sum())
        self._of[what] += len(verdicts)

    def _share(self, what: str) -> Estimate | None:
        return wilson(self._right[what], self._of[what])


@cache
def _super_class_of() -> Mapping[int, int]:
    """Class of ImageNet → super-class."""
    members = enumerate(super_classes().values())
    return {each: number for number, group in members for each in group}


@cache
def _by_super_class() -> HeadLayer:
    return HeadLayer(HEADS[_OF_SUPER_CLASSES].make(), _OF_SUPER_CLASSES)


def _in_batches(pictures: Iterable[Picture]) -> Iterator[list[Picture]]:
    waiting = iter(pictures)
    while batch := list(islice(waiting, _BATCH)):
        yield batch
