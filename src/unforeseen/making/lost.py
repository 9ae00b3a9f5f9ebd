"""What a folder has lost since it was made: by its lines pictures are there, but their files aren't."""

__all__ = ["forget_lost"]

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from unforeseen.errors import DataError
from unforeseen.files.atomic import save_file
from unforeseen.obfuscated_folder.layout import batch_records, pictures_folder, records_file
from unforeseen.obfuscated_folder.record import MadeRecord
from unforeseen.obfuscated_folder.stored import StoredPicture, encode_records, read_records


def forget_lost(folder: Path, record: MadeRecord) -> None:
    """Removes the lines of batches that aren't whole, so that these are made again.

    Whole is one with a line for each picture, whose files are as long as they must be; none is read.

    Args:
        folder: Of everything; nobody else writes in it.
        record: How it was begun.
    """
    for name in record.names:
        _forget_lost_of(folder, record, name)


def _forget_lost_of(folder: Path, record: MadeRecord, name: str) -> None:
    gathered = records_file(folder, name)
    numbers = range(record.batches)
    if not gathered.exists():
        for number in numbers:
            part = batch_records(folder, name, number)
            if part.exists() and not _whole(folder, record, name, number, _lines(part)):
                part.unlink()
        return
    batches: dict[int, list[StoredPicture]] = defaultdict(list)
    for line in _lines(gathered):
        batches[line.position // record.batch].append(line)
    whole = [each for each in numbers if _whole(folder, record, name, each, batches[each])]
    if len(whole) == record.batches:
        return
    for number in whole:
        save_file(batch_records(folder, name, number), encode_records(batches[number]), root=folder)
    # Last: until then it is looked through again.
    gathered.unlink()


def _lines(file: Path) -> list[StoredPicture]:
    try:
        return read_records(file)
    except DataError:
        return []


def _whole(
    folder: Path, record: MadeRecord, name: str, number: int, lines: Sequence[StoredPicture]
) -> bool:
    begin = number * record.batch
    positions = range(begin, min(begin + record.batch, record.pictures))
    if sorted(line.position for line in lines) != [*positions]:
        return False
    least: Counter[str] = Counter()
    for line in lines:
        if line.unreadable is None:
            least[str(line.file)] += line.size or 0
    root = folder / pictures_folder(record.format, name)
    alone = record.format == "imagefolder"
    return all(_is_there(root / file, size, exactly=alone) for file, size in least.items())


def _is_there(file: Path, size: int, *, exactly: bool) -> bool:
    """Whether a file has a length: that of a picture, or at least of those that a shard holds."""
    if not file.is_file():
        return False
    length = file.stat().st_size
    return length == size if exactly else length >= size
