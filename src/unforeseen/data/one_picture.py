"""A single file as a data set."""

__all__ = ["OnePicture"]

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import portable
from unforeseen.files.regular_files import read_regular_file


class OnePicture(Dataset):
    """One picture, which nobody has labelled; its class 0 is called as the file is.

    Args:
        file: Where it lies.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self.labels = np.zeros(1, dtype=np.int64)
        self.keys = [portable(file.name)]
        self.card = DataCard(uri=str(file), label_space=None, class_names=(file.name,), images=1)

    @override
    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        return read_regular_file(self._file)
