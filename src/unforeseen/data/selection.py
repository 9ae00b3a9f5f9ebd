"""Which pictures a run takes, and in which order.

One fixed order of the whole data set, of which ``limit`` takes the front: the subset for 100
lies in that for 1,000. Classes take turns, so any front is as balanced as can be.
"""

__all__ = ["select"]

import hashlib

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.dataset import Dataset
from unforeseen.whole import whole_number


def select(dataset: Dataset, limit: int | None, seed: int) -> NDArray[np.int64]:
    """Chooses a seeded subset spread over the classes.

    Pictures within a class, and classes within a turn, are ordered by a hash of the seed and of
    their key or label. So the choice depends on neither machine, nor folder, nor listing order.

    Args:
        dataset: N pictures.
        limit: How many at most; None takes all.
        seed: Any whole number; 0 is a seed.

    Returns:
        (min(limit, N),) indices into ``dataset``.

    Raises:
        UserError: ``limit`` is no whole number from 1.
    """
    if limit is not None:
        limit = whole_number("limit", limit, minimum=1)
    labels = dataset.labels
    classes, class_of = np.unique(labels, return_inverse=True)
    class_hashes = np.array([_hash(seed, "class", str(label)) for label in classes], np.uint64)
    hashes = np.array(
        [
            _hash(seed, "picture", f"{label}/{key}")
            for label, key in zip(labels.tolist(), dataset.keys, strict=True)
        ],
        np.uint64,
    )
    # lexsort is stable: pictures of one class with the same key keep the order of the data set.
    by_class = np.lexsort((hashes, class_of))
    sizes = np.bincount(class_of, minlength=len(classes))
    first_of_class = np.cumsum(sizes) - sizes
    turn = np.empty(len(labels), np.int64)
    turn[by_class] = np.arange(len(labels)) - np.repeat(first_of_class, sizes)
    order = np.lexsort((class_hashes[class_of], turn)).astype(np.int64)
    return order[:limit]


def _hash(seed: int, kind: str, text: str) -> int:
    digest = hashlib.blake2b(f"{seed}/{kind}/{text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
