"""What is said of a training: a bar on a terminal, and now and then a line elsewhere."""

import io
import time

import pytest
from rich.console import Console

from unforeseen.cli.training_progress import TrainingProgress


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    out = io.StringIO()
    with TrainingProgress(Console(file=out, width=80)) as progress:
        for second, share, loss in ((10, 0.1, 3.0), (31, 0.314, 2.5), (40, 0.4, 2.25), (62, 1, 2)):
            now[0] = second
            progress.trained(share, loss)
        progress.note("odd [bold]\nname")
    assert out.getvalue().splitlines() == [
        "training: 31.4%, loss 2.5",
        "training: 100.0%, loss 2",
        "note: odd [bold] name",
    ]


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True)
    with TrainingProgress(console) as progress:
        progress.trained(0.5, 1.5)
    assert "training" in out.getvalue()
    assert "500/1000" in out.getvalue()
    assert "loss 1.5" in out.getvalue()
