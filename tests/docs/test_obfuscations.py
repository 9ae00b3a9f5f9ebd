"""docs/obfuscations.md does what it says."""

from pathlib import Path
from typing import Any

import pytest

from documents import code_block
from made_obfuscations import made_folder, made_record, made_verdicts, planned
from unforeseen.metrics import balanced_worst_case
from unforeseen.run_folder.read_run import read_obfuscation_run

PAGE = "docs/obfuscations.md"


def test_the_example_counts_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = made_record()
    made_folder(tmp_path / "my-run", record, made_verdicts(record, seed=3))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(code_block(PAGE, "python", beginning="from unforeseen"), PAGE, "exec"), names)
    headline = read_obfuscation_run(tmp_path / "my-run").summary.headline
    assert balanced_worst_case(names["results"].rows, names["hold_outs"]) == headline
    assert set(names["hold_outs"]) == set(planned(record).benchmark.names("hold-out"))
    assert "worst over the hold-outs" in capsys.readouterr().out
