"""How a black box is asked: what its provider allows, and what its user can afford."""

__all__ = ["CALL_OPTIONS", "CallPolicy"]

from dataclasses import dataclass, fields
from typing import Self

from unforeseen.errors import UserError
from unforeseen.positive import positive_number
from unforeseen.uri import Uri
from unforeseen.whole import whole_number

#: Pictures per second; with fewer than one a day a wait would be beyond what clocks can take.
LOWEST_RATE = 1 / 86_400


@dataclass(frozen=True, kw_only=True)
class CallPolicy:
    """How often, how fast and for how long a function is called. Changes no answer.

    Attributes:
        retries: Further tries after a call that raised or took too long.
        timeout: Seconds that a call may take; None waits for ever.
        rate: Pictures per second on average, one a day at least, and at most one second's worth in
            one call; None has no limit.
        budget: Pictures in all, those of repeated tries included; None has no limit.

    Raises:
        UserError: A number is out of range.
    """

    retries: int = 0
    timeout: float | None = None
    rate: float | None = None
    budget: int | None = None

    def __post_init__(self) -> None:
        self._set("retries", whole_number("retries", self.retries, minimum=0))
        if self.timeout is not None:
            self._set("timeout", positive_number("timeout", self.timeout))
        if self.rate is not None:
            self._set("rate", _rate(self.rate))
        if self.budget is not None:
            self._set("budget", whole_number("budget", self.budget, minimum=1))

    @classmethod
    def from_uri(cls, uri: Uri) -> Self:
        """Takes the options of a URI, e.g. ``?retries=3&timeout=30&rate=5&budget=10000``.

        Raises:
            UserError: A number is none, or out of range.
        """
        try:
            return cls(
                retries=_whole(uri, "retries") or 0,
                timeout=_number(uri, "timeout"),
                rate=_number(uri, "rate"),
                budget=_whole(uri, "budget"),
            )
        except UserError as error:
            raise UserError(f"{uri.text!r}: {error}") from error

    @property
    def largest_call(self) -> int | None:
        """Pictures in one call at most: a second's worth; None has no limit."""
        return None if self.rate is None else max(1, int(self.rate))

    def _set(self, name: str, value: float) -> None:
        object.__setattr__(self, name, value)


#: The options of a URI that say how a function is asked.
CALL_OPTIONS = tuple(field.name for field in fields(CallPolicy))


def _rate(value: object) -> float:
    rate = positive_number("rate", value)
    if rate < LOWEST_RATE:
        raise UserError(
            f"rate: expected at least {LOWEST_RATE:.2g} pictures per second, one a day; got {rate:g}."
        )
    return rate


def _whole(uri: Uri, name: str) -> int | None:
    text = uri.options.get(name)
    if text is None:
        return None
    try:
        return int(text)
    except ValueError as error:
        raise UserError(f"{name}: expected a whole number, got {text!r:.80}.") from error


def _number(uri: Uri, name: str) -> float | None:
    text = uri.options.get(name)
    return None if text is None else positive_number(name, text)
