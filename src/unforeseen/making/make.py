"""Making a folder of obfuscated pictures, from the beginning or from where it was stopped."""

__all__ = ["MAKING", "Made", "make_obfuscated"]

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from unforeseen.data.dataset import Dataset
from unforeseen.data.file_names import first_names
from unforeseen.data.identity import IDENTIFYING, identify, is_unreadable
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Picture, Unreadable, stream_pictures
from unforeseen.data.selection import select
from unforeseen.errors import DataError, RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.making.batch import Batch, Making, Source
from unforeseen.making.index_page import index_page
from unforeseen.making.lost import forget_lost
from unforeseen.making.pack_in_words import pack_in_words
from unforeseen.making.pool import working
from unforeseen.making.room import bytes_of_a_picture, room_note
from unforeseen.making.settings import MakingOptions, record_of, refuse_other
from unforeseen.making.writers import FINISHERS
from unforeseen.obfuscated_folder.layout import (
    CLEAN,
    INDEX_FILE,
    RECORD_FILE,
    batch_records,
    records_file,
)
from unforeseen.obfuscated_folder.record import MadeRecord, read_made_record
from unforeseen.obfuscated_folder.stored import StoredPicture, encode_records, read_records
from unforeseen.pixels import pixels_of
from unforeseen.preprocessing import Preprocessing
from unforeseen.stage_reporter import SilentStages, StageReporter
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation

#: The stage that takes longest, as reporters are told.
MAKING = "making pictures"

#: By so many the room that all will take is judged.
_TRIED = 3


class Made(NamedTuple):
    """What a folder holds.

    Attributes:
        pictures: Pictures of each obfuscation, and clean ones.
        unreadable: How many more there would be if they could be read.
        new: Whether anything was made; everything may have been there.
    """

    pictures: int
    unreadable: int
    new: bool


def make_obfuscated(
    dataset: Dataset,
    folder: Path,
    *,
    obfuscations: Mapping[str, AnyObfuscation],
    assets: AssetPack,
    preprocessing: Preprocessing,
    options: MakingOptions,
    workers: int = 0,
    notes: Sequence[str] = (),
    reporter: StageReporter | None = None,
) -> Made:
    """Makes the clean copy of pictures and every obfuscation of them.

    The same call goes on with what is missing; however it was stopped, no half file counts.

    Args:
        dataset: Where the pictures are.
        folder: Where everything goes; made where needed.
        obfuscations: By name.
        assets: What they lay over, under and around pictures.
        preprocessing: Of the benchmark; the size is that of ``options``.
        options: What is asked for.
        workers: Processes; below 2 this one does all. The pictures are the same.
        notes: What is known of the pictures; told where nothing is refused and something is made.
        reporter: Told how it goes on.

    Raises:
        AssetError: The pack lacks what is taken from it.
        DataError: There are no pictures, none can be read, or they were obfuscated before.
        RunError: The folder holds something else, was begun with other settings, is being written by
            others, or can't be written.
    """
    reporter = reporter or SilentStages()
    if isinstance(dataset, ObfuscatedDataset):
        raise DataError(
            f"{dataset.card.uri}: expected pictures to obfuscate; these were obfuscated before and aren't "
            "resized or obfuscated again. Give what they were made of."
        )
    refuse_occupied(folder, kind="folder of obfuscated pictures", marker=RECORD_FILE)
    if not len(dataset.labels):
        raise DataError(f"{dataset.card.uri}: expected pictures, found none.")
    kinds = [kind for each in obfuscations.values() for kind in each.asset_kinds]
    assets.require(kinds)
    taken = [int(index) for index in select(dataset, options.limit, options.seed)]
    report = partial(reporter.advance, IDENTIFYING, total=len(taken))
    report(0)
    ids = identify(dataset, taken, report)
    record = record_of(
        options,
        preprocessing,
        dataset,
        ids,
        obfuscations,
        assets.fingerprint_of(kinds) if kinds else None,
    )
    with sole_writer(folder, reporter.note):
        if refuse_occupied(folder, kind="folder of obfuscated pictures", marker=RECORD_FILE):
            there = read_made_record(folder)
            refuse_other(folder, there, record)
            forget_lost(folder, record)
            files = [folder / INDEX_FILE, *(records_file(folder, name) for name in record.names)]
            if there.complete and all(file.is_file() for file in files):
                return Made(there.pictures - there.unreadable, there.unreadable, new=False)
            if there.complete:
                record.write(folder)
                reporter.note(
                    f"{folder} was complete, but lacks files by now; these are made again."
                )
        else:
            record.write(folder)
        for note in notes:
            reporter.note(note)
        making = Making(folder=folder, record=record, obfuscations=obfuscations, assets=assets)
        _make_missing(making, _Sources(dataset, taken, ids, record), workers, reporter)
        unreadable = _finish(making)
    if unreadable:
        reporter.note(_unreadable_note(unreadable, record.pictures))
    return Made(record.pictures - len(unreadable), len(unreadable), new=True)


