"""What a user's function returned, as an array of real numbers."""

__all__ = ["as_array"]

import inspect
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.errors import ModelError, first_line


def as_array(answer: object, expected: str) -> NDArray[Any]:
    """Takes arrays, tensors and lists of numbers of any kind.

    Args:
        answer: What was returned.
        expected: What should have been, for messages.

    Returns:
        Of any shape and real type.

    Raises:
        ModelError: It is something else.
    """
    if inspect.iscoroutine(answer):
        answer.close()  # or Python warns of it, too
        raise ModelError(
            f"{expected}, got a coroutine: the function is async. Give one that waits for it, by "
            "asyncio.run."
        )
    try:
        array = np.asarray(_for_numpy(answer))
        if array.dtype.kind == "O" and all(isinstance(each, Number) for each in array.flat):
            array = array.astype(np.float64)  # Decimal, Fraction
    except MemoryError:
        raise
    except ValueError as error:
        raise ModelError(f"{expected}, got rows of different lengths.") from error
    except Exception as error:
        raise ModelError(
            f"{expected}, got {type(answer).__name__}, of which numpy can't make an array: "
            f"{first_line(error)}"
        ) from error
    return array


def _for_numpy(answer: object) -> object:
    """A tensor on the CPU and in a type that numpy has; anything else as it is."""
    if not isinstance(answer, Tensor):
        return answer
    tensor = answer.detach().cpu()
    return tensor.double() if tensor.is_floating_point() else tensor
