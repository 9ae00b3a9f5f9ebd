import io
import time

import pytest
from rich.console import Console

from unforeseen.cli.making_progress import MakingProgress


def test_without_a_terminal_a_stage_has_a_line_when_it_begins_and_then_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    out = io.StringIO()
    with MakingProgress(Console(file=out, width=80)) as progress:
        for second, stage, done, total, loss in (
            (1, "identifying [a]", 0, 20, None),
            (2, "identifying [a]", 20, 20, None),
            (3, "training", 0, 8000, None),
            (32, "training", 99, 8000, 3.0),
            (34, "training", 1200, 8000, 2.25),
            (50, "training", 2000, 8000, 2.0),
            (51, "measuring", 7, 250, None),
        ):
            now[0] = second
            progress.advance(stage, done, total, loss)
    assert out.getvalue().splitlines() == [
        "identifying [a] …",
        "training …",
        "training: 1,200 of 8,000, loss 2.25",
        "measuring: 7 of 250",
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
        progress.advance("making pictures", 0, 4)
        progress.advance("making pictures", 4, 4)
        progress.advance("training", 1, 20, 1.5)
    assert "making pictures" in out.getvalue()
    assert "1/20" in out.getvalue()
    assert "loss 1.5" in out.getvalue()
