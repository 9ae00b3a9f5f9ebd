"""Small pictures and data sets that tests make for themselves."""

__all__ = ["Content", "InMemory", "encoded", "noise"]

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from unforeseen.data.dataset import DataCard, Dataset

Content = bytes | NDArray[np.uint8] | OSError


class InMemory(Dataset):
    """Contents as given; an OSError among them is raised when it is read."""

    def __init__(
        self,
        contents: Sequence[Content],
        labels: Sequence[int] | None = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        self._contents = contents
        self.labels = np.array(labels or [0] * len(contents), dtype=np.int64)
        self.keys = keys or [f"row {row}" for row in range(len(contents))]
        self.card = DataCard(uri="memory", label_space=None, class_names=(), images=len(contents))

    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        content = self._contents[index]
        if isinstance(content, OSError):
            raise content
        return content


def noise(height: int = 8, width: int = 8, *, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def encoded(picture: NDArray[np.uint8] | Image.Image, suffix: str = "PNG") -> bytes:
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    buffer = io.BytesIO()
    image.save(buffer, suffix)
    return buffer.getvalue()
