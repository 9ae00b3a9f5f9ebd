"""Pictures that are in memory already: uint8, or floats that are 8-bit pictures divided by 255."""

__all__ = ["Images", "WholeNumbers", "from_arrays"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.label_spaces import label_space_of
from unforeseen.errors import DataError, first_line

if TYPE_CHECKING:
    from torch import Tensor

#: numpy arrays or torch tensors, on any device.
Images: TypeAlias = Union[NDArray[np.uint8], NDArray[np.floating], "Tensor"]
WholeNumbers: TypeAlias = Union[Sequence[int], NDArray[np.integer], "Tensor"]

# In [0, 1], as for every tensor that comes from outside; float32 rounds k / 255 to within 6e-8.
_TOLERANCE = 1e-6
_AT_A_TIME = 256
_LARGEST_LABEL = np.iinfo(np.int64).max


class ArrayDataset(Dataset):
    """An array of pictures.

    Args:
        pictures: (N, H, W, 3)
        labels: (N,)
        class_names: Label → words, or empty.
    """

    def __init__(
        self, pictures: NDArray[np.uint8], labels: NDArray[np.int64], class_names: tuple[str, ...]
    ) -> None:
        self._pictures = pictures
        self.labels = labels
        self.keys = [f"row {row}" for row in range(len(labels))]
        self.card = DataCard(
            uri="arrays",
            label_space=label_space_of(class_names),
            class_names=class_names,
            images=len(labels),
        )

    def read(self, index: int) -> NDArray[np.uint8]:
        """See the base class."""
        picture: NDArray[np.uint8] = self._pictures[index]
        return picture


def from_arrays(
    images: Images, labels: WholeNumbers, class_names: Sequence[str] = ()
) -> ArrayDataset:
    """Makes a data set of pictures in memory.

    A picture has the same id as its PNG file, so rows pair up. What is read is 8 bit, as all
    pictures of a benchmark are; other floats are refused, not rounded.

    Args:
        images: (N, H, W, 3) or (N, 3, H, W); uint8, or float32 or float64 in [0, 1] whose values are
            multiples of 1/255 to within 1e-6. uint8 isn't copied.
        labels: (N,) classes from 0.
        class_names: Label → words, where they are known.

    Raises:
        DataError: Another shape, type or range, or another number of labels.
    """
    pictures = _channels_last(_as_numpy("images", images))
    numbers = _as_numpy("labels", labels)
    if numbers.shape != (len(pictures),) or not np.issubdtype(numbers.dtype, np.integer):
        raise DataError(
            f"labels: expected {len(pictures)} whole numbers, one per picture, got shape "
            f"{numbers.shape} of {numbers.dtype}."
        )
    for label in (int(numbers.min()), int(numbers.max())) if len(numbers) else ():
        if not 0 <= label <= _LARGEST_LABEL:
            raise DataError(f"labels: expected classes from 0, got {label}.")
    return ArrayDataset(
        _eight_bits(pictures),
        numbers.astype(np.int64),
        tuple(map(str, class_names)),
    )


def _as_numpy(name: str, values: "Images | WholeNumbers") -> NDArray[np.generic]:
    # Torch isn't imported for this: a tensor knows the way itself.
    detach = getattr(values, "detach", None)
    try:
        return np.asarray(values if detach is None else detach().cpu().numpy())
    except (TypeError, ValueError) as error:  # bfloat16; pictures of several sizes
        raise DataError(f"{name}: can't be made one numpy array: {first_line(error)}") from error


def _channels_last(images: NDArray[np.generic]) -> NDArray[np.generic]:
    got = f"got shape {images.shape} of {images.dtype}"
    if images.dtype not in (np.uint8, np.float32, np.float64):
        raise DataError(
            f"images: expected uint8, or float32 or float64 in [0, 1], {got}. Convert them: "
            "images.astype('uint8') where they are 0 … 255."
        )
    if images.ndim == 4 and images.size and (images.shape[1] == 3) != (images.shape[3] == 3):
        return images if images.shape[3] == 3 else images.transpose(0, 2, 3, 1)
    raise DataError(
        f"images: expected at least one RGB picture, (N, H, W, 3) or (N, 3, H, W), {got}."
    )


def _eight_bits(images: NDArray[np.generic]) -> NDArray[np.uint8]:
    if images.dtype == np.uint8:
        return images.astype(np.uint8, copy=False)
    rounded = np.empty(images.shape, dtype=np.uint8)
    for begin in range(0, len(images), _AT_A_TIME):
        part = slice(begin, begin + _AT_A_TIME)
        scaled = images[part].astype(np.float64) * 255
        nearest = scaled.round().clip(0, 255)
        # Not "any above": a NaN compares false.
        if not (np.abs(scaled - nearest) <= 255 * _TOLERANCE).all():
            raise DataError(
                "images: expected floats that are 8-bit pictures divided by 255, got values from "
                f"{scaled.min() / 255:.6g} to {scaled.max() / 255:.6g} that aren't. Data sets hold "
                "8-bit pictures: give uint8. unforeseen.perturb takes any floats in [0, 1]."
            )
        rounded[part] = nearest
    return rounded
