"""Whoever watches what takes long, stage by stage: a progress bar, or nobody."""

__all__ = ["SilentStages", "StageReporter", "in_one"]

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class StageReporter(Protocol):
    """Whoever watches. All methods are called from the thread that does the work."""

    def note(self, text: str) -> None:
        """Something that the user should know."""

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        """So much of a stage is done, from none of it on; its name is shown, and what it is about now."""


class SilentStages:
    """Nobody watches."""

    def note(self, text: str) -> None:
        """See :class:`StageReporter`."""

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        """See :class:`StageReporter`."""


@contextmanager
def in_one(reporter: StageReporter, stage: str) -> Iterator[None]:
    """Reports a stage while the block lasts, however that ends; inside, what can be counted of it may be."""
    reporter.advance(stage, 0, 1)
    try:
        yield
    finally:
        reporter.advance(stage, 1, 1)
