"""What a user gets wrong is told in one line, with exit code 2 and no traceback."""

import errno
from pathlib import Path

import pytest
from PIL import Image

from made_runs import made_folder, made_record
from small import BENCHMARK_FILE
from unforeseen.cli import main

MODEL = """
from small import SmallNet as four

def make():
    return four(10)

def predict(pictures):
    return None

def broken():
    raise ValueError("first line\\nsecond line")
"""

DATA, NET, OUT = "samples:cifar10", "py:model.py:make", "out"


def run(
    benchmark: str = "small.toml", *extra: str, model: str = NET, data: str = DATA, out: str = OUT
) -> list[str]:
    return ["run", benchmark, "--model", model, "--data", data, "--out", out, *extra]


def preview(attack: str = "wood", *extra: str, image: str = "none.png", to: str = OUT) -> list[str]:
    own = ("--model", "py:model.py:four", "--benchmark", "small.toml")
    return ["preview", attack, "--image", image, "--out", f"{to}.png", *own, *extra]


CASES = {
    "unknown benchmark": (run("imagenet_ua"), "Did you mean imagenet-ua"),
    "benchmark file that isn't there": (run("none.toml"), "none.toml"),
    "benchmark file that isn't one": (run("broken.toml"), "broken.toml"),
    "unknown attack": (run("small.toml", "--attacks", "woood"), "Did you mean wood"),
    "no attack": (run("small.toml", "--attacks", ""), "attacks: expected"),
    "unknown edition": (run("small.toml", "--edition", "strickt"), "Did you mean strict"),
    "unknown level": (run("small.toml", "--levels", "low,hihg"), "Did you mean high"),
    "no level": (run("small.toml", "--levels", ""), "levels: expected"),
    "unknown model scheme": (run(model="tim:resnet50"), "Did you mean timm"),
    "model file that isn't there": (run(model="py:none.py:make"), "none.py"),
    "name that the model file lacks": (
        run(model="py:model.py:mak"),
        "Did you mean make? There are: broken, make, predict.",
    ),
    "demo model without its scheme": (
        run(model="efficientnet-lite0"),
        "write demo:efficientnet-lite0",
    ),
    "model whose code raises": (run(model="py:model.py:broken"), "first line"),
    "checkpoint without architecture": (run(model="weights.pth"), "checkpoint="),
    "unknown data scheme": (run(data="imagefoldr:x"), "Did you mean imagefolder"),
    "data that isn't there": (run(data="imagefolder:none"), "none"),
    "unknown samples": (run(data="samples:cifar"), "Did you mean cifar10"),
    "plain function with steps": (run(model="py:model.py:predict?version=1"), "--steps 0"),
    "plain function without version": (run(model="py:model.py:predict"), "?version=NAME"),
    "option of functions for a network": (run(model=f"{NET}?retries=3"), "plain functions only"),
    "retries that are no number": (run(model="py:model.py:predict?retries=x"), "retries: expected"),
    "unknown option of a model": (run(model=f"{NET}?tries=3"), "unknown option 'tries'"),
    "unknown head": (run("small.toml", "--head", "imagenet1000"), "Did you mean imagenet100"),
    "head for another model": (run("small.toml", "--head", "imagenet1001"), "1,001 outputs"),
    "head file that isn't there": (run("small.toml", "--head", "none.csv"), "none.csv"),
    "head file that isn't one": (run("small.toml", "--head", "model.csv"), "class,group"),
    "seed below 0": (run("small.toml", "--seed", "-1"), "--seed: expected"),
    "steps below 0": (run("small.toml", "--steps", "-1"), "--steps: expected"),
    "limit 0": (run("small.toml", "--limit", "0"), "--limit: expected"),
    "batch size 0": (run("small.toml", "--batch-size", "0"), "--batch-size: expected"),
    "option that the search doesn't take": (
        run("small.toml", "--search=none", "--restarts=2"),
        "--restarts: search none doesn't take it",
    ),
    "no number": (run("small.toml", "--limit", "many"), "--limit"),
    "unknown device": (run("small.toml", "--device", "gpu"), "expected cuda (a graphics card"),
    "labels beyond the model's": (run(model="py:model.py:four"), "has only 4 outputs"),
    "out is a file": (run(out="model.py"), "model.py"),
    "out is longer than any name": (run(out="x" * 5000), "can't be"),
    "out is another folder": (run(out="foreign"), "foreign"),
    "missing option": (["run", "small.toml", "--model", NET, "--out", OUT], "--data"),
    "missing argument": (["run"], "benchmark"),
    "unknown option": (run("small.toml", "--stepps", "3"), "--stepps"),
    "unknown command": (["evaluate"], "evaluate"),
    "unknown paper": (["list", "models", "--paper", "3"], "got 3"),
    "unknown list": (["list", "attack"], "Did you mean attacks"),
    "unknown attack to show": (["show", "snov"], "Did you mean snow"),
    "results of no run": (["results", "foreign"], "not a run folder"),
    "results of nothing": (["results"], "folders"),
    "preview of an unknown attack": (preview("woood", image="grey.png"), "Did you mean wood"),
    "preview of no picture": (preview(image="model.py"), "model.py: expected a picture"),
    "preview of a picture that isn't there": (preview(), "none.png: expected a picture"),
    "preview of an unknown class": (preview("wood", "--label", "x", image="grey.png"), "0 to 3"),
    "preview of a class too many": (preview("wood", "--label", "4", image="grey.png"), "got 4"),
    "preview over the picture itself": (preview(image="grey.png", to="grey"), "would be lost"),
    "preview of a class beyond all numbers": (
        preview("wood", "--label", "9" * 5000, image="grey.png"),
        "from 0 to 3, got 9999",
    ),
    "run written to an address": (
        run(out="s3://bucket/run"),
        "--out: expected a path on this machine",
    ),
    "picture written to an address": (
        preview(to="gs://b/x"),
        "--out: expected a path on this machine",
    ),
    "preview into no picture": (["preview", "wood", "--image", "x", "--out", OUT], ".png"),
    "preview into a file": (preview("wood", image="grey.png", to="model.py/x"), "can't be"),
    "recount of no run": (["recount", "foreign"], "not a run folder"),
    "results over an unknown attack": (["results", "made", "--over", "snov"], "Did you mean snow"),
    "results over no attack": (["results", "made", "--over", ","], "got none"),
    "results over an attack not run": (["results", "made", "--over", "pgd,wood"], "medium: wood"),
    "results in an unknown format": (["results", "foreign", "--format", "xml"], "xml"),
}


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    (tmp_path / "model.csv").write_text(MODEL, encoding="utf-8")
    (tmp_path / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    (tmp_path / "broken.toml").write_text("schema = [", encoding="utf-8")
    made_folder(tmp_path / "made", made_record(attacks=("pgd",), levels=("medium",)))
    Image.new("RGB", (32, 32), "grey").save(tmp_path / "grey.png")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "holiday.txt").write_text("mine", encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_user_errors_are_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, case: str
) -> None:
    arguments, words = CASES[case]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    (line,) = err.splitlines()
    assert line.startswith("error: ")
    # Releases of typer differ in how they write an argument.
    assert words.lower() in line.lower()
    assert not out
    assert not (tmp_path / OUT).exists()


def test_a_fault_of_the_program_itself_is_not_dressed_as_a_users(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("unforeseen.cli.ahead.load_benchmark", fail)
    with pytest.raises(ZeroDivisionError):
        main(run())


def test_a_full_disk_behind_standard_output_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("unforeseen.cli.output.print_entries", full)
    with pytest.raises(SystemExit) as ended:
        main(["list", "models"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "error: No space left on device\n"


def test_a_folder_called_as_an_option_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["assets", "preview", "out", "--out", "sheet.png"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("error: out: ")
