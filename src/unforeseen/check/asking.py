"""Asking a classifier about many pictures, in batches that fit into memory."""

__all__ = ["Asker"]

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

from unforeseen.models.classifier import Predictor
from unforeseen.models.memory import is_out_of_memory, smaller_batch

_Answer = TypeVar("_Answer")


class Asker:
    """A classifier and the batch size that it can take; halves it where memory runs out.

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
        """

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
