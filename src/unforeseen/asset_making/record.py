"""What the records of patches and of trainings share: what decides them, and on what they were made."""

__all__ = ["MOST_ENVIRONMENTS", "data_record", "environment", "identity_of", "is_environment"]

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import torch

from unforeseen._version import __version__
from unforeseen.data.dataset import Dataset

#: So many differ in a checkpoint at most.
MOST_ENVIRONMENTS = 100

_LONGEST_TEXT = 100
_TYPES = {"device": str, "threads": int, "unforeseen": str, "torch": str}


def identity_of(deciding: Mapping[str, Any], dataset: Dataset) -> str:
    """Hash of what decides something that is made; it goes on only with the same.

    Args:
        deciding: All of it but the pictures, as JSON can hold it: settings, models, the algorithm's version.
        dataset: Whose pictures, which are known by their keys.
    """
    keys = _hash("\0".join(dataset.keys).encode())
    return _hash(json.dumps([deciding, keys]).encode())


def data_record(dataset: Dataset) -> dict[str, Any]:
    """Which pictures, as JSON can hold it."""
    return {"uri": dataset.card.uri, "pictures": dataset.card.images}


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
