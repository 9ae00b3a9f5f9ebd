"""Which values an experiment can be asked for. Without torch, so that mistakes are told at once."""

__all__ = ["SWEEPS", "SweepName", "refuse_search", "seeds_of", "sweep_named", "sweep_values"]

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeVar

from unforeseen.errors import UnknownNameError, UserError
from unforeseen.positive import positive_number
from unforeseen.search.settings import SEARCHES, SearchSettings
from unforeseen.whole import whole_number

SweepName = Literal["steps", "radii", "step-sizes"]

#: What each sweep varies.
SWEEPS: Mapping[SweepName, str] = MappingProxyType(
    {
        "steps": "numbers of steps; 0 doesn't optimise",
        "radii": "multiples of the benchmark's radii",
        "step-sizes": "multiples of the benchmark's step sizes",
    }
)

_Number = TypeVar("_Number", int, float)

_LARGEST = 2**63 - 1
_MOST = 1000


def sweep_named(name: str) -> SweepName:
    """The sweep of that name; raises UnknownNameError."""
    for each in SWEEPS:
        if each == name:
            return each
    raise UnknownNameError("sweep", name, SWEEPS)


def sweep_values(name: SweepName, values: Iterable[object]) -> tuple[float, ...]:
    """Checks the values of a sweep.

    Returns:
        Each once, rising; numbers of steps are whole.

    Raises:
        UserError: There is none, or one is out of range.
    """
    if name == "steps":
        return _once(name, [whole_number(name, each, minimum=0) for each in values])
    return _once(name, [positive_number(name, each) for each in values])


def seeds_of(values: Iterable[object]) -> tuple[int, ...]:
    """Checks seeds: each once, rising; raises UserError where there is none or one is no seed."""
    return _once(
        "seeds", [whole_number("seeds", each, minimum=0, maximum=_LARGEST) for each in values]
    )


def refuse_search(name: SweepName, search: SearchSettings) -> None:
    """Raises UserError where a search has nothing that the sweep could vary."""
    if name == "step-sizes" and not search.has_step_size:
        others = [each for each in SEARCHES if SearchSettings(name=each).has_step_size]
        raise UserError(
            f"step-sizes: search {search.name} has no step size to vary; it takes search "
            f"{' or '.join(others)}."
        )


def _once(name: str, values: Sequence[_Number]) -> tuple[_Number, ...]:
    chosen = tuple(sorted(set(values)))
    if not chosen:
        raise UserError(f"{name}: expected at least one value, got none.")
    if chosen[-1] > _LARGEST or len(chosen) > _MOST:
        raise UserError(
            f"{name}: expected up to {_MOST:,} values of up to 63 bits, got {len(chosen):,} up to "
            f"{chosen[-1]:g}."
        )
    return chosen
