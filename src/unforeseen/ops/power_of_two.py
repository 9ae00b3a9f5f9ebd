"""Whole powers of two, the sizes that recursive halving needs."""

__all__ = ["next_power_of_two"]


def next_power_of_two(length: int) -> int:
    """The smallest power of two ≥ ``length``, which is at least 1."""
    return 1 << (length - 1).bit_length()
