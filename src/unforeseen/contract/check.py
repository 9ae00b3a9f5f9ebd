"""One thing that every attack must do, and how it is tried."""

__all__ = ["Check", "differences"]

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch

from unforeseen.batched import Batched
from unforeseen.contract.case import Case


class Check(NamedTuple):
    """A property of an attack.

    Attributes:
        holds: What must hold, as a sentence without its full stop.
        cause: What usually breaks it, and what to do.
        broken: Tries it; yields what was seen where it doesn't hold, and nothing where it does.
    """

    holds: str
    cause: str
    broken: Callable[[Case], Iterator[str]]


def differences(one: Batched, other: Batched) -> Iterator[str]:
    """In which tensors two of a kind aren't the same bits, and by how much."""
    theirs = other.tensors()
    for name, value in one.tensors().items():
        if value.shape != theirs[name].shape:
            yield f"{name} has the shapes {tuple(value.shape)} and {tuple(theirs[name].shape)}"
        elif not torch.equal(value, theirs[name]):
            apart = (value.double() - theirs[name].double()).abs().max()
            yield f"{name} differs by up to {float(apart):.3g}"
