"""Asking a classifier about many pictures: in batches that fit into memory, within an allowance."""

__all__ = ["Asker"]

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

from unforeseen.errors import QueryBudgetError
from unforeseen.models.classifier import Predictor
from unforeseen.models.memory import is_out_of_memory
from unforeseen.running.batch_size import smaller_batch

_SHARE = 4
_Answer = TypeVar("_Answer")


class Asker:
    """A classifier and the batch size that it can take; halves it where memory runs out.

    Of a black box with a budget, a quarter of what is left at first may be asked about, but one
    picture always. The rest is for rows.

    Args:
        classifier: Inside its ``inference()``.
        batch_size: How many pictures it is to see at once, at most.
        note: Told when the batch is halved.
    """

    def __init__(
        self, classifier: Predictor, batch_size: int, note: Callable[[str], None] = lambda _: None
    ) -> None:
        self.classifier = classifier
        self.batch_size = batch_size
        self._note = note
        left = classifier.queries_left
        self._least_left = None if left is None else left - max(1, left // _SHARE)

    @property
    def left(self) -> int | None:
        """Pictures that may still be asked about; None where there is no budget."""
        left = self.classifier.queries_left
        if left is None or self._least_left is None:
            return None
        return max(0, left - self._least_left)

    def may_ask(self, pictures: int) -> bool:
        """Whether so many pictures may still be asked about."""
        left = self.left
        return left is None or pictures <= left

    def logits(
        self,
        pictures: Tensor,
        change: Callable[[Tensor], Tensor] | None = None,
        *,
        which: int = 0,
    ) -> Tensor:
        """The answers to pictures, without gradients.

        Args:
            pictures: (N, 3, H, W) on the CPU, uint8, or floating point in [0, 1].
            change: What is done to them first, batch by batch.
            which: Of several passes over the same pictures.

        Returns:
            (N, classes) on the CPU.

        Raises:
            ModelError: The model fails, or not even one picture fits into memory.
            QueryBudgetError: So many pictures may not be asked about any more; none was.
        """
        if not self.may_ask(len(pictures)):
            left = self.left or 0
            asked = self.classifier.queries or 0
            raise QueryBudgetError(self.classifier.card.uri, budget=asked + left, left=left)

        def ask(batch_size: int) -> Tensor:
            answers = []
            for part in torch.split(pictures, batch_size):
                x = self.on_device(part)
                with torch.no_grad():
                    x = change(x) if change else x
                    answers.append(self.classifier.logits(x, pass_number=which).cpu())
            return torch.cat(answers)

        return self.halving(ask)

    def on_device(self, pictures: Tensor) -> Tensor:
        """Pictures as the classifier takes them: floating point in [0, 1], on its device."""
        x = pictures.to(self.classifier.device)
        return x if x.is_floating_point() else x.float() / 255

    def halving(self, ask: Callable[[int], _Answer]) -> _Answer:
        """Calls a function with a batch size, again with half of it where memory ran out.

        Raises:
            ModelError: Not even one picture fits.
        """
        while True:
            try:
                return ask(self.batch_size)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                self.batch_size = smaller_batch(self.classifier, self.batch_size, error)
            self._note(f"check: out of memory; going on with batches of {self.batch_size}.")
