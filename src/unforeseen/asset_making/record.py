"""What the records of patches and of trainings share: of which data, and on what they were made."""

__all__ = ["data_record", "environment", "is_environment"]

import hashlib
from typing import Any

import torch

from unforeseen._version import __version__
from unforeseen.data.dataset import Dataset

_LONGEST_TEXT = 100
_TYPES = {"device": str, "threads": int, "unforeseen": str, "torch": str}


def data_record(dataset: Dataset, *, labels: bool) -> dict[str, Any]:
    """Which pictures, as JSON can hold it.

    Args:
        dataset: Whose pictures, which are known by their keys: they may lie elsewhere by now.
        labels: Whether their labels are looked at.
    """
    # On POSIX, a name may be of bytes that are no text.
    keys = "\0".join(dataset.keys).encode(errors="surrogatepass")
    record = {"uri": dataset.card.uri, "pictures": dataset.card.images, "keys": _hash(keys)}
    return record | {"labels": _hash(dataset.labels.astype("<i8").tobytes())} if labels else record


def environment(device: torch.device) -> dict[str, Any]:
    """On what this process makes something, as JSON can hold it."""
    return {
        "device": device.type,
        "threads": torch.get_num_threads(),
        "unforeseen": __version__,
        "torch": str(torch.__version__),  # its own type isn't plain text
    }


def is_environment(record: object) -> bool:
    """Whether something is what :func:`environment` gives; it may be a stranger's."""
    return (
        isinstance(record, dict)
        and {name: type(value) for name, value in record.items()} == _TYPES
        and all(len(str(value)) <= _LONGEST_TEXT for value in record.values())
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
