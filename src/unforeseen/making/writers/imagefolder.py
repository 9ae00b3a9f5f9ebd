"""Image folders: ``SwirlWarp/n01443537/00000017-ILSVRC2012_val_00000236.png``.

Source: torchvision's ``ImageFolder``; a folder per class.
"""

__all__ = ["write_imagefolder"]

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from unforeseen.files.atomic import save_file
from unforeseen.label_space import LabelSpace
from unforeseen.making.safe_names import class_folders, file_stem
from unforeseen.making.writers.encoded import Encoded, Place
from unforeseen.obfuscated_folder.layout import pictures_folder
from unforeseen.obfuscated_folder.record import MadeRecord


def write_imagefolder(
    folder: Path,
    record: MadeRecord,
    name: str,
    number: int,  # noqa: ARG001 - a writer's signature; files lie in no batches
    pictures: Sequence[Encoded],
) -> list[Place]:
    """See :class:`~unforeseen.making.writers.encoded.Writer`."""
    folder_of = _folders(record.label_space, record.class_names, record.classes)
    root = folder / pictures_folder(record.format, name)
    places = []
    for picture in pictures:
        described = picture.described
        stem = f"{described.position:08d}-{file_stem(described.file_name)}"
        file = f"{folder_of(described.label)}/{stem}.{record.encoding}"
        save_file(root / file, picture.content, root=folder)
        places.append(Place(file, 0))
    return places


@lru_cache(maxsize=8)
def _folders(
    label_space: LabelSpace | None, class_names: tuple[str, ...], classes: int
) -> Callable[[int], str]:
    return class_folders(label_space, class_names, classes)
