"""What was made of a pack's pictures, kept so that no picture is decoded or resized twice."""

__all__ = ["Kept"]

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar, cast

#: Of everything together: all assets of the default pack at 224 px in every size that is drawn.
LIMIT_BYTES = 192 * 2**20

_Made = TypeVar("_Made")


class Kept:
    """Things by key; those that weren't needed for longest go first. Threads may share it.

    Args:
        limit: Bytes that all things may take together.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._things: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._lock = Lock()

    def get(
        self, key: Hashable, make: Callable[[], _Made], size_of: Callable[[_Made], int]
    ) -> _Made:
        """Takes a thing from what was made before, or makes it.

        Args:
            key: Says what it is, and hence its type.
            make: Makes it; two threads may do so at once, with the same result.
            size_of: Bytes that it takes. What exceeds the limit by itself isn't kept.
        """
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return cast("_Made", self._things[key][0])
        made = make()
        size = size_of(made)
        with self._lock:
            if size <= self._limit and key not in self._things:
                self._things[key] = (made, size)
                self._size += size
                while self._size > self._limit:
                    _, (_, freed) = self._things.popitem(last=False)
                    self._size -= freed
        return made
