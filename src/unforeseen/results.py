"""What a run folder holds, read back. Needs neither torch nor the model."""

__all__ = ["AttackResults", "ObfuscationResults", "Results", "load_results"]

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import polars as pl
from typing_extensions import override

from unforeseen.attack_sets import AttackSet
from unforeseen.benchmarks.levels import level_named
from unforeseen.errors import UserError
from unforeseen.metrics import Estimate, confusion, mean_accuracy, worst_case
from unforeseen.metrics.evasion import worst_evasion_rate
from unforeseen.metrics.verdicts import TOP, TopK, labelled_verdicts
from unforeseen.obfuscation_sets import ObfuscationSet
from unforeseen.positive_class import Filter
from unforeseen.report.evasion_table import flagging_of
from unforeseen.report.obfuscation_render import obfuscations_to_markdown
from unforeseen.report.obfuscation_tables import obfuscation_tables
from unforeseen.report.render import to_markdown
from unforeseen.report.tables import result_tables
from unforeseen.rows import CLEAN
from unforeseen.run_folder.attack_summary import AttackSummary
from unforeseen.run_folder.obfuscation_figures import Accuracies, Weighting, figures_of, set_scores
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary
from unforeseen.run_folder.read_run import read_run
from unforeseen.run_folder.summary import Summary


@dataclass(frozen=True, kw_only=True, repr=False)
class Results(abc.ABC):
    """Rows and what they add up to; there is a kind for each kind of benchmark.

    Attributes:
        rows: One row per picture and transform (of attacks also per level); columns as in
            :class:`unforeseen.rows.Row`.
        summary: Accuracies and their intervals.
    """

    rows: pl.DataFrame
    summary: Summary

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rows.height} rows)\n\n{self.table()}"

    def _repr_markdown_(self) -> str:
        """What a notebook shows."""
        return self.table()

    @abc.abstractmethod
    def table(self) -> str:
        """The figures as a Markdown table."""


@final
@dataclass(frozen=True, kw_only=True, repr=False)
class AttackResults(Results):
    """Of a benchmark of attacks; its summary has UA2."""

    summary: AttackSummary

    @override
    def table(self, *, published: bool = False) -> str:
        """The figures as a Markdown table, one line per level.

        Args:
            published: Whether to add the paper's rows (beside edition ``published`` only).
        """
        return to_markdown(result_tables([self.summary], published=published))

    def mean_accuracy(self, attacks: str | Sequence[str], level: str = "medium") -> Estimate | None:
        """Mean accuracy over attacks, with a 95 % interval; over ``core`` this is UA2.

        Args:
            attacks: Names, or ``core`` or ``all`` of the benchmark.
            level: ``low``, ``medium`` or ``high``.

        Returns:
            On the pictures that have a verdict under each; None where one of them was not run.

        Raises:
            UnknownNameError: The benchmark has no such attack, or there is no such level.
            UserError: No attacks.
        """
        chosen = AttackSet.of(attacks, self.summary.benchmark).attacks
        return mean_accuracy(self.rows, chosen, level_named(level), seed=self.summary.seed)

    def worst_case(self, attacks: str | Sequence[str], level: str = "medium") -> Estimate | None:
        """Share of pictures that survive every one of the attacks, with a 95 % interval.

        Takes, returns and raises what :meth:`mean_accuracy` does.
        """
        chosen = AttackSet.of(attacks, self.summary.benchmark).attacks
        return worst_case(self.rows, chosen, level_named(level))


