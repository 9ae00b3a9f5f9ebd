"""Ctrl-C and SIGTERM: the first ends, the second waits, the third doesn't."""

import signal
import sys
import threading
from pathlib import Path

import pytest

from small_runs import run_small
from unforeseen.cli import main
from unforeseen.cli.output import saying_how_to_go_on
from unforeseen.cli.stopping import stopping_in_peace
from unforeseen.rows import Row
from unforeseen.run_folder.runlog import RunLog
from unforeseen.running.reporter import Silent

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends the process at once")
SIGNALS = [
    pytest.param("SIGINT", 130, id="Ctrl-C"),
    pytest.param("SIGTERM", 143, id="SIGTERM", marks=on_posix),
]


@pytest.mark.parametrize(("name", "code"), SIGNALS)
def test_the_first_signal_interrupts_the_second_waits_and_the_third_interrupts(
    capfd: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    number = signal.Signals[name]
    with stopping_in_peace() as stop:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        signal.raise_signal(number)
        assert "once more" in capfd.readouterr().err
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert stop.exit_code == code


def test_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stopping_in_peace():
        assert signal.getsignal(signal.SIGINT) != before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_another_thread_leaves_signals_alone() -> None:
    seen: list[object] = []

    def look() -> None:
        with stopping_in_peace():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


@pytest.mark.parametrize(("name", "code"), SIGNALS)
def test_the_program_ends_with_the_code_that_a_shell_expects(
    monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    monkeypatch.setattr(
        "unforeseen.cli.output.print_entries", lambda *_: signal.raise_signal(signal.Signals[name])
    )
    with pytest.raises(SystemExit) as ended:
        main(["list", "models"])
    assert ended.value.code == code


def test_a_second_ctrl_c_while_rows_are_written_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Impatient(Silent):
        """Stops at the seventh row, and again when the row's file is about to be named."""

        def __init__(self) -> None:
            self.rows = 0

        def row(self, row: Row) -> None:  # noqa: ARG002 - how many is enough
            self.rows += 1
            if self.rows == 7:
                monkeypatch.setattr("unforeseen.files.atomic.os.fsync", self.again)
                signal.raise_signal(signal.SIGINT)

        def again(self, _: int) -> None:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGINT)

    with stopping_in_peace(), pytest.raises(KeyboardInterrupt):
        run_small(tmp_path, batch_size=4, reporter=Impatient())
    assert RunLog.open_for_reading(tmp_path).rows().height == 7


@pytest.mark.parametrize(
    ("platform", "quoted"),
    [("win32", '"C:\\\\my run" it\'s'), ("linux", "'C:\\\\my run' 'it'\"'\"'s'")],
)
def test_the_hint_is_quoted_for_the_systems_own_shell(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    platform: str,
    quoted: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["unforeseen", "run", r"C:\\my run", "it's"])
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(KeyboardInterrupt), saying_how_to_go_on(tmp_path):
        raise KeyboardInterrupt
    monkeypatch.undo()
    assert f"unforeseen run {quoted}" in capsys.readouterr().err


def test_a_run_that_is_stopped_before_its_folder_is_begun_has_nothing_to_go_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt), saying_how_to_go_on(tmp_path / "run"):
        raise KeyboardInterrupt
    assert not capsys.readouterr().err
