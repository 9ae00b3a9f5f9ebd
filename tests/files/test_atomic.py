"""A file is replaced as a whole, also where the system doesn't let it go at once."""

import sys
from pathlib import Path

import pytest

from small_runs import run_small
from unforeseen.files.atomic import patiently, replace_file


class InUse:
    """An action that Windows refuses some times."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.calls = 0

    def __call__(self, *_: object) -> None:
        self.calls += 1
        if self.left:
            self.left -= 1
            raise PermissionError(13, "in use by another process")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Takes this machine for one; returns how long was waited."""
    waited: list[float] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("unforeseen.files.atomic.time.sleep", waited.append)
    return waited


def test_a_file_that_a_reader_has_open_on_windows_is_waited_for(windows: list[float]) -> None:
    action = InUse(3)
    patiently(action)
    assert action.calls == 4
    assert len(windows) == 3


def test_after_about_a_second_it_is_an_error(windows: list[float]) -> None:
    with pytest.raises(PermissionError):
        patiently(InUse(1000))
    assert 0.9 < sum(windows) < 1.5


def test_elsewhere_a_refusal_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    action = InUse(1)
    with pytest.raises(PermissionError):
        patiently(action)
    assert action.calls == 1


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("name", ["replace", "unlink"])
def test_a_run_ends_well_though_readers_have_its_files_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Every file is refused twice, as by somebody who reads it meanwhile."""
    real, refused = getattr(Path, name), dict[str, int]()

    def in_use(self: Path, *arguments: object, **options: object) -> object:
        if self.name.endswith((".tmp", ".parquet")) and refused.setdefault(str(self), 0) < 2:
            refused[str(self)] += 1
            raise PermissionError(13, "in use by another process")
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, name, in_use)
    assert run_small(tmp_path, limit=3).complete
    assert refused


def test_a_replacement_that_is_refused_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    replace_file(file, b"old")
    monkeypatch.setattr(Path, "replace", InUse(1000))
    with pytest.raises(PermissionError):
        replace_file(file, b"new")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"file": b"old"}
