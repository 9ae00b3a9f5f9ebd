"""Sets of obfuscations: ``hold-out``, ``training``, ``all``, or some by name."""

__all__ = ["HOLD_OUT", "ObfuscationSet", "usual_sets"]

from collections.abc import Sequence
from typing import NamedTuple, Self

from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.errors import UserError

#: The set of the headline.
HOLD_OUT = "hold-out"

_TRAINING, _ALL = "training", "all"


class ObfuscationSet(NamedTuple):
    """Obfuscations of one benchmark.

    Attributes:
        name: As it was asked for, joined by ``+``: ``hold-out``, ``SwirlWarp+LineShift``.
        obfuscations: Distinct names, at least one.
    """

    name: str
    obfuscations: tuple[str, ...]

    @property
    def mean_key(self) -> str:
        """What the mean over the set is called: ``mean:hold-out``."""
        return f"mean:{self.name}"

    @property
    def worst_key(self) -> str:
        """What the worst case over the set is called: ``worst:hold-out``."""
        return f"worst:{self.name}"

    @classmethod
    def of(cls, names: str | Sequence[str], benchmark: ObfuscationBenchmark) -> Self:
        """Looks a set up.

        Args:
            names: Obfuscations, joined by commas or as a sequence, in any case. ``hold-out`` and
                ``training`` stand for the benchmark's groups, ``all`` for both.
            benchmark: Whose.

        Raises:
            UnknownNameError: The benchmark has no such obfuscation.
            UserError: No name at all, or a group without members.
        """
        given = names.split(",") if isinstance(names, str) else names
        groups = _groups(benchmark)
        words: list[str] = []
        chosen: list[str] = []
        for word in filter(None, map(str.strip, given)):
            members = groups.get(word.lower())
            if members == ():
                raise UserError(f"{benchmark.name} has no {word} obfuscations; name some.")
            words.append(word.lower() if members else benchmark.obfuscation(word).name)
            chosen += members or words[-1:]
        if not words:
            raise UserError(
                "expected obfuscations to take the mean and the worst case over: hold-out, training, "
                "all, or names joined by commas; got none."
            )
        return cls("+".join(dict.fromkeys(words)), tuple(dict.fromkeys(chosen)))


def usual_sets(benchmark: ObfuscationBenchmark) -> tuple[ObfuscationSet, ...]:
    """The sets of every report: hold-outs first, then training, then both; none without members."""
    return tuple(
        ObfuscationSet(name, members) for name, members in _groups(benchmark).items() if members
    )


def _groups(benchmark: ObfuscationBenchmark) -> dict[str, tuple[str, ...]]:
    return {
        HOLD_OUT: benchmark.names("hold-out"),
        _TRAINING: benchmark.names("training"),
        _ALL: tuple(benchmark.obfuscations),
    }
