"""Numbers of things in sentences."""

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """``1 picture``, ``0 pictures``, ``12,000 pictures``."""
    return f"{number:,} {thing}{'s' * (number != 1)}"
