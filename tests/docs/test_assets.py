"""docs/assets.md and docs/default-assets.md: the example is a pack, and tables say what the program says."""

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from data.in_memory import InMemory, noise
from documents import CHECKOUT, code_block
from unforeseen.asset_check.examination import IN_THE_PAPER, examine_assets
from unforeseen.asset_making.curve import Curve
from unforeseen.asset_making.patches.made_pack import patch_bytes, write_patch
from unforeseen.asset_making.styles.make import curve_columns
from unforeseen.asset_making.styles.recipe import Recipe
from unforeseen.benchmarks import load_benchmark
from unforeseen.cli import main
from unforeseen.obfuscation_preview import preview_obfuscations
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.files import LARGEST_FILE, MOST_PIXELS
from unforeseen.transforms.assets.manifest import ASSET_KINDS, Asset, read_manifest
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.assets.pictures import LONGEST_TEXT

PAGE = "docs/assets.md"
SHIPPED_PAGE = "docs/default-assets.md"
STYLES = default_assets().folder / "styles"


@pytest.fixture
def text() -> str:
    return (CHECKOUT / PAGE).read_text(encoding="utf-8")


def test_the_example_is_a_pack_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "assets.toml").write_text(
        code_block(PAGE, "toml", beginning="schema = 1"), encoding="utf-8"
    )
    manifest = read_manifest(tmp_path)
    for kind in ASSET_KINDS:
        (asset,) = manifest.assets[kind].values()
        for file in filter(None, (asset.file, asset.foreground)):
            path = tmp_path / file
            path.parent.mkdir(exist_ok=True)
            Image.new("RGB", (512, 512), "grey").save(path)
    assert examine_assets(tmp_path).faults == ()


def test_a_patch_that_was_made_is_put_beside_the_programs_assets_and_all_obfuscations_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    teal = patch_bytes(torch.full((3, 64, 64), 0.5))
    write_patch(Path("patches"), "teal", teal, beside=())
    combine, run = code_block(PAGE, "sh", beginning="unforeseen assets combine").splitlines()
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(combine)[1:])
    assert ended.value.code == 0
    assert "--assets my-pack" in run
    assert AssetPack(Path("my-pack")).names("patch") == ("teal",)
    benchmark = load_benchmark("image-obfuscation-own")
    pictures = InMemory([noise(224, 224)], labels=[0])
    shown = preview_obfuscations(benchmark, pictures, assets="my-pack")
    assert len(shown.rows) == 1 + len(OBFUSCATIONS)


def test_a_patch_is_added_to_a_copy_of_the_programs_pack_by_a_table_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command = "unforeseen assets combine --out my-pack"
    assert f"`{command}`" in text
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command)[1:])
    assert ended.value.code == 0
    Image.new("RGB", (64, 64), "teal").save("my-pack/patches/teal.png")
    with Path("my-pack/assets.toml").open("a", encoding="utf-8") as manifest:
        manifest.write('[patch.teal]\nfile = "patches/teal.png"\nlicence = "l"\nsource = "s"\n')
    assert AssetPack(Path("my-pack")).names("patch") == (
        *default_assets().names("patch"),
        "teal",
    )
    assert examine_assets(Path("my-pack")).faults == ()


def test_every_kind_is_listed_with_the_papers_number_and_who_takes_it(text: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*) \|$", text, re.MULTILINE)
    assert {kind: int(number) for kind, number, _ in rows} == IN_THE_PAPER
    for kind, _, takers in rows:
        assert takers.split(", ") == sorted(
            name for name, each in OBFUSCATIONS.items() if kind in each.asset_kinds
        )


def test_every_key_is_described_and_no_other(text: str) -> None:
    described = set(re.findall(r"^\| `(\w+)` \| [^\d]", text, re.MULTILINE))
    assert described == set(Asset.__dataclass_fields__) - {"kind", "name"}


def test_the_limits_are_those_of_the_program(text: str) -> None:
    assert f"up to {LARGEST_FILE // 2**20} MiB and {MOST_PIXELS // 10**6} million pixels" in text
    assert f"At most {LONGEST_TEXT} times as long as high" in text


def test_what_the_patches_do_is_as_in_their_recipe() -> None:
    text = (CHECKOUT / SHIPPED_PAGE).read_text(encoding="utf-8")
    folder = default_assets().folder / "patches"
    recipe = json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
    networks, patches = recipe["networks"], recipe["patches"]
    grey = [rows_of(networks, each, "*grey squares*", "grey ") for each in patches]
    assert all(each == grey[0] for each in grey), "grey lies in the same places, whatever the patch"
    expected = [
        *grey[0],
        *(row for each in patches for row in rows_of(networks, each, each["target_class"], "")),
    ]
    rows = re.findall(r"^\| ([^|`]+ \| lite.*) \|$", text, re.MULTILINE)
    assert [row.split(" | ") for row in rows] == expected


def rows_of(
    networks: list[dict[str, Any]], patch: dict[str, Any], title: str, squares: str
) -> list[list[str]]:
    effects = {(each["network"], each["condition"]): each for each in patch["effect"]}
    rows = []
    for network in networks:
        clean, anywhere, corners = (
            effects[network["uri"], condition]
            for condition in ("clean", f"{squares}anywhere", f"{squares}corners")
        )
        rows.append(
            [
                title,
                network["uri"].removeprefix("demo:efficientnet-")
                + (" (held out)" if network["held_out"] else ""),
                shown(clean["accuracy"]),
                shown(anywhere["accuracy"]),
                shown(corners["accuracy"]),
                "–" if squares else shown(corners["target_rate"]),
                shown(corners["super_class_accuracy"]),
            ]
        )
    return rows


def test_how_the_styles_were_trained_is_as_in_their_recipe() -> None:
    text = (CHECKOUT / SHIPPED_PAGE).read_text(encoding="utf-8")
    recipe = json.loads((STYLES / "recipe.json").read_text(encoding="utf-8"))
    words = " ".join(text.split())
    for said in (
        f"trained on the {recipe['data']['pictures']} photos of a sample",
        f"make styles --images {recipe['data']['uri']} --steps {recipe['steps']}` with seed {recipe['seed']}",
        "four photos a step",
        f"{recipe['seconds'] / 60:.0f} minutes with one thread",
    ):
        assert said in words
    assert recipe["batch"] == 4
    assert [each["threads"] for each in recipe["made_on"]] == [1]


def test_the_picture_of_their_losses_is_drawn_from_the_table_that_ships(tmp_path: Path) -> None:
    with (STYLES / "losses.csv").open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    curve = Curve(curve_columns(Recipe().weights), 20, None)
    curve.lines = [[*map(float, line)] for line in lines]
    curve.write(tmp_path / "losses.csv")
    assert (tmp_path / "losses.csv").read_bytes() == (STYLES / "losses.csv").read_bytes()
    with (
        Image.open(tmp_path / "losses.png") as ours,
        Image.open(CHECKOUT / "docs" / "images" / "style-losses.png") as shown_there,
    ):
        if ours.info["Software"] != shown_there.info["Software"]:
            pytest.skip("another release of Matplotlib draws letters elsewhere")
        assert np.array_equal(np.asarray(ours), np.asarray(shown_there))


def shown(estimate: dict[str, float]) -> str:
    value, low, high = (f"{100 * estimate[key]:.1f}" for key in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"
