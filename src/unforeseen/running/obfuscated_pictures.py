"""Obfuscated pictures: made as they are needed, or read where they were made before."""

__all__ = ["Obfuscated", "obfuscated_pictures"]

import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import torch

from unforeseen.data.ahead import map_ahead
from unforeseen.data.dataset import Dataset
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Picture, Unreadable, read_picture, stream_pictures
from unforeseen.errors import DataError
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.cell_kinds import ObfuscatedCell, ReadyMadeCell
from unforeseen.running.compatibility import of_the_benchmarks_size
from unforeseen.running.obfuscation_plan import ObfuscationPlan
from unforeseen.running.plan import Plan
from unforeseen.transforms.assets.pack import AssetPack

#: Threads that obfuscate; further ones would wait for Python's lock.
_MOST_WORKERS = 8
#: Draws that are made of a picture each time that it is decoded.
_DRAWS_AT_ONCE = 8


class Obfuscated(NamedTuple):
    """One picture that was obfuscated, once.

    Attributes:
        picture: As the model sees it; or why it can't be read.
        parameters: The record of what was drawn; None where nothing says.
        draw: Which draw of the picture it is.
    """

    picture: Picture | Unreadable
    parameters: str | None
    draw: int


def obfuscated_pictures(
    plan: Plan,
    cell: ObfuscatedCell | ReadyMadeCell,
    dataset: Dataset,
    items: Sequence[tuple[int, str]],
    *,
    ahead: int,
) -> Generator[Obfuscated, None, None]:
    """The pictures of a cell, in order, a few ahead of the consumer.

    Args:
        plan: Whose cell it is.
        cell: Says what is drawn, or which pictures were made before; all draws of a picture come one
            after the other.
        dataset: Where the pictures lie.
        items: Index and id of each.
        ahead: How many may be decoded or waiting at a time, at least.

    Raises:
        DataError: A picture can't be read any more, or was made in another size.
    """
    if isinstance(cell, ReadyMadeCell):
        assert isinstance(dataset, ObfuscatedDataset)
        return _read(plan, cell, dataset, items, ahead=ahead)
    assert isinstance(plan, ObfuscationPlan)
    assert plan.assets is not None
    return _made(cell, plan.assets, dataset, items, ahead=ahead)


def _made(
    cell: ObfuscatedCell,
    assets: AssetPack,
    dataset: Dataset,
    items: Sequence[tuple[int, str]],
    *,
    ahead: int,
) -> Generator[Obfuscated, None, None]:
    """Obfuscates in threads, each picture by one of torch: a sum over several has other digits."""
    parts = (
        (index, name, range(first, min(first + _DRAWS_AT_ONCE, cell.draws)))
        for index, name in items
        for first in range(0, cell.draws, _DRAWS_AT_ONCE)
    )
    at_once = min(cell.draws, _DRAWS_AT_ONCE)
    threads = torch.get_num_threads()
    made = map_ahead(
        partial(_drawn, cell, assets, dataset),
        parts,
        workers=min(_MOST_WORKERS, os.cpu_count() or 1),
        ahead=-(-ahead // at_once),
        begin=partial(torch.set_num_threads, 1),
    )
    try:
        with closing(made):
            for draws in made:
                yield from draws
    finally:
        # What a thread sets is what later ones begin with.
        torch.set_num_threads(threads)


def _read(
    plan: Plan,
    cell: ReadyMadeCell,
    dataset: ObfuscatedDataset,
    items: Sequence[tuple[int, str]],
    *,
    ahead: int,
) -> Generator[Obfuscated, None, None]:
    pictures = dataset.obfuscated(cell.transform)
    with closing(stream_pictures(pictures, items, Preprocessing(), ahead=ahead)) as stream:
        for picture in of_the_benchmarks_size(stream, plan, dataset.card):
            parameters = dataset.parameters(cell.transform, picture.index)
            yield Obfuscated(picture, parameters, 0)


def _drawn(
    cell: ObfuscatedCell, assets: AssetPack, dataset: Dataset, part: tuple[int, str, range]
) -> list[Obfuscated]:
    index, name, draws = part
    picture = read_picture(dataset, index, name, cell.preprocessing)
    if isinstance(picture, Unreadable):
        raise DataError(
            f"picture {name} could be read before and can't be any more ({picture.reason}). "
            "Restore it and run the same command again."
        )
    made = []
    for draw in draws:
        pixels, parameters = cell.obfuscation.obfuscate_example(
            picture.image, assets, seed=cell.seed, example_id=name, draw=draw
        )
        made.append(Obfuscated(replace(picture, image=pixels), parameters.to_json(), draw))
    return made
