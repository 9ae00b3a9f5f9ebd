"""Pictures as tensors, ready for a batch; or why one isn't."""

__all__ = ["Picture", "Unreadable", "read_picture", "stream_pictures"]

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from PIL import Image
from torch import Tensor

from unforeseen.data.ahead import map_ahead
from unforeseen.data.dataset import Dataset
from unforeseen.data.preprocess import apply
from unforeseen.errors import DataError, one_line
from unforeseen.files.decode import decode
from unforeseen.preprocessing import Preprocessing

_LONGEST_REASON = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """One preprocessed picture. Compared by identity, as tensors have no truth value.

    Attributes:
        example_id: What :func:`~unforeseen.data.identity.identify` calls it.
        label: True class.
        index: Its place in the data set.
        image: (3, H, W), uint8.
        mode: Pillow's name of what it was before it became RGB, such as ``L`` for grey-scale.
    """

    example_id: str
    label: int
    index: int
    image: Tensor
    mode: str = "RGB"


@dataclass(frozen=True, kw_only=True)
class Unreadable:
    """One picture that can't be read or decoded; outside every denominator.

    Attributes:
        example_id: As of a picture.
        label: True class.
        index: Its place in the data set.
        reason: Why, in one line.
    """

    example_id: str
    label: int
    index: int
    reason: str


def read_picture(
    dataset: Dataset, index: int, example_id: str, preprocessing: Preprocessing
) -> Picture | Unreadable:
    """Reads, decodes and preprocesses one picture. A broken file is a result, not an error.

    Args:
        dataset: Where it lies.
        index: Which.
        example_id: Its id.
        preprocessing: What to do to it.
    """
    label = int(dataset.labels[index])
    try:
        content = dataset.read(index)
        image = decode(content) if isinstance(content, bytes) else Image.fromarray(content)
        pixels = apply(image, preprocessing)
    except OSError as error:
        # strerror leaves out the path, which would carry a user's folders into published rows.
        reason = error.strerror or str(error) or type(error).__name__
    except DataError as error:
        reason = str(error)
    else:
        return Picture(
            example_id=example_id, label=label, index=index, image=pixels, mode=image.mode
        )
    reason = one_line(reason, longest=_LONGEST_REASON)
    return Unreadable(example_id=example_id, label=label, index=index, reason=reason)


def stream_pictures(
    dataset: Dataset,
    chosen: Sequence[tuple[int, str]],
    preprocessing: Preprocessing,
    *,
    workers: int = 2,
    ahead: int = 32,
) -> Generator[Picture | Unreadable, None, None]:
    """Reads pictures in order, a few ahead of the consumer.

    Args:
        dataset: Where they lie.
        chosen: (index, id) of each.
        preprocessing: What to do to them.
        workers: Number of threads; they end when the iterator is closed.
        ahead: How many pictures may be decoded or waiting at a time.
    """
    return map_ahead(
        lambda item: read_picture(dataset, item[0], item[1], preprocessing),
        chosen,
        workers=workers,
        ahead=ahead,
    )
