"""Where things lie in a folder of obfuscated pictures.

    obfuscated.json                     how they were made; of which pictures
    index.html                          some of them, with their parameters
    records/SwirlWarp.parquet           a line per picture: what it is, and where it lies
    SwirlWarp/…                         the pictures (of tfds: unforeseen_obfuscated/1.0.0/…)

While it is being made, the lines of a batch lie in ``records/SwirlWarp/00003.parquet``. They are
written when all of the batch's pictures are, so that what has no line counts for nothing.
"""

__all__ = [
    "CLEAN",
    "FORMATS",
    "INDEX_FILE",
    "RECORD_FILE",
    "SUFFIXES",
    "TFDS_NAME",
    "TFDS_VERSION",
    "Format",
    "batch_records",
    "pictures_folder",
    "records_file",
    "shard_name",
]

from pathlib import Path
from typing import Literal, get_args

Format = Literal["imagefolder", "parquet", "webdataset", "tfds"]

FORMATS: tuple[Format, ...] = get_args(Format)

RECORD_FILE = "obfuscated.json"
INDEX_FILE = "index.html"
#: In the place of an obfuscation: the pictures as they were.
CLEAN = "Clean"
#: By which TensorFlow Datasets knows the pictures.
TFDS_NAME, TFDS_VERSION = "unforeseen_obfuscated", "1.0.0"
#: What the shards of a format end in.
SUFFIXES: dict[Format, str] = {"parquet": ".parquet", "webdataset": ".tar", "tfds": ".tfrecord"}

_RECORDS = "records"


def pictures_folder(pictures_format: Format, name: str) -> str:
    """Where the pictures of an obfuscation lie, below the folder."""
    return f"{TFDS_NAME}/{TFDS_VERSION}" if pictures_format == "tfds" else name


def shard_name(pictures_format: Format, name: str, batch: int, batches: int) -> str:
    """The file of one batch of an obfuscation, in a format that has shards."""
    place = f"{batch:05d}-of-{batches:05d}"
    if pictures_format == "tfds":
        return f"{TFDS_NAME}-{name}.tfrecord-{place}"
    return f"{name}-{place}{SUFFIXES[pictures_format]}"


def records_file(folder: Path, name: str) -> Path:
    """The lines of all pictures of an obfuscation."""
    return folder / _RECORDS / f"{name}.parquet"


def batch_records(folder: Path, name: str, batch: int) -> Path:
    """The lines of one batch, while there are others to come."""
    return folder / _RECORDS / name / f"{batch:05d}.parquet"
