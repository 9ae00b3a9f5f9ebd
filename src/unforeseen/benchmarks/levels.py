"""How strong attacks are: three levels, each of which an attack has its own radius for."""

__all__ = ["LEVELS", "Level", "level_named"]

from typing import Literal

from unforeseen.errors import UnknownNameError

Level = Literal["low", "medium", "high"]

LEVELS: tuple[Level, ...] = ("low", "medium", "high")


def level_named(name: str) -> Level:
    """The level of that name; raises UnknownNameError."""
    for level in LEVELS:
        if level == name:
            return level
    raise UnknownNameError("level", name, LEVELS)
