"""Experiments from the command line: run, show again, go on, refuse."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from made_assets import made_assets
from made_experiments import made_experiment
from made_runs import made_folder, made_record
from obfuscation_runs import OBFUSCATION_FILE
from small import BENCHMARK_FILE, SmallNet, small_dataset
from unforeseen.cli import main
from unforeseen.experiment_folder.record import EXPERIMENT_FILE


def ended(arguments: Sequence[str]) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert isinstance(stopped.value.code, int)
    return stopped.value.code


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Standard output of a command that must succeed."""
    code = ended(arguments)
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that must not succeed."""
    code = ended(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    *notes, line = err.splitlines()
    assert line.startswith("error: ")
    assert all(note.startswith("note: ") for note in notes)
    return line


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models of one's own, pictures and a benchmark."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["unforeseen"])
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "nets.py").write_text(
        "from small import SmallNet\n"
        "def one(): return SmallNet()\n"
        "def other(): return SmallNet(seed=1)\n",
        encoding="utf-8",
    )
    (tmp_path / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(6, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = tmp_path / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
    return tmp_path


DATA = ("--data", "imagefolder:data", "--no-check", "--attacks", "pixel,wood", "--limit", "4")
SWEEP = ("sweep", "small.toml", "--model", "py:nets.py:one", *DATA)
SEEDS = ("run", "small.toml", "--model", "py:nets.py:one", *DATA)


@pytest.mark.parametrize(
    ("option", "values", "folder"),
    [
        ("--steps", "3,0,1,1", "steps-3"),
        ("--radii", "2,0.5", "radii-x0.5"),
        ("--step-sizes", "2, 0.5", "step-sizes-x2"),
    ],
)
def test_a_sweep_is_run_and_shown_again_in_four_formats(
    capsys: pytest.CaptureFixture[str], work: Path, option: str, values: str, folder: str
) -> None:
    options = ("--model", "py:nets.py:other", option, values, "--out", "out")
    said = printed(capsys, *SWEEP, *options)
    assert "mean over 2 models, 4 pictures" in said
    assert ("within 10 %" in said) == (option == "--steps")
    assert printed(capsys, "results", "out") == said
    assert printed(capsys, *SWEEP, *options) == said, "the same command again"
    csv = printed(capsys, "results", "out", "--format", "csv")
    assert csv == (work / "out" / "table.csv").read_text(encoding="utf-8")
    (table,) = json.loads(printed(capsys, "results", "out", "--format", "json"))
    assert table["models"] == ["py:nets.py:one", "py:nets.py:other"]
    assert printed(capsys, "results", "out", "--format", "markdown").startswith("### small")
    run = f"out/nets-other/{folder}"
    assert "py:nets.py:other" in printed(capsys, "results", run)
    assert "all equal" in printed(capsys, "recount", run)
    every = printed(capsys, "recount", "out").splitlines()
    assert len(every) == 2 * len(set(values.split(",")))
    assert all("all equal" in line for line in every)


def test_seeds_are_run_and_shown_again(capsys: pytest.CaptureFixture[str], work: Path) -> None:
    said = printed(capsys, *SEEDS, "--seeds", "0..1,5", "--out", "out")
    assert "standard deviation" in said
    assert [path.name for path in sorted((work / "out").glob("seed-*"))] == [
        *("seed-0", "seed-1", "seed-5"),
    ]
    assert printed(capsys, "results", "out") == said
    (table,) = json.loads(printed(capsys, "results", "out", "--format", "json"))
    assert table["values"] == [0, 1, 5]
    # A seed is continued by itself, on the pictures of all.
    printed(capsys, *SEEDS, "--seed", "5", "--out", "out/seed-5", "--levels", "high")
    assert "small, edition published, high" in printed(capsys, "results", "out")


def test_obfuscations_are_run_with_several_seeds_and_shown_again(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    (work / "small-obfuscation.toml").write_text(OBFUSCATION_FILE, encoding="utf-8")
    made_assets(work / "assets")
    command = (
        *(
            "run",
            "small-obfuscation.toml",
            "--model",
            "py:nets.py:one",
            "--data",
            "imagefolder:data",
        ),
        *("--no-check", "--limit", "4", "--assets", "assets", "--seeds", "0..1,5"),
    )
    said = printed(capsys, *command, "--out", "out")
    assert "Worst over the hold-outs: " in said
    assert "over 3 seeds" in said
    assert printed(capsys, "results", "out") == said
    csv = printed(capsys, "results", "out", "--format", "csv")
    assert csv == (work / "out" / "table.csv").read_text(encoding="utf-8")
    every = printed(capsys, "recount", "out", "--assets", "assets").splitlines()
    assert len(every) == 3
    assert all("all equal" in line for line in every)
    assert "another benchmark" in refused(capsys, *SEEDS, "--seeds", "0", "--out", "out")
    assert "levels: expected none" in refused(capsys, *command, "--levels", "low", "--out", "x")
    assert not (work / "x").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*SWEEP, "--out", "x"), "expected one of --steps, --radii and --step-sizes; got none"),
        ((*SWEEP, "--out", "x", "--steps", "1", "--radii", "1"), "got --steps and --radii"),
        ((*SWEEP, "--out", "x", "--steps", "1.5"), "--steps: expected whole numbers or ranges"),
        ((*SWEEP, "--out", "x", "--steps", "-1"), "--steps: expected whole numbers or ranges"),
        ((*SWEEP, "--out", "x", "--steps", ","), "steps: expected at least one value"),
        ((*SWEEP, "--out", "x", "--steps", "٣"), "--steps: expected whole numbers or ranges"),
        ((*SWEEP, "--out", "x", "--steps", "5..1"), "ranges a..b that rise"),
        ((*SWEEP, "--out", "x", "--steps", "0..5000"), "of up to 1,000 numbers"),
        ((*SWEEP, "--out", "x", "--radii", "0,1"), "radii: expected a finite number above 0"),
        ((*SWEEP, "--out", "x", "--radii", "1e999"), "radii: expected a finite number above 0"),
        ((*SWEEP, "--out", "x", "--radii", "-1"), "radii: expected a finite number above 0"),
        ((*SWEEP, "--out", "x", "--radii", "nan"), "--radii: expected numbers joined by commas"),
        ((*SWEEP, "--out", "x", "--radii", "٣"), "--radii: expected numbers joined by commas"),
        ((*SWEEP, "--out", "x", "--radii", "1_0"), "--radii: expected numbers joined by commas"),
        ((*SWEEP, "--out", "x", "--radii", "wide"), "--radii: expected numbers joined by commas"),
        ((*SWEEP, "--out", "x", "--radii", "1", "--level", "top"), "unknown level"),
        ((*SWEEP, "--out", "x", "--step-sizes", "1", "--search", "apgd"), "has no step size"),
        ((*SWEEP, "--out", "x", "--steps", "1", "--search", "none"), "none doesn't take it"),
        ((*SWEEP, "--out", "data", "--steps", "1"), "is not empty and is not an experiment"),
        ((*SEEDS, "--out", "x", "--seeds", "0..4", "--seed", "1"), "instead of --seed, got both"),
        ((*SEEDS, "--out", "x", "--seeds", "1..2", "--seed", "0"), "got both (--seed 0)"),
        ((*SEEDS, "--out", "x", "--seeds", "a..b"), "--seeds: expected whole numbers or ranges"),
        ((*SEEDS, "--out", "x", "--seeds", ""), "seeds: expected at least one value"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], work: Path, arguments: Sequence[str], words: str
) -> None:
    assert words in refused(capsys, *arguments)
    assert not (work / "x").exists()


def test_experiments_and_runs_are_shown_one_after_the_other(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = str(made_folder(tmp_path / "run", made_record()))
    out = str(made_experiment(tmp_path / "out", "steps", (0, 1), {"a.pt2": {"wood": (5, 4)}}))
    seeds = str(made_experiment(tmp_path / "seeds", "seeds", (0, 1), {"a.pt2": {"wood": (5, 4)}}))
    assert "expected runs and transfers, or else sweeps and seeds" in refused(
        capsys, "results", out, run
    )
    assert "--published: expected runs" in refused(capsys, "results", out, "--published")
    assert "--over: expected runs" in refused(capsys, "results", out, "--over", "core")
    tables = json.loads(printed(capsys, "results", out, seeds, "--format", "json"))
    assert [table["experiment"] for table in tables] == ["steps", "seeds"]
    for run_folder in sorted(Path(out).glob("*/*/run.json")):
        run_folder.unlink()
    assert "of which no run was begun" in refused(capsys, "recount", out)
    line = refused(
        capsys,
        *SWEEP[:1],
        "cifar10-ua",
        *("--model", "x.pt2", "--data", "samples:cifar10"),
        *("--steps", "1", "--out", seeds),
    )
    assert "holds an experiment over seeds; asked for was steps" in line


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"schema": 2}',
        b'{"schema": 1, "experiment": "steps", "runs": []}',
        b'{"schema": 1, "experiment": "steps", "runs": [{"folder": "../run", "value": 1}]}',
        b'{"schema": 1, "experiment": "steps", "runs": [{"folder": "/etc", "value": 1}]}',
        b'{"schema": 1, "experiment": "steps", "runs": [{"folder": "a/steps-0", "value": -1}]}',
        b'{"schema": 1, "experiment": "\\u001b[2J", "runs": [{"folder": "a", "value": 1}]}',
        b'{"schema": 1, "experiment": "radii", "runs": [{"folder": "a", "value": 1e999}]}',
        b'{"schema": 1, "experiment": "steps", "runs": [{"folder": "nothing", "value": 1}]}',
    ],
)
def test_an_experiment_of_a_stranger_is_shown_or_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    made_folder(tmp_path / "run", made_record())
    out = made_experiment(tmp_path / "out", "steps", (0, 1), {"a.pt2": {"wood": (5, 4)}})
    (out / EXPERIMENT_FILE).write_bytes(content)
    line = refused(capsys, "results", str(out))
    assert line.isprintable()


def test_an_experiment_reaches_no_run_through_a_link(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = made_experiment(tmp_path / "out", "steps", (0, 1), {"a.pt2": {"wood": (5, 4)}})
    other = made_experiment(tmp_path / "other", "steps", (0, 1), {"b.pt2": {"wood": (5, 4)}})
    (out / "a" / "steps-1").rename(tmp_path / "moved")
    try:
        (out / "a" / "steps-1").symlink_to(other / "b" / "steps-1", target_is_directory=True)
    except OSError:
        pytest.skip("links are not to be had here")
    assert "is a link" in refused(capsys, "results", str(out))
