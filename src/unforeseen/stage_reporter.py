"""Whoever watches something being made, stage by stage: a progress bar, or nobody."""

__all__ = ["SilentStages", "StageReporter", "in_one"]

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class StageReporter(Protocol):
    """Whoever watches. All methods are called from the thread that makes."""

    def note(self, text: str) -> None:
        """Something that the user should know."""

    def advance(self, stage: str, done: int, total: int, loss: float | None = None) -> None:
        """So much of a stage is done, from none of it on; its name is shown, and the loss if there is one."""


class SilentStages:
    """Nobody watches."""

    def note(self, text: str) -> None:
        """See :class:`StageReporter`."""

    def advance(self, stage: str, done: int, total: int, loss: float | None = None) -> None:
        """See :class:`StageReporter`."""


@contextmanager
def in_one(reporter: StageReporter, stage: str) -> Iterator[None]:
    """Reports a stage of which nothing can be counted, while the block lasts."""
    reporter.advance(stage, 0, 1)
    yield
    reporter.advance(stage, 1, 1)
