"""What a check may take of a black box's budget: a quarter of what is left, the rest is for rows."""

__all__ = ["affordable"]

from unforeseen.models.classifier import Predictor

_SHARE = 4


def affordable(classifier: Predictor, pictures: int) -> int:
    """How many of so many pictures a check may ask about."""
    left = classifier.queries_left
    return pictures if left is None else min(pictures, left // _SHARE)
