"""Writes the folder ``published_tfds`` beside this file with TensorFlow Datasets itself.

It has the layout of the published obfuscated ImageNet. Run by hand, in an environment of its own:

    pip install tensorflow-cpu tensorflow-datasets importlib-resources pillow
    python tests/data/write_published_tfds.py
"""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow_datasets as tfds
from PIL import Image

WHERE = Path(__file__).with_name("published_tfds")
SIDE = 224
#: ImageNet: goldfish, ostrich, tabby cat, bald eagle, airliner, goldfish again.
LABELS = (1, 9, 281, 22, 404, 1)
SHARDS = 2


def drawn(number: int, shift: int) -> bytes:
    """A picture in few colours, which JPEG packs well: 224×224."""
    rows, columns = np.mgrid[:SIDE, :SIDE] // 56
    palette = np.array([[20, 90, 200], [230, 200, 40], [40, 160, 90]], dtype=np.uint8)
    pixels = palette[(rows * (number + 1) + columns + shift) % 3]
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=30)
    return buffer.getvalue()


def examples(shift: int, numbers: list[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in numbers:
        yield (
            str(number),
            {
                "image": drawn(number, shift),
                "label": LABELS[number],
                "file_name": f"ILSVRC2012_val_{number + 1:08d}.JPEG",
                "hyperparameters": f"strength={shift + number}",
                "strength": shift + number / 2,
                "centre": [100 + number, 120],
            },
        )


def main() -> None:
    shutil.rmtree(WHERE, ignore_errors=True)
    features = tfds.features.FeaturesDict(
        {
            "image": tfds.features.Image(shape=(SIDE, SIDE, 3), encoding_format="jpeg"),
            "label": tfds.features.ClassLabel(num_classes=1000),
            "file_name": tfds.features.Text(),
            "hyperparameters": tfds.features.Text(),
            "strength": np.float32,
            "centre": tfds.features.Sequence(np.int64),
        }
    )
    every = list(range(len(LABELS)))
    splits = {
        "validation_Clean": (0, every),
        "validation_SwirlWarp": (1, every[::-1]),
        "validation_Stylize": (2, every[:-1]),
        "train_Clean": (0, every[:2]),
    }
    tfds.dataset_builders.store_as_tfds_dataset(
        name="obfuscated_imagenet",
        version="1.0.0",
        features=features,
        split_datasets={name: examples(*of) for name, of in splits.items()},
        data_dir=WHERE,
        download_config=tfds.download.DownloadConfig(num_shards=SHARDS),
        disable_shuffling=True,
    )


if __name__ == "__main__":
    main()
