"""How many pictures a model sees at once."""

__all__ = ["LARGEST_ASKED", "batch_size_for"]

import torch

from unforeseen.running.plan import Plan
from unforeseen.whole import whole_number

#: Pictures seen at once per 224 × 224 pixels, where the user names no number; a multiple of 16 so
#: that a half and a quarter of it still fill the vector units evenly.
PICTURES_AT_224 = {"cpu": 16, "cuda": 128, "mps": 32}
LARGEST_BATCH = {"cpu": 128, "cuda": 1024, "mps": 256}
#: Batches are padded, so that one beyond all reason would fill the memory with a single picture.
LARGEST_ASKED = 65_536


def batch_size_for(plan: Plan, device: torch.device, asked: int | None = None) -> int:
    """Pictures that a model sees at once: as many as asked for, or by their size and the device.

    Raises:
        UserError: ``asked`` is out of range.
    """
    if asked is not None:
        return whole_number("batch size", asked, minimum=1, maximum=LARGEST_ASKED)
    height, width = plan.picture_size
    scale = 224 * 224 / (height * width)
    kind = device.type if device.type in PICTURES_AT_224 else "cpu"
    fitting = int(PICTURES_AT_224[kind] * scale)
    return min(LARGEST_BATCH[kind], max(4, fitting - fitting % 16 or fitting))
