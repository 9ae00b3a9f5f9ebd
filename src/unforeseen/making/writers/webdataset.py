"""Tar shards: ``SwirlWarp/SwirlWarp-00003-of-00098.tar`` with ``00001500.png``, ``.cls`` and ``.json``.

Source: the WebDataset format.
"""

__all__ = ["write_webdataset"]

import io
import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

from unforeseen.files.atomic import save_file
from unforeseen.making.writers.encoded import Encoded, Place
from unforeseen.obfuscated_folder.layout import pictures_folder, shard_name
from unforeseen.obfuscated_folder.record import MadeRecord
from unforeseen.obfuscated_folder.stored import StoredPicture


def write_webdataset(
    folder: Path, record: MadeRecord, name: str, number: int, pictures: Sequence[Encoded]
) -> list[Place]:
    """See :class:`~unforeseen.making.writers.encoded.Writer`."""
    file = shard_name(record.format, name, number, record.batches)
    buffer = io.BytesIO()
    places = []
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for picture in pictures:
            key = f"{picture.described.position:08d}"
            _add(tar, f"{key}.cls", str(picture.described.label).encode())
            _add(tar, f"{key}.json", json.dumps(_said(picture.described)).encode())
            places.append(Place(file, tar.offset + tarfile.BLOCKSIZE))
            _add(tar, f"{key}.{record.encoding}", picture.content)
    save_file(folder / pictures_folder(record.format, name) / file, buffer.getvalue(), root=folder)
    return places


def _said(described: StoredPicture) -> dict[str, object]:
    """What is known of a picture, its parameters as an object."""
    parameters = described.parameters
    return {
        "example_id": described.example_id,
        "file_name": described.file_name,
        "label": described.label,
        "class_name": described.class_name,
        "obfuscation": described.obfuscation,
        "parameters": None if parameters is None else json.loads(parameters),
        "sha256": described.sha256,
    }


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    # Time, owner and mode are tarfile's fixed ones, so that the same pictures are the same bytes.
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))