class _Sources:
    """The pictures to make others of, batch by batch."""

    def __init__(
        self, dataset: Dataset, taken: Sequence[int], ids: Sequence[str], record: MadeRecord
    ) -> None:
        self._dataset = dataset
        self._taken = taken
        self._ids = ids
        self._record = record

    def read(self, begin: int, end: int) -> list[Source]:
        """Reads and preprocesses pictures of these positions."""
        chosen = list(zip(self._taken[begin:end], self._ids[begin:end], strict=True))
        with closing(
            stream_pictures(self._dataset, chosen, self._record.preprocessing)
        ) as pictures:
            return [self._source(begin + place, each) for place, each in enumerate(pictures)]

    def _source(self, position: int, picture: Picture | Unreadable) -> Source:
        names = self._record.class_names
        if isinstance(picture, Picture) and is_unreadable(picture.example_id):
            # It has no id by which its draws could be made again.
            picture = Unreadable(
                example_id=picture.example_id,
                label=picture.label,
                index=picture.index,
                reason="it couldn't be read at first",
            )
        return Source(
            position=position,
            example_id=picture.example_id,
            file_name=self._dataset.keys[picture.index],
            label=picture.label,
            class_name=names[picture.label] if picture.label < len(names) else None,
            pixels=pixels_of(picture.image) if isinstance(picture, Picture) else None,
            unreadable=picture.reason if isinstance(picture, Unreadable) else None,
        )


def _make_missing(making: Making, sources: _Sources, workers: int, reporter: StageReporter) -> None:
    """Makes every batch that has no lines yet."""
    record = making.record
    missing = {number: _missing(making, number) for number in range(record.batches)}
    missing = {number: names for number, names in missing.items() if names}
    total = record.pictures * len(record.names)
    to_do = sum(_size(record, number) * len(names) for number, names in missing.items())
    if not to_do:
        return
    some = sources.read(0, min(_TRIED, record.pictures))
    reporter.note(room_note(making.folder, to_do, bytes_of_a_picture(making, some)))
    done = total - to_do
    reporter.advance(MAKING, done, total)
    pieces = sum(map(len, missing.values()))
    with working(making, min(workers, pieces)) as makers:
        for finished in makers.make(_batches(record, missing, sources)):
            done += len(finished.sources)
            reporter.advance(MAKING, done, total)


def _missing(making: Making, number: int) -> list[str]:
    """Of which obfuscations a batch has no lines yet."""
    return [
        name
        for name in making.record.names
        if not records_file(making.folder, name).exists()
        and not batch_records(making.folder, name, number).exists()
    ]


def _batches(
    record: MadeRecord, missing: Mapping[int, Sequence[str]], sources: _Sources
) -> Iterator[Batch]:
    for number, names in missing.items():
        begin = number * record.batch
        pictures = sources.read(begin, begin + _size(record, number))
        for name in names:
            yield Batch(name, number, pictures)


def _size(record: MadeRecord, number: int) -> int:
    """How many pictures a batch has, unreadable ones among them."""
    return min(record.batch, record.pictures - number * record.batch)


def _finish(making: Making) -> list[StoredPicture]:
    """Puts lines together and says that all is there; returns those of unreadable pictures."""
    folder, record = making.folder, making.record
    lines = {name: _gathered(making, name) for name in record.names}
    unreadable = [line for line in lines[CLEAN] if line.unreadable is not None]
    if len(unreadable) == record.pictures:
        raise DataError(
            f"{record.data}: none of {record.pictures:,} pictures can be read; the first: "
            f"{unreadable[0].unreadable}."
        )
    finish = FINISHERS.get(record.format)
    if finish is not None:
        finish(folder, record, {name: _shards(record, each) for name, each in lines.items()})
    finished = replace(record, complete=True, unreadable=len(unreadable))
    kinds = {kind for each in making.obfuscations.values() for kind in each.asset_kinds}
    try:
        page = index_page(folder, finished, lines, assets=pack_in_words(making.assets, kinds))
    except OSError as error:
        raise RunError(
            f"{folder}: a picture that was stored can't be read again: {error.strerror or error}."
        ) from error
    save_file(folder / INDEX_FILE, page.encode())
    # Last: what this says is there now.
    finished.write(folder)
    return unreadable


def _gathered(making: Making, name: str) -> list[StoredPicture]:
    """All lines of an obfuscation, put into one file."""
    file = records_file(making.folder, name)
    if not file.exists():
        numbers = range(making.record.batches)
        parts = [read_records(batch_records(making.folder, name, number)) for number in numbers]
        lines = [line for part in parts for line in part]
        save_file(file, encode_records(lines), root=making.folder)
    # Only now: until the one file is there, they are needed.
    shutil.rmtree(batch_records(making.folder, name, 0).parent, ignore_errors=True)
    return read_records(file)


def _shards(record: MadeRecord, lines: Sequence[StoredPicture]) -> list[int]:
    """How many pictures each shard holds."""
    counted = Counter(line.position // record.batch for line in lines if line.unreadable is None)
    return [counted[number] for number in range(record.batches)]


def _unreadable_note(unreadable: Sequence[StoredPicture], pictures: int) -> str:
    return (
        f"{len(unreadable):,} of {pictures:,} pictures can't be read and were left out: "
        f"{first_names([line.file_name for line in unreadable])}"
    )
