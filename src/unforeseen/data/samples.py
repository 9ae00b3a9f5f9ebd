"""``samples:imagenet`` and ``samples:cifar10``: 20 real pictures each, from the package foolbox.

Foolbox names them ``imagenet_NN_LABEL.jpg`` and ``cifar10_NN_LABEL.png``. Only its folder is
looked up; foolbox itself is never imported.
"""

__all__ = ["load_samples"]

import importlib.util
import re
from pathlib import Path

import numpy as np

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.label_spaces import class_names_of
from unforeseen.errors import DataError, MissingExtraError, UnknownNameError
from unforeseen.files.regular_files import read_regular_file
from unforeseen.label_space import LabelSpace
from unforeseen.uri import Uri

_SAMPLES: tuple[LabelSpace, ...] = ("imagenet", "cifar10")


class SampleDataset(Dataset):
    """The pictures of one label space in foolbox's data folder.

    Args:
        uri: As typed.
        label_space: Which.
        files: The pictures; their names end in ``_LABEL.suffix``.
    """

    def __init__(self, uri: str, label_space: LabelSpace, files: list[Path]) -> None:
        self._files = files
        self.labels = np.array([int(file.stem.split("_")[-1]) for file in files], dtype=np.int64)
        self.keys = [file.name for file in files]
        self.card = DataCard(
            uri=uri,
            label_space=label_space,
            class_names=class_names_of(label_space),
            images=len(files),
        )

    def read(self, index: int) -> bytes:
        """See the base class."""
        return read_regular_file(self._files[index])


def load_samples(uri: Uri) -> SampleDataset:
    """Opens one of the two samples.

    Raises:
        UnknownNameError: Neither ``imagenet`` nor ``cifar10``.
        MissingExtraError: foolbox is not installed.
        DataError: foolbox is there without its pictures.
    """
    uri.expect_options(())
    label_space = next((each for each in _SAMPLES if each == uri.path), None)
    if label_space is None:
        raise UnknownNameError("samples", uri.path, _SAMPLES)
    name = re.compile(rf"{label_space}_\d+_\d+\.(jpg|png)")
    folder = _foolbox_folder(uri) / "data"
    found = folder.iterdir() if folder.is_dir() else ()
    files = sorted(file for file in found if name.fullmatch(file.name))
    if not files:
        raise DataError(
            f"{uri.text}: expected pictures named {label_space}_NN_LABEL in {folder}, found none. "
            "Reinstall foolbox: pip install --force-reinstall --no-deps foolbox"
        )
    return SampleDataset(uri.text, label_space, files)


def _foolbox_folder(uri: Uri) -> Path:
    spec = importlib.util.find_spec("foolbox")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(uri.text, "foolbox", "samples")
    return Path(spec.submodule_search_locations[0])
