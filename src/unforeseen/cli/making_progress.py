"""What a person sees while something is loaded, drawn or made."""

__all__ = ["MakingProgress", "waiting"]

from collections.abc import Iterator
from contextlib import contextmanager
from typing import final

from unforeseen.cli.bars import WithBars
from unforeseen.stage_reporter import in_one


@final
class MakingProgress(WithBars):
    """Notes, and a bar for each stage."""

    def note(self, text: str) -> None:
        """See :class:`unforeseen.stage_reporter.StageReporter`."""
        self._print_note(text)


@contextmanager
def waiting(stage: str) -> Iterator[None]:
    """Shows a stage of which nothing can be counted, while the block lasts."""
    with MakingProgress() as progress, in_one(progress, stage):
        yield
