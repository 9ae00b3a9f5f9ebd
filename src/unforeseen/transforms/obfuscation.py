"""What an obfuscation must provide.

An obfuscation is a function of a picture and of random parameters, and nothing else (*Benchmarking
Robustness to Adversarial Image Obfuscations*, section 3.2). It never sees the model or the label.
Its counterpart, which is optimised against a model, is :mod:`unforeseen.transforms.base`.
"""

__all__ = [
    "CATEGORIES",
    "SMALLEST_SIDE",
    "AnyObfuscation",
    "Category",
    "ImageSize",
    "Obfuscation",
    "Parameters",
    "ParametersT",
    "Range",
    "checked_image",
    "scale_of",
]

import abc
import json
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, cast, get_type_hints

import torch
from torch import Tensor

from unforeseen.errors import DataError, ImageError, shown
from unforeseen.pixels import in_8_bits
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.ranges import ImageSize, Range, check_range, scale_of
from unforeseen.transforms.recorded_values import longest_length, read_value

Category = Literal["color", "transformation", "composition", "overlay", "machine-learning"]

#: The paper's groups (its appendix A), in its order.
CATEGORIES: tuple[Category, ...] = (
    "color",
    "transformation",
    "composition",
    "overlay",
    "machine-learning",
)

#: Shorter sides leave nothing of blocks, lines and icons.
SMALLEST_SIDE = 32
_TYPES = (torch.float32, torch.float64)
#: By which values may lie outside [0, 1].
_ROUNDING = 1e-6
#: No range goes further, in longer sides of a picture; more only fills the memory.
_LONGEST_LENGTH = 3


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """What is drawn for one picture: numbers, words, and tuples of numbers.

    Lengths are in pixels of the picture that they were drawn for. What needs more randomness than
    a record holds, such as noise per pixel, has a ``seed`` for it.
    """

    def to_json(self) -> str:
        """The record that is kept with the picture: one line, keys in the order of the fields."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, record: str) -> Self:
        """Reads a record back, which may be a stranger's.

        Only what depends on no picture is checked: names, types, and what numbers have as bounds. A
        record doesn't say the size that it was drawn for; :meth:`Obfuscation.apply_record` knows it.

        Raises:
            DataError: It isn't one of these parameters.
        """
        try:
            content = json.loads(record)
        except (TypeError, ValueError, RecursionError) as error:
            # Rows of clean and of published pictures have null here.
            got = shown(record, longest=60)
            raise DataError(f"parameters: expected JSON, got {got}.") from error
        types = get_type_hints(cls)
        names = [field.name for field in fields(cls)]
        if not isinstance(content, dict) or set(content) != set(names):
            raise DataError(
                f"parameters: expected an object with {', '.join(names)}, got {record[:60]!r}."
            )
        return cls(
            **{
                each.name: read_value(
                    each.name, content[each.name], types[each.name], **each.metadata
                )
                for each in fields(cls)
            }
        )


ParametersT = TypeVar("ParametersT", bound=Parameters)


@dataclass(frozen=True, kw_only=True)
class Obfuscation(abc.ABC, Generic[ParametersT]):
    """One obfuscation: what is drawn for a picture, and the picture that it makes.

    Subclasses are frozen dataclasses; their fields are the ranges that parameters are drawn from, made
    by :func:`~unforeseen.transforms.ranges.drawn_from`, and become part of a result's identity.

    Attributes:
        name: As published.
        version: Raised whenever the same draws give other parameters or another picture.
        summary: What it looks like, one line.
        source: Where it is described.
        category: The paper's group.
        held_out: Whether nobody may train on it.
        asset_kinds: Kinds of assets that it takes.
        parameters: Type of what is drawn.

    Raises:
        BenchmarkError: Nothing can be drawn from one of its ranges.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    summary: ClassVar[str]
    source: ClassVar[str]
    category: ClassVar[Category]
    held_out: ClassVar[bool] = False
    asset_kinds: ClassVar[tuple[AssetKind, ...]] = ()
    parameters: ClassVar[type[Parameters]]

    def __post_init__(self) -> None:
        for each in fields(self):
            check_range(f"{self.name}.{each.name}", getattr(self, each.name), each.metadata)

    @property
    def settings(self) -> dict[str, Any]:
        """What decides what it makes of a picture, besides draws and assets, as JSON can hold it."""
        drawn_from = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            "version": self.version,
            **{
                name: list(value) if isinstance(value, tuple) else value
                for name, value in drawn_from.items()
            },
        }

    @abc.abstractmethod
    def sample(self, stream: Stream, size: ImageSize, assets: AssetPack) -> ParametersT:
        """Draws the parameters of one picture.

        Args:
            stream: Gives what is random; always read in the same order.
            size: Height and width in pixels of the picture, at least :data:`SMALLEST_SIDE` each.
            assets: Say which photos, icons … there are to choose from.
        """

    @abc.abstractmethod
    def apply(self, image: Tensor, parameters: ParametersT, assets: AssetPack) -> Tensor:
        """Makes the obfuscated picture.

        Args:
            image: (3, H, W), float32 or float64 in [0, 1]; it stays as it is.
            parameters: As drawn by :meth:`sample` for this size.
            assets: Hold the photos, icons … that the parameters name.

        Returns:
            (3, H, W) in [0, 1], of the same type and on the same device.
        """

    def obfuscate(
        self, image: Tensor, stream: Stream, assets: AssetPack
    ) -> tuple[Tensor, ParametersT]:
        """Draws parameters and applies them; arguments as of :meth:`sample` and :meth:`apply`.

        Values up to 1e-6 outside [0, 1] are taken for its ends.

        Raises:
            ImageError: ``image`` isn't such a picture of at least 32×32 pixels.
        """
        image = checked_image(image)
        height, width = image.shape[1:]
        parameters = self.sample(stream, (height, width), assets)
        return self.apply(image, parameters, assets), parameters

    def obfuscate_example(
        self, pixels: Tensor, assets: AssetPack, *, seed: int, example_id: str, draw: int = 0
    ) -> tuple[Tensor, ParametersT]:
        """Obfuscates a picture of a data set: the same in a run, in a data set that is made, in a sheet.

        Args:
            pixels: (3, H, W), uint8.
            assets: As of :meth:`sample`.
            seed: Of the run or of the data set that is made.
            example_id: The picture's (:func:`unforeseen.data.identity.identify`).
            draw: Which of several draws of the picture.

        Returns:
            (3, H, W), uint8, which is what a file holds; and the parameters.

        Raises:
            ImageError: It has less than 32×32 pixels.
        """
        key = ExampleKey(seed=seed, transform=self.name, example_id=example_id, restart=draw)
        picture, parameters = self.obfuscate(pixels.float() / 255, key.stream("parameters"), assets)
        return in_8_bits(picture), parameters

    def apply_record(self, image: Tensor, record: str, assets: AssetPack) -> Tensor:
        """Makes a picture again from the record of what was drawn for it, whatever the ranges were.

        Args:
            image: The picture as it was before, in the same size: (3, H, W), uint8, or float32 or
                float64 in [0, 1].
            record: JSON, as rows, lists of evasions and data that were made hold it; may be a stranger's.
            assets: Of which the record names some.

        Returns:
            As :meth:`obfuscate` makes it, and of uint8 as :meth:`obfuscate_example` does.

        Raises:
            ImageError: ``image`` isn't such a picture of at least 32×32 pixels.
            DataError: It isn't a record of this obfuscation, or none of a picture of this size.
            UnknownNameError: The assets have none of that name.
        """
        plain = checked_image(image.float() / 255 if image.dtype == torch.uint8 else image)
        height, width = plain.shape[1:]
        parameters = self.parameters.from_json(record)
        made = None
        if longest_length(parameters) <= _LONGEST_LENGTH * max(height, width):
            made = self.apply(plain, cast("ParametersT", parameters), assets)
        # NaN lies nowhere.
        if made is None or not 0 <= float(made.min()) <= float(made.max()) <= 1:
            raise DataError(
                f"parameters: expected what {self.name} draws for a picture of {width}×{height} pixels, "
                f"got {shown(record, longest=160)}. Give the picture in the size that it was drawn for."
            )
        return in_8_bits(made) if image.dtype == torch.uint8 else made


