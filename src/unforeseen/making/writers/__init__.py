"""How pictures are laid down, a file per format, in one plain table."""

__all__ = ["FINISHERS", "WRITERS", "Encoded", "Place", "Writer"]

from collections.abc import Callable
from pathlib import Path

from unforeseen.making.writers.encoded import Encoded, Place, Writer
from unforeseen.making.writers.imagefolder import write_imagefolder
from unforeseen.making.writers.parquet import finish_parquet, write_parquet
from unforeseen.making.writers.tfds import finish_tfds, write_tfds
from unforeseen.making.writers.webdataset import write_webdataset
from unforeseen.obfuscated_folder.layout import Format
from unforeseen.obfuscated_folder.record import MadeRecord

WRITERS: dict[Format, Writer] = {
    "imagefolder": write_imagefolder,
    "parquet": write_parquet,
    "webdataset": write_webdataset,
    "tfds": write_tfds,
}

#: What some formats need when all batches are there: called with the folder, the record, and the
#: number of pictures of each shard by name.
FINISHERS: dict[Format, Callable[[Path, MadeRecord, dict[str, list[int]]], None]] = {
    "parquet": finish_parquet,
    "tfds": finish_tfds,
}
