"""From runs of obfuscations with several seeds to a table of plain data: how much of a figure is luck.

The seed is that of the obfuscations' draws; the network and its pictures are the same in all runs.
Figure C.22 of *Benchmarking Robustness to Adversarial Image Obfuscations* shows the same deviations,
class-balanced and not, over networks that were trained with different seeds.
"""

__all__ = ["ObfuscationSeeds", "obfuscation_seeds"]

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unforeseen.counted import counted
from unforeseen.errors import RunError
from unforeseen.experiment_folder.obfuscation_points import read_obfuscation_points
from unforeseen.experiment_folder.record import read_experiment
from unforeseen.metrics import Spread, spread
from unforeseen.metrics.verdicts import TopK
from unforeseen.report.experiment_notes import not_begun, other_pictures
from unforeseen.report.obfuscation_tables import FigureLine, ObfuscationTable, obfuscation_table
from unforeseen.run_folder.obfuscation_figures import Weighting


@dataclass(frozen=True, kw_only=True)
class ObfuscationSeeds:
    """Runs of one network on the same pictures, each with a seed of its own.

    Attributes:
        model: Its URI.
        images: How many pictures were chosen, the most of any run.
        seeds: Rising.
        notes: What must be read before the figures.
        table: The figures; a column for each seed.
    """

    model: str
    images: int
    seeds: tuple[int, ...]
    notes: tuple[str, ...]
    table: ObfuscationTable

    def about(self, weighting: Weighting) -> str:
        """Benchmark, weighting, k and number of seeds."""
        return f"{self.table.title(weighting)}, {counted(len(self.seeds), 'seed')}"

    @property
    def of(self) -> str:
        """Model, and number of pictures."""
        return f"{self.model}, {counted(self.images, 'picture')}"

    def spread(self, line: FigureLine, weighting: Weighting) -> Spread | None:
        """Mean and standard deviation (n − 1) of a figure over the seeds that have it.

        Args:
            line: One of the table's.
            weighting: Whether every class weighs the same, or every picture.

        Returns:
            None where no seed has the figure.
        """
        figures = [each.by(weighting) for each in line.figures]
        return spread([each.value for each in figures if each is not None])


def obfuscation_seeds(
    folder: Path | str, *, over: Sequence[str] = (), top: TopK = 1
) -> ObfuscationSeeds:
    """Counts the figures of an experiment over seeds from the rows of its runs.

    Args:
        folder: The experiment's; one that isn't complete is read as far as it has come.
        over: Further sets to take the mean and the worst case over, each as in
            :meth:`unforeseen.obfuscation_sets.ObfuscationSet.of`.
        top: Among how many of the most probable classes the true one must be.

    Raises:
        RunError: It is no such experiment, or its runs can't be read or don't belong together.
        BenchmarkError: A record's benchmark can't be used.
        UserError: A set in ``over`` can't be used.
    """
    experiment = read_experiment(folder)
    if experiment.name != "seeds":
        raise RunError(
            f"{folder}: expected an experiment over seeds, got one over {experiment.name}."
        )
    points = read_obfuscation_points(folder, experiment, over=over, top=top)
    summaries = [point.summary for point in points]
    seeds = tuple(point.planned.seed for point in points)
    table = obfuscation_table(summaries, [f"seed {seed}" for seed in seeds])
    return ObfuscationSeeds(
        model=summaries[-1].model,
        images=max(each.images for each in summaries),
        seeds=seeds,
        notes=(
            table.origin,
            *not_begun(experiment, [point.run for point in points]),
            *other_pictures([point.planned for point in points]),
            *table.notes,
        ),
        table=table,
    )
