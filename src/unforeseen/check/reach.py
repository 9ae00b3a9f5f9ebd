"""How gravely a set-up must be wrong for so many pictures to show it."""

__all__ = ["reach_note"]

import math

from unforeseen.check.right import FEWEST_GAINED
from unforeseen.counted import counted


def reach_note(pictures: int) -> str:
    """What one must know of a check of few pictures that found nothing.

    Another normalisation is named only where it gains so many pictures that chance can't explain
    it. Of a few pictures these are a large share.

    Args:
        pictures: How many were looked at.
    """
    if pictures < FEWEST_GAINED:
        seen = f"can't be told from chance, which takes {FEWEST_GAINED}"
    else:
        points = math.ceil(100 * FEWEST_GAINED / pictures)
        seen = f"is named only where it costs {points} points of accuracy or more"
    return (
        f"with {counted(pictures, 'picture')} a wrong normalisation {seen}. To see more, give "
        "unforeseen check more pictures (it takes up to 512), or the accuracy that you expect "
        "(--expect-accuracy)."
    )
