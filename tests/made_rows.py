"""Rows that no attack made, for tests of what counts them."""

from collections.abc import Mapping, Sequence

import polars as pl

from unforeseen.rows import Row, Status, frame_of


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
