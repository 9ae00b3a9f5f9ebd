"""``cifar10:DIR``: the original batches, pickled ("python version") or binary.

Source: A. Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009, and the page of
the data set. Both versions hold the same pictures in the same order: 10,000 a batch, one test batch
and five of training, 3 × 32 × 32 bytes a picture, channel by channel.
"""

__all__ = ["load_cifar10"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unforeseen.data.cifar10_pickle import load_plain_pickle, text_of, whole_numbers
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.label_spaces import CIFAR10_CLASSES
from unforeseen.errors import DataError
from unforeseen.files.regular_files import read_regular_file
from unforeseen.uri import Uri, path_of

_SIDE = 32
_PIXELS = 3 * _SIDE * _SIDE
_IN_A_BATCH = 10_000
# The originals have 31 MB; what is larger is something else, and would be read whole.
_MOST_BYTES = 200 * 2**20
_BATCHES = {
    "test": ("test_batch",),
    "train": tuple(f"data_batch_{number}" for number in range(1, 6)),
}


class _Version(NamedTuple):
    """How one of the two versions lies on the disk."""

    folder: str
    suffix: str
    names: str


_VERSIONS = (
    _Version("cifar-10-batches-py", "", "batches.meta"),
    _Version("cifar-10-batches-bin", ".bin", "batches.meta.txt"),
)


class _Batch(NamedTuple):
    """``labels`` (N,) and ``pictures`` (N, 32, 32, 3)."""

    labels: NDArray[np.int64]
    pictures: NDArray[np.uint8]


class Cifar10(Dataset):
    """Batches, one after another, in memory.

    Args:
        uri: As typed.
        batches: By name.
    """

    def __init__(self, uri: str, batches: dict[str, _Batch]) -> None:
        self._pictures = np.concatenate([batch.pictures for batch in batches.values()])
        self.labels = np.concatenate([batch.labels for batch in batches.values()])
        self.keys = [
            f"{name}/{row}" for name, batch in batches.items() for row in range(len(batch.labels))
        ]
        self.card = DataCard(
            uri=uri,
            label_space="cifar10",
            class_names=CIFAR10_CLASSES,
            images=len(self.labels),
            notes=tuple(
                f"{name} holds {len(batch.labels):,} pictures, not CIFAR-10's {_IN_A_BATCH:,}"
                for name, batch in batches.items()
                if len(batch.labels) != _IN_A_BATCH
            ),
        )

    def read(self, index: int) -> NDArray[np.uint8]:
        """See the base class."""
        picture: NDArray[np.uint8] = self._pictures[index]
        return picture


def load_cifar10(uri: Uri) -> Cifar10:
    """Reads the batches of a split: ``?split=test`` (the default) or ``train``.

    Raises:
        UserError: An option that there isn't.
        DataError: No batches there, some missing or broken, or classes in another order.
    """
    uri.expect_options(("split",))
    split = uri.options.get("split", "test")
    if split not in _BATCHES:
        raise DataError(f"{uri.text!r}: expected ?split=test or train, got {split!r}.")
    root = path_of(uri.path)
    folder, version = _find(uri, root)
    _check_class_names(uri, folder / version.names, version)
    names = _BATCHES[split]
    missing = [name for name in names if not (folder / f"{name}{version.suffix}").is_file()]
    if missing:
        raise DataError(
            f"{uri.text!r}: expected {len(names)} batches for the split {split}; {folder} lacks "
            f"{', '.join(f'{name}{version.suffix}' for name in missing)}. Unpack the archive again."
        )
    return Cifar10(uri.text, {name: _read_batch(uri, folder, name, version) for name in names})


def _find(uri: Uri, root: Path) -> tuple[Path, _Version]:
    for version in _VERSIONS:
        for folder in (root, root / version.folder):
            if (folder / version.names).is_file():
                return folder, version
    raise DataError(
        f"{uri.text!r}: expected a folder with CIFAR-10's batches (batches.meta, test_batch …, or "
        f"batches.meta.txt, test_batch.bin …), or the folder above; there are none in {root}."
    )


def _read_batch(uri: Uri, folder: Path, name: str, version: _Version) -> _Batch:
    file = folder / f"{name}{version.suffix}"
    try:
        content = _content(file)
        return _from_bytes(content) if version.suffix else _from_pickle(content)
    except DataError as error:
        raise DataError(
            f"{uri.text!r}: {file} is no batch of CIFAR-10: {error}. Unpack the original archive again."
        ) from error


def _content(file: Path) -> bytes:
    if file.stat().st_size > _MOST_BYTES:
        raise DataError(f"expected at most {_MOST_BYTES:,} bytes")
    return read_regular_file(file)


def _from_bytes(content: bytes) -> _Batch:
    if not content or len(content) % (1 + _PIXELS):
        raise DataError(f"expected a multiple of {1 + _PIXELS} bytes, got {len(content)}")
    rows = np.frombuffer(content, dtype=np.uint8).reshape(-1, 1 + _PIXELS)
    return _batch(rows[:, 0].tolist(), rows[:, 1:])


def _from_pickle(content: bytes) -> _Batch:
    batch = load_plain_pickle(content)
    labels = batch.get("labels")
    if not isinstance(labels, list):
        labels = whole_numbers(labels).tolist()
    pixels = whole_numbers(batch.get("data"))
    if pixels.dtype != np.uint8:
        raise DataError(f"expected pixels of one unsigned byte, got {pixels.dtype}")
    return _batch(labels, pixels.view(np.uint8))


def _batch(labels: Sequence[object], pixels: NDArray[np.uint8]) -> _Batch:
    if pixels.shape != (len(labels), _PIXELS) or not labels:
        raise DataError(
            f"expected one picture of {_PIXELS} bytes per label, got {len(labels)} labels and the "
            f"shape {pixels.shape}"
        )
    known = [each for each in labels if isinstance(each, int) and each in range(10)]
    if len(known) < len(labels):
        raise DataError("expected labels from 0 to 9")
    by_channel = pixels.reshape(-1, 3, _SIDE, _SIDE)
    return _Batch(np.array(known, dtype=np.int64), by_channel.transpose(0, 2, 3, 1))


def _check_class_names(uri: Uri, file: Path, version: _Version) -> None:
    try:
        names = _class_names(_content(file), version)
    except DataError as error:
        raise DataError(f"{uri.text!r}: {file}: {error}.") from error
    if names != CIFAR10_CLASSES:
        raise DataError(
            f"{uri.text!r}: expected CIFAR-10's classes in {file} ({', '.join(CIFAR10_CLASSES)}), "
            f"got {', '.join(names[:10]) or 'none'}."
        )


def _class_names(content: bytes, version: _Version) -> tuple[str, ...]:
    if version.suffix:
        return tuple(content.decode("latin1").split())
    names = load_plain_pickle(content).get("label_names")
    if not isinstance(names, list):
        return ()
    return tuple(text_of(name) for name in names if isinstance(name, str | bytes))
