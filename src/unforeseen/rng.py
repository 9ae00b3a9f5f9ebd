"""Random streams keyed by what they are for, so that a draw never depends on the batch.

A stream is numpy's counter-based Philox generator under a key hashed from
(seed, transform, example, purpose, restart, step). Its raw integers are turned into floats
here: numpy promises the bits of a bit generator for ever, but not its distributions.
"""

__all__ = ["ExampleKey", "Purpose", "Stream"]

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Purpose = Literal["scene", "start", "evaluation", "draw", "parameters"]


class Stream:
    """An endless row of random numbers, the same on every machine for the same key.

    Args:
        *key: Strings and integers; their order matters.
    """

    def __init__(self, *key: str | int) -> None:
        digest = hashlib.blake2b(repr(key).encode(), digest_size=16).digest()
        self._bits = np.random.Philox(key=int.from_bytes(digest, "little"))

    def _raw(self, shape: tuple[int, ...]) -> NDArray[np.uint64]:
        return self._bits.random_raw(int(np.prod(shape, dtype=np.int64))).reshape(shape)

    def uniform(self, low: float, high: float, shape: tuple[int, ...] = ()) -> NDArray[np.float32]:
        """Draws from U(low, high), on a lattice of 2**24 values so that float32 holds them."""
        unit = (self._raw(shape) >> np.uint64(40)).astype(np.float64) * 2.0**-24
        return (low + (high - low) * unit).astype(np.float32)

    def normal(self, shape: tuple[int, ...] = ()) -> NDArray[np.float64]:
        """Draws from N(0, 1), by Box and Muller's formula."""
        size = int(np.prod(shape, dtype=np.int64))
        pairs = (self._raw((2, -(-size // 2))) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        length = np.sqrt(-2 * np.log1p(-pairs[0]))
        both = np.concatenate(
            [length * np.cos(2 * np.pi * pairs[1]), length * np.sin(2 * np.pi * pairs[1])]
        )
        return both[:size].reshape(shape)

    def integers(self, low: int, high: int, shape: tuple[int, ...] = ()) -> NDArray[np.int64]:
        """Draws whole numbers from low … high, both included (bias below (high − low) / 2**64)."""
        return low + (self._raw(shape) % np.uint64(high - low + 1)).astype(np.int64)


@dataclass(frozen=True, kw_only=True)
class ExampleKey:
    """What the random draws of one example under one transform depend on, and nothing else.

    Attributes:
        seed: The run's seed; 0 is a seed.
        transform: The transform's name. Levels share their draws.
        example_id: The picture's id.
        restart: 0 for the first start, or the first draw of an obfuscation's parameters.
    """

    seed: int
    transform: str
    example_id: str
    restart: int = 0

    def stream(self, purpose: Purpose, *, step: int = 0) -> Stream:
        """Opens the stream of one purpose.

        Args:
            purpose: ``scene`` (what is random but not optimised: the same for all restarts),
                ``start`` (the first latents), ``evaluation`` (drawn afresh at each evaluation),
                ``draw`` (latents drawn anew instead of an update), ``parameters`` (of an
                obfuscation).
            step: For ``evaluation`` and ``draw``: which one.
        """
        restart = 0 if purpose == "scene" else self.restart
        return Stream(self.seed, self.transform, self.example_id, purpose, restart, step)
