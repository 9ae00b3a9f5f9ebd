"""Mean and worst case over any set of attacks: ``core``, ``all``, or some by name."""

__all__ = ["AttackSet", "SetAccuracy", "accuracies_over"]

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Self

import polars as pl

from unforeseen.benchmarks import AttackBenchmark, Level
from unforeseen.errors import UserError
from unforeseen.metrics import Estimate, mean_accuracy, worst_case


class AttackSet(NamedTuple):
    """Attacks of one benchmark.

    Attributes:
        name: As it was asked for, joined by ``+``: ``core``, ``jpeg+wood``.
        attacks: Distinct names, at least one.
    """

    name: str
    attacks: tuple[str, ...]

    @classmethod
    def of(cls, names: str | Sequence[str], benchmark: AttackBenchmark) -> Self:
        """Looks a set up.

        Args:
            names: Attacks, joined by commas or as a sequence. ``core`` stands for the attacks that
                UA2 is the mean over, ``all`` for every attack of the benchmark but the optional ones.
            benchmark: Whose.

        Raises:
            UnknownNameError: The benchmark has no such attack.
            UserError: No name at all.
        """
        given = names.split(",") if isinstance(names, str) else names
        words = dict.fromkeys(word for word in map(str.strip, given) if word)
        if not words:
            raise UserError(
                "expected attacks to take the mean and the worst case over: core, all, or names "
                "joined by commas; got none."
            )
        groups = {"core": benchmark.core, "all": benchmark.usual}
        chosen = (groups.get(word) or (benchmark.attack(word).name,) for word in words)
        return cls("+".join(words), tuple(dict.fromkeys(name for each in chosen for name in each)))


class SetAccuracy(NamedTuple):
    """Accuracies over one set at one level; None where one of its attacks has no rows.

    Attributes:
        over: The set.
        level: Of its attacks.
        mean: Mean of the accuracies, with a paired bootstrap over pictures.
        worst: Share of pictures that survive every attack of the set.
    """

    over: AttackSet
    level: Level
    mean: Estimate | None
    worst: Estimate | None


def accuracies_over(
    sets: Sequence[AttackSet],
    rows: pl.DataFrame,
    run_at: Mapping[Level, Collection[str]],
    *,
    seed: int,
) -> tuple[SetAccuracy, ...]:
    """Figures of each set at each level that any attack was run at.

    Args:
        sets: Of the benchmark that was run.
        rows: As in :data:`unforeseen.rows.ROW_SCHEMA`, of one run.
        run_at: Attacks that were run, by level.
        seed: Of the bootstrap.

    Raises:
        UserError: There is no level at which all attacks of a set were run.
    """
    levels: list[Level] = [level for level, attacks in run_at.items() if attacks]
    for each in sets:
        if not any(set(each.attacks) <= set(run_at[level]) for level in levels):
            raise UserError(_not_run(each, {level: run_at[level] for level in levels}))
    return tuple(
        SetAccuracy(
            over=each,
            level=level,
            mean=mean_accuracy(rows, each.attacks, level, seed=seed),
            worst=worst_case(rows, each.attacks, level),
        )
        for each in sets
        for level in levels
    )


def _not_run(over: AttackSet, run_at: Mapping[Level, Collection[str]]) -> str:
    missing = "; ".join(
        f"not run at {level}: {', '.join(name for name in over.attacks if name not in attacks)}"
        for level, attacks in run_at.items()
    )
    return (
        f"mean and worst case over {over.name}: {missing or 'no attack was run'}. Name attacks that "
        "were run, or run the others into the same folder."
    )
