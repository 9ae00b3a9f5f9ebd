"""Pictures in, rows out, for one cell. No files, no progress, no metrics."""

__all__ = [
    "CleanResult",
    "evaluate_attacked",
    "evaluate_clean",
    "row_before_attack",
    "unreadable_row",
    "without_attack",
]

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import torch
from torch import Tensor

from unforeseen.answers import answer
from unforeseen.data.donors import Donors
from unforeseen.data.pictures import Picture, Unreadable
from unforeseen.errors import DataError
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.rows import ClassProbability, Row, Status
from unforeseen.running.cell_kinds import AttackedCell, Cell, CleanCell, JudgedCell
from unforeseen.running.judged import judged
from unforeseen.search.examples import Example, Outcome


@dataclass(frozen=True, kw_only=True)
class CleanResult:
    """What is known of a picture before it is attacked; fields as in its clean row."""

    label: int
    status: Status
    reason: str | None
    clean_prediction: int | None
    clean_confidence: float | None
    clean_loss: float | None
    correct_clean: bool | None
    true_rank: int | None
    top10: list[ClassProbability] | None


def evaluate_clean(
    cell: CleanCell,
    classifier: Predictor,
    pictures: Iterable[Picture | Unreadable],
    *,
    seed: int,
    batch_size: int,
) -> Iterator[Row]:
    """Classifies pictures that nothing was done to; pictures that can't be read become rows too.

    Args:
        cell: The run's.
        classifier: Inside its ``inference()``.
        pictures: Read as they are needed.
        seed: Goes into the rows.
        batch_size: How many pictures the classifier sees at once.
    """
    shape = _SameShape()

    def begun() -> Iterator[tuple[Picture | None, Row]]:
        for picture in pictures:
            if isinstance(picture, Unreadable):
                yield None, unreadable_row(cell, picture, seed=seed)
            else:
                shape.check(picture)
                yield picture, _empty_row(cell, picture.example_id, picture.label, seed)

    for row, _ in judged(classifier, begun(), batch_size=batch_size, passes=cell.eot):
        if row.status == "unreadable":
            yield row
        else:
            yield replace(
                row,
                clean_prediction=row.prediction,
                clean_confidence=row.confidence,
                clean_loss=row.loss,
                correct_clean=row.correct,
                steps=0,
            )


def evaluate_attacked(
    cell: AttackedCell,
    classifier: Predictor,
    pictures: Iterable[Picture],
    clean: Mapping[str, CleanResult],
    *,
    shorter: Sequence[AttackedCell] = (),
    donors: Donors | None = None,
    batch_size: int,
    full_batches: bool = False,
) -> Generator[tuple[Row, Tensor], None, None]:
    """Attacks pictures; yields each one's row and its judged picture (3, H, W).

    They come as soon as they are known, in no fixed order.

    Args:
        cell: What is searched for.
        classifier: Inside its ``inference()``.
        pictures: Those to attack, read as places become free.
        clean: What is known of each, by id.
        shorter: Cells that differ from ``cell`` in fewer steps only, if its search can stop at
            checkpoints; their rows are made on the way, each picture's before its row of ``cell``.
        donors: Whom an attack takes from that does so.
        batch_size: How many pictures the classifier sees at once.
        full_batches: See :meth:`~unforeseen.search.search.Search.run`.
    """
    attack, radius = cell.attack, cell.radius
    shape = _SameShape()
    donor_ids: dict[str, str] = {}

    def examples() -> Iterator[Example]:
        for picture in pictures:
            shape.check(picture)
            example = Example(
                id=picture.example_id,
                image=picture.image.float() / 255,
                label=picture.label,
                radius=radius,
            )
            if attack.needs_donor:
                assert donors is not None
                donor = donors.of(picture.example_id, picture.label)
                shape.check(donor)
                donor_ids[picture.example_id] = donor.example_id
                example = replace(example, donor=donor.image.float() / 255)
            yield example

    cells = {each.search.steps: each for each in (*shorter, cell)}
    outcomes = cell.search.run(
        cell.attack,
        classifier,
        examples(),
        batch_size=batch_size,
        full_batches=full_batches,
        checkpoints=cells.keys(),
    )
    for outcome in outcomes:
        row = _row(cells[outcome.search_steps], outcome, clean[outcome.id], classifier)
        yield replace(row, donor=donor_ids.get(outcome.id)), outcome.picture
        if outcome.search_steps == cell.search.steps:
            donor_ids.pop(outcome.id, None)


