"""What a black box said about a picture, so that it is asked once."""

__all__ = ["AnswerMemory", "picture_key"]

import hashlib
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

#: Of all answers together: some 8,000 of 1,000 classes.
LIMIT_BYTES = 64 * 2**20


def picture_key(picture: NDArray[np.uint8], which: int = 0) -> bytes:
    """32 bytes of SHA-256 of a picture's shape and bytes.

    Args:
        picture: (H, W, 3), contiguous.
        which: Of several answers about one picture.
    """
    return hashlib.sha256(repr((which, picture.shape)).encode() + picture.data).digest()


class AnswerMemory:
    """Answers by picture; those that weren't needed for longest are forgotten first.

    Args:
        limit: Bytes that all answers may take together.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._answers: OrderedDict[bytes, NDArray[np.float64]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    def recall(self, key: bytes) -> NDArray[np.float64] | None:
        """What was said, or None where that isn't known any more."""
        if key not in self._answers:
            return None
        self._answers.move_to_end(key)
        return self._answers[key]

    def keep(self, key: bytes, answer: NDArray[np.float64]) -> None:
        """Notes what was said about a picture that isn't known."""
        # A copy: a row of a larger array would keep all of it.
        self._answers[key] = answer.copy()
        self._size += answer.nbytes
        while self._size > self._limit:
            _, oldest = self._answers.popitem(last=False)
            self._size -= oldest.nbytes

    def forget(self) -> None:
        """Everything."""
        self._answers.clear()
        self._size = 0
