"""The models of the two papers, and under which URI each can be loaded, if it can.

Kaufmann et al., *Testing Robustness Against Unforeseen Adversaries* (tables 1 to 18, appendix A.2),
and Stimberg et al., *Benchmarking Robustness to Adversarial Image Obfuscations* (section 4.1,
appendix C). The second names its 38 models only in figures; listed are those that its text names,
and members of the collections that it names.
"""

__all__ = ["PAPERS", "PaperModel", "Weights", "models_of_paper"]

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Literal, cast

#: ``same``: the weights that the paper measured. ``alike``: probably, but the paper doesn't name
#: them or they were converted. ``family``: of a collection that the paper names; whether it was
#: measured, only the paper's figures say. ``none``: no library has them.
Weights = Literal["same", "alike", "family", "none"]

#: By number: the title, and the score that is printed beside the clean accuracy.
PAPERS: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        1: ("Testing Robustness Against Unforeseen Adversaries (Kaufmann et al.)", "UA2"),
        2: (
            "Benchmarking Robustness to Adversarial Image Obfuscations (Stimberg et al.)",
            "worst hold-out",
        ),
    }
)


@dataclass(frozen=True, kw_only=True)
class PaperModel:
    """One model of a paper.

    Attributes:
        where: The table or section that names it.
        model: As printed, with what it was trained against.
        dataset: Whose classes it has: ``imagenet``, ``imagenet100`` or ``cifar10``.
        clean_accuracy: As printed, in percent; None where the paper prints none.
        score: UA2 (paper 1) or accuracy on the worst hold-out obfuscation (paper 2), likewise.
        uri: For :func:`~unforeseen.models.load_model`; empty where no library has the model.
        weights: How sure it is that these are the paper's.
        note: What else there is to know; may be empty.
    """

    where: str
    model: str
    dataset: str
    clean_accuracy: float | None
    score: float | None
    uri: str
    weights: Weights
    note: str


def models_of_paper(number: int) -> tuple[PaperModel, ...]:
    """The models of one of :data:`PAPERS`."""
    file = resources.files("unforeseen.models").joinpath("papers.csv")
    lines = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return tuple(
        PaperModel(
            where=line["where"],
            model=line["model"],
            dataset=line["dataset"],
            clean_accuracy=_percent(line["clean_accuracy"]),
            score=_percent(line["score"]),
            uri=line["uri"],
            weights=cast("Weights", line["weights"]),
            note=line["note"],
        )
        for line in lines
        if int(line["paper"]) == number
    )


def _percent(text: str) -> float | None:
    return float(text) if text else None
