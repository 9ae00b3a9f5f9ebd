"""How many pictures a model sees at once, and half as many where they don't fit into memory."""

__all__ = ["batch_size_for", "smaller_batch"]

import torch

from unforeseen.errors import AttackError, AttackMemoryError, ModelError
from unforeseen.models.classifier import Predictor
from unforeseen.running.plan import Plan
from unforeseen.running.run_settings import LARGEST_BATCH_ASKED
from unforeseen.whole import whole_number

#: Pictures seen at once per 224 × 224 pixels, where the user names no number; a multiple of 16 so
#: that a half and a quarter of it still fill the vector units evenly.
PICTURES_AT_224 = {"cpu": 16, "cuda": 128, "mps": 32}
LARGEST_BATCH = {"cpu": 128, "cuda": 1024, "mps": 256}


def batch_size_for(plan: Plan, device: torch.device, asked: int | None = None) -> int:
    """Pictures that a model sees at once: as many as asked for, or by their size and the device.

    Raises:
        UserError: ``asked`` is out of range.
    """
    if asked is not None:
        return whole_number("batch size", asked, minimum=1, maximum=LARGEST_BATCH_ASKED)
    height, width = plan.picture_size
    scale = 224 * 224 / (height * width)
    kind = device.type if device.type in PICTURES_AT_224 else "cpu"
    fitting = int(PICTURES_AT_224[kind] * scale)
    return min(LARGEST_BATCH[kind], max(4, fitting - fitting % 16 or fitting))


def smaller_batch(classifier: Predictor, batch_size: int, error: Exception) -> int:
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
