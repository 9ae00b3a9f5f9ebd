import math

import pytest
import torch

from unforeseen.answers import Answer, answer


def test_an_answer_reads_softmax_in_order() -> None:
    probability = torch.tensor([0.1, 0.6, 0.3], dtype=torch.float64)
    said = answer(probability.log() + 7, label=2)
    assert said.prediction == 1
    assert said.confidence == pytest.approx(0.6)
    assert said.true_rank == 2
    assert said.top10 is not None
    assert [each["class_index"] for each in said.top10] == [1, 2, 0]
    assert [each["probability"] for each in said.top10] == pytest.approx([0.6, 0.3, 0.1])


@pytest.mark.parametrize(("classes", "kept"), [(4, 4), (10, 10), (1000, 10)])
def test_at_most_ten_classes_are_kept(classes: int, kept: int) -> None:
    logits = torch.arange(classes, dtype=torch.float32)
    said = answer(logits, label=0)
    assert said.top10 is not None
    assert [each["class_index"] for each in said.top10] == [classes - 1 - n for n in range(kept)]
    assert said.true_rank == classes


def test_the_true_class_ranks_first_among_equals() -> None:
    assert answer(torch.tensor([1.0, 1.0, 0.0]), label=1).true_rank == 1


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nonfinite_logits_say_nothing(value: float) -> None:
    assert answer(torch.tensor([0.0, value, 1.0]), label=0) == Answer()


def test_huge_logits_do_not_overflow() -> None:
    said = answer(torch.tensor([3e38, -3e38]), label=0)
    assert (said.prediction, said.confidence, said.true_rank) == (0, 1.0, 1)
