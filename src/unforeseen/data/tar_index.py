"""Where the members of a tar file lie, so that each can be read alone. Nothing is extracted."""

__all__ = ["Member", "TarIndex", "index_tar"]

import re
import tarfile
from pathlib import Path
from typing import NamedTuple

from unforeseen.errors import DataError, first_line

_BLOCK = 512
_COMPRESSED = {
    b"\x1f\x8b": ("gzip", "gunzip"),
    b"BZh": ("bzip2", "bunzip2"),
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
}
# Absolute, or leading upwards: harmless where nothing is extracted, but no honest writer makes them.
_OUTSIDE = re.compile(r"[/\\]|[A-Za-z]:[/\\]|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.DOTALL)


class Member(NamedTuple):
    """A regular file in a tar: its name, and where its content lies, in bytes."""

    name: str
    offset: int
    size: int


class TarIndex(NamedTuple):
    """What a tar holds.

    Attributes:
        members: Regular files in order, ``./`` taken off their names.
        others: Names of links, devices, sparse files, and of files with names that
            lead outside (absolute, or with ``..``).
        ended: Whether the end is marked; it isn't where the writer was stopped.
    """

    members: list[Member]
    others: list[str]
    ended: bool


def index_tar(file: Path) -> TarIndex:
    """Reads the headers of an uncompressed tar.

    Raises:
        OSError: It can't be read.
        DataError: It is compressed, no tar, or cut off.
    """
    with file.open("rb") as raw:
        beginning = raw.read(8)
    for magic, (name, command) in _COMPRESSED.items():
        if beginning.startswith(magic):
            raise DataError(
                f"{file.name} is compressed with {name}, so that single pictures can't be read from "
                f"it. Decompress it first ({command}); pictures are compressed themselves"
            )
    members: list[Member] = []
    others: list[str] = []
    try:
        with tarfile.open(file, mode="r:", errors="surrogateescape") as tar:
            for each in tar:
                if each.isreg() and not each.issparse() and not _OUTSIDE.match(each.name):
                    name = each.name.removeprefix("./")
                    members.append(Member(name, each.offset_data, each.size))
                elif not each.isdir():
                    others.append(each.name)
            end = tar.offset
    except (tarfile.TarError, ValueError, OverflowError) as error:
        raise DataError(
            f"{file.name} is no whole tar file ({first_line(error)}). Fetch or write it again"
        ) from error
    return TarIndex(members, others, _is_ended(file, end, members))


def _is_ended(file: Path, end: int, members: list[Member]) -> bool:
    """Whether the headers stopped where the tar does; tarfile itself takes any damage for the end."""
    size = file.stat().st_size
    with file.open("rb") as raw:
        raw.seek(end)
        block = raw.read(_BLOCK)
    last = max((each.offset + each.size for each in members), default=0)
    if last > size or block.strip(b"\0"):
        raise DataError(
            f"{file.name} is damaged or cut off at byte {min(end, size):,} of {size:,}. Fetch or "
            "write it again"
        )
    return len(block) == _BLOCK
