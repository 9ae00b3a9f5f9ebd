from pathlib import Path
from typing import Any, NamedTuple

import pytest

from made_data import OBFUSCATIONS_USED, files_of, made_folder, pictures
from unforeseen.making.room import room_note
from unforeseen.stage_reporter import SilentStages


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def with_free(free: int, patch: pytest.MonkeyPatch) -> None:
    def disk_usage(_: Any) -> Usage:
        return Usage(10**12, 0, free)

    patch.setattr("shutil.disk_usage", disk_usage)


def test_it_is_said_how_much_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_free(5 * 10**9, monkeypatch)
    assert room_note(tmp_path, 1000, 30_000) == (
        "1,000 pictures are to be made, which take about 30 MB; 5 GB are free"
    )


def test_it_is_said_where_there_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_free(2 * 10**6, monkeypatch)
    said = room_note(tmp_path, 10**7, 150_000)
    assert said.startswith("10,000,000 pictures are to be made, which take about 1.5 TB, but there")
    assert said.endswith(f"are only 2 MB left in {tmp_path}")


def test_what_is_told_beforehand_is_near_what_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Listening(SilentStages):
        said = ""

        def note(self, text: str) -> None:
            self.said = text

    with_free(10**9, monkeypatch)
    listening = Listening()
    made_folder(tmp_path / "made", pictures(20), size=160, reporter=listening)
    count = 20 * (1 + len(OBFUSCATIONS_USED))
    told = float(listening.said.partition(" about ")[2].partition(" MB")[0])
    taken = (
        sum(
            len(content)
            for name, content in files_of(tmp_path / "made").items()
            if name.endswith(".png")
        )
        / 1e6
    )
    assert listening.said.startswith(f"{count} pictures ")
    assert taken < told < 1.3 * taken + count * 0.003
