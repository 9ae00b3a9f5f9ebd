"""Whether what a stranger's file gave holds nothing but texts, finite numbers and finite tensors, and not too much.

A value may stand in many places of a file that is small: a list that holds another one twice, which
holds … is read at once, and never looked through. So every place counts, not every value.
"""

__all__ = ["expect_sound"]

import math

import torch
from torch import Tensor

#: Bytes that a number or a container counts as.
_PLACE = 64
_DTYPES = (torch.float32, torch.float64)


def expect_sound(content: object, *, at_most: int) -> None:
    """Looks through lists, tuples and dicts down to what they hold.

    Args:
        content: What was read.
        at_most: Bytes that it may take if nothing is shared, about 64 for each place beside what texts and
            tensors hold.

    Raises:
        ValueError: It holds something else, a number that isn't finite, or too much.
    """
    waiting, size = [content], 0
    while waiting:
        value = waiting.pop()
        size += _PLACE + _own_size(value)
        if isinstance(value, dict):
            if not all(isinstance(key, str | int) for key in value):
                raise ValueError("keys that are no texts or numbers")
            waiting += value
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
        # What waits counts at once: a long list that holds itself would fill memory otherwise.
        if size + _PLACE * len(waiting) > at_most:
            raise ValueError("too much")


def _own_size(value: object) -> int:
    """Bytes, without what a container holds; raises ValueError for what isn't sound."""
    if isinstance(value, Tensor):
        # One number may stand for a million of a tensor, which would fill memory.
        if (
            value.dtype in _DTYPES
            and value.nbytes <= value.untyped_storage().nbytes()
            and bool(value.isfinite().all())
        ):
            return value.nbytes
    elif isinstance(value, str):
        return len(value)
    elif value is None or isinstance(value, dict | list | tuple):
        return 0
    elif isinstance(value, int):
        return value.bit_length() // 8
    elif isinstance(value, float) and math.isfinite(value):
        return 0
    raise ValueError("not a text, a finite number or a finite tensor")
