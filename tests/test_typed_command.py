"""Commands that messages show can be typed as they stand."""

import shlex
import sys
from pathlib import Path

import pytest

from unforeseen.typed_command import as_typed


def test_a_command_is_what_the_shell_takes_apart_again() -> None:
    out = Path("my runs") / "it's"
    typed = as_typed("results", out, "--over", "a,b")
    if sys.platform == "win32":
        assert typed == rf'unforeseen results "{out}" --over a,b'
    else:
        assert shlex.split(typed) == ["unforeseen", "results", str(out), "--over", "a,b"]


@pytest.mark.parametrize("words", [("results", "run"), ("list", "models", "--paper", "2")])
def test_what_needs_no_quotes_gets_none(words: tuple[str, ...]) -> None:
    assert as_typed(*words) == " ".join(("unforeseen", *words))
