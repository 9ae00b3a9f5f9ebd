"""Attacked pictures, read back from the run folder that they were saved in.

The folder may be a stranger's, or damaged: its files are read as carefully as a data set's.
"""

__all__ = ["read_stored"]

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from typing_extensions import override

from unforeseen.data.dataset import Dataset
from unforeseen.data.pictures import Picture, Unreadable, stream_pictures
from unforeseen.errors import DataError
from unforeseen.preprocessing import Preprocessing
from unforeseen.run_folder.rowfile import compact_name
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.cell_kinds import TransferredCell
from unforeseen.running.images import image_path, read_image


def read_stored(
    plan: AttackPlan,
    cell: TransferredCell,
    dataset: Dataset,
    items: Sequence[tuple[int, str]],
    *,
    ahead: int,
) -> Generator[Picture, None, None]:
    """Reads the pictures that a cell's source made, in order, a few ahead of the consumer.

    Args:
        plan: Of a run with a source model.
        cell: One of its cells.
        dataset: What was attacked; says the labels.
        items: Index in it and id of each picture.
        ahead: How many pictures may be decoded or waiting at a time.

    Raises:
        DataError: A picture is missing, can't be decoded, or isn't of the size of the others.
    """
    assert plan.source is not None
    folder, made = plan.source.folder, cell.source.id
    size = plan.size_of_all
    stored = _Stored(folder, made, dataset, dict(items))
    with closing(stream_pictures(stored, items, Preprocessing(), ahead=ahead)) as pictures:
        for picture in pictures:
            if isinstance(picture, Unreadable):
                raise _unusable(folder, made, picture.example_id, picture.reason)
            height, width = picture.image.shape[1:]
            size = size or (height, width)
            if (height, width) != size:
                reason = f"it has {width}×{height} pixels and not {size[1]}×{size[0]}"
                raise _unusable(folder, made, picture.example_id, reason)
            yield picture


class _Stored(Dataset):
    """A data set's pictures, as they are after an attack."""

    def __init__(self, folder: Path, cell: str, dataset: Dataset, names: Mapping[int, str]) -> None:
        self.card = dataset.card
        self.labels = dataset.labels
        self.keys = dataset.keys
        self._folder = folder
        self._cell = cell
        self._names = names

    @override
    def read(self, index: int) -> bytes:
        return read_image(self._folder, self._cell, self._names[index])


def _unusable(folder: Path, cell: str, name: str, reason: str) -> DataError:
    return DataError(
        f"{image_path(folder, cell, name)}: expected the picture that was made against the source "
        f"model, but {reason}. Put it back; or remove {folder / 'rows' / compact_name(cell)} and "
        "run the same command again, which makes this attack's pictures anew."
    )
