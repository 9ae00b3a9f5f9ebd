"""Options that take several names, joined by commas."""

__all__ = ["names_in"]


def names_in(joined: str) -> list[str]:
    """``a,b`` → [a, b]."""
    return [name.strip() for name in joined.split(",") if name.strip()]
