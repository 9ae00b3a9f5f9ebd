"""What a classifier's logits say: its answer, how sure it is, where the truth ranks."""

__all__ = ["Answer", "answer"]

from dataclasses import dataclass

from torch import Tensor

from unforeseen.rows import ClassProbability

#: How many classes a row keeps.
TOP = 10


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One picture's logits in words; all None where they aren't finite. Fields as in a row."""

    prediction: int | None = None
    confidence: float | None = None
    true_rank: int | None = None
    top10: list[ClassProbability] | None = None


def answer(logits: Tensor, label: int) -> Answer:
    """Reads one picture's logits.

    Args:
        logits: (classes,), on the CPU.
        label: True class.
    """
    if not logits.isfinite().all():
        return Answer()
    probability, classes = logits.double().softmax(dim=0).topk(min(TOP, len(logits)))
    top = [
        ClassProbability(class_index=index, probability=value)
        for index, value in zip(classes.tolist(), probability.tolist(), strict=True)
    ]
    return Answer(
        prediction=int(logits.argmax()),
        confidence=top[0]["probability"],
        true_rank=1 + int((logits > logits[label]).sum()),
        top10=top,
    )
