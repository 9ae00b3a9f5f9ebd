"""``unforeseen transfer`` and what ``results`` shows of it."""

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from small import BENCHMARK_FILE, SmallNet, small_dataset
from unforeseen.cli import main

MODELS = """
from small import SmallNet, as_function

def source():
    return SmallNet()

def target():
    return SmallNet(seed=3)

def predict(pictures):
    return as_function(SmallNet(seed=4))(pictures)
"""
COUNT = 6


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    (folder / "models.py").write_text(MODELS, encoding="utf-8")
    (folder / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(COUNT, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = folder / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
    return folder


@pytest.fixture(autouse=True)
def _there(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    monkeypatch.setenv("COLUMNS", "200")


def arguments(out: str, *more: str, target: str = "target") -> list[str]:
    return [
        *("transfer", "small.toml", "--source", "py:models.py:source"),
        *("--target", f"py:models.py:{target}", "--data", "imagefolder:data", "--out", out),
        *("--device", "cpu", *more),
    ]


def printed(capsys: pytest.CaptureFixture[str], *given: str, code: int = 0) -> tuple[str, str]:
    """What a command says on standard output and standard error."""
    with pytest.raises(SystemExit) as ended:
        main(given)
    out, err = capsys.readouterr()
    assert ended.value.code == code, err
    return out, err


def test_a_transfer_prints_its_table_and_results_shows_it_again_in_four_formats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    service = ["--target", "py:models.py:predict?version=1"]
    table, said = printed(capsys, *arguments("out", *service, "--no-check"))
    assert "py:models.py:source (source model)" in table
    assert "py:models.py:target (transfer)" in table
    assert "py:models.py:predict?version=1 (transfer)" in table
    assert "pictures were made against py:models.py:source" in table
    assert "table.csv and plot.png are in out" in said
    assert printed(capsys, "results", "out")[0] == table
    assert printed(capsys, "results", "out", "--format", "markdown")[0].startswith("### small")
    (shown,) = json.loads(printed(capsys, "results", "out", "--format", "json")[0])
    sources = [row["summary"]["source_model"] for row in shown["rows"]]
    assert sources == [None, "py:models.py:source", "py:models.py:source"]
    text = printed(capsys, "results", "out", "--format", "csv")[0]
    assert text == Path("out/table.csv").read_text(encoding="utf-8")

    # As with runs: other sets of attacks, and beside other runs.
    over = printed(capsys, "results", "out", "--over", "pgd,pixel")[0]
    assert "pgd, pixel" in over
    beside = printed(capsys, "results", "out", "out/models-target")[0]
    assert all(f"models.py:target, run {number} (transfer)" in beside for number in (1, 2))
    for run in ("source", "models-target", "models-predict"):
        assert "all equal" in printed(capsys, "recount", f"out/{run}")[0]


def test_what_was_begun_of_a_transfer_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, *arguments("begun", "--attacks", "pgd", "--no-check"))
    record = json.loads(Path("begun/experiment.json").read_bytes())
    record["runs"].append({"folder": "planned", "value": None})
    Path("begun/experiment.json").write_text(json.dumps(record), encoding="utf-8")
    table, _ = printed(capsys, "results", "begun")
    assert "planned" not in table


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (arguments("new", "--edition", "strict"), "Give --edition published"),
        (arguments("new", "--search", "apgd"), "Give --search pgd"),
        (arguments("new", "--search", "random"), "search random ends where the source is fooled"),
        (arguments("new", "--attacks", "snov"), "unknown attack"),
        (arguments("new", "--limit", "0"), "limit: expected"),
        (arguments("new", target="nobody"), "nobody"),
        (arguments("new", target="predict"), "?version=NAME"),
        (arguments("new", "--target-head", "imagenet1001"), "1,001 outputs"),
        (arguments("new", "--target", "py:models.py:target"), "are the same network"),
        (arguments("data"), "data is not empty"),
        (arguments("x" * 5000), "can't be"),
        (arguments("models.py"), "models.py"),
        (["transfer", "small.toml", "--source", "py:models.py:source"], "--target"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    out, err = printed(capsys, *given, code=2)
    assert not out
    assert said in err
    assert "Traceback" not in err
    assert not Path("new").exists()


@pytest.mark.parametrize("options", [["--edition", "strict"], ["--search", "autoattack-lite"]])
def test_a_source_that_leaves_pictures_alone_is_refused_before_torch_is_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "unforeseen.experiments.transfer", None)
    _, err = printed(capsys, *arguments("new", *options), code=2)
    assert "makes no pictures for other models" in err
