"""What a picture is called: a hash of what it is, not of where it lies.

The same picture pairs up across folders, parquet files and arrays.
"""

__all__ = ["IDENTIFYING", "identify", "is_unreadable", "numbered", "subset_hash"]

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.ahead import map_ahead
from unforeseen.data.dataset import Dataset
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.errors import DataError
from unforeseen.files.decode import decode_rgb

#: The stage that it is, as reporters are told.
IDENTIFYING = "identifying pictures"

_DIGITS = 32
_WORKERS = 4
_AHEAD = 64
_UNREADABLE = "unreadable-"
# PNG, BMP and the binary PPM family: how an encoder packed the pixels says nothing about them.
_LOSSLESS = (b"\x89PNG\r\n\x1a\n", b"BM", b"P5", b"P6")


def identify(
    dataset: Dataset, indices: Sequence[int], progress: Callable[[int], None] | None = None
) -> list[str]:
    """Names pictures by what they contain.

    The id is the first 32 hex digits of SHA-256: of the encoded file; for arrays and lossless
    files (PNG, BMP, PPM) of the shape and the decoded RGB. Pictures that are the same get
    ``#2``, ``#3`` … in the order of ``indices``. A file that can't be read is named by its key.
    Pictures that were obfuscated before are called what those were called that they were made of.

    Args:
        dataset: Where the pictures lie.
        indices: Which, in the run's order.
        progress: Told how many are done, from the calling thread.

    Returns:
        Ids in the order of ``indices``; all differ.
    """
    if isinstance(dataset, ObfuscatedDataset):
        return numbered(dataset.example_ids[int(index)] for index in indices)
    # Neighbours in a parquet file share a chunk: read in the data set's order.
    reading_order = sorted(range(len(indices)), key=lambda position: int(indices[position]))
    names = [""] * len(indices)
    named = map_ahead(
        lambda position: _name(dataset, int(indices[position])),
        reading_order,
        workers=_WORKERS,
        ahead=_AHEAD,
    )
    with closing(named):
        for done, (position, name) in enumerate(zip(reading_order, named, strict=True), start=1):
            names[position] = name
            if progress is not None:
                progress(done)
    return numbered(names)


def is_unreadable(name: str) -> bool:
    """Whether an id is that of a file that couldn't be read, and says nothing of its content."""
    return name.startswith(_UNREADABLE)


def numbered(names: Iterable[str]) -> list[str]:
    """Tells names that come again apart: the second gets ``#2``, the third ``#3`` …."""
    seen: Counter[str] = Counter()
    told_apart = []
    for name in names:
        seen[name] += 1
        told_apart.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return told_apart


def subset_hash(ids: Iterable[str]) -> str:
    """32 hex digits that tell one set of pictures from another, whatever their order."""
    return _digest("\n".join(sorted(ids)).encode())


def _name(dataset: Dataset, index: int) -> str:
    try:
        content = dataset.read(index)
    except OSError:
        return f"{_UNREADABLE}{_digest(dataset.keys[index].encode())}"
    if not isinstance(content, bytes):
        return _digest_of_pixels(content)
    if content.startswith(_LOSSLESS):
        try:
            return _digest_of_pixels(np.asarray(decode_rgb(content)))
        except DataError:
            return _digest(content)
    return _digest(content)


def _digest_of_pixels(pixels: NDArray[np.uint8]) -> str:
    height, width, _ = pixels.shape
    return _digest(f"{height}x{width}:".encode() + np.ascontiguousarray(pixels).tobytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
