"""Saying which pictures weren't RGB: a grey-scale one becomes three equal channels, and so on."""

__all__ = ["Conversions"]

from collections import Counter
from collections.abc import Iterable, Iterator

from unforeseen.data.pictures import Picture, Unreadable

# Pillow's modes, by their beginnings, in words.
_KINDS = {
    "LA": "transparent",
    "La": "transparent",
    "L": "grey-scale",
    "1": "grey-scale",
    "I": "grey-scale",
    "PA": "transparent",
    "P": "palette",
    "RGBA": "transparent",
    "RGBa": "transparent",
    "CMYK": "CMYK",
}


class Conversions:
    """Counts pictures that were converted to RGB, each once."""

    def __init__(self) -> None:
        self._kind_of: dict[str, str] = {}

    def watch(self, pictures: Iterable[Picture | Unreadable]) -> Iterator[Picture | Unreadable]:
        """Passes pictures on."""
        for picture in pictures:
            if isinstance(picture, Picture) and picture.mode != "RGB":
                self._kind_of[picture.example_id] = _kind(picture.mode)
            yield picture

    @property
    def note(self) -> str | None:
        """What to tell the user, or None where all were RGB."""
        counts = sorted(Counter(self._kind_of.values()).items())
        if not counts:
            return None
        listed = ", ".join(f"{count} {kind}" for kind, count in counts)
        return f"converted to RGB: {listed}"


def _kind(mode: str) -> str:
    found = (kind for beginning, kind in _KINDS.items() if mode.startswith(beginning))
    return next(found, mode)
