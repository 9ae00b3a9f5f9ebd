"""Where there is no terminal, no silence is long, and a log of hours isn't either."""

import io
import time
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from unforeseen.cli import quiet_lines
from unforeseen.cli.making_progress import MakingProgress
from unforeseen.cli.quiet_lines import QuietLines
from unforeseen.stage_reporter import in_one


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Ends silences as for users, but by this clock; nobody looks by himself."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(quiet_lines, "SOON", 3.0)
    monkeypatch.setattr(QuietLines, "_said", 100.0)
    monkeypatch.setattr(quiet_lines, "SELDOM", 30.0)
    monkeypatch.setattr(quiet_lines, "_LOOK_SECONDS", 1e6)
    return now


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def lines(clock: list[float], out: io.StringIO) -> Iterator[QuietLines]:  # noqa: ARG001 - its clock
    made = QuietLines(Console(file=out))
    yield made
    made.close()


def looked(lines: QuietLines, clock: list[float], seconds: int) -> None:
    for _ in range(seconds):
        clock[0] += 1
        lines.look()


def test_the_longer_something_lasts_the_seldomer_it_is_said(
    lines: QuietLines, clock: list[float], out: io.StringIO
) -> None:
    lines.begin("{:.0f}".format)
    looked(lines, clock, 120)
    assert out.getvalue().split() == [
        "3",
        "6",
        "9",
        "12",
        "15",
        "19",
        "24",
        "30",
        "38",
        "48",
        "60",
        "75",
        "94",
        "118",
    ]


def test_what_is_over_soon_is_not_said(
    lines: QuietLines, clock: list[float], out: io.StringIO
) -> None:
    for _ in range(4):
        lines.begin(lambda seconds: f"never said after {seconds} s")
        looked(lines, clock, 2)
        lines.end()
        lines.print("over")
    looked(lines, clock, 100)
    assert out.getvalue().split() == ["over"] * 4


def test_short_things_one_after_another_are_no_silence(
    lines: QuietLines, clock: list[float], out: io.StringIO
) -> None:
    for name in "abcdef":
        lines.begin(f"{name}: {{:.0f}}".format)
        looked(lines, clock, 2)
        lines.end()
    assert out.getvalue().splitlines() == ["b: 1", "c: 2", "e: 1", "f: 2"]


def test_what_is_begun_by_another_is_no_end_of_a_silence(
    lines: QuietLines, clock: list[float], out: io.StringIO
) -> None:
    lines.begin("first: {:.0f}".format)
    looked(lines, clock, 2)
    another = QuietLines(Console(file=out))
    another.begin("second: {:.0f}".format)
    looked(another, clock, 1)
    another.close()
    assert out.getvalue() == "second: 1\n"


def test_by_itself_a_line_comes_while_the_work_goes_on(
    monkeypatch: pytest.MonkeyPatch, out: io.StringIO
) -> None:
    monkeypatch.setattr(quiet_lines, "SOON", 0.0)
    monkeypatch.setattr(quiet_lines, "_LOOK_SECONDS", 0.001)
    with MakingProgress(Console(file=out)) as progress, in_one(progress, "loading [a]\n"):
        wait_for(lambda: "\n" in out.getvalue())
    assert out.getvalue().startswith("loading [a] : 0 s\n")


def test_a_terminal_gets_bars_instead(monkeypatch: pytest.MonkeyPatch, out: io.StringIO) -> None:
    monkeypatch.setattr(quiet_lines, "SOON", 0.0)
    monkeypatch.setattr(quiet_lines, "_LOOK_SECONDS", 0.001)
    console = Console(file=out, force_terminal=True, width=100)
    with MakingProgress(console) as progress, in_one(progress, "loading"):
        wait_for(lambda: "loading" in out.getvalue())
    assert ": 0 s" not in out.getvalue()


def test_nobody_who_reads_ends_the_lines_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is printed next ends the command, as ever."""

    class Closed(io.StringIO):
        asked = False

        def write(self, text: str) -> int:
            self.asked = True
            raise BrokenPipeError(text)

    monkeypatch.setattr(quiet_lines, "SOON", 0.0)
    monkeypatch.setattr(quiet_lines, "_LOOK_SECONDS", 0.001)
    closed = Closed()
    with MakingProgress(Console(file=closed)) as progress, in_one(progress, "loading"):
        wait_for(lambda: closed.asked)


def wait_for(there: Callable[[], bool]) -> None:
    for _ in range(6000):
        if there():
            return
        time.sleep(0.01)
    raise AssertionError("nothing came")
