"""Small pictures and data sets that tests make for themselves."""

__all__ = ["Content", "InMemory", "InMemoryObfuscated", "encoded", "noise"]

import io
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.obfuscated_dataset import MadeBy, ObfuscatedDataset

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


class InMemoryObfuscated(ObfuscatedDataset):
    """A clean data set and, by obfuscation, as many pictures with their records."""

    def __init__(
        self,
        clean: Dataset,
        obfuscated: Mapping[str, tuple[Sequence[Content], Sequence[str | None]]],
        *,
        example_ids: Sequence[str],
        made_by: MadeBy = "unforeseen",
        fingerprint: str = "made for tests",
    ) -> None:
        super().__init__(clean)
        self._obfuscated = obfuscated
        self.obfuscations = tuple(obfuscated)
        self.made_by = made_by
        self.fingerprint = fingerprint
        self.example_ids = example_ids

    def _open(self, name: str) -> Dataset:
        return InMemory(self._obfuscated[name][0], self.labels.tolist(), self.keys)

    def parameters(self, name: str, index: int) -> str | None:
        return self._obfuscated[name][1][index]


def noise(height: int = 8, width: int = 8, *, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def encoded(picture: NDArray[np.uint8] | Image.Image, suffix: str = "PNG") -> bytes:
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    buffer = io.BytesIO()
    image.save(buffer, suffix)
    return buffer.getvalue()
