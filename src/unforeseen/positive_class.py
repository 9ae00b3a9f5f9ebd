"""What a filter looks for: the positive class and the probability from which on it flags a picture."""

__all__ = ["Filter", "class_number"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from unforeseen.errors import UnknownNameError, UserError, one_line, shown


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A positive class as the user names it, and from which probability on it is flagged.

    Attributes:
        positive: Its name, in any case, or its number.
        threshold: In (0, 1].

    Raises:
        UserError: The threshold is no probability above 0.
    """

    positive: str
    threshold: float

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise UserError(
                f"threshold: expected a probability above 0, at most 1; got {self.threshold:g}."
            )

    @classmethod
    def asked(cls, positive: str | None, threshold: float | None) -> Self | None:
        """What two options say together; None where neither was given.

        Raises:
            UserError: One is without the other, or the threshold is no probability above 0.
        """
        if positive is not None and threshold is not None:
            return cls(positive=positive, threshold=threshold)
        if positive is None and threshold is None:
            return None
        missing = "--threshold T" if threshold is None else "--positive CLASS"
        raise UserError(
            f"expected a class and a threshold, from which on it is flagged: {missing} is missing."
        )


def class_number(positive: str, names: Sequence[str], *, of: str) -> int:
    """The label of a class.

    Args:
        positive: Its name or its number. Case counts only where several names differ in nothing else.
        names: Of all classes, by label.
        of: Whose classes these are, for messages.

    Raises:
        UnknownNameError: There is no such class.
        UserError: There are several.
    """
    exact = [label for label, name in enumerate(names) if name == positive]
    found = exact or [
        label for label, name in enumerate(names) if name.casefold() == positive.casefold()
    ]
    if len(found) > 1:
        numbers = one_line(", ".join(map(str, found)))
        raise UserError(
            f"{shown(positive)}: expected one class of {of}, got several of that name. Give its number: "
            f"{numbers}."
        )
    if found:
        return found[0]
    if positive.isascii() and positive.isdigit() and int(positive[:10]) < len(names):
        return int(positive)
    raise UnknownNameError(f"class of {of}", positive, names)
