"""Telling by its error that a batch didn't fit into memory."""

__all__ = ["is_out_of_memory"]

import torch

from unforeseen.errors import first_line

#: What torch says when memory ran out, other than by its own exception type.
_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def is_out_of_memory(error: Exception) -> bool:
    """Whether a smaller batch might help: the CPU's and MPS's allocators raise RuntimeError."""
    return isinstance(error, MemoryError | torch.cuda.OutOfMemoryError) or (
        isinstance(error, RuntimeError)
        and any(words in first_line(error) for words in _OUT_OF_MEMORY)
    )
