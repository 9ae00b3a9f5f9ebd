"""One process at a time writes into a run folder, and none is locked out by one that is gone."""

import errno
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock
import pytest

from small import SmallNet, Watched
from small_runs import run_small
from unforeseen.errors import RunError
from unforeseen.files import lock
from unforeseen.files.lock import HOLDER_FILE, LOCK_FILE, sole_writer
from unforeseen.results import load_results

HOLDER = """
import sys
from pathlib import Path
from unforeseen.files.lock import sole_writer

with sole_writer(Path(sys.argv[1]), print):
    print("held", flush=True)
    sys.stdin.read()
"""

#: Adds 1 a hundred times, as often as it gets in.
COUNTER = """
import sys
from pathlib import Path
from unforeseen.errors import RunError
from unforeseen.files.lock import sole_writer

counter, done = Path(sys.argv[1]) / "counter", 0
while done < 100:
    try:
        with sole_writer(counter.parent, print):
            counter.write_text(str(int(counter.read_text()) + 1))
            done += 1
    except RunError:
        pass
"""


@contextmanager
def held_by_another_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds a folder until its standard input is closed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_process_is_refused_in_one_line_that_says_who_writes(tmp_path: Path) -> None:
    model = Watched(SmallNet())
    run_small(tmp_path, model, limit=3)
    model.forget()
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*")}
    with held_by_another_process(tmp_path) as process:
        with pytest.raises(RunError, match="Wait until it has ended") as caught:
            run_small(tmp_path, model, check=True)
        assert model.pictures_seen <= 1, "nothing is asked in vain but the number of classes"
        assert f"process {process.pid} on {platform.node()} since " in str(caught.value)
        assert load_results(tmp_path).rows.height == 9, "readers aren't locked out"
    (tmp_path / HOLDER_FILE).unlink()
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*")} == before


def test_a_killed_process_locks_nobody_out(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path) as process:
        process.kill()
        process.wait(timeout=30)
    assert (tmp_path / LOCK_FILE).exists()
    assert (tmp_path / HOLDER_FILE).exists(), "nobody was there to take it away"
    assert run_small(tmp_path).complete
    assert not (tmp_path / HOLDER_FILE).exists()


def test_a_process_that_ends_hands_the_folder_over(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path) as process:
        process.communicate("")
        with sole_writer(tmp_path, pytest.fail):
            assert f"process {os.getpid()} on" in (tmp_path / HOLDER_FILE).read_text()


def test_a_run_within_this_process_is_refused_too(tmp_path: Path) -> None:
    with sole_writer(tmp_path, pytest.fail), pytest.raises(RunError, match=str(os.getpid())):
        run_small(tmp_path)
    assert run_small(tmp_path).complete


def write_alone(folder: Path) -> None:
    """As those do who make patches, styles or pictures."""
    with sole_writer(folder, pytest.fail):
        pass


def test_only_of_runs_it_is_said_what_shows_them_meanwhile(tmp_path: Path) -> None:
    said = []
    with sole_writer(tmp_path, pytest.fail):
        for write in (lambda: run_small(tmp_path), lambda: write_alone(tmp_path)):
            with pytest.raises(RunError, match="use another --out") as refused:
                write()
            said.append("unforeseen results shows" in str(refused.value))
    assert said == [True, False]


def test_an_error_inside_frees_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), sole_writer(tmp_path, pytest.fail):
        raise ZeroDivisionError
    with sole_writer(tmp_path, pytest.fail):
        pass


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOLCK, "No locks available"),
        OSError(errno.EOPNOTSUPP, "Operation not supported"),
        NotImplementedError("FileSystem does not appear to support flock"),
        UserWarning("flock not supported on this filesystem, falling back to SoftFileLock"),
    ],
    ids=["ENOLCK", "EOPNOTSUPP", "older filelock", "newer filelock"],
)
def test_a_file_system_without_locks_is_said_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    notes: list[str] = []
    with sole_writer(tmp_path, notes.append):
        pass
    (note,) = notes
    assert "has no locks" in note


def test_a_folder_that_cannot_be_locked_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with (
        pytest.raises(RunError, match=r"can't be written: Permission denied\.$"),
        sole_writer(tmp_path, pytest.fail),
    ):
        pytest.fail("never inside")


def test_a_link_under_the_locks_name_is_not_followed(tmp_path: Path) -> None:
    """Pitfall of foreign folders: locking must not empty a file elsewhere."""
    (tmp_path / "precious").write_text("mine")
    folder = tmp_path / "run"
    folder.mkdir()
    try:
        (folder / LOCK_FILE).symlink_to(tmp_path / "precious")
        (folder / f"{HOLDER_FILE}.tmp").symlink_to(tmp_path / "precious")
    except OSError:
        pytest.skip("this user may not make links")
    with (
        pytest.raises(RunError, match=r"can't be written: its \.lock is a link\. Remove it"),
        sole_writer(folder, pytest.fail),
    ):
        pytest.fail("never inside")
    (folder / LOCK_FILE).unlink()
    with sole_writer(folder, pytest.fail):
        pass
    assert (tmp_path / "precious").read_text() == "mine"


def test_what_stands_beside_a_strangers_lock_is_shown_harmlessly(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path):
        (tmp_path / HOLDER_FILE).write_bytes(b"\x1b[2J\xff evil\nline " * 1000)
        with pytest.raises(RunError) as caught, sole_writer(tmp_path, pytest.fail):
            pytest.fail("never inside")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_two_processes_are_never_inside_at_once(tmp_path: Path) -> None:
    (tmp_path / "counter").write_text("0")
    both = [subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path)]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert (tmp_path / "counter").read_text() == "200"


def test_a_new_folder_into_which_nothing_was_written_is_gone_and_another_stays(
    tmp_path: Path,
) -> None:
    with pytest.raises(KeyError), sole_writer(tmp_path / "a" / "b", print):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with sole_writer(tmp_path / "a" / "b", print):
        (tmp_path / "a" / "b" / "row").touch()
    assert (tmp_path / "a" / "b" / "row").exists()
    (tmp_path / "empty").mkdir()
    with sole_writer(tmp_path / "empty", print):
        pass
    assert (tmp_path / "empty").exists()


def test_ctrl_c_while_the_lock_is_taken_leaves_no_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lock, "_sign", interrupted)
    with pytest.raises(KeyboardInterrupt), sole_writer(tmp_path / "a" / "b", pytest.fail):
        pytest.fail("never inside")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    with sole_writer(tmp_path / "a", pytest.fail):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can remove a file that is open there")
def test_a_lock_that_is_gone_when_it_is_held_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever ended just then took it away; a third process would make another."""
    acquire = filelock.FileLock.acquire
    times = []

    def too_late(self: filelock.FileLock, *args: object, **kwargs: object) -> object:
        times.append(1)
        taken = acquire(self, *args, **kwargs)  # type: ignore[arg-type]  # as they came
        if len(times) == 1:
            shutil.rmtree(tmp_path / "a")
        return taken

    monkeypatch.setattr(filelock.FileLock, "acquire", too_late)
    with sole_writer(tmp_path / "a", pytest.fail):
        assert (tmp_path / "a" / LOCK_FILE).exists()
        monkeypatch.undo()
        with (
            pytest.raises(RunError, match="is being written"),
            sole_writer(tmp_path / "a", pytest.fail),
        ):
            pytest.fail("never inside")
    assert len(times) == 2
    assert list(tmp_path.iterdir()) == []
