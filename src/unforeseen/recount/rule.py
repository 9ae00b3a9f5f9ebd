"""What one rule about rows is, and what rows are held against."""

__all__ = [
    "CLEAN_COLUMNS",
    "OF_A_SEARCH",
    "TIMED",
    "CleanAnswer",
    "Expected",
    "RowContent",
    "Rule",
]

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from unforeseen.judging import Judging
from unforeseen.run_folder.planned import PlannedCell

#: A row by column.
RowContent = Mapping[str, Any]

#: What every row repeats of its picture's clean row.
CLEAN_COLUMNS = ("clean_prediction", "clean_confidence", "clean_loss", "correct_clean")

#: Columns that only a search fills.
OF_A_SEARCH = (
    *("norm", "first_success_step", "restart"),
    *("zero_gradient_share", "nonfinite_gradients"),
)


class CleanAnswer(NamedTuple):
    """What the clean row of a picture says, which its other rows repeat.

    Attributes:
        label: Its true class.
        unreadable: Whether the picture is.
        answer: Of :data:`CLEAN_COLUMNS`.
        ranking: A digest of ``true_rank`` and ``top10``, which a row repeats that isn't attacked.
    """

    label: int
    unreadable: bool
    answer: tuple[object, ...]
    ranking: bytes

    @classmethod
    def of(cls, row: RowContent) -> Self:
        """What a row says of the clean picture; a clean row, or one of a picture left alone."""
        columns = tuple(row[name] for name in CLEAN_COLUMNS)
        ranking = hashlib.sha256(repr((row["true_rank"], row["top10"])).encode()).digest()
        return cls(row["label"], row["status"] == "unreadable", columns, ranking)


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the rows of one cell are held against.

    Attributes:
        cell: Theirs.
        seed: The run's.
        restarts: Starts per picture.
        eot: Forward passes per evaluation.
        classes: How many the model tells apart, or None where the record doesn't say.
        function: Whether the model is a plain function, which has no gradients and sees 8-bit
            pictures only.
        clean: Clean rows by picture; None while these are being read.
        labels: Label by picture as in ``pictures.parquet``; None where there is no such file.
        judging: Of the run's edition.
        untargeted_starts: Of a loss that aims at another wrong class at each start, how many
            starts come before; None of one that doesn't aim.
        gradients: Whether the search takes any.
        obfuscated: Whether it is an obfuscation's cell.
        ready_made: Whether its pictures were obfuscated before.
        worst_of: Of how many draws for a picture one is kept.
        drawn: Makes the record of what was drawn, of a picture's id and the draw's number; None where it
            can't be drawn again.
    """

    cell: PlannedCell
    seed: int
    restarts: int
    eot: int
    classes: int | None
    function: bool
    clean: Mapping[str, CleanAnswer] | None
    labels: Mapping[str, int | None] | None
    judging: Judging = "last"
    untargeted_starts: int | None = None
    gradients: bool = False
    obfuscated: bool = False
    ready_made: bool = False
    worst_of: int = 1
    drawn: Callable[[str, int], str] | None = None


class Rule(NamedTuple):
    """One rule.

    Attributes:
        words: What must hold.
        shown: Columns that an example shows.
        holds: Whether it does.
    """

    words: str
    shown: tuple[str, ...]
    holds: Callable[[RowContent, Expected], bool]


#: Of pictures that the model was asked about for this row.
TIMED = Rule(
    "what was computed has a device and took some time",
    ("device", "seconds"),
    lambda row, _: (
        row["device"] is not None
        and row["seconds"] is not None
        and 0 <= row["seconds"] < float("inf")
    ),
)
