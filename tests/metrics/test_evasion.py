"""The evasion rate: of what was flagged, how much no longer is."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from made_rows import judged_row
from unforeseen.metrics import Flagging, evasion_rate, wilson, worst_evasion_rate
from unforeseen.metrics.evasion import evaded, flagged_clean
from unforeseen.rows import Row, frame_of

WEAPON, OTHER = 1, 0


def rows_of(transform: str, probabilities: Sequence[float | None]) -> list[Row]:
    """Pictures of weapons; None is one that is unreadable, NaN one without finite outputs."""
    return [
        judged_row(transform, number, WEAPON, status="unreadable")
        if each is None
        else judged_row(transform, number, WEAPON, status="nonfinite")
        if math.isnan(each)
        else judged_row(transform, number, WEAPON, rank=1 if each > 0.5 else 2, probability=each)
        for number, each in enumerate(probabilities)
    ]


def test_of_the_flagged_pictures_the_share_below_the_threshold_counted_by_hand() -> None:
    # Flagged as they are: 0, 1, 2 and 4; of these 1 and 4 get through.
    clean = rows_of("clean", [0.9, 0.8, 0.95, 0.3, 0.7])
    other = [judged_row("clean", 9, OTHER, probability=0.99), judged_row("Blur", 9, OTHER, rank=2)]
    rows = frame_of([*clean, *other, *rows_of("Blur", [0.6, 0.59, 0.99, 0.0001, 0.2])])
    assert flagged_clean(rows, Flagging(WEAPON, 0.6)) == wilson(4, 5)
    assert evasion_rate(rows, "Blur", Flagging(WEAPON, 0.6)) == wilson(2, 4)
    assert evaded(rows, ["Blur"], Flagging(WEAPON, 0.6))["example_id"].to_list() == [
        "p00004",
        "p00001",
    ]


def test_the_threshold_itself_is_flagged_although_rows_hold_32_bits() -> None:
    rows = frame_of([*rows_of("clean", [0.9, 0.9]), *rows_of("Blur", [0.9, 0.8999])])
    assert float(np.float32(0.9)) < 0.9
    assert flagged_clean(rows, Flagging(WEAPON, 0.9)) == wilson(2, 2)
    assert evasion_rate(rows, "Blur", Flagging(WEAPON, 0.9)) == wilson(1, 2)


def test_what_is_not_among_the_ten_most_probable_follows_from_the_loss() -> None:
    rows = frame_of(
        judged_row(name, 0, WEAPON, rank=12, probability=each, listed=listed)
        for name, each, listed in (("clean", 0.02, True), ("a", 0.011, False), ("b", 0.009, False))
    )
    assert evasion_rate(rows, "a", Flagging(WEAPON, 0.01)) == wilson(0, 1)
    assert evasion_rate(rows, "b", Flagging(WEAPON, 0.01)) == wilson(1, 1)
    assert evaded(rows, ["b"], Flagging(WEAPON, 0.01))["probability"].item() == pytest.approx(0.009)


def test_nonfinite_outputs_flag_nothing_and_unreadable_pictures_are_outside() -> None:
    """Pitfall 13."""
    nan = math.nan
    rows = frame_of(
        [
            *rows_of("clean", [0.9, 0.9, 0.9, nan, None]),
            *rows_of("Blur", [0.9, nan, None, 0.9, 0.9]),
        ]
    )
    assert flagged_clean(rows, Flagging(WEAPON, 0.5)) == wilson(3, 4)
    assert evasion_rate(rows, "Blur", Flagging(WEAPON, 0.5)) == wilson(1, 2)
    (through,) = evaded(rows, ["Blur"], Flagging(WEAPON, 0.5)).to_dicts()
    assert (through["example_id"], through["probability"]) == ("p00001", None)


def test_worst_of_all_counts_a_picture_that_gets_through_anywhere() -> None:
    clean, a, b = [0.9] * 4, [0.9, 0.1, 0.9, 0.1], [0.9, 0.9, 0.1, 0.1]
    rows = frame_of([*rows_of("clean", clean), *rows_of("a", a), *rows_of("b", b)])
    assert worst_evasion_rate(rows, ["a", "b"], Flagging(WEAPON, 0.5)) == wilson(3, 4)
    singles = [evasion_rate(rows, name, Flagging(WEAPON, 0.5)) for name in "ab"]
    assert singles == [wilson(2, 4)] * 2
    with pytest.raises(ValueError, match="distinct transforms"):
        worst_evasion_rate(rows, ["a", "a"], Flagging(WEAPON, 0.5))


def test_where_nothing_was_flagged_there_is_no_rate() -> None:
    rows = frame_of([*rows_of("clean", [0.1]), *rows_of("a", [0.05])])
    assert evasion_rate(rows, "a", Flagging(WEAPON, 0.5)) is None
    assert evasion_rate(frame_of([]), "a", Flagging(WEAPON, 0.5)) is None
    assert flagged_clean(frame_of([]), Flagging(WEAPON, 0.5)) is None
    assert evaded(frame_of([]), [], Flagging(WEAPON, 0.5)).is_empty()


def test_without_a_class_what_is_right_as_it_is_counts_as_flagged() -> None:
    labels, clean = (WEAPON, WEAPON, OTHER, OTHER), (1, 2, 1, 1)
    blurred = (2, 2, 2, 1)
    rows = frame_of(
        judged_row(name, picture, label, rank=rank, probability=0.4)
        for name, ranks in (("clean", clean), ("Blur", blurred))
        for picture, (label, rank) in enumerate(zip(labels, ranks, strict=True))
    )
    assert flagged_clean(rows) == wilson(3, 4)
    assert evasion_rate(rows, "Blur") == wilson(2, 3)
    through = evaded(rows, ["Blur"])
    assert through["example_id"].to_list() == ["p00000", "p00002"]
    assert through["label"].to_list() == [WEAPON, OTHER]
    assert through["clean_prediction"].to_list() == [WEAPON, OTHER]


def test_the_picture_that_gets_through_most_often_comes_first_and_each_is_in_one_piece() -> None:
    clean = rows_of("clean", [0.9] * 4)
    a = rows_of("a", [0.1, 0.3, 0.9, math.nan])
    b = rows_of("b", [0.9, 0.2, 0.05, 0.9])
    through = evaded(frame_of([*clean, *a, *b]), ["a", "b"], Flagging(WEAPON, 0.5))
    # Outputs that aren't finite are as bad as a probability of 0.
    assert list(zip(through["example_id"], through["transform"], strict=True)) == [
        *(("p00001", "b"), ("p00001", "a")),
        *(("p00003", "a"), ("p00002", "b"), ("p00000", "a")),
    ]
