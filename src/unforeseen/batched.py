"""Per-example tensors that travel together."""

__all__ = ["Batched"]

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Self

from torch import Tensor


@dataclass(frozen=True, kw_only=True)
class Batched:
    """A dataclass whose fields are all tensors with the same leading axis B, one per example.

    So any subset of examples can leave a batch and others take their places: nothing that
    belongs to one example is stored anywhere else.
    """

    def tensors(self) -> dict[str, Tensor]:
        """Field names and tensors, in the order of definition."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def map(self, function: Callable[[Tensor], Tensor]) -> Self:
        """Applies a function to every tensor."""
        return self.replace({name: function(value) for name, value in self.tensors().items()})

    def replace(self, tensors: dict[str, Tensor]) -> Self:
        """The same kind of thing with other tensors."""
        return type(self)(**tensors)

    def select(self, index: Tensor) -> Self:
        """Takes examples by number, int64 (n,); they may repeat."""
        return self.map(lambda tensor: tensor[index])

    def put(self, index: Tensor, other: Self) -> Self:
        """Puts the examples of ``other`` in the places ``index``, int64 (n,); leaves self alone."""
        theirs = other.tensors()
        return self.replace(
            {
                name: value.index_copy(0, index, theirs[name])
                for name, value in self.tensors().items()
            }
        )
