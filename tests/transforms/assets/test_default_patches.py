"""The three patches that ship, and the recipe beside them."""

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.data.super_classes import super_classes
from unforeseen.transforms.assets.pack import default_assets


@pytest.fixture(scope="module")
def folder() -> Path:
    pack = default_assets()
    return (pack.folder / pack.asset("patch", pack.names("patch")[0]).file).parent


@pytest.fixture(scope="module")
def recipe(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
    return content


def test_the_recipe_is_of_the_files_that_ship(folder: Path, recipe: dict[str, Any]) -> None:
    names = default_assets().names("patch")
    assert len(names) == 3
    assert tuple(each["name"] for each in recipe["patches"]) == names
    for each in recipe["patches"]:
        digest = hashlib.sha256((folder / each["file"]).read_bytes()).hexdigest()
        assert digest == each["sha256"]
        assert default_assets().picture("patch", each["name"]).size == (recipe["size"],) * 2


def test_no_patch_leads_to_a_class_of_the_benchmark(recipe: dict[str, Any]) -> None:
    """A model would be called right or wrong for what the patch shows."""
    members = {each for group in super_classes().values() for each in group}
    targets = [each["target"] for each in recipe["patches"]]
    assert not {*targets} & members
    assert len({*targets}) == 3
    names = imagenet_class_names()
    assert [names[each] for each in targets] == [each["target_class"] for each in recipe["patches"]]


def test_a_network_that_they_were_not_made_on_is_among_those_measured(
    recipe: dict[str, Any],
) -> None:
    held_out = {each["uri"] for each in recipe["networks"] if each["held_out"]}
    assert held_out == {"demo:efficientnet-lite2"}
    for patch in recipe["patches"]:
        effects = {(each["network"], each["condition"]) for each in patch["effect"]}
        assert len(effects) == 3 * 5


def test_every_patch_reaches_its_target_on_the_networks_that_it_was_made_on(
    recipe: dict[str, Any],
) -> None:
    own = {each["uri"] for each in recipe["networks"] if not each["held_out"]}
    for patch in recipe["patches"]:
        rates = {
            each["network"]: each["target_rate"]["low"]
            for each in patch["effect"]
            if each["condition"] == "corners" and not each["held_out"]
        }
        assert rates.keys() == own
        assert min(rates.values()) > 0.5


def test_the_recipe_names_no_folder_of_the_machine_that_made_it(recipe: dict[str, Any]) -> None:
    assert not recipe["data"]["uri"].startswith("/")


def test_the_losses_beside_a_patch_are_of_all_its_steps(
    folder: Path, recipe: dict[str, Any]
) -> None:
    for patch in recipe["patches"]:
        with (folder / f"{patch['name']}.losses.csv").open(encoding="utf-8", newline="") as file:
            lines = [(int(line["step"]), float(line["loss"])) for line in csv.DictReader(file)]
        steps, losses = zip(*lines, strict=True)
        assert steps == tuple(range(10, patch["steps"] + 1, 10))
        assert losses[-1] < losses[0]
