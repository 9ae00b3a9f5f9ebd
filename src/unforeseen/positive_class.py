"""What a filter looks for: the positive class and the probability from which on it flags a picture."""

__all__ = ["class_number", "expect_flagging"]

from collections.abc import Sequence

from unforeseen.errors import UnknownNameError, UserError


def expect_flagging(positive: str | None, threshold: float | None) -> None:
    """Raises UserError where one is without the other, or the threshold is no probability above 0.

    Args:
        positive: A class, as the user names it; None where pictures of all classes count.
        threshold: From which probability on a picture of it is flagged.
    """
    if (positive is None) != (threshold is None):
        missing = "--threshold T" if threshold is None else "--positive CLASS"
        raise UserError(
            f"expected a class and a threshold, from which on it is flagged: {missing} is missing."
        )
    if threshold is not None and not 0 < threshold <= 1:
        raise UserError(f"threshold: expected a probability above 0, at most 1; got {threshold:g}.")


def class_number(positive: str, names: Sequence[str], *, of: str) -> int:
    """The label of a class.

    Args:
        positive: Its name, in any case, or its number.
        names: Of all classes, by label.
        of: Whose classes these are, for messages.

    Raises:
        UnknownNameError: There is no such class.
    """
    found = [label for label, name in enumerate(names) if name.casefold() == positive.casefold()]
    if found:
        return found[0]
    if positive.isascii() and positive.isdigit() and int(positive[:10]) < len(names):
        return int(positive)
    raise UnknownNameError(f"class of {of}", positive, names)
