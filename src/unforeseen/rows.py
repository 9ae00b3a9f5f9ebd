"""The row: what one example did under one transform at one level.

Rows are all that metrics and reports ever see. Nothing here imports torch.
"""

__all__ = [
    "CLEAN",
    "ROW_SCHEMA",
    "SCHEMA_VERSION",
    "ClassProbability",
    "Row",
    "Status",
    "frame_of",
]

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal, TypedDict

import polars as pl

SCHEMA_VERSION = 1

#: The transform name of pictures that nothing was done to; its level is the empty string.
CLEAN = "clean"

Status = Literal["ok", "nonfinite", "unreadable"]


class ClassProbability(TypedDict):
    """One entry of ``top10``. JSON-like so that it goes into parquet as it is."""

    class_index: int
    probability: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One example × transform × level. None is "not measured"; it is never written as 0.

    Attributes:
        cell: Id of the cell (all that changes results, hashed).
        example_id: Id of the picture; duplicates carry ``#2``, ``#3`` …
        label: True class.
        transform: Attack's name, or ``clean``.
        level: ``low``, ``medium``, ``high``; empty for ``clean``.
        seed: The run's.
        clean_prediction: Class of the unattacked picture.
        clean_confidence: Its probability.
        prediction: Class of the judged picture.
        confidence: Its probability.
        true_rank: 1 where the true class is the most probable.
        top10: The ten (or fewer) most probable classes, most probable first.
        clean_loss: Cross-entropy in nats of the unattacked picture.
        loss: Cross-entropy in nats of the judged picture.
        correct_clean: The unattacked picture is classified right.
        correct: The judged picture is classified right. Non-finite logits are wrong.
        correct_any: No evaluated point fooled the classifier (the judged one included). Edition
            published evaluates PGD's points before they are clamped, but for the judged one.
        correct_8bit: The judged picture, rounded to 8 bits, is classified right.
        steps: Updates made until the judged picture.
        first_success_step: Updates made until the first point that fooled it; None if none did.
        gradient_evaluations: Gradients spent on this row, over all restarts; None for a plain function,
            which has none.
        norm: Largest ‖δ‖/ε over the latents and over all evaluated points.
        zero_gradient_share: Share of gradients that were exactly 0.
        nonfinite_gradients: Number of gradients with a NaN (which counts as 0) or an infinity.
        restart: Which restart gave the judged picture.
        donor: Id of the other image that the transform needs.
        parameters: JSON of the parameters that were drawn (obfuscations).
        status: ``ok``, ``nonfinite`` (the judged logits were not finite), ``unreadable``.
        reason: Why it is unreadable.
        device: Where it was computed.
        seconds: Its share of the wall time; where a longer search went on from there, until there.
    """

    cell: str
    example_id: str
    label: int
    transform: str
    level: str
    seed: int
    clean_prediction: int | None = None
    clean_confidence: float | None = None
    prediction: int | None = None
    confidence: float | None = None
    true_rank: int | None = None
    top10: list[ClassProbability] | None = None
    clean_loss: float | None = None
    loss: float | None = None
    correct_clean: bool | None = None
    correct: bool | None = None
    correct_any: bool | None = None
    correct_8bit: bool | None = None
    steps: int | None = None
    first_success_step: int | None = None
    gradient_evaluations: int | None = None
    norm: float | None = None
    zero_gradient_share: float | None = None
    nonfinite_gradients: int | None = None
    restart: int | None = None
    donor: str | None = None
    parameters: str | None = None
    status: Status = "ok"
    reason: str | None = None
    device: str | None = None
    seconds: float | None = None


ROW_SCHEMA = pl.Schema(
    {
        "cell": pl.String(),
        "example_id": pl.String(),
        "label": pl.Int64(),
        "transform": pl.String(),
        "level": pl.String(),
        "seed": pl.Int64(),
        "clean_prediction": pl.Int64(),
        "clean_confidence": pl.Float32(),
        "prediction": pl.Int64(),
        "confidence": pl.Float32(),
        "true_rank": pl.Int64(),
        "top10": pl.List(pl.Struct({"class_index": pl.Int64(), "probability": pl.Float32()})),
        "clean_loss": pl.Float32(),
        "loss": pl.Float32(),
        "correct_clean": pl.Boolean(),
        "correct": pl.Boolean(),
        "correct_any": pl.Boolean(),
        "correct_8bit": pl.Boolean(),
        "steps": pl.Int64(),
        "first_success_step": pl.Int64(),
        "gradient_evaluations": pl.Int64(),
        "norm": pl.Float32(),
        "zero_gradient_share": pl.Float32(),
        "nonfinite_gradients": pl.Int64(),
        "restart": pl.Int64(),
        "donor": pl.String(),
        "parameters": pl.String(),
        "status": pl.String(),
        "reason": pl.String(),
        "device": pl.String(),
        "seconds": pl.Float64(),
    }
)


def frame_of(rows: Iterable[Row]) -> pl.DataFrame:
    """Puts rows into a frame with exactly the columns of :data:`ROW_SCHEMA`."""
    return pl.DataFrame([asdict(row) for row in rows], schema=ROW_SCHEMA, orient="row")
