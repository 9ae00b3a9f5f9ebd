"""What can be asked of each search."""

from typing import Any

import pytest

from unforeseen.errors import UnknownNameError, UserError
from unforeseen.search.settings import SEARCHES, search_settings


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_can_be_asked_for_by_its_name_alone(name: str) -> None:
    assert search_settings(name).name == name


@pytest.mark.parametrize(
    ("asked", "loss", "restarts", "draws"),
    [
        ({}, "cross_entropy", 1, None),
        ({"name": "apgd", "loss": "targeted_dlr"}, "targeted_dlr", 9, None),
        ({"name": "apgd", "loss": "targeted_dlr", "restarts": 2}, "targeted_dlr", 2, None),
        ({"loss": "margin", "restarts": 3}, "margin", 3, None),
        ({"name": "random"}, "cross_entropy", 1, 1000),
        ({"name": "random", "draws": 5}, "cross_entropy", 1, 5),
        ({"name": "autoattack-lite"}, "autoattack", 10, None),
    ],
)
def test_what_is_left_out_is_the_usual(
    asked: dict[str, Any], loss: str, restarts: int, draws: int | None
) -> None:
    settings = search_settings(**asked)
    assert (settings.loss, settings.restarts, settings.draws) == (loss, restarts, draws)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"name": "pgd", "draws": 5}, "draws: search pgd doesn't take it"),
        ({"name": "random", "steps": 5}, "steps: search random doesn't take it, it takes draws"),
        ({"name": "none", "restarts": 2}, "restarts: search none doesn't take it, it takes none"),
        ({"name": "autoattack-lite", "loss": "margin"}, "loss: search autoattack-lite doesn't"),
        ({"name": "random", "draws": 0}, "draws: expected a whole number from 1, got 0"),
        ({"name": "pgd", "restarts": 0}, "restarts: expected a whole number from 1, got 0"),
    ],
)
def test_what_a_search_does_not_take_is_refused_in_one_line(
    asked: dict[str, Any], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        search_settings(**asked)


def test_unknown_names_are_told_their_near_matches() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean apgd or pgd"):
        search_settings("agpd")
    with pytest.raises(UnknownNameError, match="Did you mean margin"):
        search_settings(loss="marginal")
    with pytest.raises(UnknownNameError, match="unknown loss"):
        search_settings(loss="autoattack")


@pytest.mark.parametrize(
    ("asked", "updates", "words"),
    [
        ({}, 40, ""),
        ({"name": "none"}, 0, "search none"),
        ({"name": "random", "draws": 7}, 6, "search random, 7 draws"),
        ({"name": "apgd", "loss": "dlr", "restarts": 4}, 40, "search apgd, loss dlr, 4 starts"),
        ({"name": "autoattack-lite"}, 40, "search autoattack-lite"),
    ],
)
def test_updates_of_an_attack_with_40_steps_and_what_tables_say(
    asked: dict[str, Any], updates: int, words: str
) -> None:
    settings = search_settings(**asked)
    assert settings.updates(40) == updates
    assert settings.in_words() == words
