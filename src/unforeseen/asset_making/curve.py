"""How losses went down, step by step: a line for every so many steps."""

__all__ = ["Curve"]

import math
from collections.abc import Sequence

from unforeseen.asset_making.checkpoint import Checkpoint


class Curve:
    """Lines of a step and the means of the losses since the line before.

    Args:
        every: So many steps there is a line.
        found: What it goes on from.
    """

    def __init__(self, every: int, found: Checkpoint | None) -> None:
        self.lines = [] if found is None else found.lines
        self.waiting = [] if found is None else found.waiting
        self._every = every

    def add(self, step: int, losses: Sequence[float]) -> None:
        """Takes the losses of a step; one whose losses aren't finite changed nothing and counts nowhere."""
        if all(map(math.isfinite, losses)):
            self.waiting.append([float(step), *losses])
        if step % self._every == 0 and self.waiting:
            self.lines.append(self._line())
            self.waiting = []

    @property
    def all_lines(self) -> list[list[float]]:
        """With one for the last steps, however few."""
        return [*self.lines, self._line()] if self.waiting else self.lines

    def _line(self) -> list[float]:
        _, *means = (sum(column) / len(column) for column in zip(*self.waiting, strict=True))
        return [self.waiting[-1][0], *means]
