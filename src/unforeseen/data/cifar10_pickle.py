"""CIFAR-10's pickled batches, read without calling anything that a pickle names.

The batches were pickled by Python 2 (protocol 2): a dictionary of lists, texts and one numpy array.
A pickle rebuilds an array by naming functions of numpy. Here those names, and no others, lead to
stand-ins that only take notes; the array is then made from checked notes. Batches that today's
Python and numpy wrote again, with any protocol, are read as well.
"""

__all__ = ["load_plain_pickle", "text_of", "whole_numbers"]

import io
import math
import pickle
import re

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from unforeseen.errors import DataError, first_line


class _NotedArray:
    """What a pickle says of an array: made, then told its state, or with it from the beginning."""

    def __init__(self, state: object = None) -> None:
        self.state = state

    def __setstate__(self, state: object) -> None:
        self.state = state


class _NotedType:
    """What a pickle says of a dtype, such as ``u1``."""

    def __init__(self, name: object) -> None:
        self.name = name
        self.state: object = None

    def __setstate__(self, state: object) -> None:
        """Its version, its byte order, and what whole numbers don't have."""
        self.state = state


class _StandIn:
    """What a name leads to; can't be changed by the pickle, as a function of a module could."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *arguments: object) -> object:
        if self._name == "_reconstruct":
            return _NotedArray()
        if self._name == "dtype" and arguments:
            return _NotedType(arguments[0])
        if self._name == "_frombuffer" and len(arguments) == 4:
            content, dtype, shape, order = arguments
            return _NotedArray((1, shape, dtype, order != "C", content))
        if self._name == "encode" and isinstance(arguments[0], str):
            # How Python 3 writes bytes in protocol 2; the other argument is always latin1.
            return arguments[0].encode("latin1")
        raise pickle.UnpicklingError(f"{self._name} is called in another way than batches do")

    def __setstate__(self, state: object) -> None:
        raise pickle.UnpicklingError(f"{self._name} is given a state")


_WHOLE_NUMBERS = re.compile("[iu][1248]")
_STAND_INS = {
    ("numpy.core.multiarray", "_reconstruct"): "_reconstruct",
    ("numpy._core.multiarray", "_reconstruct"): "_reconstruct",
    # Protocol 5.
    ("numpy.core.numeric", "_frombuffer"): "_frombuffer",
    ("numpy._core.numeric", "_frombuffer"): "_frombuffer",
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    ("_codecs", "encode"): "encode",
}


class _Unpickler(pickle.Unpickler):
    @override
    def find_class(self, module: str, name: str, /) -> object:
        if (module, name) not in _STAND_INS:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which no batch needs")
        return _StandIn(_STAND_INS[module, name])


def load_plain_pickle(content: bytes) -> dict[str, object]:
    """Unpickles a dictionary; texts of Python 2 become str, byte for byte.

    Args:
        content: The whole file.

    Raises:
        DataError: It isn't the pickle of a dictionary, or it names anything that a batch of CIFAR-10
            doesn't. The message is one line.
    """
    try:
        unpickled = _Unpickler(io.BytesIO(content), encoding="latin1").load()
    except Exception as error:  # broken pickles raise nearly anything
        raise DataError(f"can't be unpickled safely: {first_line(error)}") from error
    if not isinstance(unpickled, dict):
        raise DataError(f"expected the pickle of a dictionary, got {type(unpickled).__name__}")
    return {text_of(key): value for key, value in unpickled.items() if isinstance(key, str | bytes)}


def whole_numbers(noted: object) -> NDArray[np.integer]:
    """Makes the array that a pickle describes.

    Args:
        noted: A value of :func:`load_plain_pickle`.

    Raises:
        DataError: It isn't an array of whole numbers, all there and in C order.
    """
    match noted.state if isinstance(noted, _NotedArray) else None:
        case (
            int(),
            tuple() as shape,
            _NotedType() as noted_type,
            False | 0,
            (str() | bytes() | bytearray()) as content,
        ):
            dtype, raw = _dtype(noted_type), _raw(content)
        case _:
            raise DataError("expected an array of whole numbers in C order")
    sizes = [size for size in shape if isinstance(size, int) and 0 <= size <= len(raw)]
    if len(sizes) < len(shape) or math.prod(sizes) * dtype.itemsize != len(raw):
        raise DataError(f"expected the shape of an array of {len(raw):,} bytes, got another")
    return np.frombuffer(raw, dtype=dtype).reshape(sizes)


def text_of(value: str | bytes) -> str:
    """A text of a pickle, which Python 3 may have written as bytes."""
    return value.decode("latin1") if isinstance(value, bytes) else value


def _raw(content: str | bytes | bytearray) -> bytes:
    """What Python 2 wrote as text is bytes; other text, of characters beyond 255, is nothing."""
    if isinstance(content, str):
        return content.encode("latin1", errors="ignore")
    return bytes(content)


def _dtype(noted: _NotedType) -> np.dtype[np.integer]:
    match noted:
        case _NotedType(name=str() as name, state=(int(), "<" | ">" | "|" as order, *_)):
            kind = name.removeprefix("|")
            if _WHOLE_NUMBERS.fullmatch(kind):
                return np.dtype(f"{order}{kind}")
    raise DataError("expected an array of whole numbers in C order")
