"""Commands say what they wait for from their beginning on, not only once rows come."""

import sys
from pathlib import Path

import pytest
from PIL import Image

from small import BENCHMARK_FILE, SmallNet, small_dataset
from unforeseen.cli import main

#: Before there is a model, before there are rows, after them.
LOADING = ["loading the data", "loading libraries", "loading the data", "loading the model"]
PREPARING = ["checking the model", "identifying pictures"]
COUNTING, DRAWING = ["counting figures"], ["drawing the plot"]

STAGES = {
    "run small.toml --model py:model.py:make --data data --out out": [
        *(*LOADING, "laying the run out", *PREPARING, *COUNTING)
    ],
    "check --model py:model.py:make --data data --benchmark small.toml": [
        *(*LOADING, "checking the model")
    ],
    "sweep small.toml --model py:model.py:make --data data --radii 1 --out out": [
        *(*LOADING, *PREPARING, *COUNTING, *DRAWING)
    ],
    "transfer small.toml --source py:model.py:make --target py:model.py:make --data data --out out": [
        *(*LOADING, *PREPARING, *COUNTING),
        *("loading the model", *PREPARING, *COUNTING, *DRAWING),
    ],
    "cost small.toml --model py:model.py:make --rounds 1 --out out": [
        *("loading libraries", "loading the model", "measuring", *DRAWING)
    ],
    "preview wood --benchmark small.toml --model py:model.py:make --image 0.png --out w.png": [
        *("loading libraries", "loading the model", "attacking the picture"),
        "drawing the pictures",
    ],
    "obfuscate --data data --obfuscations InvertLines --workers 0 --out out": [
        *("loading libraries", "loading the data", "identifying pictures", "making pictures")
    ],
}


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["unforeseen"])
    Path("model.py").write_text("from small import SmallNet as make\n", encoding="utf-8")
    Path("small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(4, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = Path("data", f"class{label}")
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
        Image.fromarray(content).save(f"{index}.png")


@pytest.mark.parametrize("command", STAGES, ids=lambda command: str(command).partition(" ")[0])
def test_commands_say_what_they_wait_for(command: str, stages: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(command.split())
    assert stages == STAGES[command]
