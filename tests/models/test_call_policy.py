"""How a function may be called, from Python and from a URI."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from unforeseen.errors import UserError
from unforeseen.models.call_policy import CALL_OPTIONS, CallPolicy
from unforeseen.uri import Uri


def test_a_uris_options_are_the_policys_fields() -> None:
    policy = CallPolicy.from_uri(Uri.parse("py:a.py:f?version=2&retries=3&timeout=0.5&rate=7"))
    assert policy == CallPolicy(retries=3, timeout=0.5, rate=7.0)
    assert CallPolicy.from_uri(Uri.parse("py:a.py:f?budget=10000")) == CallPolicy(budget=10_000)
    assert CallPolicy.from_uri(Uri.parse("py:a.py:f")) == CallPolicy()
    assert set(CALL_OPTIONS) == {field.name for field in fields(CallPolicy)}


def test_numpys_numbers_are_welcome() -> None:
    policy = CallPolicy(retries=np.int64(2), rate=np.float32(0.5), budget=np.int8(3))  # type: ignore[arg-type]  # typed narrower than it is
    assert policy == CallPolicy(retries=2, rate=0.5, budget=3)
    assert type(policy.budget) is int


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("retries=-1", "retries: expected a whole number from 0, got -1"),
        ("retries=1.5", "retries: expected a whole number, got '1.5'"),
        ("budget=0", "budget: expected a whole number from 1, got 0"),
        ("budget=many", "budget: expected a whole number, got 'many'"),
        ("timeout=0", "timeout: expected a finite number above 0, got 0"),
        ("timeout=soon", "timeout: expected a finite number above 0, got 'soon'"),
        ("rate=-2", "rate: expected a finite number above 0, got -2"),
        ("rate=nan", "rate: expected a finite number above 0, got nan"),
        ("rate=inf", "rate: expected a finite number above 0, got inf"),
        (
            "rate=1e-12",
            "rate: expected at least 1.2e-05 pictures per second, one a day; got 1e-12",
        ),
    ],
)
def test_numbers_out_of_range_are_told_with_the_uri(option: str, words: str) -> None:
    with pytest.raises(UserError) as caught:
        CallPolicy.from_uri(Uri.parse(f"py:a.py:f?{option}"))
    assert str(caught.value) == f"'py:a.py:f?{option}': {words}."


@pytest.mark.parametrize(
    "changes", [{"retries": 1.0}, {"budget": "3"}, {"timeout": None, "rate": 0}]
)
def test_python_users_are_told_too(changes: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="expected a"):
        CallPolicy(**changes)
