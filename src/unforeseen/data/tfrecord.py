"""TFRecord files: records one after another, each with its length and two checksums.

Source: TensorFlow's page on the format. A record is its length (8 bytes, little endian), the masked
CRC32C of these 8 bytes, the content, and the masked CRC32C of the content.
"""

__all__ = ["HEADER", "Record", "framed", "read_record", "records_in"]

import struct
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

from unforeseen.errors import DataError
from unforeseen.extras import import_extra
from unforeseen.files.regular_files import read_part

_LENGTH = struct.Struct("<Q")
_CHECKSUM = struct.Struct("<I")
#: Bytes of a record before its content.
HEADER = _LENGTH.size + _CHECKSUM.size
_AROUND = HEADER + _CHECKSUM.size
_MASK = 0xA282EAD8
#: A picture of 224×224 has some 20 KiB.
_LARGEST = 2**26


class Record(NamedTuple):
    """Where the content of a record lies in its file, in bytes."""

    offset: int
    size: int

    @property
    def begin(self) -> int:
        """Where the whole record begins, as messages say it."""
        return self.offset - HEADER


def records_in(file: Path) -> Iterator[tuple[Record, bytes]]:
    """Yields all records of a file with their contents, of which only the lengths are checked.

    Raises:
        OSError: It can't be read.
        DataError: It is no TFRecord file, damaged, compressed, cut off, or holds a huge record; says
            where.
        MissingExtraError: The package for checksums isn't installed.
    """
    size = file.stat().st_size
    with file.open("rb") as stream:
        yield from _walk(stream, size, file.name)


def read_record(file: Path, record: Record) -> bytes:
    """Reads the content of a record.

    Raises:
        OSError: It can't be read, or its checksum is another.
    """
    content = read_part(file, record.offset, record.size + _CHECKSUM.size)
    content, checksum = content[: record.size], content[record.size :]
    if checksum != _masked(content):
        raise OSError(f"the record at byte {record.begin:,} is damaged or cut off")
    return content


def framed(content: bytes) -> bytes:
    """A record as it stands in a file; its content begins behind :data:`HEADER` bytes."""
    length = _LENGTH.pack(len(content))
    return length + _masked(length) + content + _masked(content)


def _walk(stream: BinaryIO, size: int, name: str) -> Iterator[tuple[Record, bytes]]:
    place = 0
    while place < size:
        header = stream.read(HEADER)
        length = header[: _LENGTH.size]
        if len(header) < HEADER:
            raise DataError(f"{name} is cut off at byte {place:,}, within a record. Fetch it again")
        if header[_LENGTH.size :] != _masked(length):
            raise DataError(
                f"{name} is no uncompressed TFRecord file, or is damaged: the length at byte "
                f"{place:,} doesn't agree with its checksum. Fetch it again"
            )
        record = Record(place + HEADER, int(_LENGTH.unpack(length)[0]))
        if place + record.size + _AROUND > size:
            raise DataError(
                f"{name} is cut off: the record at byte {place:,} needs {record.size + _AROUND:,} "
                f"bytes, {size - place:,} are there. Fetch it again"
            )
        if record.size > _LARGEST:
            raise DataError(
                f"{name}: expected records of at most {_LARGEST >> 20} MiB, got one of "
                f"{record.size >> 20:,} MiB at byte {place:,}"
            )
        yield record, stream.read(record.size + _CHECKSUM.size)[: record.size]
        place += record.size + _AROUND


def _masked(content: bytes) -> bytes:
    """A checksum as the format keeps it: CRC32C, rotated and with a constant added."""
    checksum = _crc32c()(content)
    return _CHECKSUM.pack((((checksum >> 15) | (checksum << 17)) + _MASK) & 0xFFFFFFFF)


@cache
def _crc32c() -> Callable[[bytes], int]:
    module = import_extra(
        "google_crc32c",
        needed_by="reading and writing TFRecord",
        package="google-crc32c",
        extra="tfds",
    )
    value: Callable[[bytes], int] = module.value
    return value
