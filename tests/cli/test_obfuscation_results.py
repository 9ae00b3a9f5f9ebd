"""What ``results``, ``ceiling`` and ``holdouts`` say of runs of obfuscations."""

import csv
import io
import json
from pathlib import Path

import pytest

from made_experiments import made_experiment
from made_obfuscations import (
    HOLD_OUTS,
    made_folder,
    made_record,
    made_seeds,
    made_verdicts,
    obfuscation_benchmark,
)
from made_runs import made_folder as made_attack_folder
from made_runs import made_record as made_attack_record
from unforeseen.cli import main


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models on the same pictures, a part of a run, a moderation team's run, and one of attacks."""
    folder = tmp_path_factory.mktemp("work")
    for seed, name in enumerate(("one", "two")):
        record = made_record(model=f"timm:{name}")
        made_folder(folder / name, record, made_verdicts(record, seed=seed))
    made_folder(folder / "part", made_record(obfuscations=["SwirlWarp"]))
    own = made_record(
        benchmark=obfuscation_benchmark("image-obfuscation-own"),
        obfuscations=["SwirlWarp", "LineShift"],
        classes=["ok", "weapon"],
    )
    made_folder(folder / "moderation", own, labels=[1] * 6 + [0] * 4)
    made_attack_folder(folder / "attacks", made_attack_record())
    made_seeds(folder / "seeds", (0, 1, 4))
    made_experiment(folder / "steps", "steps", (0, 1), {"a.pt2": {"wood": (5, 4)}})
    return folder