#: For tables of obfuscations: what its parameters are is each one's own business.
AnyObfuscation = Obfuscation[Any]


def checked_image(image: Tensor) -> Tensor:
    """The picture, without what rounding carried over the edge of [0, 1]; or raises ImageError.

    Places of pixels are reckoned in the picture's type, for which 16 bits are too few.
    """
    if image.ndim != 3 or image.shape[0] != 3 or image.dtype not in _TYPES:
        raise ImageError(
            "expected a picture (3, H, W) of float32 or float64 in [0, 1], got "
            f"{image.dtype} {tuple(image.shape)}."
        )
    height, width = image.shape[1:]
    if min(height, width) < SMALLEST_SIDE:
        raise ImageError(
            f"expected a picture of at least {SMALLEST_SIDE}×{SMALLEST_SIDE} pixels, got "
            f"{width}×{height}. Enlarge it first."
        )
    low, high = torch.aminmax(image)
    if not (low >= -_ROUNDING and high <= 1 + _ROUNDING):
        advice = "Obfuscate before normalising" if low < 0 else "Divide 8-bit pictures by 255"
        raise ImageError(
            f"expected values in [0, 1], got some from {float(low):.3g} to {float(high):.3g}. "
            f"{advice}."
        )
    return image if low >= 0 and high <= 1 else image.clamp(0, 1)
