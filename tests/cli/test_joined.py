"""Options of several names or numbers: joined by commas, given again, or both."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from unforeseen.cli.app import app
from unforeseen.cli.joined import names_in, numbers_in, whole_numbers_in

PROGRAM: Any = typer.main.get_command(app)


def options_of(command: Any) -> Iterator[Any]:
    for each in getattr(command, "commands", {}).values():
        yield from options_of(each)
    yield from command.params


@pytest.mark.parametrize("given", [["a,b,c"], ["a", "b", "c"], ["a,b", "c"], [" a , b", "", "c,"]])
def test_names_are_the_same_however_they_are_given(given: list[str]) -> None:
    assert names_in(given) == ["a", "b", "c"]


@pytest.mark.parametrize("given", [None, []])
def test_an_option_that_was_not_given_has_no_names(given: list[str] | None) -> None:
    assert names_in(given) is None


def test_an_option_that_was_given_empty_has_none_instead_of_all() -> None:
    assert names_in([""]) == []


def test_numbers_are_taken_from_every_time_that_an_option_is_given() -> None:
    assert numbers_in(["0.5,1", "2"], "--radii") == [0.5, 1.0, 2.0]
    assert whole_numbers_in(["0..2", "7,9"], "--seeds") == [0, 1, 2, 7, 9]


def test_every_option_of_names_or_numbers_may_be_given_again() -> None:
    several = [each for each in options_of(PROGRAM) if each.metavar in ("NAMES", "NUMBERS")]
    names = {name for each in several for name in each.opts}
    assert {"--attacks", "--obfuscations", "--levels", "--seeds", "--radii", "--confusion"} <= names
    assert [each.opts for each in several if not each.multiple] == []
