"""Rows that no attack made, for tests of what counts them."""

import math
from collections.abc import Mapping, Sequence

import polars as pl

from unforeseen.rows import ClassProbability, Row, Status, frame_of


def row(
    transform: str,
    picture: int,
    correct: bool | None,
    *,
    level: str = "medium",
    status: Status = "ok",
    gradients: int | None = None,
    cell: str = "",
) -> Row:
    return Row(
        cell=cell or f"{transform}-{level}",
        example_id=f"p{picture:03}",
        label=0,
        transform=transform,
        level=level,
        seed=0,
        correct=correct,
        status=status,
        gradient_evaluations=gradients,
    )


def table_of(verdicts: Mapping[str, Sequence[bool]]) -> pl.DataFrame:
    return frame_of(
        row(attack, picture, correct)
        for attack, column in verdicts.items()
        for picture, correct in enumerate(column)
    )


def judged_row(
    transform: str,
    picture: int,
    label: int,
    *,
    rank: int | None = 1,
    prediction: int | None = None,
    status: Status = "ok",
    probability: float | None = None,
    listed: bool = True,
    cell: str = "",
) -> Row:
    """A row without a level, as clean pictures and obfuscations have.

    Args:
        transform: Its name.
        picture: Number that makes the id.
        label: True class.
        rank: Of the true class; 1 is right.
        prediction: What the picture is taken for; None takes the label where it is right, and the
            class behind it where it isn't.
        status: Of the row; other than ``ok``, nothing is said of the picture.
        probability: Of the true class.
        listed: Whether that is among the ten most probable; else only the loss says it.
        cell: Its id; empty takes the transform's name.
    """
    there = status == "ok"
    right = rank == 1 if there else None
    said = prediction if prediction is not None else label if right else label + 1
    top = []
    if probability is not None and listed:
        top = [ClassProbability(class_index=label, probability=probability)]
    return Row(
        cell=cell or transform,
        example_id=f"p{picture:05}",
        label=label,
        transform=transform,
        level="",
        seed=0,
        prediction=said if there else None,
        true_rank=rank if there else None,
        correct=right if status != "nonfinite" else False,
        correct_any=right if status != "nonfinite" else False,
        top10=top if there else None,
        loss=-math.log(probability) if probability and there else None,
        status=status,
    )


def labelled_table(labels: Sequence[int], verdicts: Mapping[str, Sequence[bool]]) -> pl.DataFrame:
    """Rows of pictures with these labels: right ones of rank 1, wrong ones of rank 2."""
    return frame_of(
        judged_row(name, picture, label, rank=1 if right else 2)
        for name, column in verdicts.items()
        for picture, (label, right) in enumerate(zip(labels, column, strict=True))
    )
