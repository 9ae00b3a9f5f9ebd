"""What to do where a batch doesn't fit into memory: halve it."""

__all__ = ["smaller_batch"]

import torch

from unforeseen.errors import ModelError
from unforeseen.models.classifier import Predictor


def smaller_batch(classifier: Predictor, batch_size: int, error: Exception) -> int:
    """Half of a batch size that was too large; frees what the failed attempt left on a GPU.

    Args:
        classifier: Whose batch.
        batch_size: What it was.
        error: What it ended with.

    Raises:
        ModelError: It was a single picture.
    """
    if batch_size == 1:
        raise ModelError(
            f"{classifier.card.uri}: out of memory with a single picture. Give it another "
            "--device, or end what else fills the memory."
        ) from error
    if classifier.device.type == "cuda":
        torch.cuda.empty_cache()
    return max(1, batch_size // 2)
