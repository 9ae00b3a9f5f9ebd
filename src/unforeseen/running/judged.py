"""What a model says of pictures as they are, as rows: of clean, stored and obfuscated ones."""

__all__ = ["Judged", "judged"]

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import NamedTuple

import torch

from unforeseen.answers import answer
from unforeseen.data.pictures import Picture
from unforeseen.models.classifier import Predictor
from unforeseen.rows import Row
from unforeseen.search.expectation import expected


class Judged(NamedTuple):
    """A row, and the picture that was judged; None where it couldn't be read."""

    row: Row
    picture: Picture | None


def judged(
    classifier: Predictor,
    begun: Iterable[tuple[Picture | None, Row]],
    *,
    batch_size: int,
    passes: int,
) -> Iterator[Judged]:
    """Completes rows by the model's answers; no gradient is taken.

    Args:
        classifier: Inside its ``inference()``.
        begun: Pictures, all of one size, each with its row as far as it is known without the model;
            they are read as they are needed. A row without a picture comes back as it is, at once.
        batch_size: How many pictures the classifier sees at once. Fewer are padded, so that they
            get the same answer in any run.
        passes: Forward passes that the answer is the mean of.
    """
    pictures: list[Picture] = []
    rows: list[Row] = []
    for picture, row in begun:
        if picture is None:
            yield Judged(row, None)
            continue
        pictures.append(picture)
        rows.append(row)
        if len(rows) == batch_size:
            yield from _answered(classifier, pictures, rows, batch_size, passes)
            pictures, rows = [], []
    if rows:
        yield from _answered(classifier, pictures, rows, batch_size, passes)


def _answered(
    classifier: Predictor,
    pictures: Sequence[Picture],
    rows: Sequence[Row],
    batch_size: int,
    passes: int,
) -> Iterator[Judged]:
    began = time.perf_counter()
    padded = list(itertools.islice(itertools.cycle(pictures), batch_size))
    x = torch.stack([picture.image for picture in padded]).to(classifier.device).float() / 255
    labels = torch.tensor([picture.label for picture in padded], device=classifier.device)
    with torch.no_grad():
        asked = expected(classifier, x, labels, passes=passes)
    logits, losses = asked.logits.cpu(), asked.loss.tolist()
    seconds = (time.perf_counter() - began) / len(pictures)
    for row, picture, scores, loss in zip(rows, pictures, logits, losses, strict=False):
        said = answer(scores, row.label)
        finite = said.prediction is not None
        correct = said.prediction == row.label
        answered = replace(
            row,
            loss=loss if finite else None,
            correct=correct,
            correct_any=correct,
            correct_8bit=correct,
            gradient_evaluations=0,
            status="ok" if finite else "nonfinite",
            device=str(classifier.device),
            seconds=seconds,
            **asdict(said),
        )
        yield Judged(answered, picture)
