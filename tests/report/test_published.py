"""The paper's rows agree with themselves."""

import pytest

from small import ATTACK_BENCHMARKS
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.report.published import PAPER_ORDER, published_results


def test_ua2_is_the_mean_of_the_eight_attacks_as_far_as_print_rounds() -> None:
    results = published_results("imagenet-ua")
    assert len(results) == 10
    for result in results:
        mean = sum(result.attacks.values()) / 8
        # Percentages are printed with one decimal, and two rows lie on the edge of rounding.
        assert 100 * result.ua2 == pytest.approx(100 * mean, abs=0.051), result.model


def test_a_known_row_is_the_printed_one() -> None:
    resnet = next(r for r in published_results("imagenet-ua") if r.model == "ResNet-50")
    assert resnet.clean_accuracy == 0.761
    assert (resnet.pgd, resnet.ua2) == (0.0, 0.016)
    assert resnet.attacks["wood"] == 0.063


@pytest.mark.parametrize("name", ATTACK_BENCHMARKS)
def test_the_papers_order_names_the_core_attacks(name: str) -> None:
    assert set(PAPER_ORDER) == set(load_attack_benchmark(name).core)


@pytest.mark.parametrize("name", ["cifar10-ua", "../imagenet-ua", "imagenet-ua.csv", ""])
def test_where_the_paper_prints_nothing_there_is_nothing(name: str) -> None:
    assert published_results(name) == ()