def without_attack(cell: JudgedCell, example_id: str, clean: CleanResult) -> Row | None:
    """The row of a picture that needs no attack, or None where it needs one.

    That is a picture that can't be read, and one that the search leaves alone as it is. (Where
    nothing is searched for, none is left alone.)
    """
    row = row_before_attack(cell, example_id, clean)
    if clean.status == "unreadable":
        return replace(row, status="unreadable", reason=clean.reason)
    if isinstance(cell, AttackedCell) and not cell.search.attacks(correct=clean.correct_clean):
        return replace(
            row,
            prediction=clean.clean_prediction,
            confidence=clean.clean_confidence,
            true_rank=clean.true_rank,
            top10=clean.top10,
            loss=clean.clean_loss,
            correct=False,
            correct_any=False,
            correct_8bit=False,
            steps=0,
            gradient_evaluations=0 if cell.search.needs_gradient else None,
            status="nonfinite" if clean.status == "nonfinite" else "ok",
        )
    return None


def row_before_attack(cell: JudgedCell, example_id: str, clean: CleanResult) -> Row:
    """An attacked or obfuscated picture's row, as far as it is known before it is judged."""
    return replace(
        _empty_row(cell, example_id, clean.label, cell.seed),
        clean_prediction=clean.clean_prediction,
        clean_confidence=clean.clean_confidence,
        clean_loss=clean.clean_loss,
        correct_clean=clean.correct_clean,
    )


def unreadable_row(cell: Cell, picture: Unreadable, *, seed: int) -> Row:
    """The row of a picture that can't be read; ``seed`` goes into it."""
    row = _empty_row(cell, picture.example_id, picture.label, seed)
    return replace(row, status="unreadable", reason=picture.reason)


def _row(cell: AttackedCell, outcome: Outcome, clean: CleanResult, classifier: Predictor) -> Row:
    has_gradients = isinstance(classifier, DifferentiableClassifier)
    return replace(
        row_before_attack(cell, outcome.id, clean),
        **asdict(answer(outcome.logits, clean.label)),
        loss=outcome.loss if outcome.finite else None,
        correct=outcome.correct,
        correct_any=outcome.correct_any,
        correct_8bit=outcome.correct_8bit,
        steps=outcome.steps,
        first_success_step=outcome.first_success_step,
        gradient_evaluations=outcome.gradient_evaluations if has_gradients else None,
        norm=outcome.norm,
        zero_gradient_share=outcome.zero_gradient_share,
        nonfinite_gradients=outcome.nonfinite_gradients if has_gradients else None,
        restart=outcome.restart,
        status="ok" if outcome.finite else "nonfinite",
        device=str(classifier.device),
        seconds=outcome.seconds,
    )


def _empty_row(cell: Cell, example_id: str, label: int, seed: int) -> Row:
    """A row of which only the picture and the cell are known."""
    return Row(
        cell=cell.id,
        example_id=example_id,
        label=label,
        transform=cell.transform,
        level=cell.level,
        seed=seed,
    )


class _SameShape:
    """Refuses pictures that don't fit into one batch."""

    def __init__(self) -> None:
        self._first: torch.Size | None = None

    def check(self, picture: Picture) -> None:
        shape = picture.image.shape
        self._first = self._first or shape
        if shape != self._first:
            one, other = (f"{width}×{height}" for _, height, width in (self._first, shape))
            raise DataError(
                f"expected pictures of one size, as this benchmark leaves them as they are; got "
                f"{one} and {other} (width × height). Resize them first, or use a benchmark or "
                "model that resizes."
            )
