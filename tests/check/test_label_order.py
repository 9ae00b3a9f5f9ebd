"""Orders of labels, from predictions alone."""

import pytest
import torch
from torch import Tensor

from unforeseen.check.findings import Evidence
from unforeseen.check.label_order import label_order_evidence, other_orders

NAMES = ("tench", "goldfish", "shark", "ray", "cock", "hen", "ostrich", "finch", "junco", "robin")


def said(predictions: list[int], classes: int = 10) -> Tensor:
    return torch.nn.functional.one_hot(torch.tensor(predictions), classes).float()


def text(evidence: Evidence) -> str:
    return " ".join(finding.text for finding in evidence.findings)


@pytest.mark.parametrize("count", [12, 100, 1000])
def test_numbers_sorted_as_text_are_found_both_ways(count: int) -> None:
    order = sorted(range(count), key=str)
    labels = torch.arange(count).repeat(2)
    inverse = [order.index(number) for number in range(count)]
    data = label_order_evidence(said(2 * order, count), labels)
    model = label_order_evidence(said(2 * inverse, count), labels)
    assert "the data's classes were numbered in the order of their numbers as text" in text(data)
    assert "the model's classes were numbered in the order of their numbers as text" in text(model)


@pytest.mark.parametrize("highest", [11, 12, 99, 100, 698, 997, 998, 999])
def test_numbers_sorted_as_text_are_found_whichever_labels_the_pictures_have(highest: int) -> None:
    """Of a model of 1,000 classes; the data's may be as many, or end with the highest label."""
    labels = torch.arange(highest + 1).repeat(3)
    for count in (1000, highest + 1):
        order = sorted(range(count), key=str)
        inverse = [order.index(number) for number in range(count)]
        for number, side in ((order, "data"), (inverse, "model")):
            predictions = [number[label] for label in labels.tolist()]
            assert f"the {side}'s classes were numbered in the order of their numbers as text" in (
                text(label_order_evidence(said(predictions, 1000), labels))
            )


def test_alphabetical_order_is_found_both_ways() -> None:
    alphabetical = sorted(range(10), key=lambda label: NAMES[label])
    labels = torch.arange(10).repeat(3)
    predictions = [alphabetical.index(label) for label in labels.tolist()]
    evidence = label_order_evidence(said(predictions), labels, names=NAMES)
    assert "the model's classes were numbered in alphabetical order" in text(evidence)
    predictions = [alphabetical[label] for label in labels.tolist()]
    evidence = label_order_evidence(said(predictions), labels, names=NAMES)
    assert "the data's classes were numbered in alphabetical order" in text(evidence)


@pytest.mark.parametrize("shift", [-1, 1])
def test_labels_off_by_one_are_found(shift: int) -> None:
    labels = torch.arange(1, 31)
    evidence = label_order_evidence(said((labels + shift).tolist(), 32), labels)
    assert f"one too {'low' if shift == 1 else 'high'}" in text(evidence)


def test_a_right_order_a_constant_answer_and_plain_errors_are_no_finding() -> None:
    labels = torch.arange(10).repeat(10)
    generator = torch.Generator().manual_seed(1)
    lots = torch.randint(0, 10, (100,), generator=generator).tolist()
    for predictions in (labels.tolist(), [4] * 100, lots):
        assert label_order_evidence(said(predictions), labels).findings == ()


def test_a_few_large_classes_that_the_model_lumps_together_are_no_order() -> None:
    labels = torch.arange(10).repeat(10)
    lumped = (labels // 5).tolist()
    assert label_order_evidence(said(lumped), labels).findings == ()


@pytest.mark.parametrize("labels", [[0] * 90 + [1] * 10, [0] * 100], ids=["mostly", "only"])
def test_always_naming_the_class_next_to_the_commonest_label_is_no_order(
    labels: list[int],
) -> None:
    assert label_order_evidence(said([1] * 100), torch.tensor(labels)).findings == ()


def test_answers_that_arent_finite_fit_no_order() -> None:
    logits = torch.full((30, 10), torch.nan)
    assert label_order_evidence(logits, torch.zeros(30, dtype=torch.long)).findings == ()


def test_names_that_both_sides_number_differently_are_told_unless_predictions_are_good() -> None:
    labels = torch.arange(4)
    other = label_order_evidence(
        said([9, 9, 9, 9]), labels, names=NAMES, model_names=tuple(reversed(NAMES))
    )
    assert "0 is 'tench' in the data and 'robin' in the model" in text(other)
    good = label_order_evidence(
        said(labels.tolist()), labels, names=NAMES, model_names=tuple(reversed(NAMES))
    )
    assert good.findings == ()


def test_of_long_names_only_the_beginning_is_told() -> None:
    long = tuple(name * 1000 for name in NAMES)
    told = label_order_evidence(
        said([9, 9, 9, 9]), torch.arange(4), names=long, model_names=tuple(reversed(long))
    )
    assert "'tenchtench" in text(told)
    assert len(text(told)) < 400


def test_identities_are_no_other_order() -> None:
    causes = " ".join(order.cause for order in other_orders(10, 10, sorted(NAMES)))
    assert "text" not in causes
    assert "alphabetical" not in causes


@pytest.mark.parametrize(("shifted", "found"), [(20, True), (19, False)])
def test_an_order_is_named_where_it_sets_a_fifth_of_the_pictures_right(
    shifted: int, *, found: bool
) -> None:
    labels = torch.arange(10).repeat(10)
    logits = said((labels + 1).tolist(), 11)
    logits[shifted:] = torch.nan
    assert bool(label_order_evidence(logits, labels).findings) == found
