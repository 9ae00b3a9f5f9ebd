"""The two kinds of classifier: one that can only be asked, and one that has gradients.

Normalisation lives inside a classifier and nowhere else: pictures are in [0, 1] everywhere
outside it.
"""

__all__ = [
    "DifferentiableClassifier",
    "HeadCard",
    "ModelCard",
    "Predictor",
    "is_out_of_memory",
]

import abc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError, UserError, first_line
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.preprocessing import Preprocessing

#: What torch says when memory ran out, other than by its own exception type.
_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


@dataclass(frozen=True, kw_only=True)
class HeadCard:
    """What is known of a head (:mod:`unforeseen.models.heads`).

    Attributes:
        name: How the user named it.
        outputs: Number of the model's own outputs.
        mapping: Hash of which outputs make up which class, and how.
    """

    name: str
    outputs: int
    mapping: str


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """What is known of a model before it has seen a picture.

    Attributes:
        uri: How the user named it.
        fingerprint: Hash of architecture, weights and normalisation: the same fingerprint means
            the same function.
        preprocessing: The model's own, or None where it declares none (the benchmark's applies).
        classes: Number of classes after the head, or None where only a first call tells
            (:meth:`Predictor.count_classes`).
        mean: Subtracted per channel, or None where normalisation is none or is the module's own.
        std: Divided by per channel, likewise.
        accuracy: Top-1 accuracy in [0, 1] that the model's makers state for the test pictures of
            its label space, or None where they state none.
        class_names: What the model itself, or its head, calls its classes; empty where neither
            says.
        code: Hash of the code of a function whose fingerprint comes from a version instead.
        head: What maps the model's outputs to classes, or None where they are the classes.
    """

    uri: str
    fingerprint: str
    preprocessing: Preprocessing | None = None
    classes: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    accuracy: float | None = None
    class_names: tuple[str, ...] = ()
    code: str | None = None
    head: HeadCard | None = None

    def to_record(self) -> dict[str, Any]:
        """For a run's record: all but the class names, of which there may be thousands."""
        record = asdict(self)
        del record["class_names"]
        return record


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

    def logits_of_pass(self, x: Tensor, number: int) -> Tensor:
        """As :meth:`logits`, of one of several passes over the same pictures.

        Args:
            x: As there.
            number: Which pass, from 0. A classifier that remembers answers keeps them apart by it.
        """
        self.begin_pass(number)
        try:
            return self.logits(x)
        finally:
            self.begin_pass(0)

    def begin_pass(self, number: int) -> None:  # noqa: B027 - most have nothing to keep apart
        """Says which of several passes over the same pictures comes next, from 0.

        A classifier that remembers answers keeps them apart by it.
        """

    def forget(self) -> None:  # noqa: B027 - most remember nothing
        """Drops remembered answers, so that it is asked again about the same picture."""

    def report_to(self, note: Callable[[str], None]) -> None:  # noqa: B027 - most have nothing to say
        """Takes whom to tell what happens meanwhile, e.g. that a service is asked again."""

    @abc.abstractmethod
    def logits(self, x: Tensor) -> Tensor:
        """Scores each class, softmax of which are the probabilities.

        Non-finite scores come through: they count as wrong, and are counted.

        Args:
            x: Pictures (B, 3, H, W) in [0, 1] on ``device``.

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

    def logits(self, x: Tensor) -> Tensor:
        """See the base class; differentiable with respect to ``x``."""
        with _blaming(self.card.uri, x):
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


def is_out_of_memory(error: Exception) -> bool:
    """Whether a smaller batch might help: the CPU's and MPS's allocators raise RuntimeError."""
    return isinstance(error, MemoryError | torch.cuda.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and any(words in str(error) for words in _OUT_OF_MEMORY)
    )


@contextmanager
def _blaming(uri: str, x: Tensor) -> Iterator[None]:
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
            f"{type(error).__name__}: {first_line(error)}"
        ) from error


def _device_of(module: nn.Module) -> torch.device:
    tensors = [*module.parameters(), *module.buffers()]
    return tensors[0].device if tensors else torch.device("cpu")


def _check_count(uri: str, classes: int) -> None:
    if classes < 2:
        raise ModelError(
            f"{uri}: expected at least 2 classes, got {classes} output: with one, every picture is "
            "right. A single score s of two classes becomes the logits (0, s)."
        )
