"""How much a check of few pictures could have seen."""

import re
from collections.abc import Sequence

import pytest
import torch

from check.colours import Changed, NearestColour, coloured, found
from data.in_memory import InMemory
from unforeseen.check.reach import reach_note
from unforeseen.check.right import FEWEST_GAINED, is_clearly_better


def test_the_fewest_that_must_be_gained_are_those_of_mcnemars_test() -> None:
    """2 · 2^−11 < 0.001 < 2 · 2^−10."""
    assert FEWEST_GAINED == 11
    wrong = torch.zeros(20, dtype=torch.bool)
    for gained in (FEWEST_GAINED - 1, FEWEST_GAINED):
        assert is_clearly_better(torch.arange(20) < gained, wrong) == (gained == FEWEST_GAINED)


@pytest.mark.parametrize(("pictures", "points"), [(11, 100), (20, 55), (50, 22), (99, 12)])
def test_the_note_says_what_a_mistake_must_cost_to_be_named(pictures: int, points: int) -> None:
    assert re.findall(r"costs (\d+) points", reach_note(pictures)) == [str(points)]


def test_below_what_chance_explains_nothing_is_promised() -> None:
    assert "can't be told from chance" in reach_note(10)


def chosen(each: int, labels: Sequence[int]) -> InMemory:
    """Pictures of some colours."""
    data = coloured(each)
    taken = [n for n, label in enumerate(data.labels.tolist()) if label in labels]
    contents = [data.read(n) for n in taken]
    return InMemory(contents, [int(data.labels[n]) for n in taken])


def test_a_fault_that_few_pictures_do_not_show_is_not_called_fine_without_a_word() -> None:
    """With red and blue swapped ten colours of these become others, and five stay."""
    labels = (0, 3, 6, 10, 13, 1, 9, 2, 18, 4, 12, 5, 21, 7, 15)
    swapped = Changed(before=lambda x: x.flip(1))
    assert not found(swapped, chosen(4, labels)).fine
    few = found(swapped, chosen(1, labels))
    assert few.measured("accuracy") == pytest.approx(5 / 15)
    assert few.verdict == "fine"
    assert few.notes[0].startswith("with 15 pictures a wrong normalisation is named only")
    assert few.lines == ("check: fine (15 pictures: enough for gross mistakes only)",)


def test_many_pictures_or_a_finding_need_no_such_note() -> None:
    assert not any(
        "wrong normalisation is" in note for note in found(NearestColour(), coloured(4)).notes
    )
    broken = found(Changed(after=lambda z: z.softmax(dim=1)), coloured(1))
    assert not any("wrong normalisation is" in note for note in broken.notes)


def test_pictures_of_one_label_are_said_to_show_nothing_of_normalisation() -> None:
    notes = " ".join(found(NearestColour(), chosen(20, [7])).notes)
    assert "have one label" in notes
    assert "wrong normalisation is" not in notes
