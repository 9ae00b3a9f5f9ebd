"""Pickles as Python 2 wrote them: protocol 2, texts as bytes, numpy's names of that time."""

__all__ = ["pickled"]

import struct
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Value = str | int | list[str] | list[int] | NDArray[np.uint8]


def pickled(content: Mapping[str, Value]) -> bytes:
    """``cPickle.dump(content, file, 2)`` of Python 2, opcode by opcode."""
    items = b"".join(_text(key) + _value(value) for key, value in content.items())
    return b"\x80\x02}(" + items + b"u."


def _value(value: Value) -> bytes:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return b"J" + struct.pack("<i", value)
    if isinstance(value, list):
        return b"](" + b"".join(_value(each) for each in value) + b"e"
    return _array(value)


def _text(value: str) -> bytes:
    return _bytes(value.encode("latin1"))


def _bytes(value: bytes) -> bytes:
    return b"T" + struct.pack("<i", len(value)) + value


def _array(value: NDArray[np.uint8]) -> bytes:
    empty = b"cnumpy.core.multiarray\n_reconstruct\n" + (
        b"cnumpy\nndarray\n" + _value(0) + b"\x85" + _text("b") + b"\x87R"
    )
    dtype = b"cnumpy\ndtype\n" + _text("u1") + _value(0) + _value(1) + b"\x87R"
    dtype += b"(" + _value(3) + _text("|") + b"NNN" + _value(-1) + _value(-1) + _value(0) + b"tb"
    shape = b"(" + b"".join(_value(size) for size in value.shape) + b"t"
    return empty + b"(" + _value(1) + shape + dtype + b"\x89" + _bytes(value.tobytes()) + b"tb"
