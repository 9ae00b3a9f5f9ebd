import io

import pytest
from rich.console import Console

from unforeseen.cli import bars
from unforeseen.cli.making_progress import MakingProgress


def test_without_a_terminal_lines_say_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "QUIET_SECONDS", -1.0)
    out = io.StringIO()
    with MakingProgress(Console(file=out, width=80)) as progress:
        progress.indexing(5, 20)
        progress.making(1200, 5000)
    assert out.getvalue().splitlines() == [
        "identifying pictures: 5 of 20",
        "making pictures: 1,200 of 5,000",
    ]


def test_notes_are_one_line_without_markup() -> None:
    out = io.StringIO()
    with MakingProgress(Console(file=out, width=80)) as progress:
        progress.note("left out: [red]a\nb\x1b[31m.png")
    assert out.getvalue() == "note: left out: [red]a b\\x1b[31m.png\n"


def test_on_a_terminal_bars_come_and_go() -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True)
    with MakingProgress(console) as progress:
        progress.making(0, 4)
        progress.making(4, 4)
    assert "making pictures" in out.getvalue()
