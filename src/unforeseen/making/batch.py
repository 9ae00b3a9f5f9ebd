"""One batch of pictures under one obfuscation: drawn, applied, encoded, written, recorded."""

__all__ = ["Batch", "Making", "Source", "StoppedError", "make_batch", "obfuscated"]

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from unforeseen.errors import UnforeseenError
from unforeseen.files.atomic import save_file
from unforeseen.making.encoding import encode
from unforeseen.making.writers import WRITERS, Encoded
from unforeseen.obfuscated_folder.layout import CLEAN, batch_records
from unforeseen.obfuscated_folder.record import MadeRecord
from unforeseen.obfuscated_folder.stored import StoredPicture, encode_records
from unforeseen.pixels import pixels_of
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation


class StoppedError(UnforeseenError):
    """The batch was given up because everything ends; nothing of it counts."""


class Source(NamedTuple):
    """One picture to make others of.

    Attributes:
        position: Its place among all that are taken.
        example_id: What rows call it.
        file_name: What its data set calls it.
        label: Its true class.
        class_name: That class in words, where the data set names it.
        pixels: (H, W, 3), preprocessed; None where it can't be read.
        unreadable: Why it can't.
    """

    position: int
    example_id: str
    file_name: str
    label: int
    class_name: str | None
    pixels: NDArray[np.uint8] | None
    unreadable: str | None = None


@dataclass(frozen=True, kw_only=True)
class Making:
    """What is the same for all batches.

    Attributes:
        folder: Where everything goes.
        record: How pictures are made.
        obfuscations: By name.
        assets: What they lay over, under and around pictures.
    """

    folder: Path
    record: MadeRecord
    obfuscations: Mapping[str, AnyObfuscation]
    assets: AssetPack


class Batch(NamedTuple):
    """What is made at a time.

    Attributes:
        name: An obfuscation, or ``Clean``.
        number: From 0.
        sources: The pictures, unreadable ones among them.
    """

    name: str
    number: int
    sources: Sequence[Source]


def make_batch(making: Making, batch: Batch, stopped: Callable[[], bool]) -> None:
    """Makes a batch's pictures and writes them; the lines that make them count come last.

    Args:
        making: How.
        batch: Which.
        stopped: Asked before every picture.

    Raises:
        StoppedError: It said so.
        RunError: A file can't be written.
    """
    pictures = []
    for source in batch.sources:
        if source.pixels is None:
            continue
        if stopped():
            raise StoppedError
        pictures.append(_encoded(making, batch.name, source, source.pixels))
    record = making.record
    places = WRITERS[record.format](making.folder, record, batch.name, batch.number, pictures)
    lines = [
        picture.described._replace(file=place.file, offset=place.offset)
        for picture, place in zip(pictures, places, strict=True)
    ]
    lines += [
        _line(batch.name, source)._replace(unreadable=source.unreadable)
        for source in batch.sources
        if source.pixels is None
    ]
    save_file(
        batch_records(making.folder, batch.name, batch.number),
        encode_records(sorted(lines)),
        root=making.folder,
    )


def obfuscated(
    making: Making, name: str, example_id: str, pixels: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], str | None]:
    """An obfuscated picture in 8 bits, and what was drawn for it as JSON.

    Args:
        making: How.
        name: An obfuscation; ``Clean`` leaves the picture as it is.
        example_id: Decides, with the seed and the name, what is drawn.
        pixels: (H, W, 3).
    """
    if name == CLEAN:
        return pixels, None
    picture, parameters = making.obfuscations[name].obfuscate_example(
        torch.from_numpy(pixels).permute(2, 0, 1).contiguous(),
        making.assets,
        seed=making.record.seed,
        example_id=example_id,
    )
    return pixels_of(picture), parameters.to_json()


def _encoded(making: Making, name: str, source: Source, pixels: NDArray[np.uint8]) -> Encoded:
    made, parameters = obfuscated(making, name, source.example_id, pixels)
    content = encode(made, making.record.encoding, making.record.quality)
    described = _line(name, source)._replace(
        parameters=parameters, sha256=hashlib.sha256(content).hexdigest(), size=len(content)
    )
    return Encoded(content, described)


def _line(name: str, source: Source) -> StoredPicture:
    return StoredPicture(
        position=source.position,
        example_id=source.example_id,
        file_name=source.file_name,
        label=source.label,
        class_name=source.class_name,
        obfuscation=name,
    )
