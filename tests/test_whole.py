"""Numbers that count something are whole; anything else is told, before it can loop for ever."""

from pathlib import Path

import numpy as np
import pytest

import unforeseen
from small import SmallNet, small_benchmark, small_pictures
from small_runs import labelled_dataset, run_small
from unforeseen.errors import UserError
from unforeseen.running.run_settings import LARGEST_BATCH_ASKED
from unforeseen.whole import whole_number


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3), True + 2])
def test_whole_numbers_of_every_kind_become_pythons_own(value: object) -> None:
    number = whole_number("n", value, minimum=3, maximum=3)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", [2, 5, -1, 3.0, 1.5, float("nan"), "3", None, [3]])
def test_what_is_no_whole_number_in_the_range_is_refused(value: object) -> None:
    with pytest.raises(UserError, match="n: expected a whole number from 3 to 4, got "):
        whole_number("n", value, minimum=3, maximum=4)


@pytest.mark.parametrize("name", ["steps", "seed", "restarts", "batch_size"])
def test_perturb_refuses_halves(name: str) -> None:
    x = small_pictures(2).float()
    y = SmallNet()(x).argmax(dim=1)
    halves = {name: 1.5}
    with pytest.raises(UserError, match=f"{name}: expected a whole number"):
        unforeseen.perturb(SmallNet(), x, y, "pgd", benchmark=small_benchmark(), **halves)  # type: ignore[arg-type]  # the point


def test_a_batch_of_perturb_is_never_larger_than_what_came() -> None:
    # Batches are padded: one of a million would fill the memory.
    x = small_pictures(2).float()
    y = SmallNet()(x).argmax(dim=1)
    seen: list[int] = []

    class Counting(SmallNet):
        def forward(self, x: object) -> object:  # type: ignore[override]  # counts, no more
            seen.append(len(x))  # type: ignore[arg-type]  # a tensor
            return super().forward(x)  # type: ignore[arg-type]  # likewise

    unforeseen.perturb(
        Counting(), x, y, "pgd", benchmark=small_benchmark(), steps=1, batch_size=1000
    )
    assert max(seen) <= 2


@pytest.mark.parametrize("name", ["steps", "seed", "limit", "batch_size"])
def test_runs_refuse_halves(name: str) -> None:
    halves = {name: 1.5}
    with pytest.raises(UserError, match=r"expected a whole number from .*, got 1\.5"):
        unforeseen.evaluate(
            SmallNet(),
            labelled_dataset(),
            benchmark=small_benchmark(),
            **halves,  # type: ignore[arg-type]  # the point
        )


def test_batches_that_could_only_fill_the_memory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="batch size: expected a whole number from 1 to"):
        run_small(tmp_path / "run", batch_size=LARGEST_BATCH_ASKED + 1)
