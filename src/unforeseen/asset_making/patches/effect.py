"""What a patch does to networks: how often they are right with and without it, and name its target."""

__all__ = ["Effect", "Measurement"]

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from unforeseen.asset_making.patches.conditions import CONDITIONS, Condition, pictures_in
from unforeseen.asset_making.patches.networks import Network
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.targets import Target
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
_SHARES = ("accuracy", "target_rate", "super_class_accuracy")
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


class Measurement:
    """What networks say of pictures without a patch, with it anywhere, and under AdversarialPatches.

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
    """

    def __init__(
        self,
        target: Target,
        pack: AssetPack,
        networks: Sequence[Network],
        dataset: Dataset,
        indices: Sequence[int],
        recipe: PatchRecipe,
        *,
        report: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        self._target = target
        self._pack = pack
        self._networks = networks
        self._dataset = dataset
        self._indices = indices
        self._recipe = recipe
        self._report = report
        self._done = 0
        of_imagenet = dataset.card.label_space == "imagenet"
        #: Network by network, in the order of the conditions.
        self._counts = [_Counts(of_imagenet=of_imagenet) for _ in networks for _ in CONDITIONS]

    def rest(self) -> Generator[None, None, None]:
        """Asks about what is left, a batch from one to the next; raises ModelError where a network fails."""
        chosen = [(index, str(index)) for index in self._indices[self._done :]]
        if chosen:
            self._report(self._done, len(self._indices))
        with ExitStack() as stack:
            for each in self._networks:
                stack.enter_context(each.classifier.inference())
            found = stack.enter_context(
                closing(stream_pictures(self._dataset, chosen, self._recipe.preprocessing))
            )
            while batch := list(islice(found, _BATCH)):
                self._ask([each for each in batch if isinstance(each, Picture)])
                self._done += len(batch)
                self._report(self._done, len(self._indices))
                yield

    def effects(self) -> list[Effect]:
        """What came out, network by network, in the order of the conditions.

        Raises:
            DataError: No picture can be read.
        """
        if self._counts[0].share("accuracy") is None:
            raise DataError(
                f"{self._dataset.card.uri}: expected pictures to measure on; none can be read."
            )
        asked = ((network, condition) for network in self._networks for condition in CONDITIONS)
        return [
            counts.effect(network, condition)
            for counts, (network, condition) in zip(self._counts, asked, strict=True)
        ]

    def state(self) -> dict[str, Any]:
        """What it goes on from, in numbers."""
        return {"done": self._done, "counts": [each.state() for each in self._counts]}

    def go_on_from(self, state: Mapping[str, Any]) -> None:
        """Takes a state back that was one of this measurement's; raises many types for others."""
        done = state["done"]
        if type(done) is not int or not 0 <= done <= len(self._indices):
            raise ValueError("expected how many pictures are done")
        for counts, each in zip(self._counts, state["counts"], strict=True):
            counts.go_on_from(each, at_most=done)
        self._done = done

    def _ask(self, pictures: Sequence[Picture]) -> None:
        if not pictures:
            return
        labels = torch.tensor([each.label for each in pictures])
        for column, condition in enumerate(CONDITIONS):
            shown = pictures_in(condition, pictures, self._target.patch, self._pack, self._recipe)
            for row, network in enumerate(self._networks):
                with torch.no_grad():
                    logits = network.classifier.logits(shown.to(network.classifier.device)).cpu()
                counts = self._counts[row * len(CONDITIONS) + column]
                counts.add(logits, labels, self._target.number)


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
            accuracy=self.share("accuracy"),
            target_rate=self.share("target_rate"),
            super_class_accuracy=self.share("super_class_accuracy"),
        )

    def share(self, what: str) -> Estimate | None:
        """One of them; None of no pictures."""
        return wilson(self._right[what], self._of[what])

    def state(self) -> dict[str, list[int]]:
        """Of each share how often it was so, and of how many pictures."""
        return {what: [self._right[what], count] for what, count in self._of.items()}

    def go_on_from(self, state: Mapping[str, Any], *, at_most: int) -> None:
        """Takes a state back, of so many pictures at most; raises many types for others."""
        for what, (right, count) in state.items():
            if not (
                what in _SHARES
                and (type(right), type(count)) == (int, int)
                and 0 <= right <= count <= at_most
            ):
                raise ValueError("expected counts of pictures")
            self._right[what], self._of[what] = right, count

    def _count(self, what: str, verdicts: Tensor) -> None:
        self._right[what] += int(verdicts.sum())
        self._of[what] += len(verdicts)


@cache
def _super_class_of() -> Mapping[int, int]:
    """Class of ImageNet → super-class."""
    members = enumerate(super_classes().values())
    return {each: number for number, group in members for each in group}


@cache
def _by_super_class() -> HeadLayer:
    return HeadLayer(HEADS[_OF_SUPER_CLASSES].make(), _OF_SUPER_CLASSES)
