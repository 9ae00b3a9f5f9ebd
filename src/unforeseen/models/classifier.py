"""The two kinds of classifier: one that can only be asked, and one that has gradients.

Normalisation lives inside a classifier and nowhere else: pictures are in [0, 1] everywhere
outside it.
"""

__all__ = ["DifferentiableClassifier", "ModelCard", "Predictor"]

import abc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.preprocessing import Preprocessing


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """What is known of a model before it has seen a picture.

    Attributes:
        uri: How the user named it.
        fingerprint: Hash of architecture, weights and normalisation: the same fingerprint means
            the same function.
        preprocessing: The model's own, or None where it declares none (the benchmark's applies).
        classes: Number of outputs, or None where only a first call tells.
        mean: Subtracted per channel, or None where normalisation is none or is the module's own.
        std: Divided by per channel, likewise.
    """

    uri: str
    fingerprint: str
    preprocessing: Preprocessing | None = None
    classes: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None


class Predictor(abc.ABC):
    """A classifier that can only be asked: 8-bit pictures in, class scores out.

    Attributes:
        card: What is known of it.
        device: Where its tensors live.
    """

    card: ModelCard
    device: torch.device

    @abc.abstractmethod
    def logits(self, x: Tensor) -> Tensor:
        """Scores each class, softmax of which are the probabilities.

        Args:
            x: Pictures (B, 3, H, W) in [0, 1] on ``device``.

        Returns:
            (B, classes), float32 (float64 if ``x`` is).
        """

    @contextmanager
    def inference(self) -> Iterator[None]:
        """Puts the classifier in the state that evaluation needs, and restores it after."""
        yield


class FunctionPredictor(Predictor):
    """A plain function: uint8 pictures (B, H, W, 3) → probabilities (B, classes).

    The function sees pictures rounded to 8 bits, as a service behind an upload would.

    Args:
        function: Takes and returns numpy arrays.
        card: What is known of it.
    """

    def __init__(
        self,
        function: Callable[[NDArray[np.uint8]], NDArray[np.floating]],
        card: ModelCard,
    ) -> None:
        self._function = function
        self.card = card
        self.device = torch.device("cpu")

    def logits(self, x: Tensor) -> Tensor:
        """Logarithm of the probabilities that the function returns; see the base class."""
        pictures = (x * 255).round().to(torch.uint8).permute(0, 2, 3, 1).cpu().numpy()
        probabilities = np.asarray(self._function(np.ascontiguousarray(pictures)))
        if probabilities.ndim != 2 or len(probabilities) != len(x):
            raise ModelError(
                f"{self.card.uri}: expected probabilities of shape ({len(x)}, classes) for "
                f"{len(x)} pictures, got {probabilities.shape}."
            )
        if not np.issubdtype(probabilities.dtype, np.number):
            raise ModelError(
                f"{self.card.uri}: expected numbers as probabilities, got {probabilities.dtype}."
            )
        if (probabilities < 0).any() or (np.abs(probabilities.sum(axis=1) - 1) > 1e-2).any():
            raise ModelError(
                f"{self.card.uri}: expected probabilities (≥ 0, each row adding up to 1); got "
                f"values from {probabilities.min():.3g} to {probabilities.max():.3g}. Apply a "
                "softmax inside the function."
            )
        return torch.from_numpy(probabilities.astype(np.float32)).clamp_min(1e-38).log()


class DifferentiableClassifier(Predictor):
    """A torch module that takes pictures in [0, 1] and returns logits.

    Parameters are frozen and modules put in evaluation mode only inside :meth:`inference`;
    every module's own flags come back after it.

    Args:
        module: Takes (B, 3, H, W) in [0, 1], returns (B, classes).
        card: What is known of it; made from the module where None.
        device: Where to put the module; None leaves it where it is.
    """

    def __init__(
        self, module: nn.Module, card: ModelCard | None = None, device: torch.device | None = None
    ) -> None:
        self.module = module if device is None else module.to(device)
        self.device = device or _device_of(module)
        self.card = card or ModelCard(
            uri=f"module:{type(module).__name__}", fingerprint=fingerprint_of(module)
        )

    def logits(self, x: Tensor) -> Tensor:
        """See the base class; differentiable with respect to ``x``."""
        if x.device.type == "cpu":
            x = x.contiguous(memory_format=torch.channels_last)
        scores: object = self.module(x)
        if not isinstance(scores, Tensor) or scores.ndim != 2 or len(scores) != len(x):
            got = tuple(scores.shape) if isinstance(scores, Tensor) else type(scores).__name__
            raise ModelError(
                f"{self.card.uri}: expected logits of shape ({len(x)}, classes) for {len(x)} "
                f"pictures, got {got}."
            )
        return scores if scores.dtype == torch.float64 else scores.float()

    @contextmanager
    def inference(self) -> Iterator[None]:
        """Evaluation mode and frozen parameters, each flag restored after."""
        modules = [(module, module.training) for module in self.module.modules()]
        parameters = [(p, p.requires_grad) for p in self.module.parameters()]
        try:
            for module, _ in modules:
                module.training = False
            for parameter, _ in parameters:
                parameter.requires_grad_(False)
            yield
        finally:
            for module, training in modules:
                module.training = training
            for parameter, requires_grad in parameters:
                parameter.requires_grad_(requires_grad)


def fingerprint_of(module: nn.Module, *extra: object) -> str:
    """Hashes what a module is (its printed structure) and holds (its state), and ``extra``."""
    digest = hashlib.sha256(repr((repr(module), extra)).encode())
    for name, value in sorted(module.state_dict().items()):
        if isinstance(value, Tensor):
            digest.update(f"{name}{value.dtype}{tuple(value.shape)}".encode())
            digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()[:32]


def _device_of(module: nn.Module) -> torch.device:
    tensors = [*module.parameters(), *module.buffers()]
    return tensors[0].device if tensors else torch.device("cpu")
