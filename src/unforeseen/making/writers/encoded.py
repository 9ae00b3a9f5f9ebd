"""What a writer of a format gets and gives back."""

__all__ = ["Encoded", "Place", "Writer"]

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from unforeseen.obfuscated_folder.record import MadeRecord
from unforeseen.obfuscated_folder.stored import StoredPicture


class Encoded(NamedTuple):
    """A picture's file, and its line, which lacks only where it lies."""

    content: bytes
    described: StoredPicture


class Place(NamedTuple):
    """Where a picture lies: as in :class:`~unforeseen.obfuscated_folder.stored.StoredPicture`."""

    file: str
    offset: int


class Writer(Protocol):
    """Writes the pictures of one batch; whole files only, whatever ends it."""

    def __call__(
        self,
        folder: Path,
        record: MadeRecord,
        name: str,
        number: int,
        pictures: Sequence[Encoded],
    ) -> list[Place]:
        """Writes them.

        Args:
            folder: Of everything.
            record: How pictures are made.
            name: Of the obfuscation, or ``Clean``.
            number: Of the batch.
            pictures: In order; may be none.

        Returns:
            Where each lies.

        Raises:
            RunError: A file can't be written.
        """
