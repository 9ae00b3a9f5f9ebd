"""Remembered answers: bounded, the latest stay."""

import numpy as np
import pytest

from data.in_memory import noise
from unforeseen.models.answer_memory import AnswerMemory, picture_key

ROW = np.array([0.25, 0.75])


def test_answers_come_back_until_they_are_forgotten() -> None:
    memory = AnswerMemory()
    memory.keep(b"a", ROW)
    found = memory.recall(b"a")
    assert found is not None
    assert found.tolist() == [0.25, 0.75]
    assert memory.recall(b"b") is None
    memory.forget()
    assert memory.recall(b"a") is None
    assert len(memory) == 0


def test_the_one_not_needed_for_longest_goes_first_and_the_rest_stay_within_the_limit() -> None:
    memory = AnswerMemory(limit=2 * ROW.nbytes)
    memory.keep(b"a", ROW)
    memory.keep(b"b", ROW)
    memory.recall(b"a")
    memory.keep(b"c", ROW)
    assert [memory.recall(key) is not None for key in (b"a", b"b", b"c")] == [True, False, True]
    assert len(memory) == 2


def test_a_row_of_a_large_array_does_not_keep_the_array() -> None:
    rows = np.zeros((1000, 2))
    memory = AnswerMemory()
    memory.keep(b"a", rows[0])
    found = memory.recall(b"a")
    assert found is not None
    assert found.base is None


@pytest.mark.parametrize("limit", [0, 8])
def test_an_answer_beyond_the_limit_is_not_kept(limit: int) -> None:
    memory = AnswerMemory(limit=limit)
    memory.keep(b"a", ROW)
    assert len(memory) == 0


def test_keys_follow_pixels_shape_and_pass() -> None:
    picture = noise(4, 6)
    other = picture.copy()
    other[3, 5, 2] ^= 1
    keys = [
        picture_key(picture),
        picture_key(other),
        picture_key(picture.reshape(6, 4, 3)),
        picture_key(picture, 1),
    ]
    assert len(set(keys)) == 4
    assert picture_key(picture.copy()) == keys[0]
