"""The network for styles that ships, and the recipe and losses beside it."""

import csv
import hashlib
import json
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from unforeseen.asset_making.styles.style_pictures import StylePicture, styles_of_pack
from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.pack import default_assets


@pytest.fixture(scope="module")
def weights() -> Path:
    pack = default_assets()
    assert pack.manifest.stylization is not None
    return pack.folder / pack.manifest.stylization.weights


@pytest.fixture(scope="module")
def recipe(weights: Path) -> dict[str, Any]:
    text = (weights.parent / "recipe.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


@pytest.fixture(scope="module")
def styles() -> tuple[StylePicture, ...]:
    return styles_of_pack(default_assets().folder)


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings([*value.keys(), *value.values()])
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def test_the_recipe_is_of_the_weights_that_ship(weights: Path, recipe: dict[str, Any]) -> None:
    assert recipe["file"] == weights.name
    assert recipe["sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert recipe["skipped"] == 0


def test_it_was_trained_on_the_pictures_that_ship_and_on_no_other(
    recipe: dict[str, Any], styles: tuple[StylePicture, ...]
) -> None:
    pack = default_assets()
    assert [(each["kind"], each["name"]) for each in recipe["styles"]] == [
        (kind, name) for kind in STYLE_KINDS for name in pack.names(kind)
    ]
    assert [each["sha256"] for each in recipe["styles"]] == [each.sha256 for each in styles]


def test_the_weights_say_which_pictures_they_have_learnt(
    styles: tuple[StylePicture, ...],
) -> None:
    found = default_assets().stylization
    assert found.names.paintings == default_assets().names("painting")
    assert found.names.textures == default_assets().names("texture")
    assert found.files == tuple(each.sha256 for each in styles)


def test_neither_names_a_folder_of_the_machine_that_made_it(
    weights: Path, recipe: dict[str, Any]
) -> None:
    for text in strings(recipe):
        place = text.partition(":")[2] or text
        assert not PureWindowsPath(place).root, text
    assert b"imagefolder" not in weights.read_bytes()


def test_the_losses_are_of_all_steps_of_the_recipe(weights: Path, recipe: dict[str, Any]) -> None:
    with (weights.parent / "losses.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    steps = [int(line["step"]) for line in lines]
    assert steps[0] == 20
    assert steps[-1] == recipe["steps"]
    assert all(0 < after - before <= 20 for before, after in pairwise(steps))
    totals = [float(line["total"]) for line in lines]
    assert all(map(math.isfinite, totals))
    assert totals[-1] < totals[0]
