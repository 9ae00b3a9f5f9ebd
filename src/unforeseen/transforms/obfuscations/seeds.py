"""Randomness that is too much for a record: the record holds the seed of its stream."""

__all__ = ["draw_seed", "seeded_stream"]

from unforeseen.rng import Stream

# Whole numbers up to here are exact in every reader of JSON.
_LARGEST = 2**53 - 1


def draw_seed(stream: Stream) -> int:
    """A seed for a parameters' record."""
    return int(stream.integers(0, _LARGEST))


def seeded_stream(obfuscation: str, seed: int) -> Stream:
    """The stream of a record's seed.

    Args:
        obfuscation: Its name.
        seed: As drawn by :func:`draw_seed`.
    """
    return Stream("obfuscation", obfuscation, seed)
