"""Tar files as stopped writers, other programs and bad people leave them."""

__all__ = ["Entry", "write_tar"]

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

Entry = tuple[str, bytes] | tarfile.TarInfo


def write_tar(file: Path, entries: Iterable[Entry], mode: str = "w") -> Path:
    """Files as name and content; links and the like as their headers."""
    with tarfile.open(file, mode) as tar:  # type: ignore[call-overload]  # any mode of the tests
        for entry in entries:
            if isinstance(entry, tarfile.TarInfo):
                tar.addfile(entry)
                continue
            name, content = entry
            header = tarfile.TarInfo(name)
            header.size = len(content)
            tar.addfile(header, io.BytesIO(content))
    return file
