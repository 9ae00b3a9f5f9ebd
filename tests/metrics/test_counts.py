"""Failures and gradients are counted, never invented."""

from made_rows import row
from unforeseen.metrics import count
from unforeseen.rows import frame_of


def test_counts_are_of_rows_and_pictures_and_never_invented() -> None:
    rows = frame_of(
        [
            row("clean", 0, correct=True, level=""),
            row("clean", 1, correct=None, level="", status="unreadable"),
            row("wood", 0, correct=False, gradients=7),
            row("wood", 1, correct=None, status="unreadable"),
            row("wood", 2, correct=False, status="nonfinite", gradients=5),
            row("snow", 2, correct=False, status="nonfinite", gradients=0),
        ]
    )
    assert count(rows) == (2, 1, 12)
    assert count(frame_of([])) == (0, 0, 0)
    assert count(frame_of([row("wood", 0, correct=True)])).gradient_evaluations is None
