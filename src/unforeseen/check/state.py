"""Does asking change the model, and was it handed over as it is meant to be used?"""

__all__ = ["Buffers", "training_note"]

from collections.abc import Mapping
from typing import Self

import torch
from torch import Tensor, nn

# The bases of all layers of batch normalisation (and only of those that keep statistics), and of
# all of dropout: the public names would have to be listed one by one.
from torch.nn.modules.batchnorm import _NormBase
from torch.nn.modules.dropout import _DropoutNd

from unforeseen.check.findings import Evidence, Finding

#: How the layers that leave whole branches out are called in timm, transformers and torchvision.
_SKIPPING = ("DropPath", "StochasticDepth")


class Buffers:
    """A copy of a module's buffers, to be compared with later.

    Args:
        buffers: By name.
    """

    def __init__(self, buffers: Mapping[str, Tensor]) -> None:
        self._before = {name: buffer.detach().clone() for name, buffer in buffers.items()}

    @classmethod
    def of(cls, module: nn.Module) -> Self:
        """The buffers as they are now."""
        return cls(dict(module.named_buffers()))

    def evidence(self, module: nn.Module) -> Evidence:
        """Whether they are the same bytes still."""
        now = dict(module.named_buffers())
        changed = [
            name
            for name, before in self._before.items()
            if name not in now or not _same(before, now[name])
        ]
        if not changed:
            return Evidence()
        shown = ", ".join(changed[:3]) + (" …" if len(changed) > 3 else "")
        finding = Finding(
            kind="suspicious",
            about="the model changes when asked",
            seen=f"A forward pass in evaluation mode changes {len(changed)} of the model's buffers "
            f"({shown}), so results depend on what was asked before.",
            advice="Usual causes: batch normalisation that goes on learning, a forward that calls train().",
        )
        return Evidence((finding,))


def training_note(module: nn.Module) -> Evidence:
    """Says so where layers that behave otherwise in training came in training mode."""
    training = [
        each
        for each in module.modules()
        if each.training
        and (isinstance(each, _NormBase | _DropoutNd) or type(each).__name__.endswith(_SKIPPING))
    ]
    if not training:
        return Evidence()
    note = (
        f"the model came in training mode ({len(training)} layers of batch normalisation, "
        "dropout or stochastic depth); it is evaluated in evaluation mode and then put back."
    )
    return Evidence(notes=(note,))


def _same(one: Tensor, other: Tensor) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    return torch.equal(_bytes(one), _bytes(other.to(one.device)))


def _bytes(tensor: Tensor) -> Tensor:
    # Compared as numbers NaN would differ from itself, and −0 wouldn't from 0.
    return tensor.detach().flatten().contiguous().view(torch.uint8)
