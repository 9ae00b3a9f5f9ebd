"""What data provide whose pictures were obfuscated before: by ``unforeseen obfuscate``, or published."""

__all__ = ["HowMade", "MadeBy", "ObfuscatedDataset"]

import abc
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar, override

from unforeseen.data.dataset import Dataset

#: Who drew the parameters: this program, or the authors of the paper, whose generators are withheld.
MadeBy = Literal["unforeseen", "published"]


class HowMade(NamedTuple):
    """What a folder says of how its pictures were made.

    Attributes:
        settings: By obfuscation, what :attr:`unforeseen.transforms.obfuscation.Obfuscation.settings` was.
        assets: Fingerprint of the kinds of assets that the obfuscations take; None where they take none.
        encoding: ``png``, or ``jpeg of quality 95``.
        seed: Of every draw.
    """

    settings: Mapping[str, Mapping[str, Any]]
    assets: str | None
    encoding: str
    seed: int


#: What the pictures under one obfuscation, and the clean ones, are held in.
PicturesT_co = TypeVar("PicturesT_co", bound=Dataset, default=Dataset, covariant=True)


class ObfuscatedDataset(Dataset, Generic[PicturesT_co]):
    """Clean pictures, and the same pictures obfuscated; all are judged as they are.

    Card, labels, keys and :meth:`read` are those of the clean pictures.

    Args:
        clean: The clean pictures.

    Attributes:
        obfuscations: The obfuscations that there are, by the names of
            :data:`unforeseen.transforms.OBFUSCATIONS`.
        made_by: Figures on pictures of the one are comparable with each other only.
        fingerprint: Hash of what the data say of how their pictures were made; becomes part of a
            result's identity.
        how: What the data say of it, where this program reads that; else None.
        files: By obfuscation, a hash of its files' names and sizes, where nothing else says which these
            are; becomes part of a result's identity too.
        example_ids: (N,) what the pictures that these were made of are called, all distinct:
            :func:`~unforeseen.data.identity.identify` names them so, so that a row is of one picture,
            whether it is obfuscated on the fly or was before.
    """

    obfuscations: tuple[str, ...]
    made_by: MadeBy
    fingerprint: str
    how: HowMade | None = None
    files: Mapping[str, str] = MappingProxyType({})
    example_ids: Sequence[str]

    def __init__(self, clean: PicturesT_co) -> None:
        self._clean = clean
        self._opened: dict[str, PicturesT_co] = {}
        self._lock = threading.Lock()
        self.card = clean.card
        self.labels = clean.labels
        self.keys = clean.keys

    @override
    def read(self, index: int) -> bytes | NDArray[np.uint8]:
        return self._clean.read(index)

    def obfuscated(self, name: str) -> PicturesT_co:
        """The pictures under one obfuscation, as many and in the same order as the clean ones.

        They are opened once. Where a picture is missing, its ``read`` raises OSError.

        Args:
            name: One of :attr:`obfuscations`.
        """
        with self._lock:
            if name not in self._opened:
                self._opened[name] = self._open(name)
            return self._opened[name]

    @abc.abstractmethod
    def _open(self, name: str) -> PicturesT_co:
        """Opens what :meth:`obfuscated` gives."""

    @abc.abstractmethod
    def parameters(self, name: str, index: int) -> str | None:
        """The record of what was drawn for a picture.

        Args:
            name: One of :attr:`obfuscations`.
            index: Of the picture.

        Returns:
            JSON of one line, as :meth:`unforeseen.transforms.obfuscation.Parameters.to_json` gives
            it (of published pictures: whatever is known of them); None where there is none.
        """
