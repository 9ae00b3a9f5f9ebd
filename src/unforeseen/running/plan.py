"""What a run does: which cells there are, and what they have in common."""

__all__ = ["Plan", "picture_size", "preprocessing_of"]

import abc
from dataclasses import dataclass, replace
from typing import Any

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.models.cards import ModelCard
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.cell_kinds import AttackedCell, Cell, CleanCell


@dataclass(frozen=True, kw_only=True)
class Plan(abc.ABC):
    """What a run does; there is a kind for each kind of benchmark.

    Attributes:
        benchmark: Whose numbers are used.
        seed: Seed of every draw.
        eot: Forward passes that every evaluation takes the mean of.
        preprocessing: What happens to every picture first.
        cells: ``clean`` first.
    """

    benchmark: Benchmark
    seed: int
    eot: int
    preprocessing: Preprocessing
    cells: tuple[Cell, ...]

    @property
    def clean(self) -> CleanCell:
        """The cell of the pictures as they are."""
        (clean,) = (cell for cell in self.cells if isinstance(cell, CleanCell))
        return clean

    @property
    def attacked(self) -> tuple[AttackedCell, ...]:
        """The cells that something is searched for in."""
        return tuple(cell for cell in self.cells if isinstance(cell, AttackedCell))

    @property
    def picture_size(self) -> tuple[int, int]:
        """Height and width in pixels that pictures are meant to have when they are judged."""
        return picture_size(self.benchmark, self.preprocessing)

    @property
    def size_of_all(self) -> tuple[int, int] | None:
        """The same where every picture has it; None where only the shorter side is known."""
        only_resized = self.preprocessing.crop is None and isinstance(
            self.preprocessing.resize, int
        )
        return None if only_resized else self.picture_size

    @property
    @abc.abstractmethod
    def prepared_for(self) -> str | None:
        """For whom pictures are prepared where it isn't the model, in words."""

    @abc.abstractmethod
    def options(self) -> dict[str, Any]:
        """What was asked for that only this kind knows, as a run's record holds it."""


def preprocessing_of(benchmark: Benchmark, card: ModelCard) -> Preprocessing:
    """The model's own; the benchmark's where it declares none, or prepares alike, or changes no size."""
    if (
        benchmark.prepares_alike
        or card.preprocessing is None
        or not benchmark.preprocessing.changes_size
    ):
        return benchmark.preprocessing
    # Whether cameras' rotation tags are obeyed is the benchmark's rule, whatever the model.
    return replace(card.preprocessing, exif_rotation=benchmark.preprocessing.exif_rotation)


def picture_size(benchmark: Benchmark, preprocessing: Preprocessing) -> tuple[int, int]:
    """Height and width in pixels that a benchmark's pictures are meant to have."""
    if preprocessing.crop is None and isinstance(preprocessing.resize, tuple):
        return preprocessing.resize
    return preprocessing.crop or (benchmark.image_size, benchmark.image_size)
