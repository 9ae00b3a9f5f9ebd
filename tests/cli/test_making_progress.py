import io
import time

import pytest
from rich.console import Console

from unforeseen.cli import quiet_lines
from unforeseen.cli.making_progress import MakingProgress
from unforeseen.cli.quiet_lines import QuietLines


def test_without_a_terminal_what_lasts_has_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(quiet_lines, "SOON", 3.0)
    monkeypatch.setattr(QuietLines, "_said", 0.0)
    out = io.StringIO()
    with MakingProgress(Console(file=out, width=80)) as progress:
        for second, stage, done, total, about in (
            (1, "identifying [a]", 0, 20, ""),
            (2, "identifying [a]", 20, 20, ""),
            (3, "training", 0, 8000, ""),
            (7, "training", 99, 8000, "loss 3"),
            (9, "training", 1200, 8000, "loss 2.25"),
            (15, "training", 2000, 8000, "loss 2"),
            (16, "training", 8000, 8000, "loss 2"),
            (30, "drawing the [sheet]", 0, 1, ""),
            (39, "drawing the [sheet]", 0, 1, ""),
        ):
            now[0] = second
            progress.advance(stage, done, total, about)
            progress.lines.look()
    assert out.getvalue().splitlines() == [
        "training: 0 of 8,000, 0 s",
        "training: 99 of 8,000, loss 3, 4 s",
        "training: 2,000 of 8,000, loss 2, 12 s",
        "drawing the [sheet]: 0 s",
        "drawing the [sheet]: 9 s",
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
        progress.advance("training", 1, 20, "loss 1.5")
    assert "making pictures" in out.getvalue()
    assert "1/20" in out.getvalue()
    assert "loss 1.5" in out.getvalue()
