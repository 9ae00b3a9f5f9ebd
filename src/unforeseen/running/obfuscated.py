"""Obfuscated pictures in, rows out: what a model says of them, of several draws of the worst."""

__all__ = ["evaluate_obfuscated"]

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from unforeseen.data.pictures import Picture, Unreadable
from unforeseen.models.classifier import Predictor
from unforeseen.rows import Row
from unforeseen.running.cell_kinds import ObfuscatedCell, ReadyMadeCell
from unforeseen.running.cells import CleanResult, row_before_attack, unreadable_row
from unforeseen.running.judged import Judged, judged
from unforeseen.running.obfuscated_pictures import Obfuscated


def evaluate_obfuscated(
    cell: ObfuscatedCell | ReadyMadeCell,
    classifier: Predictor,
    pictures: Iterable[Obfuscated],
    clean: Mapping[str, CleanResult],
    *,
    batch_size: int,
) -> Iterator[Judged]:
    """Judges obfuscated pictures. What only a search measures stays null.

    Of several draws of a picture one is kept: one without finite logits, else the one of the highest
    loss, in which the true class is least probable; of equal ones the first. Another draw may be
    misclassified where this one isn't: ``correct_any`` says whether the picture is right in every draw,
    so that further draws never make it right again.

    The pictures are of 8 bits, so that ``correct`` and ``correct_8bit`` are one.

    Args:
        cell: What made them.
        classifier: Inside its ``inference()``.
        pictures: Read as they are needed; all of one size; all draws of one come one after the other.
        clean: What the classifier says of each as it was, by id.
        batch_size: How many pictures the classifier sees at once.
    """
    draws = cell.draws if isinstance(cell, ObfuscatedCell) else 1

    def begun() -> Iterator[tuple[Picture | None, Row]]:
        for picture, parameters, draw in pictures:
            if isinstance(picture, Unreadable):
                yield None, unreadable_row(cell, picture, seed=cell.seed)
                continue
            row = row_before_attack(cell, picture.example_id, clean[picture.example_id])
            kept_draw = draw if draws > 1 else None
            yield picture, replace(row, parameters=parameters, restart=kept_draw)

    answered = judged(classifier, begun(), batch_size=batch_size, passes=cell.eot)
    return answered if draws == 1 else _worst_of(answered, draws)


def _worst_of(answered: Iterable[Judged], draws: int) -> Iterator[Judged]:
    """One of each so many that come one after the other."""
    worst: Judged | None = None
    seconds, right = 0.0, True
    for number, each in enumerate(answered):
        if worst is None or _badness(each.row) > _badness(worst.row):
            worst = each
        seconds += each.row.seconds or 0.0
        right = right and each.row.correct is True
        if number % draws == draws - 1:
            yield worst._replace(row=replace(worst.row, seconds=seconds, correct_any=right))
            worst, seconds, right = None, 0.0, True


def _badness(row: Row) -> tuple[bool, float]:
    return row.status == "nonfinite", row.loss or 0.0
