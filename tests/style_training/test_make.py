"""Making a network for styles: what is written, and that a training that was stopped goes on."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from safetensors import safe_open

from style_training import small_training
from style_training.small_training import SIDE, photos
from unforeseen.errors import RunError
from unforeseen.style_training import make
from unforeseen.style_training.make import Limits, MadeStyles, make_styles
from unforeseen.style_training.recipe import Recipe
from unforeseen.style_training.style_pictures import StylePicture
from unforeseen.stylization.names import StyleKind
from unforeseen.stylization.weights import read_stylization

CPU = torch.device("cpu")
NAMES: tuple[tuple[StyleKind, str], ...] = (
    ("painting", "night"),
    ("painting", "river"),
    ("texture", "bark"),
)
STYLES = [
    StylePicture(*name, image) for name, image in zip(NAMES, small_training.styles(), strict=True)
]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "early_features", lambda _device: small_training.see)
    monkeypatch.setattr(make, "_LINE", 2)


def made(out: Path, steps: int, *, seed: int = 0) -> MadeStyles:
    recipe = Recipe(side=SIDE, batch=2, seed=seed)
    return make_styles(photos(), STYLES, out, recipe=recipe, limits=Limits(steps=steps), device=CPU)


def said_in(weights: Path) -> dict[str, Any]:
    """The recipe in the metadata of weights."""
    with safe_open(weights, "pt") as file:
        recipe = json.loads(file.metadata()["unforeseen-stylization"])["recipe"]
    assert isinstance(recipe, dict)
    return recipe


def test_where_photos_lie_is_not_in_weights_that_are_given_away(tmp_path: Path) -> None:
    result = made(tmp_path, 1)
    assert b"memory" in (tmp_path / "recipe.json").read_bytes()
    assert b"memory" not in result.weights.read_bytes()


def test_it_writes_weights_recipe_losses_and_a_sheet(tmp_path: Path) -> None:
    result = made(tmp_path / "out", 5)
    assert result.steps == 5
    names = {file.name for file in (tmp_path / "out").iterdir() if not file.name.startswith(".")}
    assert names == {
        "stylization.safetensors",
        "recipe.json",
        "losses.csv",
        "losses.png",
        "styles.png",
        "training.pt",
    }
    read = read_stylization(result.weights.read_bytes(), "w")
    assert read.names.paintings == ("night", "river")
    assert read.names.textures == ("bark",)
    recipe = json.loads((tmp_path / "out" / "recipe.json").read_text(encoding="utf-8"))
    assert said_in(result.weights) == {
        name: value for name, value in recipe.items() if name != "schema"
    } | {"photos": {"pictures": 5}}
    assert recipe["steps"] == 5
    assert recipe["photos"] == {"uri": "memory", "pictures": 5}
    assert [each["name"] for each in recipe["styles"]] == ["night", "river", "bark"]
    with (tmp_path / "out" / "losses.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["step"] for line in lines] == ["2", "4"]
    total = 0.25 * float(lines[0]["features"]) + 6 * float(lines[0]["patches"])
    total += 0.5 * float(lines[0]["content"]) + 2 * float(lines[0]["structure"])
    assert float(lines[0]["total"]) == pytest.approx(total, rel=1e-4)
    for picture in ("losses.png", "styles.png"):
        Image.open(tmp_path / "out" / picture).verify()


def test_a_training_that_was_stopped_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = read_stylization(made(whole, 4).weights.read_bytes(), "w")
    made(parts, 2)
    # A checkpoint is replaced as a whole: what a killed process left beside it is passed over.
    (parts / "training.pt.tmp").write_bytes(b"half")
    seen = read_stylization(made(parts, 4).weights.read_bytes(), "w")
    for name, value in expected.network.state_dict().items():
        assert torch.equal(value, seen.network.state_dict()[name]), name
    assert (whole / "losses.csv").read_bytes() == (parts / "losses.csv").read_bytes()


def test_a_training_that_has_ended_is_not_trained_further(tmp_path: Path) -> None:
    weights = made(tmp_path, 2).weights.read_bytes()
    again = made(tmp_path, 2)
    assert again.steps == 2
    assert said_in(again.weights)["steps"] == 2
    assert again.weights.read_bytes() == weights


def test_another_training_is_not_gone_on_with(tmp_path: Path) -> None:
    made(tmp_path, 1)
    with pytest.raises(RunError, match="a training with other photos, styles, seed or settings"):
        made(tmp_path, 2, seed=1)


def test_a_damaged_checkpoint_and_a_foreign_folder_are_refused(tmp_path: Path) -> None:
    made(tmp_path / "out", 1)
    for content in (b"", b"text", (tmp_path / "out" / "training.pt").read_bytes()[:-200]):
        (tmp_path / "out" / "training.pt").write_bytes(content)
        with pytest.raises(RunError, match=r"training\.pt: expected a training to go on with"):
            made(tmp_path / "out", 2)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.tex").write_text("years of work")
    with pytest.raises(RunError, match="is not empty and is not a folder of a training"):
        made(tmp_path / "foreign", 1)


class _Runs:
    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("ran"),))


def test_no_code_of_a_checkpoint_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "out", 1)
    torch.save(_Runs(), tmp_path / "out" / "training.pt")
    with pytest.raises(RunError, match="expected a training to go on with"):
        made(tmp_path / "out", 2)
    assert not Path("ran").exists()


def test_limits_end_at_whichever_comes_first() -> None:
    both = Limits(steps=10, seconds=60)
    assert both.reached(10, 1)
    assert both.reached(1, 60)
    assert not both.reached(9, 59)
    assert both.share(5, 45) == 0.75
    assert both.share(20, 0) == 1
