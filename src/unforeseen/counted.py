"""Numbers of things, and lengths of time, in sentences."""

__all__ = ["counted", "lasting"]

#: From how many seconds on a time is told in minutes.
_IN_MINUTES = 120


def counted(number: int, thing: str) -> str:
    """``1 picture``, ``0 pictures``, ``12,000 pictures``."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def lasting(seconds: float) -> str:
    """``1 second``, ``119 seconds``, ``2 minutes``: in seconds as long as minutes would tell too little."""
    whole = round(seconds)
    return (
        counted(whole, "second") if whole < _IN_MINUTES else counted(round(seconds / 60), "minute")
    )