@pytest.fixture(autouse=True)
def _there(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    monkeypatch.setenv("COLUMNS", "160")


def printed(capsys: pytest.CaptureFixture[str], *given: str, code: int = 0) -> tuple[str, str]:
    """What a command says on standard output and standard error."""
    with pytest.raises(SystemExit) as ended:
        main(given)
    out, err = capsys.readouterr()
    assert ended.value.code == code, err
    return out, err


def test_results_say_the_headline_first_and_whose_pictures_these_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, _ = printed(capsys, "results", "one", "two")
    lines = out.splitlines()
    assert lines[0] == "small-image-obfuscation, top 1, class-balanced"
    assert lines[1].startswith("timm:one: worst over the hold-outs ")
    assert "made by this project" in out
    unweighted, _ = printed(capsys, "results", "one", "--unweighted", "--top", "5")
    assert "top 5, every picture weighs the same" in unweighted.splitlines()[0]


def test_results_are_written_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    (table,) = json.loads(printed(capsys, "results", "one", "--format", "json")[0])
    line = next(
        csv.DictReader(io.StringIO(printed(capsys, "results", "one", "--format", "csv")[0]))
    )
    headline = table["runs"][0]["summary"]["headline"]
    assert float(line["worst:hold-out"]) == headline["value"]
    markdown, _ = printed(capsys, "results", "one", "--format", "markdown", "--unweighted")
    assert "### small-image-obfuscation, top 1, every picture weighs the same" in markdown


def test_means_and_worst_cases_are_shown_over_further_sets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, _ = printed(capsys, "results", "one", "--over", "swirlwarp,LineShift")
    assert "Worst over SwirlWarp, LineShift" in out


def test_confusion_is_printed_and_drawn(capsys: pytest.CaptureFixture[str], work: Path) -> None:
    out, err = printed(
        capsys, "results", "one", "--confusion", "swirlwarp,clean", "--plot", "heat.png"
    )
    assert "timm:one, SwirlWarp: true class down" in out
    assert "heat.png" in err
    assert (work / "heat.png").read_bytes().startswith(b"\x89PNG")


def test_evasion_rates_of_a_class_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--positive", "weapon", "--threshold", "0.5")
    out, _ = printed(capsys, "results", "moderation", *asked)
    assert "weapon flagged from a probability of 0.5 on" in out
    assert "Evades under at least one" in out


def test_seeds_take_the_options_of_runs(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "results", "seeds")
    assert out.startswith("small-image-obfuscation, top 1, class-balanced, 3 seeds: ")
    assert "mean ± SD" in out
    asked = ("--unweighted", "--top", "5", "--over", "swirlwarp,LineShift")
    out, _ = printed(capsys, "results", "seeds", *asked)
    assert "top 5, every picture weighs the same, 3 seeds" in out
    assert "Worst over SwirlWarp, LineShift" in out
    (table,) = json.loads(printed(capsys, "results", "seeds", *asked, "--format", "json")[0])
    assert (table["top"], table["values"]) == (5, [0, 1, 4])
    assert (
        "worst:SwirlWarp+LineShift"
        in printed(capsys, "results", "seeds", *asked, "--format", "csv")[0]
    )
    assert "### small" in printed(capsys, "results", "seeds", "--format", "markdown")[0]
    # A seed's run is a run like others.
    assert "seed 4" not in printed(capsys, "results", "seeds/seed-4", "--confusion", "clean")[0]


def test_ceilings_stand_beside_the_models(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "ceiling", "one", "two")
    assert "Ceiling by image: worst over the hold-outs" in out
    assert "an oracle is no model" in out
    (table,) = json.loads(printed(capsys, "ceiling", "one", "two", "--format", "json")[0])
    by_image, *models = (
        each["figures"]["worst:hold-out"]["balanced"]["value"]
        for each in table["runs"]
        if each["name"] != "Ceiling by obfuscation"
    )
    assert by_image >= max(models)


def test_the_place_of_the_hold_outs_is_printed_and_drawn(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    out, err = printed(capsys, "holdouts", "one", "two", "--plot", "histogram.png")
    assert "1,540 choices" in out
    assert "are harder" in out
    assert "histogram.png" in err
    assert (work / "histogram.png").read_bytes().startswith(b"\x89PNG")
    lines = printed(capsys, "holdouts", "one", "--format", "csv")[0].splitlines()
    assert len(lines) == 1 + 1540
    assert (
        sum(
            "+".join(sorted(HOLD_OUTS)) == "+".join(sorted(each.split(",")[3].split("+")))
            for each in lines
        )
        == 1
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("results", "one", "attacks"), "one after the other"),
        (("results", "attacks", "--top", "3"), "--top: expected runs of obfuscations"),
        (("results", "attacks", "--positive", "dog"), "--positive: expected runs of obfuscations"),
        (("results", "one", "--top", "2"), "expected 1, 3, 5 or 10, got 2"),
        (("results", "one", "--published"), "expected runs of attacks"),
        (("results", "one", "--positive", "Dog"), "--threshold T is missing"),
        (("results", "one", "--threshold", "0.5"), "--positive CLASS is missing"),
        (("results", "one", "--plot", "x.png"), "expected --confusion NAMES"),
        (("results", "one", "--confusion", "all", "--plot", "x.pdf"), "ends in .png"),
        (("results", "one", "--confusion", "SwirlWrap"), "Did you mean SwirlWarp"),
        (
            ("results", "one", "--confusion", "all", "--positive", "Dog", "--threshold", "0.5"),
            "got both",
        ),
        (("results", "one", "--confusion", "all", "--top", "5"), "--top: it is about accuracies"),
        (
            ("results", "one", "--positive", "Dog", "--threshold", "0.5", "--unweighted"),
            "--unweighted: it is about accuracies, got --positive",
        ),
        (("results", "one", "--confusion", "all", "--over", "all"), "--over: it is about acc"),
        (("results", "one", "--positive", "Dgo", "--threshold", "0.5"), "Did you mean Dog"),
        (("results", "one", "--positive", "Dog", "--threshold", "50"), "at most 1; got 50"),
        (("results", "seeds", "--top", "2"), "expected 1, 3, 5 or 10, got 2"),
        (("results", "seeds", "--published"), "expected runs of attacks"),
        (("results", "seeds", "--confusion", "all"), "with the folder of one seed's run"),
        (("results", "seeds", "--positive", "Dog"), "--positive: expected runs, got seeds"),
        (("results", "seeds", "one"), "Show them one after the other"),
        (("results", "seeds", "steps"), "expected runs of obfuscations or of attacks"),
        (("results", "steps", "--top", "3"), "--top: expected runs"),
        (("ceiling", "one"), "got one"),
        (("ceiling", "one", "attacks"), "expected a run of obfuscations"),
        (("holdouts", "part"), "expected a run of every hold-out"),
        (("holdouts", "attacks"), "expected a run of obfuscations"),
    ],
)
def test_mistakes_end_in_one_line(
    given: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = printed(capsys, *given, code=2)
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in out + err


def test_more_guesses_than_there_are_classes_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in ("results", "holdouts", "ceiling"):
        _, err = printed(capsys, command, "moderation", "--top", "3", code=2)
        assert err == (
            "error: --top: expected fewer than the 2 classes, among which every answer is right; got 3.\n"
        )
