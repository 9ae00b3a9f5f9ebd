"""TensorFlow Datasets: ``unforeseen_obfuscated/1.0.0/``, a split per obfuscation, without TensorFlow.

Source: the guide of TensorFlow Datasets to its folders. ``tfds.load("unforeseen_obfuscated",
data_dir=FOLDER, split="SwirlWarp")`` reads it.
"""

__all__ = ["finish_tfds", "write_tfds"]

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unforeseen.data.tf_example import Values, encode_example
from unforeseen.data.tfrecord import HEADER, framed
from unforeseen.files.atomic import save_file
from unforeseen.making.writers.encoded import Encoded, Place
from unforeseen.obfuscated_folder.layout import (
    TFDS_NAME,
    TFDS_VERSION,
    pictures_folder,
    shard_name,
)
from unforeseen.obfuscated_folder.record import MadeRecord

_TEXTS = ("class_name", "example_id", "file_name", "obfuscation", "parameters", "sha256")
_FEATURES = "tensorflow_datasets.core.features"


def write_tfds(
    folder: Path, record: MadeRecord, name: str, number: int, pictures: Sequence[Encoded]
) -> list[Place]:
    """See :class:`~unforeseen.making.writers.encoded.Writer`."""
    file = shard_name(record.format, name, number, record.batches)
    records = []
    places = []
    written = 0
    for content, described in pictures:
        values: dict[str, Values] = {
            text: [(getattr(described, text) or "").encode()] for text in _TEXTS
        }
        values |= {"image": [content], "label": [described.label]}
        example = encode_example(values)
        records.append(framed(example))
        places.append(Place(file, written + HEADER + example.index(content)))
        written += len(records[-1])
    save_file(folder / pictures_folder(record.format, name) / file, b"".join(records), root=folder)
    return places


def finish_tfds(folder: Path, record: MadeRecord, shards: Mapping[str, Sequence[int]]) -> None:
    """Writes what the package reads first.

    Args:
        folder: Of everything.
        record: How pictures are made.
        shards: Obfuscation, or ``Clean`` → number of pictures of each shard.
    """
    root = folder / TFDS_NAME / TFDS_VERSION
    info = {
        "name": TFDS_NAME,
        "version": TFDS_VERSION,
        "description": "Obfuscated pictures, made by unforeseen; see obfuscated.json.",
        "fileFormat": "tfrecord",
        "disableShuffling": True,
        "moduleName": "",
        "splits": [
            {
                "name": name,
                "filepathTemplate": "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}",
                "shardLengths": [str(length) for length in lengths],
                "numBytes": str(sum(each.stat().st_size for each in _files(root, name))),
            }
            for name, lengths in shards.items()
        ],
    }
    if record.declared_names:
        names = "".join(f"{name}\n" for name in record.declared_names)
        save_file(root / "label.labels.txt", names.encode())
    for file, content in (("features.json", _features(record)), ("dataset_info.json", info)):
        save_file(root / file, f"{json.dumps(content, indent=2)}\n".encode())


def _files(root: Path, name: str) -> list[Path]:
    return sorted(root.glob(f"{TFDS_NAME}-{name}.tfrecord-*"))


def _features(record: MadeRecord) -> dict[str, Any]:
    side = str(record.size)
    shape = {"dimensions": [side, side, "3"]}
    classes = str(max(record.classes, len(record.class_names)))
    return {
        "pythonClassName": f"{_FEATURES}.features_dict.FeaturesDict",
        "featuresDict": {
            "features": {
                "image": {
                    "pythonClassName": f"{_FEATURES}.image_feature.Image",
                    "image": {
                        "dtype": "uint8",
                        "encodingFormat": record.encoding,
                        "shape": shape,
                    },
                },
                "label": {
                    "pythonClassName": f"{_FEATURES}.class_label_feature.ClassLabel",
                    "classLabel": {"numClasses": classes},
                },
                **{
                    text: {"pythonClassName": f"{_FEATURES}.text_feature.Text", "text": {}}
                    for text in _TEXTS
                },
            }
        },
    }
