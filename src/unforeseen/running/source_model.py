"""The source model of a transfer: whom the pictures were made against that another model judges."""

__all__ = ["SourceModel"]

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unforeseen.models.cards import HeadCard
from unforeseen.preprocessing import Preprocessing


@dataclass(frozen=True, kw_only=True)
class SourceModel:
    """A model against which attacked pictures were made.

    Attributes:
        uri: How the user named it.
        fingerprint: As on its card.
        head: Likewise.
        preprocessing: Likewise; its own, or None where the benchmark's applies.
        folder: Its run folder, with the pictures.
    """

    uri: str
    fingerprint: str
    head: HeadCard | None
    preprocessing: Preprocessing | None
    folder: Path

    def to_record(self) -> dict[str, Any]:
        """For a run's record: all but where it lies, as folders are moved together."""
        record = asdict(self)
        del record["folder"]
        return record
