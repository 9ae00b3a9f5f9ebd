"""Accuracy against chance and against what is expected, in numbers that can be counted by hand."""

import pytest
import torch
from torch import Tensor

from unforeseen.check.accuracy import LOW, NEAR_CHANCE, ONE_LABEL, accuracy_evidence
from unforeseen.check.findings import Evidence


def said(predictions: list[int], classes: int = 10) -> Tensor:
    return torch.nn.functional.one_hot(torch.tensor(predictions), classes).float()


def measured(evidence: Evidence, name: str) -> float:
    return next(each.value for each in evidence.measurements if each.name == name)


def abouts(evidence: Evidence) -> list[str]:
    return [finding.about for finding in evidence.findings]


def test_always_naming_the_commonest_class_is_chance_however_often_it_is_right() -> None:
    labels = [0] * 375 + [1] * 25
    evidence = accuracy_evidence(said([0] * 400), torch.tensor(labels))
    assert measured(evidence, "accuracy") == pytest.approx(0.9375)
    assert measured(evidence, "chance") == pytest.approx(0.9375)
    assert abouts(evidence) == [NEAR_CHANCE]


def test_finding_most_of_a_rare_class_is_better_than_chance() -> None:
    labels = [0] * 95 + [1] * 5
    right = accuracy_evidence(said([0] * 95 + [1] * 5), torch.tensor(labels))
    # 0.95² + 0.05²
    assert measured(right, "chance") == pytest.approx(0.905)
    assert abouts(right) == []


@pytest.mark.parametrize(
    ("right", "classes", "found"),
    [
        (90, 10, []),
        (11, 10, []),
        (52, 2, []),
        (51, 2, []),
        (50, 2, [ONE_LABEL]),
        (10, 10, [ONE_LABEL]),
        (0, 10, [ONE_LABEL]),
    ],
)
def test_pictures_of_one_label_say_nothing_of_chance(
    right: int, classes: int, found: list[str]
) -> None:
    """They are noted, and at most suspicious; only near chance ends a run."""
    predictions = said([1] * right + [0] * (100 - right), classes)
    evidence = accuracy_evidence(predictions, torch.ones(100, dtype=torch.long))
    assert abouts(evidence) == found
    assert "all 100 pictures have one label" in evidence.notes[0]
    assert "chance" not in [each.name for each in evidence.measurements]
    assert NEAR_CHANCE not in found


@pytest.mark.parametrize("common", [60, 100, 127, 150])
@pytest.mark.parametrize("rare", [1, 2, 8])
def test_a_perfect_model_is_fine_however_uneven_the_labels(common: int, rare: int) -> None:
    labels = [0] * common + [1] * rare
    evidence = accuracy_evidence(said(labels), torch.tensor(labels))
    assert evidence.findings == ()
    assert evidence.notes == ()


@pytest.mark.parametrize(
    ("rare", "near", "noted"),
    [
        (1, False, "all but 1 of 128 pictures have one label"),
        (4, False, "all but 4 of 128 pictures have one label"),
        (5, False, "only 5 have another label"),
        (24, False, "only 24 have another label"),
        (25, True, ""),
    ],
)
def test_missing_a_rare_class_is_near_chance_where_it_has_enough_pictures_and_noted_below(
    rare: int, noted: str, *, near: bool
) -> None:
    """Always naming the other is wrong on just those."""
    evidence = accuracy_evidence(said([0] * 128), torch.tensor([0] * (128 - rare) + [1] * rare))
    assert abouts(evidence) == [NEAR_CHANCE] * near
    assert noted in " ".join(evidence.notes)
    assert bool(evidence.notes) != near


@pytest.mark.parametrize(("right", "near"), [(2, True), (3, False)])
def test_of_few_pictures_only_those_are_near_chance_that_are_no_better_than_lots(
    right: int, *, near: bool
) -> None:
    """Twenty pictures of ten classes."""
    evidence = right_on(right, 20, 10)
    assert abouts(evidence) == [NEAR_CHANCE] * near
    assert ("only 18 have another label" in " ".join(evidence.notes)) != near


