"""What a summary claims, compared figure by figure."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from made_runs import made_frame, made_record, planned_attack_run
from unforeseen.recount.summaries import claimed_figures, differences
from unforeseen.run_folder.attack_summary import summarise_attacks

RECORD = made_record(levels=("medium",))
#: As of a transfer, so that no value is null where a stranger may write one.
SUMMARY = summarise_attacks(planned_attack_run(RECORD), made_frame(RECORD)).to_record() | {
    "source_model": "timm:source"
}


def leaves(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every value of a summary that isn't a container."""
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


def changed(value: object) -> object:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, str):
        return f"{value}x"
    return value + (1 if isinstance(value, int) else 1e-6)  # type: ignore[operator]  # a number


ALL = [path for path in leaves(SUMMARY) if path != ("schema",)]


@pytest.mark.parametrize("path", ALL, ids=[".".join(map(str, path)) for path in ALL])
def test_every_value_of_a_summary_is_compared(path: tuple[Any, ...]) -> None:
    other = copy.deepcopy(SUMMARY)
    inner: Any = other
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = changed(inner[path[-1]])
    found = list(differences(claimed_figures(SUMMARY), claimed_figures(other), "there"))
    assert found
    assert {each.where for each in found} == {"there"}


def test_a_summary_is_equal_to_itself_and_to_its_rounding() -> None:
    figures = claimed_figures(SUMMARY)
    nearly = {k: v + 1e-12 if isinstance(v, float) else v for k, v in figures.items()}
    assert list(differences(figures, nearly, "x")) == []


@pytest.mark.parametrize("key", [key for key in SUMMARY if key != "schema"])
@pytest.mark.parametrize("value", [None, [], {}, [1], "x", 10**400, {"value": {}}, [{}], [[[]]]])
def test_what_a_stranger_writes_is_a_difference_and_no_fault(key: str, value: object) -> None:
    other = SUMMARY | {key: value}
    assert list(differences(claimed_figures(SUMMARY), claimed_figures(other), "x"))
    assert list(differences(claimed_figures(SUMMARY), claimed_figures({}), "x"))


def test_true_is_not_one() -> None:
    assert list(differences({"complete": True}, {"complete": 1}, "x"))
    assert list(differences({"n": 1}, {"n": True}, "x"))
