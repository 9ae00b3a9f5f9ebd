"""Which search a user asks for, without torch: names, what each can be told, what a record says."""

__all__ = ["SEARCHES", "LossName", "SearchName", "SearchSettings", "search_settings"]

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from unforeseen.counted import counted
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.whole import whole_number

SearchName = Literal["pgd", "apgd", "random", "none", "autoattack-lite"]
LossName = Literal["cross_entropy", "margin", "dlr", "targeted_dlr", "autoattack"]

#: What each search does, one line.
SEARCHES: Mapping[SearchName, str] = MappingProxyType(
    {
        "pgd": "projected gradient descent with the benchmark's steps and step size",
        "apgd": "Auto-PGD: momentum and steps that halve themselves; any visited point counts",
        "random": "--draws points uniform in the ball, the worst of which counts; no gradients",
        "none": "the attack's own start, not optimised",
        "autoattack-lite": "Auto-PGD on cross-entropy, then on the targeted logit ratio towards up to 9 "
        "classes; any visited point counts",
    }
)
#: Losses that users may name; that of autoattack-lite is its own.
_LOSSES = tuple(name for name in get_args(LossName) if name != "autoattack")
#: Which options each search takes.
_TAKES: Mapping[SearchName, frozenset[str]] = MappingProxyType(
    {
        "pgd": frozenset({"loss", "restarts", "steps"}),
        "apgd": frozenset({"loss", "restarts", "steps"}),
        "random": frozenset({"draws"}),
        "none": frozenset(),
        "autoattack-lite": frozenset({"steps"}),
    }
)
#: As in the paper's appendix K.
USUAL_DRAWS = 1000
#: Starts of autoattack-lite: one on cross-entropy, one for each of up to nine classes.
_AUTOATTACK_STARTS = 10
#: Starts of a loss that aims at classes, where nobody says how many.
_TARGETED_STARTS = 9


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """A search as it was asked for.

    Attributes:
        name: Which one.
        loss: What it climbs.
        restarts: Starts per picture.
        draws: Points that ``random`` evaluates; None for the others.
    """

    name: SearchName = "pgd"
    loss: LossName = "cross_entropy"
    restarts: int = 1
    draws: int | None = None

    @property
    def visits(self) -> bool:
        """Whether any visited point counts, whatever the edition."""
        return self.name in ("apgd", "random", "autoattack-lite")

    @property
    def has_step_size(self) -> bool:
        """Whether it moves by the benchmark's step size."""
        return self.name == "pgd"

    def updates(self, steps: int) -> int:
        """Updates per start, of an attack that the benchmark gives so many steps."""
        if self.name == "random":
            return (self.draws or USUAL_DRAWS) - 1
        return 0 if self.name == "none" else steps

    def in_words(self) -> str:
        """What is other than the benchmark's own search; empty where nothing is."""
        parts = [] if self.name == "pgd" else [f"search {self.name}"]
        if self.draws is not None:
            parts[-1] += f", {counted(self.draws, 'draw')}"
        if self.name != "autoattack-lite":
            parts += [] if self.loss == "cross_entropy" else [f"loss {self.loss}"]
            parts += [] if self.restarts == 1 else [f"{self.restarts} starts"]
        return ", ".join(parts)

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "name": self.name,
            "loss": self.loss,
            "restarts": self.restarts,
            "draws": self.draws,
        }


def search_settings(
    name: str | None = None,
    *,
    loss: str | None = None,
    restarts: int | None = None,
    draws: int | None = None,
    steps: int | None = None,
) -> SearchSettings:
    """Checks what a user asks for.

    Args:
        name: One of :data:`SEARCHES`; None takes ``pgd``.
        loss: What is climbed: cross_entropy, margin, dlr, targeted_dlr; None takes the usual.
        restarts: Starts per picture; None takes one, or as many as a targeted loss aims at.
        draws: Of ``random``: how many points; None takes 1,000.
        steps: As given beside them, which some searches don't take.

    Raises:
        UnknownNameError: There is no such search or loss.
        UserError: The search doesn't take such an option, or a number is out of range.
    """
    asked = "pgd" if name is None else name
    known: SearchName | None = next((each for each in SEARCHES if each == asked), None)
    if known is None:
        raise UnknownNameError("search", asked, SEARCHES)
    given = {"loss": loss, "restarts": restarts, "draws": draws, "steps": steps}
    for option, value in given.items():
        if value is not None and option not in _TAKES[known]:
            takes = ", ".join(sorted(_TAKES[known])) or "none of loss, restarts, draws and steps"
            raise UserError(f"{option}: search {known} doesn't take it, it takes {takes}.")
    if known == "autoattack-lite":
        return SearchSettings(name=known, loss="autoattack", restarts=_AUTOATTACK_STARTS)
    if known == "random":
        draws = USUAL_DRAWS if draws is None else whole_number("draws", draws, minimum=1)
        return SearchSettings(name=known, draws=draws)
    chosen: LossName | None = next(
        (each for each in _LOSSES if each == (loss or "cross_entropy")), None
    )
    if chosen is None:
        raise UnknownNameError("loss", str(loss), _LOSSES)
    usual = _TARGETED_STARTS if chosen == "targeted_dlr" else 1
    starts = usual if restarts is None else whole_number("restarts", restarts, minimum=1)
    return SearchSettings(name=known, loss=chosen, restarts=starts)
