"""The two kinds of classifier: one that can only be asked, and one that has gradients.

Normalisation lives inside a classifier and nowhere else: pictures are in [0, 1] everywhere
outside it.
"""

__all__ = ["DifferentiableClassifier", "Predictor"]

import abc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from typing_extensions import override

from unforeseen.errors import ModelError, UserError, first_line
from unforeseen.models.cards import ModelCard
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.memory import is_out_of_memory


class Predictor(abc.ABC):
    """A classifier that can only be asked: 8-bit pictures in, class scores out.

    Attributes:
        card: What is known of it.
        device: Where its tensors live.
    """

    card: ModelCard
    device: torch.device

    @property
    def queries(self) -> int | None:
        """Pictures that it was asked about so far; None where nobody counts."""
        return None

    @property
    def queries_left(self) -> int | None:
        """Pictures that it may still be asked about; None where there is no budget."""
        return None

    def afford(self, x: Tensor, *, passes: int) -> None:  # noqa: B027 - most cost nothing
        """Makes sure, before any is paid, that all passes over the same pictures can be.

        Args:
            x: As in :meth:`logits`.
            passes: How many there will be.

        Raises:
            QueryBudgetError: There is a budget, and it doesn't reach for them.
        """

    def report_to(self, note: Callable[[str], None]) -> None:  # noqa: B027 - most have nothing to say
        """Takes whom to tell what happens meanwhile, e.g. that a service is asked again."""

    @abc.abstractmethod
    def logits(self, x: Tensor, *, pass_number: int = 0) -> Tensor:
        """Scores each class, softmax of which are the probabilities.

        Non-finite scores come through: they count as wrong, and are counted.

        Args:
            x: Pictures (B, 3, H, W) in [0, 1] on ``device``.
            pass_number: Which of several passes over the same pictures, from 0. A classifier that
                remembers answers keeps them apart by it.

        Returns:
            (B, classes), float32 (float64 if ``x`` is).

        Raises:
            ModelError: The model fails on such pictures, or returns something else.
        """

    @contextmanager
    def inference(self) -> Iterator[None]:
        """Puts the classifier in the state that evaluation needs, and restores it after."""
        yield

    def count_classes(self, image_size: int | tuple[int, int]) -> int:
        """Asks about one grey picture and counts the outputs.

        Args:
            image_size: (height, width) in pixels, or one number for a square.

        Raises:
            ModelError: The model fails on a picture of this size.
        """
        height, width = (image_size, image_size) if isinstance(image_size, int) else image_size
        try:
            with self.inference(), torch.no_grad():
                grey = torch.full((1, 3, height, width), 0.5, device=self.device)
                return self.logits(grey).shape[1]
        except (MemoryError, RuntimeError) as error:
            raise ModelError(
                f"{self.card.uri}: the model can't be asked about even one picture of "
                f"{width}×{height} pixels: {first_line(error)}"
            ) from error


class DifferentiableClassifier(Predictor):
    """A torch module that takes pictures in [0, 1] and returns logits.

    Parameters are frozen and modules put in evaluation mode only inside :meth:`inference`;
    every module's own flags come back after it. The module's memory layout is left alone.

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
        # Pictures with channels last make convolutions on a CPU about 1.25 times faster, even
        # where the weights lie otherwise.
        self._prefers_channels_last = self.device.type == "cpu" and any(
            parameter.ndim == 4 for parameter in module.parameters()
        )
        self._contiguous_only: set[torch.Size] = set()

    @override
    def logits(self, x: Tensor, *, pass_number: int = 0) -> Tensor:
        """See the base class; differentiable with respect to ``x``."""
        with _blaming(self.card.uri, self.module, x):
            scores = self._call(x)
        if not isinstance(scores, Tensor) or scores.ndim != 2 or len(scores) != len(x):
            got = tuple(scores.shape) if isinstance(scores, Tensor) else type(scores).__name__
            raise ModelError(
                f"{self.card.uri}: expected logits of shape ({len(x)}, classes) for {len(x)} "
                f"pictures, got {got}."
            )
        _check_count(self.card.uri, scores.shape[1])
        if not scores.is_floating_point():
            raise ModelError(
                f"{self.card.uri}: expected logits as floating point numbers, got {scores.dtype}."
            )
        return scores if scores.dtype == torch.float64 else scores.float()

    def _call(self, x: Tensor) -> object:
        if not self._prefers_channels_last or x.shape[1:] in self._contiguous_only:
            return self.module(x.contiguous())
        try:
            return self.module(x.contiguous(memory_format=torch.channels_last))
        except RuntimeError as error:
            # Modules that flatten with `view` can't take channels last. Remembered per image
            # size, so that the layout, and with it the rounding, never depends on earlier calls.
            if "view size is not compatible" not in str(error):
                raise
            self._contiguous_only.add(x.shape[1:])
            return self.module(x.contiguous())

    def leave_training(self) -> None:
        """Puts the module in evaluation mode for good."""
        # An exported program refuses eval().
        for module in self.module.modules():
            module.training = False

    @contextmanager
    def inference(self) -> Iterator[None]:
        """Evaluation mode and frozen parameters, each flag restored after."""
        # Flags are set one by one: exported programs refuse eval(), and train() would give all
        # submodules the flag of the outermost.
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


@contextmanager
def _blaming(uri: str, module: nn.Module, x: Tensor) -> Iterator[None]:
    """Turns what a model raises into one line; lack of memory passes, the runner handles it."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise
        raise ModelError(
            f"{uri}: the model failed on pictures of shape {tuple(x.shape)}: "
            f"{type(error).__name__}: {first_line(error)}{_dtype_hint(module, x)}"
        ) from error


def _dtype_hint(module: nn.Module, x: Tensor) -> str:
    """Many modules fail where weights and pictures have different types, and few say what to do."""
    types = {p.dtype for p in module.parameters() if p.is_floating_point()} - {x.dtype}
    if not types:
        return ""
    own = ", ".join(sorted(str(each).removeprefix("torch.") for each in types))
    return (
        f" (the model has weights of type {own}, pictures are {str(x.dtype).removeprefix('torch.')}: "
        "if that is why, call .float() on the model)"
    )


def _device_of(module: nn.Module) -> torch.device:
    tensors = [*module.parameters(), *module.buffers()]
    return tensors[0].device if tensors else torch.device("cpu")


def _check_count(uri: str, classes: int) -> None:
    if classes < 2:
        raise ModelError(
            f"{uri}: expected at least 2 classes, got {classes} output: with one, every picture is "
            "right. A single score s of two classes becomes the logits (0, s)."
        )
