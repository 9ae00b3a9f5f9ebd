"""A network of styles that nobody trained."""

__all__ = ["made_stylization"]

import torch

from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.network import StylizationNetwork
from unforeseen.stylization.weights import Stylization


def made_stylization(names: StyleNames, *, seed: int = 0) -> Stylization:
    """A network whose styles differ: every weight, scale and shift is drawn."""
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = StylizationNetwork(len(names))
    with torch.no_grad():
        for name, value in network.named_parameters():
            if name.endswith(("scale", "shift")):
                value.add_(torch.randn(value.shape, generator=generator))
    network.eval().requires_grad_(requires_grad=False)
    return Stylization(names=names, network=network)
