"""What a sweep and seeds may be asked for."""

import numpy as np
import pytest

from unforeseen.errors import UnknownNameError, UserError
from unforeseen.experiments.values import (
    SWEEPS,
    SweepName,
    refuse_search,
    seeds_of,
    sweep_named,
    sweep_values,
)
from unforeseen.search.settings import search_settings


def test_values_come_once_and_rising_whatever_the_order() -> None:
    assert sweep_values("steps", [10, 0, np.int64(5), 10]) == (0, 5, 10)
    assert sweep_values("radii", [2, 0.5, 1, 0.5]) == (0.5, 1.0, 2.0)
    assert seeds_of([4, 0, 4]) == (0, 4)
    assert all(type(each) is int for each in sweep_values("steps", [np.int64(3)]))


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("steps", [], "expected at least one value"),
        ("steps", [-1], "whole number from 0"),
        ("steps", [1.5], "whole number from 0"),
        ("steps", [2**63], "up to 63 bits"),
        ("steps", range(1001), "up to 1,000 values"),
        ("radii", [1, 0], "finite number above 0"),
        ("radii", [-0.5], "finite number above 0"),
        ("radii", [float("nan")], "finite number above 0"),
        ("radii", [float("inf")], "finite number above 0"),
        ("step-sizes", ["wide"], "finite number above 0"),
        ("step-sizes", [1e300], "up to 63 bits"),
    ],
)
def test_values_out_of_range_are_refused(name: SweepName, values: list[object], words: str) -> None:
    with pytest.raises(UserError, match=f"{name}: .*{words}"):
        sweep_values(name, values)


def test_seeds_that_are_none_are_refused() -> None:
    for values in ([], [-1], [2**63], [0.5]):
        with pytest.raises(UserError, match="seeds: expected"):
            seeds_of(values)


def test_a_search_without_step_size_has_none_to_vary() -> None:
    for name in ("apgd", "random", "none", "autoattack-lite"):
        search = search_settings(name)
        with pytest.raises(UserError, match=f"search {name} has no step size.* takes search pgd"):
            refuse_search("step-sizes", search)
        refuse_search("radii", search)
    refuse_search("step-sizes", search_settings("pgd"))


def test_other_sweeps_are_told_by_near_names() -> None:
    assert [sweep_named(name) for name in SWEEPS] == list(SWEEPS)
    with pytest.raises(UnknownNameError, match="Did you mean radii"):
        sweep_named("radius")
