"""Multiples of a benchmark's radii and step sizes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from small import ATTACK_BENCHMARKS, small_benchmark
from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.benchmarks.scaled import Scaled, in_name, scaled, unscaled
from unforeseen.errors import UserError


def test_radii_of_all_levels_are_multiplied_and_nothing_else_is() -> None:
    benchmark = small_benchmark()
    twice = scaled(benchmark, "radii", 2.0)
    assert twice.attacks["wood"].radii == {"low": 0.06, "medium": 0.1, "high": 0.2}
    same = {
        name: replace(each, radii=benchmark.attacks[name].radii)
        for name, each in twice.attacks.items()
    }
    assert replace(twice, name="small", attacks=same) == benchmark
    assert twice.name == "small-radii-x2"


def test_step_sizes_are_multiplied_and_nothing_else_is() -> None:
    benchmark = small_benchmark()
    half = scaled(benchmark, "step-sizes", 0.5)
    assert half.attacks["wood"].step_size == 0.01
    assert half.attacks["wood"].radii == benchmark.attacks["wood"].radii
    assert half.name == "small-step-sizes-x0.5"


@pytest.mark.parametrize("what", ["radii", "step-sizes"])
def test_once_a_benchmark_is_the_benchmark_itself(what: Scaled) -> None:
    benchmark = small_benchmark()
    assert scaled(benchmark, what, 1) is benchmark


@pytest.mark.parametrize("name", ATTACK_BENCHMARKS)
@given(factor=st.floats(1e-3, 1e3))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_every_multiple_leads_back_to_its_benchmark_and_can_be_recorded(
    name: str, factor: float
) -> None:
    benchmark = load_attack_benchmark(name)
    for what in ("radii", "step-sizes"):
        point = scaled(benchmark, what, factor)
        assert unscaled(point, what, factor) == unscaled(benchmark, what, 1)
        assert AttackBenchmark.from_record(point.to_record()) == point
        if factor != 1:
            assert unscaled(point, what, 1) != unscaled(benchmark, what, 1)


def test_a_point_of_another_benchmark_leads_back_to_another() -> None:
    other = small_benchmark(classes=5)
    assert unscaled(scaled(other, "radii", 2.0), "radii", 2.0) != unscaled(
        small_benchmark(), "radii", 1
    )


@given(st.lists(st.floats(1e-30, 1e30), min_size=2, max_size=2, unique=True))
@settings(deadline=None, derandomize=True)
def test_other_numbers_have_other_names(pair: list[float]) -> None:
    one, other = map(in_name, pair)
    assert one != other


def test_numbers_in_names_are_short_where_they_are_whole() -> None:
    assert [in_name(each) for each in (10, 2.0, 0.25, 1e-5, 1e22)] == [
        "10",
        "2",
        "0.25",
        "1e-05",
        "1e22",
    ]


@pytest.mark.parametrize("factor", [1e-310, 1e308])
def test_what_cannot_be_computed_with_is_refused(factor: float) -> None:
    with pytest.raises(UserError, match="beyond what can be computed with"):
        scaled(small_benchmark(), "radii", factor)


def test_a_name_without_room_for_the_multiple_is_refused() -> None:
    longest = small_benchmark(name="a" * 60)
    assert scaled(longest, "radii", 1) is longest
    with pytest.raises(UserError, match="name of up to 55 characters"):
        scaled(longest, "radii", 2.0)
