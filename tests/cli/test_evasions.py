"""``unforeseen evasions``, and evasion rates at the end of ``unforeseen run``."""

import csv
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from made_runs import made_folder as made_attack_folder
from made_runs import made_record as made_attack_record
from moderated_runs import moderated_run, write_pictures
from unforeseen import evasion_sheet
from unforeseen.cli import main
from unforeseen.metrics import Flagging
from unforeseen.metrics.evasion import evaded
from unforeseen.run_folder.read_run import read_obfuscation_run

FUNCTION = """
def predict(pictures):
    weapon = [each.mean() / 255 for each in pictures]
    return [[1 - each, each] for each in weapon]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        moderated_run(folder)
    return folder


@pytest.fixture
def work(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "160")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *given: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(given)
    out, err = capsys.readouterr()
    assert ended.value.code == code, err
    return out, err


def lines_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_it_lists_every_picture_that_got_through_and_draws_the_worst(
    work: Path, capsys: pytest.CaptureFixture[str], stages: list[str]
) -> None:
    run = read_obfuscation_run("run")
    names = [each.obfuscation for each in run.summary.obfuscations]
    through = evaded(run.rows, names)
    out, err = printed(capsys, "evasions", "run", "--out", "here")
    lines = lines_of(work / "here" / "evasions.csv")
    assert [each["example_id"] for each in lines] == through["example_id"].to_list()
    assert [each["parameters"] for each in lines] == through["parameters"].to_list()
    assert all((work / "uploads" / each["file"]).is_file() for each in lines)
    assert {each["draw"] for each in lines} == {"0", "1"}
    assert "Right as they are" in out
    assert "Evades under at least one" in out
    assert str(Path("here", "evasions.csv")) in err
    assert "left out" not in err
    assert stages == [
        "loading libraries",
        "loading the data",
        "looking for the pictures",
        "obfuscating them again",
        "drawing the sheet",
    ]
    with Image.open(work / "here" / "evasions.png") as sheet:
        assert len(np.unique(np.asarray(sheet.convert("RGB")).reshape(-1, 3), axis=0)) > 1000


def test_the_sheets_pictures_are_those_that_were_judged_the_worst_first(
    work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(evasion_sheet, "draw_gallery", lambda _, **given: drawn.update(given))
    printed(capsys, "evasions", "run", "--pictures", "2")
    lines = lines_of(work / "run" / "evasions.csv")
    pictures = list(dict.fromkeys(each["example_id"] for each in lines))[:2]
    assert [each for each, _ in drawn["rows"]] == [
        next(line["true_class"] for line in lines if line["example_id"] == name)
        for name in pictures
    ]
    for name, (_, (clean, *tiles)) in zip(pictures, drawn["rows"], strict=True):
        of_picture = [each for each in lines if each["example_id"] == name]
        with Image.open(work / "uploads" / of_picture[0]["file"]) as file:
            assert np.array_equal(clean.image, np.asarray(file))
        assert clean.right
        assert clean.caption.endswith(of_picture[0]["true_class"])
        for line, tile in zip(of_picture, tiles, strict=False):
            assert tile.caption.replace(" ", "") == line["obfuscation"]
            assert tile.remark == f"p {float(line['probability']):.2g}, {line['taken_for']}"
            assert not tile.right


def test_a_class_and_a_threshold_choose_what_got_through(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = read_obfuscation_run("run")
    names = [each.obfuscation for each in run.summary.obfuscations]
    first = evaded(run.rows, names).row(0, named=True)
    label, threshold = first["label"], (first["probability"] + first["probability_clean"]) / 2
    asked = ("--positive", str(label), "--threshold", str(threshold))
    out, _ = printed(capsys, "evasions", "run", *asked, "--pictures", "0")
    lines = lines_of(work / "run" / "evasions.csv")
    assert {each["true_class"] for each in lines} == {run.summary.classes[label].name}
    assert len(lines) == len(evaded(run.rows, names, Flagging(label, threshold))) > 0
    assert f"flagged from a probability of {threshold:g} on" in out
    assert not (work / "run" / "evasions.png").exists()


def test_without_the_pictures_there_is_the_list_and_a_line_that_says_what_to_do(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "evasions", "run")
    shutil.move(work / "uploads", work / "elsewhere")
    _, err = printed(capsys, "evasions", "run")
    assert "No sheet: " in err
    assert "--data URI" in err
    assert (work / "run" / "evasions.csv").is_file()
    assert not (work / "run" / "evasions.png").exists()
    printed(capsys, "evasions", "run", "--data", "imagefolder:elsewhere")
    assert (work / "run" / "evasions.png").is_file()
    _, err = printed(capsys, "evasions", "run", "--data", "imagefolder:gone", code=2)
    assert "gone" in err
    assert "Traceback" not in err


def test_pictures_that_are_gone_are_counted(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "evasions", "run", "--pictures", "0")
    first = lines_of(work / "run" / "evasions.csv")[0]
    times = sum(
        each["example_id"] == first["example_id"]
        for each in lines_of(work / "run" / "evasions.csv")
    )
    (work / "uploads" / first["file"]).unlink()
    _, err = printed(capsys, "evasions", "run")
    assert f"{times + 1} pictures of the sheet left out" in err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("run", "--positive", "weapon"), "--threshold T is missing"),
        (("run", "--threshold", "0.5"), "--positive CLASS is missing"),
        (("run", "--positive", "waepon", "--threshold", "0.5"), "Did you mean weapon"),
        (("run", "--positive", "weapon", "--threshold", "80"), "at most 1; got 80"),
        (("run", "--pictures", "1000"), "pictures: expected"),
        (("gone",), "no such folder"),
        (("attacks",), "expected a run of obfuscations"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    work: Path, capsys: pytest.CaptureFixture[str], given: tuple[str, ...], words: str
) -> None:
    made_attack_folder(work / "attacks", made_attack_record())
    _, err = printed(capsys, "evasions", *given, code=2)
    assert words in err
    assert len(err.strip().splitlines()) == 1


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A command that runs a function on pictures of two classes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    (tmp_path / "service.py").write_text(FUNCTION, encoding="utf-8")
    for name, grey in (("ok", 40), ("weapon", 200)):
        (tmp_path / "uploads" / name).mkdir(parents=True)
        for number in range(3):
            picture = Image.new("RGB", (64, 64), (grey + number, grey, grey))
            picture.save(tmp_path / "uploads" / name / f"{number}.png")
    return (
        *("run", "image-obfuscation-own", "--obfuscations", "InvertLines,HighContrastBorder"),
        *("--model", "py:service.py:predict?version=1", "--data", "imagefolder:uploads"),
        *("--out", "moderation", "--no-check"),
    )


def test_a_run_ends_with_the_rates_that_results_shows(
    service: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--positive", "Weapon", "--threshold", "0.6")
    out, err = printed(capsys, *service, *asked)
    rates, _ = printed(capsys, "results", "moderation", *asked)
    assert out.endswith(rates)
    assert "unforeseen results moderation --positive Weapon --threshold 0.6" in err
    assert "unforeseen evasions moderation --positive Weapon --threshold 0.6" in err


def test_a_class_that_is_not_there_is_refused_before_the_run(
    service: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for given, words in (
        (("--positive", "wepaon", "--threshold", "0.6"), "Did you mean weapon"),
        (("--positive", "weapon"), "--threshold T is missing"),
        (("--positive", "2", "--threshold", "0.6"), "There are: ok, weapon"),
        (("--positive", "weapon", "--threshold", "0.6", "--seeds", "0,1"), "expected one run"),
    ):
        _, err = printed(capsys, *service, *given, code=2)
        assert words in err
    assert not (tmp_path / "moderation").exists()


def test_of_attacks_there_are_no_evasion_rates(
    service: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("run", "cifar10-ua", *service[4:], "--positive", "weapon", "--threshold", "0.5")
    _, err = printed(capsys, *asked, code=2)
    assert "expected a benchmark of obfuscations" in err


def test_a_heads_groups_name_the_classes_of_data_that_have_no_names(
    service: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = sorted((tmp_path / "uploads").rglob("*.png"))
    lines = [
        f"{file.relative_to(tmp_path).as_posix()},{number // 3}"
        for number, file in enumerate(files)
    ]
    (tmp_path / "labels.csv").write_text("\n".join(["image,label", *lines]), encoding="utf-8")
    (tmp_path / "groups.json").write_text('{"fine": [0], "arms": [1]}', encoding="utf-8")
    command = [each.replace("imagefolder:uploads", "table:labels.csv") for each in service]
    asked = ("--head", "groups.json", "--positive", "arms", "--threshold", "0.6")
    out, _ = printed(capsys, *command, *asked)
    assert "arms flagged from a probability of 0.6 on" in out
    _, err = printed(capsys, *command, *asked[:3], "amrs", *asked[4:], code=2)
    assert "Did you mean arms" in err


def test_pictures_have_classes(tmp_path: Path) -> None:
    """The made data are of several classes, so that the tests above say something."""
    write_pictures(tmp_path)
    assert sum(any(each.iterdir()) for each in tmp_path.iterdir()) >= 2
