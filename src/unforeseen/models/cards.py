"""What is known of a model and of its head, as data."""

__all__ = ["HeadCard", "ModelCard"]

from dataclasses import asdict, dataclass
from typing import Any

from unforeseen.preprocessing import Preprocessing


@dataclass(frozen=True, kw_only=True)
class HeadCard:
    """What is known of a head (:mod:`unforeseen.models.heads`).

    Attributes:
        name: How the user named it.
        outputs: Number of the model's own outputs.
        mapping: Hash of which outputs make up which class, and how.
        class_names: What its classes are called; empty where it leaves that to the model.
    """

    name: str
    outputs: int
    mapping: str
    class_names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """What is known of a model before it has seen a picture.

    Attributes:
        uri: How the user named it.
        fingerprint: Hash of architecture, weights and normalisation: the same fingerprint means
            the same function.
        preprocessing: The model's own, or None where it declares none (the benchmark's applies).
        classes: Number of classes after the head, or None where only a first call tells
            (:meth:`unforeseen.models.classifier.Predictor.count_classes`).
        mean: Subtracted per channel, or None where normalisation is none or is the module's own.
        std: Divided by per channel, likewise.
        accuracy: Top-1 accuracy in [0, 1] that the model's makers state for the test pictures of
            its label space, or None where they state none.
        class_names: What the model itself, or its head, calls its classes; empty where neither
            says.
        code: Hash of the code of a function whose fingerprint comes from a version instead.
        versioned: False of a plain function without a version: its fingerprint is of its code only,
            which doesn't say what answers behind it.
        head: What maps the model's outputs to classes, or None where they are the classes.
    """

    uri: str
    fingerprint: str
    preprocessing: Preprocessing | None = None
    classes: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    accuracy: float | None = None
    class_names: tuple[str, ...] = ()
    code: str | None = None
    versioned: bool = True
    head: HeadCard | None = None

    @property
    def identity(self) -> tuple[str, str | None]:
        """Which network it is, whatever it is called: its fingerprint and that of its head."""
        return self.fingerprint, None if self.head is None else self.head.mapping

    def to_record(self) -> dict[str, Any]:
        """For a run's record: all but the class names, of which there may be thousands.

        And but whether it has a version, as nothing is kept of what has none.
        """
        record = asdict(self)
        del record["class_names"], record["versioned"]
        return record