def test_a_good_model_that_misses_the_few_others_is_no_worse_for_naming_many_classes() -> None:
    """104 of 126 right and the rest spread over ten classes, so that chance errs on 24."""
    labels = torch.tensor([3] * 126 + [5] * 2)
    predictions = [3] * 104 + [n % 10 for n in range(22)] + [3, 3]
    evidence = accuracy_evidence(said(predictions), labels)
    assert evidence.findings == ()
    assert "all but 2 of 128" in evidence.notes[0]
    never = accuracy_evidence(said([4] * 126 + [3, 3]), labels)
    assert abouts(never) == [ONE_LABEL]


def test_drawing_lots_is_near_chance_and_a_weak_model_is_not() -> None:
    generator = torch.Generator().manual_seed(0)
    labels = torch.arange(10).repeat(20)
    lots = torch.randint(0, 10, (200,), generator=generator)
    assert abouts(accuracy_evidence(said(lots.tolist()), labels)) == [NEAR_CHANCE]
    weak = torch.where(torch.arange(200) % 10 * 7 % 10 < 3, labels, (labels + 1) % 10)
    evidence = accuracy_evidence(said(weak.tolist()), labels)
    assert measured(evidence, "accuracy") == pytest.approx(0.3)
    assert abouts(evidence) == []


def right_on(right: int, of: int, classes: int) -> Evidence:
    """The first few right, every other one class off; labels as even as they can be."""
    labels = [n % classes for n in range(of)]
    predictions = [label if n < right else (label + 1) % classes for n, label in enumerate(labels)]
    return accuracy_evidence(said(predictions, classes), torch.tensor(labels))


@pytest.mark.parametrize("share", [0.1, 0.14, 0.2, 0.5])
def test_more_pictures_at_the_same_share_never_make_the_verdict_harsher(share: float) -> None:
    near = [
        NEAR_CHANCE in abouts(right_on(round(share * n), n, 10)) for n in (50, 100, 150, 600, 3000)
    ]
    assert near == sorted(near, reverse=True)


@pytest.mark.parametrize(
    ("right", "of", "classes", "near"),
    [
        (20, 100, 10, False),
        (10, 100, 10, True),
        # The interval of 17 of 100 begins at 0.109, that of 16 at 0.101, that of 15 at 0.093.
        (16, 100, 10, False),
        (15, 100, 10, True),
        # Kappa of 146 of 1,000 is 0.0511, that of 144 is 0.0489; both intervals are above 0.1.
        (146, 1000, 10, False),
        (144, 1000, 10, True),
        (35, 512, 1000, False),
        (9, 128, 1000, False),
        (6, 128, 1000, True),
    ],
)
def test_an_accuracy_is_near_chance_where_chance_may_explain_it_or_kappa_is_next_to_nothing(
    right: int, of: int, classes: int, *, near: bool
) -> None:
    assert (NEAR_CHANCE in abouts(right_on(right, of, classes))) == near


def test_a_few_pictures_are_only_measured() -> None:
    evidence = accuracy_evidence(said([1] * 9), torch.zeros(9, dtype=torch.long))
    assert evidence.findings == ()
    assert measured(evidence, "accuracy") == 0


def test_the_causes_that_are_named_are_those_given() -> None:
    evidence = accuracy_evidence(
        said([0] * 100), torch.arange(100) % 10, expected=0.9, by="you", causes="The moon."
    )
    assert [(each.about, each.advice) for each in evidence.findings] == [
        (NEAR_CHANCE, "The moon."),
        (LOW, "The moon."),
    ]


@pytest.mark.parametrize(("right", "low"), [(78, False), (77, True)])
def test_an_accuracy_is_low_where_its_interval_ends_two_points_below(
    right: int, *, low: bool
) -> None:
    """At 99.9 % Wilson's interval of 78 of 100 ends at 0.885, that of 77 at 0.878."""
    labels = torch.arange(10).repeat(10)
    predictions = [(label + (n >= right)) % 10 for n, label in enumerate(labels.tolist())]
    evidence = accuracy_evidence(said(predictions), labels, expected=0.9, by="its makers")
    assert (LOW in abouts(evidence)) == low
    assert measured(evidence, "expected_accuracy") == 0.9


def test_outputs_that_arent_finite_are_wrong() -> None:
    logits = said(list(range(10)) * 2)
    logits[::2] = torch.nan
    evidence = accuracy_evidence(logits, torch.arange(10).repeat(2))
    assert measured(evidence, "accuracy") == 0.5
