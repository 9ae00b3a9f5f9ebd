"""What to do where a batch doesn't fit into memory: tell it by the error, and halve the batch."""

__all__ = ["is_out_of_memory", "smaller_batch"]

from typing import TYPE_CHECKING

import torch

from unforeseen.errors import AttackError, AttackMemoryError, ModelError, first_line

if TYPE_CHECKING:  # classifiers themselves ask what is_out_of_memory says
    from unforeseen.models.classifier import Predictor

#: What torch says when memory ran out, other than by its own exception type.
_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def is_out_of_memory(error: Exception) -> bool:
    """Whether a smaller batch might help: the CPU's and MPS's allocators raise RuntimeError."""
    return isinstance(error, MemoryError | torch.cuda.OutOfMemoryError) or (
        isinstance(error, RuntimeError)
        and any(words in first_line(error) for words in _OUT_OF_MEMORY)
    )


def smaller_batch(classifier: "Predictor", batch_size: int, error: Exception) -> int:
    """Half of a batch size that was too large; frees what the failed attempt left on a GPU.

    Args:
        classifier: Whose batch.
        batch_size: What it was.
        error: What it ended with.

    Raises:
        ModelError: It was a single picture.
        AttackError: Likewise, and a user-made attack's code ran out of memory.
    """
    if batch_size == 1:
        advice = "Take another --device, or end what else fills the memory."
        if isinstance(error, AttackMemoryError):
            raise AttackError(f"{error} (with a single picture). {advice}") from error
        raise ModelError(
            f"{classifier.card.uri}: out of memory with a single picture. {advice}"
        ) from error
    if classifier.device.type == "cuda":
        torch.cuda.empty_cache()
    return max(1, batch_size // 2)
