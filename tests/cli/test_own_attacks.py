"""User-made attacks at the command line: contract, show, preview, run, results."""

import re
from pathlib import Path

import pytest
from PIL import Image

from own_attacks import own_benchmark, write_attack
from small import SmallNet, as_arrays, small_dataset, small_pictures
from small_runs import run_small, transfer_small
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.cli import main
from unforeseen.errors import RunError

UNCLAMPED = (".clamp(0, 1)\n", "\n")
PAINT = "        return (x +"
QUICK = ("--size", "33x47")


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with an attack, a benchmark file, a model and pictures."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    write_attack(tmp_path)
    own_benchmark(tmp_path)
    (tmp_path / "model.py").write_text("from small import SmallNet as make\n", encoding="utf-8")
    data = small_dataset(6, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = tmp_path / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    """Exit code, standard output and standard error."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    out, err = capsys.readouterr()
    return caught.value.code, out, err


def test_a_contract_that_is_kept_ends_with_0_and_a_line_for_each_property(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = ended(capsys, "contract", "py:fade.py:Fade", "--radius", "0.2", *QUICK)
    assert code == 0, err
    *lines, empty, last, _ = out.splitlines()
    assert empty == ""
    assert all(line.startswith("fine    ") and line.endswith(".") for line in lines)
    assert last == f"py:fade.py:Fade: all {len(lines)} hold."
    assert "trying 1 size in 2 geometries, with radii up to 0.2" in err


def test_a_broken_contract_ends_with_1_and_says_what_was_seen_and_what_causes_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_attack(tmp_path, UNCLAMPED)
    code, out, _ = ended(capsys, "contract", "fade", "--benchmark", "own.toml", *QUICK)
    assert code == 1
    broken = out[out.index("BROKEN") :].splitlines()
    assert "lies in [0, 1] and is finite" in broken[0]
    assert re.fullmatch(
        r" {8}seen: 33×47, at the start: values from -0\.\d+ to 1\.\d+ instead of .*", broken[1]
    )
    assert broken[4].startswith("        usual cause: No .clamp(0, 1) at the end")
    assert out.splitlines()[-2].endswith(" are broken.")


def test_what_is_broken_comes_last_and_what_may_follow_from_another_without_a_cause(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_attack(tmp_path, (PAINT, f"        import torch; x = x + torch.rand(1)\n{PAINT}"))
    code, out, _ = ended(capsys, "contract", "py:fade.py:Fade", *QUICK)
    assert code == 1
    fine, _, broken = out.partition("BROKEN")
    assert fine.count("\nfine ") > 10
    assert "\nfine " not in broken
    assert "global generators" in broken.splitlines()[0]
    assert broken.count("BROKEN") > 2
    assert out.count("usual cause: ") == 1
    assert out.splitlines()[-2].endswith("the others may follow from it.")


def test_the_benchmarks_parameters_and_radius_are_tried(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_attack(tmp_path, (PAINT, f"        assert self.gain == 2\n{PAINT}"))
    for attack in ("fade", "py:fade.py:Fade"):
        code, _, err = ended(capsys, "contract", attack, "--benchmark", "own.toml", *QUICK)
        assert code == 0
        assert "radii up to 0.2" in err
    code, out, _ = ended(capsys, "contract", "py:fade.py:Fade", *QUICK)
    assert code == 1
    assert "seen: fade.py, line 42: AssertionError" in out
    assert "usual cause" not in out


def test_built_in_attacks_keep_it_as_the_benchmarks_set_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = ended(capsys, "contract", "pixel", *QUICK)
    assert code == 0
    assert "radii up to 10 " in err
    assert ended(capsys, "contract", "pgd_l2", *QUICK)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("py:none.py:Fade",), "there is no file"),
        (("py:fade.py:Fad",), "Did you mean Fade"),
        (("woood",), "Did you mean wood"),
        (("wood", "--benchmark", "none.toml"), "found none there"),
        (("fode", "--benchmark", "own.toml"), "unknown attack of small 'fode'. Did you mean fade"),
        (("py:model.py:make", "--benchmark", "own.toml"), "expected a class derived from"),
        (("wood", "--radius", "-1"), "radius: expected"),
        (("wood", "--size", "31x40"), "--size: expected height and width in pixels from 32"),
        (("wood", "--size", "big"), "as 33x47; got 'big'"),
    ],
)
def test_misuse_ends_with_2_and_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = ended(capsys, "contract", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_class_that_a_benchmark_has_twice_is_asked_for_by_its_name_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    text = file.read_text(encoding="utf-8")
    setting = text[text.index("[attacks.fade]") :]
    file.write_text(text + "\n" + setting.replace("[attacks.fade]", "[attacks.faint]"), "utf-8")
    code, _, err = ended(capsys, "contract", "py:fade.py:Fade", "--benchmark", "own.toml")
    assert code == 2
    assert "small has py:fade.py:Fade as fade and faint: give one of these names" in err
    assert ended(capsys, "contract", "faint", "--benchmark", "own.toml", *QUICK)[0] == 0


def test_a_preview_of_an_attack_of_another_file_says_how_the_file_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Image.fromarray(as_arrays(small_pictures(1))[0]).save("picture.png")
    code, _, err = ended(capsys, "preview", "fade", "--image", "picture.png", "--out", "fade.png")
    assert code == 2
    assert "unknown attack of imagenet-ua 'fade'." in err
    assert err.endswith("One of yours is in your benchmark file: --benchmark FILE.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("py:fade.py:Fade",),
        ("fade", "--benchmark", "own.toml"),
        ("py:fade.py:Fade", "--benchmark", "own.toml"),
    ],
)
def test_an_attack_of_ones_own_is_shown(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, err = ended(capsys, "show", *arguments)
    assert code == 0, err
    assert "a colour cast" in out
    assert "x_adv = clamp(x + gain · δ, 0, 1)" in out
    assert re.search(r"gain +1\.0 .*what δ is multiplied with", out)
    assert bool(re.search(r"small +0\.05 +0\.1 +0\.2 +2 +0\.05", out)) == (len(arguments) > 1)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (".clamp(0, 1)\n", "[:, :, 1:]\n", "paint(): shape (6, 3, 31, 32) instead of (6, 3, 32,"),
        ("return (x +", "return None and (x +", "paint(): a NoneType instead of a tensor"),
        ("return FadeLatents(", "return dict(", "expected a subclass of Latents, got a dict"),
    ],
)
def test_what_is_no_picture_ends_a_run_in_one_line_where_it_is_tried_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, words: str
) -> None:
    write_attack(tmp_path, (old, new))
    model = ("--model", "py:model.py:make", "--data", "imagefolder:data")
    run = ("run", "own.toml", *model, "--attacks", "fade", "--out", "run")
    code, _, err = ended(capsys, *run, "--edition", "published")
    assert code == 2
    assert f"error: py:fade.py:Fade: {words}" in err.splitlines()[-1]


def test_it_is_previewed_checked_run_and_its_results_are_read_without_the_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Image.fromarray(as_arrays(small_pictures(1))[0]).save("picture.png")
    model = ("--model", "py:model.py:make")
    preview = ("preview", "fade", "--image", "picture.png", "--benchmark", "own.toml", *model)
    assert ended(capsys, *preview, "--out", "fade.png")[0] == 0
    assert (tmp_path / "fade.png").exists()
    data = ("--data", "imagefolder:data")
    assert ended(capsys, "check", *model, *data, "--benchmark", "own.toml")[0] == 0
    run = ("run", "own.toml", *model, *data, "--attacks", "fade,wood", "--out", "run")
    code, out, err = ended(capsys, *run)
    assert code == 0, err
    assert "Fade" in out or "fade" in out
    (tmp_path / "fade.py").write_text("raise SystemExit('run')", encoding="utf-8")
    assert ended(capsys, "results", "run")[0] == 0
    assert ended(capsys, "recount", "run")[0] == 0
    code, _, err = ended(capsys, *run)
    assert code == 2
    assert err.endswith("py:fade.py:Fade: fade.py, line 1: SystemExit: run\n")


def test_code_that_fails_in_a_run_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_attack(tmp_path, (PAINT, f"        1 / 0\n{PAINT}"))
    run = ("run", "own.toml", "--model", "py:model.py:make", "--data", "imagefolder:data")
    code, _, err = ended(capsys, *run, "--attacks", "pixel,fade", "--out", "run", "--no-check")
    assert code == 2
    assert (
        "error: py:fade.py:Fade: fade.py, line 42: ZeroDivisionError: division by zero. Rows" in err
    )
    assert "Traceback" not in err
    assert ended(capsys, "results", "run")[0] == 0


@pytest.mark.parametrize(
    "command",
    [
        ("sweep", "--model", "py:model.py:make", "--data", "imagefolder:data", "--radii", "0.5,1"),
        ("sweep", "--model", "py:model.py:make", "--data", "imagefolder:data", "--steps", "0,1,2"),
        (
            *("transfer", "--source", "py:model.py:make", "--target", "py:model.py:other"),
            *("--data", "imagefolder:data"),
        ),
    ],
    ids=["radii", "steps", "transfer"],
)
def test_experiments_take_it_and_their_runs_are_recounted_without_the_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    with (tmp_path / "model.py").open("a", encoding="utf-8") as file:
        file.write("def other(): return make(seed=1)\n")
    begun = (command[0], "own.toml", *command[1:], "--attacks", "fade", "--out", "out")
    code, _, err = ended(capsys, *begun)
    assert code == 0, err
    kept = (tmp_path / "fade.py").read_text(encoding="utf-8")
    (tmp_path / "fade.py").unlink()
    runs = [record.parent for record in (tmp_path / "out").rglob("run.json")]
    assert len(runs) >= 2
    assert ended(capsys, "recount", *map(str, runs))[0] == 0
    assert ended(capsys, "results", "out")[0] == 0
    (tmp_path / "fade.py").write_text(f"{kept}\n# edited\n", encoding="utf-8")
    at_new_values = [{"0.5,1": "2", "0,1,2": "3"}.get(word, word) for word in begun]
    for again in (begun, at_new_values):
        code, _, err = ended(capsys, *again)
        assert code == 2
        assert "by other code: what py:fade.py:Fade names has changed since" in err


def test_its_cost_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("cost", "own.toml", "--attacks", "fade", "--model", "py:model.py:make")
    code, out, err = ended(capsys, *command, "--batch-size", "2", "--out", "cost")
    assert code == 0, err
    assert re.search(r"^ +Fade +\d", out, re.MULTILINE)


def test_a_transfer_whose_pictures_were_made_by_other_code_is_another_run(tmp_path: Path) -> None:
    benchmark = load_attack_benchmark(tmp_path / "own.toml")
    run_small(tmp_path / "source", benchmark=benchmark, attacks=["fade"], save_images=True)
    folders = (tmp_path / "to", tmp_path / "source")
    transfer_small(*folders, SmallNet(seed=1), benchmark=benchmark, attacks=["fade"])
    write_attack(tmp_path, UNCLAMPED)
    with pytest.raises(RunError, match="by other code"):
        transfer_small(*folders, SmallNet(seed=1), benchmark=benchmark, attacks=["fade"])
