"""What a head (:mod:`unforeseen.models.heads`) does to logits."""

__all__ = ["HeadLayer"]

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.models.heads import Head


class HeadLayer(nn.Module):
    """Applies a head to logits (B, outputs); gives (B, classes).

    Groups of similar size are summed up together, so that memory grows with the outputs and not
    with classes times the largest group.

    Args:
        head: Which outputs make up which class.
        uri: What messages call the model.
    """

    places: Tensor
    divisors: Tensor

    def __init__(self, head: Head, uri: str) -> None:
        super().__init__()
        self._head = head
        self._uri = uri
        of_size: dict[int, list[int]] = {}
        for number, group in enumerate(head.groups):
            of_size.setdefault((len(group) - 1).bit_length(), []).append(number)
        self._parts = nn.ModuleList(
            _Groups([head.groups[number] for number in numbers]) for numbers in of_size.values()
        )
        order = torch.tensor([number for numbers in of_size.values() for number in numbers])
        self.register_buffer("places", order.argsort())
        # As whole numbers, since not every device has float64.
        sizes = [len(group) if head.combine == "mean" else 1 for group in head.groups]
        self.register_buffer("divisors", torch.tensor(sizes))

    def forward(self, logits: Tensor) -> Tensor:
        """Returns scores in the logits' precision, float32 at least."""
        # What isn't logits goes on as it is: the classifier says what is wrong with it.
        if not isinstance(logits, Tensor) or logits.ndim != 2 or not logits.is_floating_point():
            return logits
        if logits.shape[1] != self._head.outputs:
            raise ModelError(
                f"{self._uri}: head {self._head.name} is for {self._head.outputs:,} outputs, got "
                f"{logits.shape[1]:,}."
            )
        scores = logits if logits.dtype == torch.float64 else logits.float()
        grouped = torch.cat([part(scores) for part in self._parts], dim=1)[:, self.places]
        return grouped - self.divisors.to(scores).log()


class _Groups(nn.Module):
    """log Σ exp of each of some groups, padded to the length of the longest."""

    members: Tensor
    absent: Tensor

    def __init__(self, groups: Sequence[tuple[int, ...]]) -> None:
        super().__init__()
        longest = max(map(len, groups))
        padded = [[*group, *[0] * (longest - len(group))] for group in groups]
        sizes = torch.tensor([len(group) for group in groups])
        self.register_buffer("members", torch.tensor(padded))
        self.register_buffer("absent", torch.arange(longest) >= sizes[:, None])

    def forward(self, scores: Tensor) -> Tensor:
        if self.members.shape[1] == 1:
            return scores[:, self.members[:, 0]]
        return scores[:, self.members].masked_fill(self.absent, -math.inf).logsumexp(dim=2)
