"""Reading what ``unforeseen obfuscate`` wrote, in any of its formats."""

__all__ = ["MadeObfuscations", "load_made"]

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from typing_extensions import override

from unforeseen.counted import counted
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.file_names import portable
from unforeseen.data.identity import subset_hash
from unforeseen.data.obfuscated_dataset import HowMade, MadeBy, ObfuscatedDataset
from unforeseen.errors import DataError
from unforeseen.obfuscated_folder.layout import CLEAN, RECORD_FILE, Format, records_file
from unforeseen.obfuscated_folder.reading import checked_lines, read_stored
from unforeseen.obfuscated_folder.record import MadeRecord, read_made_record
from unforeseen.obfuscated_folder.stored import StoredPicture
from unforeseen.uri import Uri


class StoredPictures(Dataset):
    """The pictures of one obfuscation, or the clean ones.

    Args:
        folder: Of everything.
        pictures_format: How they lie.
        name: Of the obfuscation, or ``Clean``.
        lines: Per picture; checked.
        card: What is known.
    """

    def __init__(
        self,
        folder: Path,
        pictures_format: Format,
        name: str,
        lines: Sequence[StoredPicture],
        card: DataCard,
    ) -> None:
        self._folder = folder
        self._format = pictures_format
        self._name = name
        self.lines = lines
        self.labels = np.array([line.label for line in lines], dtype=np.int64)
        self.keys = [portable(line.file_name) for line in lines]
        self.card = card

    @override
    def read(self, index: int) -> bytes:
        return read_stored(self._folder, self._format, self._name, self.lines[index])


class MadeObfuscations(ObfuscatedDataset[StoredPictures]):
    """A whole folder; the lines of an obfuscation are read when it is asked for.

    Args:
        folder: Where it lies.
        record: What it says of itself.
        clean: Its clean pictures.
    """

    made_by: MadeBy = "unforeseen"

    def __init__(self, folder: Path, record: MadeRecord, clean: StoredPictures) -> None:
        super().__init__(clean)
        self._folder = folder
        self._record = record
        self.obfuscations = tuple(record.obfuscations)
        self.fingerprint = record.fingerprint
        quality = "" if record.quality is None else f" of quality {record.quality}"
        self.how = HowMade(
            record.obfuscations, record.assets, f"{record.encoding}{quality}", record.seed
        )
        self.example_ids = [line.example_id for line in clean.lines]

    @override
    def parameters(self, name: str, index: int) -> str | None:
        return self.obfuscated(name).lines[index].parameters

    @override
    def _open(self, name: str) -> StoredPictures:
        lines = _lines(self._folder, self._record, name)
        same = [(line.position, line.example_id, line.label) for line in lines] == [
            (line.position, line.example_id, line.label) for line in self._clean.lines
        ]
        if not same:
            raise DataError(
                f"{self._folder}: expected the same pictures under {name} as clean, got others. Make "
                "the folder again."
            )
        return StoredPictures(self._folder, self._record.format, name, lines, self.card)


def load_made(uri: Uri, folder: Path) -> MadeObfuscations:
    """Opens a folder.

    Args:
        uri: As typed.
        folder: Which it names.

    Raises:
        DataError: It isn't finished, or damaged.
    """
    record = read_made_record(folder)
    if not record.complete:
        raise DataError(
            f"{uri.text!r}: expected a finished folder, but its making was stopped. Run the same "
            "unforeseen obfuscate again, which goes on with what is missing."
        )
    lines = _lines(folder, record, CLEAN)
    left_out = record.unreadable
    card = DataCard(
        uri=uri.text,
        label_space=record.label_space,
        class_names=record.class_names,
        images=len(lines),
        notes=(f"left out when it was made, as unreadable: {left_out:,} pictures",)
        if left_out
        else (),
    )
    return MadeObfuscations(
        folder, record, StoredPictures(folder, record.format, CLEAN, lines, card)
    )


def _lines(folder: Path, record: MadeRecord, name: str) -> list[StoredPicture]:
    """The lines of pictures that could be read, of all that the record tells of.

    Who hands a folder on can't drop its hard pictures without a word.
    """
    every = checked_lines(folder, name, classes=record.classes)
    lines = [line for line in every if line.unreadable is None]
    ids = [str(line.example_id) for line in every]
    said = (record.pictures, record.unreadable, record.pictures_hash)
    if said != (len(every), len(every) - len(lines), subset_hash(ids)):
        raise DataError(
            f"{records_file(folder, name)}: expected the {counted(record.pictures, 'picture')} that "
            f"{RECORD_FILE} tells of, {record.unreadable:,} of them unreadable, got others. Make the "
            "folder again."
        )
    return lines
