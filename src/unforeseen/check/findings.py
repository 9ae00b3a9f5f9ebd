"""What one question of a check can bring to light, as data. Imports no torch."""

__all__ = [
    "MEASUREMENTS",
    "AtZero",
    "Evidence",
    "Finding",
    "Kind",
    "Measurement",
]

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["masked", "suspicious"]

#: What is measured, in the order in which it is shown: names in records, and words for people.
MEASUREMENTS: Mapping[str, str] = MappingProxyType(
    {
        "accuracy": "classified right [99.9 % interval]",
        "accuracy_low": "lower end of the interval",
        "accuracy_high": "upper end of the interval",
        "expected_accuracy": "accuracy to be expected",
        "chance": "right by chance, with such predictions",
        "best_variant_accuracy": "right, with the best other normalisation",
        "best_order_accuracy": "right, with the best other order of labels",
        "nonfinite_outputs": "outputs with NaN or infinity",
        "probability_rows": "outputs that are probabilities",
        "log_probability_rows": "outputs that are log-probabilities",
        "gap": "typical gap between the two largest outputs",
        "resolution": "what rounding may change of that gap",
        "zero_gradients": "gradients that are exactly 0",
        "nonfinite_gradients": "gradients with NaN or infinity",
        "randomness": "change of the outputs when asked again",
        "batch_dependence": "change of the outputs when asked alone",
        "fooled_by_cross_entropy": "fooled by a short attack on cross-entropy",
        "fooled_by_margin": "fooled by the same attack on the margin",
    }
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that is wrong, or looks wrong.

    Attributes:
        kind: ``masked``: attacks by gradient can't work on this model, so surviving them says
            nothing. ``suspicious``: figures will probably not mean what they seem to.
        about: A few words, for verdicts.
        seen: One sentence: what was seen, and what that means.
        advice: One or two: the likely cause, what to do.
    """

    kind: Kind
    about: str
    seen: str
    advice: str

    @property
    def text(self) -> str:
        """All of it, for people."""
        return f"{self.seen} {self.advice}"


class Measurement(NamedTuple):
    """One figure behind the findings.

    Attributes:
        name: One of :data:`MEASUREMENTS`.
        value: A share of pictures in [0, 1] unless the name says otherwise.
        n: On how many pictures; None where the figure isn't of pictures.
    """

    name: str
    value: float
    n: int | None


class AtZero(NamedTuple):
    """An attack whose perturbation is 0: ``right`` of ``of`` pictures are classified right."""

    attack: str
    right: int
    of: int


class Evidence(NamedTuple):
    """What one question brought to light."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    measurements: tuple[Measurement, ...] = ()

    def and_also(self, other: "Evidence") -> "Evidence":
        """Both together."""
        return Evidence(
            self.findings + other.findings,
            self.notes + other.notes,
            self.measurements + other.measurements,
        )
