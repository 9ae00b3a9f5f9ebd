"""Whether a run folder is about the pictures that are asked for; files may have changed meanwhile."""

__all__ = ["mended_pictures"]

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import is_unreadable
from unforeseen.errors import RunError
from unforeseen.run_folder.runlog import RunLog

_NAMED = 3


def mended_pictures(
    folder: Path, clean_cell: str, dataset: Dataset, chosen: Sequence[tuple[int, str]]
) -> frozenset[str]:
    """Refuses other pictures than a run folder's; a smaller or larger part of them may be chosen.

    A file that couldn't be read has another id once it can be. Its old rows say nothing.

    Args:
        folder: The run's; it may be new.
        clean_cell: Id of the cell that has a row of each picture.
        dataset: Where the pictures lie.
        chosen: Index and id of each.

    Returns:
        Ids of pictures in the folder that couldn't be read and are there under other ids now.

    Raises:
        RunError: It holds other pictures, or some that can't be read any more.
    """
    rows = RunLog.open_for_reading(folder).rows([clean_cell])
    there = _pictures(rows)
    index_of = {(name, int(dataset.labels[index])): index for index, name in chosen}
    wanted = index_of.keys()
    if there <= wanted or wanted <= there:
        return frozenset()
    new = wanted - there
    unreadable = _pictures(rows.filter(pl.col("status") == "unreadable")) - wanted
    missing = there - wanted - unreadable
    gone = {each for each in new if is_unreadable(each[0])}
    if gone and (new == gone or len(missing) <= len(gone)):
        keys = sorted(dataset.keys[index_of[each]] for each in gone)
        raise RunError(
            f"{counted(len(gone), 'picture')} of {dataset.card.uri} could be read when the run in {folder} "
            f"began and can't be any more: {', '.join(keys[:_NAMED])}"
            f"{' …' if len(keys) > _NAMED else ''}. Restore them, or use another --out."
        )
    if not missing:
        return frozenset(name for name, _ in unreadable)
    if len(new) <= len(unreadable):
        raise RunError(
            f"pictures that couldn't be read when the run in {folder} began can be now. Take all "
            f"of its {len(there)} pictures again (a larger --limit, or none), or use another --out."
        )
    raise RunError(
        f"{folder} holds results on other pictures than {dataset.card.uri}: {len(there - wanted)} "
        f"of its {len(there)} are not among the {len(wanted)} chosen, or have another label. Use "
        "another --out."
    )


def _pictures(rows: pl.DataFrame) -> set[tuple[str, int]]:
    return set(zip(rows["example_id"], rows["label"], strict=True))
