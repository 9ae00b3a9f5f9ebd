"""``tf.train.Example``: a record's content, as named lists of bytes, numbers or whole numbers.

Source: TensorFlow's ``example.proto`` and ``feature.proto``, and the encoding of protocol buffers. ::

    Example      { Features features = 1; }
    Features     { map<string, Feature> feature = 1; }    an entry: { key = 1; value = 2; }
    Feature      { BytesList = 1 | FloatList = 2 | Int64List = 3; }
    …List        { repeated bytes | float | int64 value = 1; }
"""

__all__ = ["LEFT_OUT", "Values", "encode_example", "parse_example"]

import struct
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from unforeseen.errors import DataError

#: What a feature holds.
Values = list[bytes] | list[float] | list[int]

#: In place of bytes that are longer than was asked for.
LEFT_OUT = b"\0left out"

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_BYTES, _FLOATS, _INTEGERS = 1, 2, 3
_LONGEST_VARINT = 10
_LONGEST_NAME = 1000
_MOST_FEATURES = 1000
#: Values of a feature; a picture of 224×224 as numbers has 150,528.
_MOST_VALUES = 200_000


class _Field(NamedTuple):
    """A field of a message: its number, its kind, and where its content lies or what it is."""

    number: int
    wire: int
    begin: int
    end: int
    value: int


def parse_example(content: bytes, *, longest: int | None = None) -> dict[str, Values]:
    """Reads an example that a stranger may have written.

    Args:
        content: All of it.
        longest: Bytes of a value that are taken; for a longer one stands :data:`LEFT_OUT`. None takes
            all.

    Raises:
        DataError: It isn't one.
    """
    found: dict[str, Values] = {}
    for features in _fields(content, 0, len(content)):
        if features.number != 1:
            continue
        for entry in _fields(content, *_message(features)):
            if entry.number != 1:
                continue
            name, values = _entry(content, *_message(entry), longest)
            found[name] = values
            if len(found) > _MOST_FEATURES:
                raise DataError(f"expected at most {_MOST_FEATURES} features, got more")
    return found


def encode_example(features: Mapping[str, Values]) -> bytes:
    """Writes an example, its features in the order of their names.

    Args:
        features: Name → bytes, floats or whole numbers, all of one kind.
    """
    entries = (
        _delimited(1, _delimited(1, name.encode()) + _delimited(2, _encoded(features[name])))
        for name in sorted(features)
    )
    return _delimited(1, b"".join(entries))


def _entry(content: bytes, begin: int, end: int, longest: int | None) -> tuple[str, Values]:
    name = b""
    values: Values = []
    for part in _fields(content, begin, end):
        if part.number == 1:
            start, stop = _message(part)
            if stop - start > _LONGEST_NAME:
                raise DataError(f"expected names of features of at most {_LONGEST_NAME} bytes")
            name = content[start:stop]
        elif part.number == 2:
            values = _feature(content, *_message(part), longest)
    return name.decode(errors="backslashreplace"), values


def _feature(content: bytes, begin: int, end: int, longest: int | None) -> Values:
    values: Values = []
    for part in _fields(content, begin, end):
        start, stop = _message(part)
        if part.number == _BYTES:
            values = _bytes_list(content, start, stop, longest)
        elif part.number == _FLOATS:
            values = _floats(content, start, stop)
        elif part.number == _INTEGERS:
            values = _integers(content, start, stop)
    return values


def _bytes_list(content: bytes, begin: int, end: int, longest: int | None) -> list[bytes]:
    values = []
    for item in _fields(content, begin, end):
        start, stop = _message(item)
        fits = longest is None or stop - start <= longest
        values.append(content[start:stop] if fits else LEFT_OUT)
        _check_count(len(values))
    return values


def _floats(content: bytes, begin: int, end: int) -> list[float]:
    values: list[float] = []
    for item in _fields(content, begin, end):
        if item.wire == _FIXED32:
            values.append(struct.unpack("<f", item.value.to_bytes(4, "little"))[0])
        else:
            start, stop = _message(item)
            if (stop - start) % 4:
                raise DataError("expected packed floats of 4 bytes each")
            _check_count(len(values) + (stop - start) // 4)
            values += struct.unpack(f"<{(stop - start) // 4}f", content[start:stop])
        _check_count(len(values))
    return values


def _integers(content: bytes, begin: int, end: int) -> list[int]:
    values: list[int] = []
    for item in _fields(content, begin, end):
        if item.wire == _VARINT:
            values.append(_signed(item.value))
        else:
            place, stop = _message(item)
            while place < stop:
                number, place = _varint(content, place, stop)
                values.append(_signed(number))
                _check_count(len(values))
        _check_count(len(values))
    return values


def _check_count(values: int) -> None:
    if values > _MOST_VALUES:
        raise DataError(f"expected features of at most {_MOST_VALUES:,} values, got more")


def _fields(content: bytes, begin: int, end: int) -> Iterator[_Field]:
    place = begin
    while place < end:
        tag, place = _varint(content, place, end)
        number, wire = tag >> 3, tag & 7
        value = 0
        start = stop = place
        if wire == _VARINT:
            value, stop = _varint(content, place, end)
        elif wire == _LENGTH:
            length, start = _varint(content, place, end)
            stop = start + length
        elif wire in (_FIXED64, _FIXED32):
            stop = place + (8 if wire == _FIXED64 else 4)
        else:
            raise DataError(f"expected a tf.train.Example, got a field of kind {wire}")
        if stop > end:
            raise DataError("expected a tf.train.Example, got a field that goes beyond its end")
        if wire == _FIXED32:
            value = int.from_bytes(content[start:stop], "little")
        yield _Field(number, wire, start, stop, value)
        place = stop


def _message(field: _Field) -> tuple[int, int]:
    """Where the content of a field lies that has a length."""
    if field.wire != _LENGTH:
        raise DataError(f"expected a tf.train.Example, got a field of kind {field.wire}")
    return field.begin, field.end


def _varint(content: bytes, place: int, end: int) -> tuple[int, int]:
    """A number of 7 bits a byte, and where it ends."""
    number = 0
    for shift, byte in enumerate(content[place : min(end, place + _LONGEST_VARINT)]):
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, place + shift + 1
    raise DataError("expected a tf.train.Example, got a number without an end")


def _signed(number: int) -> int:
    """64 bits in two's complement."""
    number &= 2**64 - 1
    return number - 2**64 if number >= 2**63 else number


def _encoded(values: Values) -> bytes:
    first = values[0] if values else 0
    if isinstance(first, bytes):
        items = (_delimited(1, each) for each in values if isinstance(each, bytes))
        return _delimited(_BYTES, b"".join(items))
    if isinstance(first, float):
        return _delimited(_FLOATS, _delimited(1, struct.pack(f"<{len(values)}f", *values)))
    packed = b"".join(_as_varint(int(each) & (2**64 - 1)) for each in values)
    return _delimited(_INTEGERS, _delimited(1, packed))


def _delimited(number: int, content: bytes) -> bytes:
    return _as_varint(number << 3 | _LENGTH) + _as_varint(len(content)) + content


def _as_varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
