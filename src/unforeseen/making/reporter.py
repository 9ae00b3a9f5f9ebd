"""Whoever watches data being made: a progress bar, or nobody."""

__all__ = ["MakingReporter", "SilentMaking"]

from typing import Protocol


class MakingReporter(Protocol):
    """Whoever watches. All methods are called from the thread that makes."""

    def note(self, text: str) -> None:
        """Something that the user should know."""

    def indexing(self, done: int, total: int) -> None:
        """So many of the source's pictures have their ids."""

    def making(self, done: int, total: int) -> None:
        """So many pictures are made, of all obfuscations and clean together."""


class SilentMaking:
    """Nobody watches."""

    def note(self, text: str) -> None:
        """See :class:`MakingReporter`."""

    def indexing(self, done: int, total: int) -> None:
        """See :class:`MakingReporter`."""

    def making(self, done: int, total: int) -> None:
        """See :class:`MakingReporter`."""
