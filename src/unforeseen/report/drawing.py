"""What all figures share: text that is taken as it is, labels that don't overlap, and the file."""

__all__ = ["halved", "literal", "save_figure", "spread_out"]

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from unforeseen.files.atomic import save_file

# Where a name of several words written together may be broken.
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def halved(word: str, letters: int) -> Iterator[str]:
    """A word in pieces that fit on a line of so many letters, where it has humps, or else is cut."""
    line = ""
    for hump in _HUMP.split(word):
        if line and len(line) + len(hump) > letters:
            yield line
            line = ""
        line += hump
    yield line if len(line) <= letters else f"{line[: letters - 1]}…"


def literal(text: str) -> str:
    """A text that is drawn as it is, on as many lines.

    A dollar sign is a dollar sign and not the start of a formula. Text may be a stranger's: what can't
    be printed would turn it around, or keep the figure from being drawn, and is replaced.
    """
    kept = (each if each.isprintable() or each.isspace() else _REPLACEMENT for each in text)
    return "".join(kept).replace("$", r"\$")


def save_figure(figure: Figure, path: Path) -> None:
    """Draws a PNG.

    Raises:
        RunError: It can't be written; what was there is as it was.
    """
    encoded = io.BytesIO()
    with warnings.catch_warnings():
        # Names of classes may be in any script; what the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", r"Glyph .* missing from font", UserWarning)
        figure.savefig(encoded, format="png")
    save_file(path, encoded.getvalue())


def spread_out(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels as near as can be to where they are wanted, and none over another.

    Those that would overlap stand evenly around the mean of their wanted places: the places that
    minimise the sum of squared moves, found by pooling neighbours (isotonic regression).

    Args:
        wanted: A place for each label.
        gap: The smallest distance between two.
        low: The lowest place.
        high: The highest; where there isn't room for all between them, the distance shrinks.

    Returns:
        A place for each label, in the order of ``wanted``.
    """
    if len(wanted) > 1:
        gap = min(gap, (high - low) / (len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    # Without the gaps that lie below each, places need only not fall.
    pools: list[list[float]] = []
    for rank, index in enumerate(order):
        pools.append([wanted[index] - rank * gap])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    level = [_mean(pool) for pool in pools for _ in pool]
    room = high - (len(wanted) - 1) * gap
    places = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        places[index] = min(max(level[rank], low), room) + rank * gap
    return places


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
