"""Stored pictures in, rows out: what a target says of what was made against another model."""

__all__ = ["evaluate_transferred"]

from collections.abc import Iterable, Iterator, Mapping

from unforeseen.data.pictures import Picture
from unforeseen.models.classifier import Predictor
from unforeseen.rows import Row
from unforeseen.running.cell_kinds import TransferredCell
from unforeseen.running.cells import CleanResult, row_before_attack
from unforeseen.running.judged import judged


def evaluate_transferred(
    cell: TransferredCell,
    classifier: Predictor,
    pictures: Iterable[Picture],
    clean: Mapping[str, CleanResult],
    *,
    batch_size: int,
) -> Iterator[Row]:
    """Judges pictures that were attacked before. What only a search measures stays null.

    The pictures are of 8 bits, so that ``correct``, ``correct_any`` and ``correct_8bit`` are one.

    Args:
        cell: Whose source made the pictures.
        classifier: Inside its ``inference()``.
        pictures: As they were stored, read as they are needed; all of one size.
        clean: What the target says of each as it was, by id.
        batch_size: How many pictures the classifier sees at once.
    """
    begun = (
        (each, row_before_attack(cell, each.example_id, clean[each.example_id]))
        for each in pictures
    )
    for each in judged(classifier, begun, batch_size=batch_size, passes=cell.eot):
        yield each.row
