"""How much a parquet file unfolds into, from the headers of its pages, before any of it is decoded.

A stranger's file of a few kilobytes can hold a text of gigabytes, or a billion equal values. What a
file's footer says of sizes is not believed: decoders allocate what each page's own header says, so
these are added up. The headers are Thrift's compact protocol (https://github.com/apache/parquet-format,
files parquet.thrift and README; https://github.com/apache/thrift, file thrift-compact-protocol.md).
"""

__all__ = ["Unfolded", "unfolded"]

from collections.abc import Iterator
from typing import Any, NamedTuple

_MAGIC = b"PAR1"
#: Length of the footer and the magic, at the end of a file.
_TAIL = 8
#: Thrift's structs within structs; parquet's own are six deep.
_DEEPEST = 32

#: Numbers of fields in parquet.thrift.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_COMPRESSED_SIZE, _FIRST_DATA_PAGE, _FIRST_DICTIONARY_PAGE = 7, 9, 11
_PAGE_SIZE, _PAGE_COMPRESSED_SIZE = 2, 3
#: Of the header's parts for each kind of page, in which the number of values is the first field.
_KINDS_OF_PAGE = (5, 7, 8)
_VALUES = 1


class Unfolded(NamedTuple):
    """What decoding a file asks of memory.

    Attributes:
        size: Bytes of all pages when they are decompressed.
        values: In all columns together; entries of lists count one by one.
    """

    size: int
    values: int


def unfolded(content: bytes) -> Unfolded:
    """Adds up the pages of a parquet file; decompresses none.

    Raises:
        ValueError: It is no whole parquet file.
    """
    try:
        size = values = 0
        for page in _pages(content):
            size += _number(page, _PAGE_SIZE)
            values += sum(_number(page[kind], _VALUES) for kind in _KINDS_OF_PAGE if kind in page)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a whole parquet file") from error
    return Unfolded(size, values)


def _pages(content: bytes) -> Iterator[dict[int, Any]]:
    """The header of each page of each column."""
    if len(content) < len(_MAGIC) + _TAIL or content[-len(_MAGIC) :] != _MAGIC:
        raise ValueError("not a whole parquet file")
    footer = len(content) - _TAIL
    begin = footer - int.from_bytes(content[footer : footer + 4], "little")
    if begin < 0:
        raise ValueError("a footer longer than the file")
    for group in _Reader(content, begin).struct().get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            described = column[_META_DATA]
            place = _number(described, _FIRST_DATA_PAGE)
            if described.get(_FIRST_DICTIONARY_PAGE) is not None:
                place = _number(described, _FIRST_DICTIONARY_PAGE)
            end = place + _number(described, _COMPRESSED_SIZE)
            if end > len(content):
                raise ValueError("a column beyond the end of the file")
            while place < end:
                reader = _Reader(content, place)
                page = reader.struct()
                yield page
                place = reader.place + _number(page, _PAGE_COMPRESSED_SIZE)


def _number(struct: dict[int, Any], field: int) -> int:
    value = struct[field]
    if not isinstance(value, int) or value < 0:
        raise ValueError("a size that is none")
    return value


class _Reader:
    """Reads Thrift's compact protocol, whatever the structs are: fields are known by number only."""

    def __init__(self, content: bytes, place: int) -> None:
        self.place = place
        self._content = content

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """A struct's fields by number; raises ValueError or IndexError where there is none."""
        if depth > _DEEPEST:
            raise ValueError("structs nested too deep")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 0x0F
            number = number + step if step else self._signed()
            # In a struct, the kind of a truth value is the value.
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        match kind:
            case 1 | 2 | 3:  # truth values and bytes, in a list
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:  # a floating point number
                return self._skip(8)
            case 8:  # text or bytes; no size is one
                return self._skip(self._unsigned())
            case 9 | 10:
                return self._list(depth)
            case 12:
                return self.struct(depth + 1)
        raise ValueError("a kind of value that parquet doesn't have")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._unsigned()
        if count > len(self._content):
            raise ValueError("a list longer than the file")
        return [self._value(head & 0x0F, depth + 1) for _ in range(count)]

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number of more than 64 bits")

    def _skip(self, size: int) -> None:
        if size > len(self._content) - self.place:
            raise ValueError("a value beyond the end of the file")
        self.place += size

    def _byte(self) -> int:
        byte = self._content[self.place]
        self.place += 1
        return byte
