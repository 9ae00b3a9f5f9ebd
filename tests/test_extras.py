"""Optional packages, there or not."""

import sys
from pathlib import Path

import pytest

from unforeseen.errors import MissingExtraError, UserError
from unforeseen.extras import import_extra


def test_what_is_installed_is_imported() -> None:
    module = import_extra("json.decoder", needed_by="this test", package="json", extra="none")
    assert module is sys.modules["json.decoder"]


def test_a_missing_package_says_the_command() -> None:
    with pytest.raises(MissingExtraError, match=r'pip install "unforeseen\[nothing\]"'):
        import_extra("no_such.part", needed_by="x:y", package="no-such", extra="nothing")


def test_a_package_that_lacks_what_it_needs_says_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_installed.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    says = r"^x:y needs .*can't be imported: No module named 'no_such_dependency'"
    with pytest.raises(UserError, match=says) as caught:
        import_extra("half_installed", needed_by="x:y", package="half", extra="half")
    assert not isinstance(caught.value, MissingExtraError)
