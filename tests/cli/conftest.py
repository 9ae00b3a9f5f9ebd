"""What tests of several commands ask of the command line."""

import pytest

from unforeseen.cli.bars import WithBars


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What commands show that they wait for, in order; lasting makes lines of it, which no test waits for."""
    told: list[str] = []
    advance = WithBars.advance

    def listening(self: WithBars, stage: str, done: int, total: int, about: str = "") -> None:
        if stage not in told[-1:]:
            told.append(stage)
        advance(self, stage, done, total, about)

    monkeypatch.setattr(WithBars, "advance", listening)
    return told