@final
@dataclass(frozen=True, kw_only=True, repr=False)
class ObfuscationResults(Results):
    """Of a benchmark of obfuscations; its summary has the worst case over the hold-outs."""

    summary: ObfuscationSummary

    @override
    def table(self, *, weighting: Weighting = "balanced") -> str:
        """The figures as a Markdown table, the headline first.

        Args:
            weighting: Whether every class weighs the same, or every picture (``unweighted``).
        """
        return obfuscations_to_markdown(obfuscation_tables([self.summary]), weighting)

    def mean_accuracy(
        self, obfuscations: str | Sequence[str], *, weighting: Weighting = "balanced", top: TopK = 1
    ) -> Estimate | None:
        """Mean accuracy over obfuscations, with a 95 % interval.

        Args:
            obfuscations: Names, in any case, or ``hold-out``, ``training`` or ``all`` of the benchmark.
            weighting: Whether every class weighs the same, or every picture (``unweighted``).
            top: Among how many of the most probable classes the true one must be.

        Returns:
            On the pictures that have a verdict under each; None where one of them was not run.

        Raises:
            UnknownNameError: The benchmark has no such obfuscation.
            UserError: No obfuscations.
        """
        over = ObfuscationSet.of(obfuscations, self.summary.benchmark)
        return self._figures(over, top)[over.mean_key].by(weighting)

    def worst_case(
        self, obfuscations: str | Sequence[str], *, weighting: Weighting = "balanced", top: TopK = 1
    ) -> Estimate | None:
        """Share of pictures that are right under every one of the obfuscations, with a 95 % interval.

        Over ``hold-out`` it is the headline. Takes, returns and raises what :meth:`mean_accuracy` does.
        """
        over = ObfuscationSet.of(obfuscations, self.summary.benchmark)
        return self._figures(over, top)[over.worst_key].by(weighting)

    def evasion_rate(
        self,
        obfuscations: str | Sequence[str],
        *,
        positive: str | None = None,
        threshold: float | None = None,
    ) -> Estimate | None:
        """Of the pictures flagged as they are, the share no longer flagged under at least one of several.

        Args:
            obfuscations: As of :meth:`mean_accuracy`.
            positive: Name or number of the class whose pictures count; None takes all pictures, and
                what is classified right for flagged.
            threshold: From which probability of that class on a picture is flagged; in (0, 1].

        Returns:
            With Wilson's interval, of the pictures that have a verdict under each; None where one of
            them was not run, or nothing is flagged.

        Raises:
            UnknownNameError: The benchmark has no such obfuscation, or the run no such class.
            UserError: No obfuscations, a class without a threshold, or the other way round.
        """
        over = ObfuscationSet.of(obfuscations, self.summary.benchmark)
        flagging = flagging_of(self.summary, Filter.asked(positive, threshold))
        return worst_evasion_rate(self.rows, over.obfuscations, flagging)

    def confusion(self, obfuscation: str = CLEAN) -> pl.DataFrame:
        """What pictures of each class are taken for.

        Args:
            obfuscation: Its name, in any case; ``clean`` is none.

        Returns:
            A line for each pair of classes that occurs: ``true_class``, ``taken_for`` (null where the
            outputs weren't finite) and how many ``pictures``.

        Raises:
            UnknownNameError: The benchmark has no such obfuscation.
            UserError: It was not run.
        """
        names = [each.name for each in self.summary.classes]
        known = obfuscation.lower()
        if known != CLEAN:
            known = self.summary.benchmark.obfuscation(obfuscation).name
        if known not in self.rows["transform"]:
            raise UserError(f"{known} was not run. Run it into the same folder.")
        pairs = list(confusion(self.rows, known, len(names)).pairs(names))
        columns = {"true_class": pl.String, "taken_for": pl.String, "pictures": pl.Int64}
        return pl.DataFrame(pairs, schema=columns, orient="row")

    def _figures(self, over: ObfuscationSet, top: TopK) -> dict[str, Accuracies]:
        joint = labelled_verdicts(self.rows, over.obfuscations, "", TOP[top])
        return figures_of(set_scores(over, joint), seed=self.summary.seed)


def load_results(folder: str | Path) -> AttackResults | ObfuscationResults:
    """Reads a run folder; a run that isn't complete is read as far as it has come.

    Returns:
        The kind that belongs to the run's benchmark.

    Raises:
        RunError: The folder is not a run's.
    """
    summary, rows, _ = read_run(folder)
    if isinstance(summary, AttackSummary):
        return AttackResults(rows=rows, summary=summary)
    assert isinstance(summary, ObfuscationSummary)
    return ObfuscationResults(rows=rows, summary=summary)
