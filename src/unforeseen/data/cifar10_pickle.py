"""CIFAR-10's pickled batches, read without calling anything that a pickle names.

The batches were pickled by Python 2 (protocol 2): a dictionary of lists, texts and one numpy array.
A pickle rebuilds an array by naming functions of numpy. Here those names, and no others, lead to
stand-ins that only take notes; the array is then made from checked notes.
"""

__all__ = ["load_plain_pickle", "unsigned_bytes"]

import io
import math
import pickle

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from unforeseen.errors import DataError, first_line


class _NotedArray:
    """What a pickle says of an array; made by ``_reconstruct``, then told its state."""

    def __init__(self) -> None:
        self.state: object = None

    def __setstate__(self, state: object) -> None:
        self.state = state


class _NotedType:
    """What a pickle says of a dtype, such as ``u1``."""

    def __init__(self, name: object) -> None:
        self.name = name

    def __setstate__(self, state: object) -> None:
        """Byte order and the like: nothing that bytes have."""


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
        if self._name == "encode" and isinstance(arguments[0], str):
            # How Python 3 writes bytes in protocol 2; the other argument is always latin1.
            return arguments[0].encode("latin1")
        raise pickle.UnpicklingError(f"{self._name} is called in another way than batches do")

    def __setstate__(self, state: object) -> None:
        raise pickle.UnpicklingError(f"{self._name} is given a state")


_STAND_INS = {
    ("numpy.core.multiarray", "_reconstruct"): "_reconstruct",
    ("numpy._core.multiarray", "_reconstruct"): "_reconstruct",
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
    return {_text(key): value for key, value in unpickled.items()}


def unsigned_bytes(noted: object) -> NDArray[np.uint8]:
    """Makes the array that a pickle describes.

    Args:
        noted: A value of :func:`load_plain_pickle`.

    Raises:
        DataError: It isn't an array of unsigned bytes, whole and in C order.
    """
    state = noted.state if isinstance(noted, _NotedArray) else None
    match state:
        case (int(), tuple() as shape, _NotedType(name="u1" | "|u1"), False | 0, str() as text):
            content = text.encode("latin1")
        case (int(), tuple() as shape, _NotedType(name="u1" | "|u1"), False | 0, bytes() as raw):
            content = raw
        case _:
            raise DataError("expected an array of unsigned bytes in C order")
    sizes = [size for size in shape if isinstance(size, int) and size >= 0]
    if len(sizes) < len(shape) or math.prod(sizes) != len(content):
        raise DataError(f"expected the shape of {len(content)} bytes, got {shape!s:.80}")
    return np.frombuffer(content, dtype=np.uint8).reshape(sizes)


def _text(key: object) -> str:
    return key.decode("latin1") if isinstance(key, bytes) else str(key)
