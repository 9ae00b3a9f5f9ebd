"""The command ``cost``: three files and a table, also of a measurement that is stopped."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from small import BENCHMARK_FILE
from unforeseen.cli import main
from unforeseen.experiment_folder.cost_times import read_times
from unforeseen.experiments import cost
from unforeseen.report.tables import attack_heading
from unforeseen.search.search import Search

MIX = """
[attacks.mix]
group = "extra"
steps = 2
step_size = 0.5
radii = { low = 1.0, medium = 2.0, high = 4.0 }
"""


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["unforeseen"])
    (tmp_path / "model.py").write_text("from small import SmallNet as make\n", encoding="utf-8")
    (tmp_path / "small.toml").write_text(BENCHMARK_FILE + MIX, encoding="utf-8")


COST = ("cost", "small.toml", "--model", "py:model.py:make", "--batch-size", "4", "--steps", "1")


def run(*options: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main([*COST, *options])
    return ended.value.code


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_costs_are_not_shown_beside_runs_nor_over_sets_of_attacks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("costs", "other"):
        Path(folder).mkdir()
    Path("costs/cost.json").write_text("{}", encoding="utf-8")
    for arguments in (("costs", "other"), ("costs", "--over", "core"), ("costs", "--published")):
        with pytest.raises(SystemExit) as ended:
            main(["results", *arguments])
        assert ended.value.code == 2
        assert "expected runs" in capsys.readouterr().err


def test_a_measurement_leaves_times_table_and_plot_and_may_be_repeated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--out", "costs", "--rounds", "2") == 0
    out = capsys.readouterr().out
    assert {file.name for file in Path("costs").iterdir()} == {"cost.json", "table.csv", "plot.png"}
    times = read_times(Path("costs"))
    assert [attack.attack for attack in times.attacks] == ["pgd", "wood", "pixel", "mix"]
    assert times.finished_rounds == 2
    with Path("costs/table.csv").open(encoding="utf-8", newline="") as file:
        assert {line["attack"] for line in csv.DictReader(file)} == {"pgd", "wood", "pixel", "mix"}
    for attack in times.attacks:
        assert any(line.split()[:1] == [attack_heading(attack.attack)] for line in out.splitlines())
    assert printed(capsys, "results", "costs") == out
    (content,) = json.loads(printed(capsys, "results", "costs", "--format", "json"))
    assert len(content["costs"]) == 4
    assert printed(capsys, "results", "costs", "--format", "csv") == Path(
        "costs/table.csv"
    ).read_text("utf-8")
    assert printed(capsys, "results", "costs", "--format", "markdown").startswith(
        "### Time per step"
    )
    assert run("--out", "costs", "--rounds", "1", "--attacks", "wood") == 0
    assert [attack.attack for attack in read_times(Path("costs")).attacks] == ["pgd", "wood"]


def test_ctrl_c_leaves_the_figures_of_what_was_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = cost.measure_cost

    def stopped(*arguments: Any, **options: Any) -> Iterator[object]:
        # A warm-up of four attacks, a round of four, and two attacks of the second round.
        for number, times in enumerate(measure(*arguments, **options), start=1):
            yield times
            if number == 10:
                raise KeyboardInterrupt

    monkeypatch.setattr(cost, "measure_cost", stopped)
    assert run("--out", "costs", "--rounds", "5") == 130
    times = read_times(Path("costs"))
    assert [len(attack.rounds) for attack in times.attacks] == [1, 2, 2, 1]
    assert "1 of 5 rounds" in " ".join(capsys.readouterr().out.split())
    assert (Path("costs") / "plot.png").exists()


def test_nothing_is_written_where_nothing_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> Iterator[Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "run", stopped)
    assert run("--out", "costs") == 130
    assert not Path("costs").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--out", "data"), "not empty and is not a folder of unforeseen cost"),
        (("--out", "x", "--attacks", "wod"), "Did you mean wood?"),
        (("--out", "x", "--level", "mid"), "unknown level"),
        (("--out", "x", "--edition", "own"), "unknown edition"),
        (("--out", "x", "--rounds", "0"), "rounds: expected"),
        (("--out", "x", "--data", "nowhere.parquet"), "nowhere.parquet"),
    ],
)
def test_mistakes_end_in_one_line_and_leave_nothing(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    Path("data").mkdir()
    Path("data/notes.txt").write_text("mine", encoding="utf-8")
    assert run(*options) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not Path("x").exists()
    assert [file.name for file in Path("data").iterdir()] == ["notes.txt"]


def test_the_record_says_on_what_it_was_measured() -> None:
    assert run("--out", "costs", "--rounds", "1", "--attacks", "wood", "--edition", "strict") == 0
    record = json.loads(Path("costs/cost.json").read_text(encoding="utf-8"))
    assert record["experiment"] == "cost"
    assert (record["batch_size"], record["timed_steps"], record["rounds"]) == (4, 1, 1)
    assert record["edition"] == "strict"
    assert {"torch", "device", "device_name", "threads"} <= set(record["environment"])
