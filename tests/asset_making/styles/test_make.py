"""Making a network for styles: what is written, and that a training that was stopped goes on."""

import csv
import hashlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from safetensors import safe_open
from torch import Tensor

from asset_making.styles import small_training
from asset_making.styles.small_training import SIDE, photos
from data.in_memory import InMemory
from other_processes import overtaken
from recorded_keys import keys_of
from unforeseen.asset_making import going_on
from unforeseen.asset_making.going_on import Limits
from unforeseen.asset_making.record import data_record, environment
from unforeseen.asset_making.styles import make
from unforeseen.asset_making.styles.features import PerceptualNetwork
from unforeseen.asset_making.styles.losses import Losses, LossWeights
from unforeseen.asset_making.styles.make import MadeStyles, curve_columns, make_styles
from unforeseen.asset_making.styles.recipe import Recipe
from unforeseen.asset_making.styles.style_pictures import StylePicture
from unforeseen.data.dataset import Dataset
from unforeseen.errors import AssetError, DataError, ModelError, RunError
from unforeseen.stage_reporter import SilentStages, StageReporter
from unforeseen.stylization.names import StyleKind
from unforeseen.stylization.weights import read_stylization
from unforeseen.transforms.assets.manifest import Asset
from unforeseen.transforms.assets.pack import AssetPack, default_assets


def encoded(image: Tensor) -> bytes:
    file = io.BytesIO()
    Image.fromarray((255 * image.permute(1, 2, 0)).byte().numpy()).save(file, "PNG")
    return file.getvalue()


RECIPE = Recipe(side=SIDE, batch=2)
CPU = torch.device("cpu")
PERCEPTUAL = PerceptualNetwork(small_training.see, "0" * 32)
NAMES: tuple[tuple[StyleKind, str], ...] = (
    ("painting", "night"),
    ("painting", "river"),
    ("texture", "bark"),
)
STYLES = [
    StylePicture(
        kind,
        image,
        encoded(image),
        Asset(kind=kind, name=name, file=f"{kind}s/{name}.png", licence="CC0-1.0", source="drawn"),
    )
    for (kind, name), image in zip(NAMES, small_training.styles(), strict=True)
]


ICON = 'file = "i.png"\nlicence = "l"\nsource = "s"\n'


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "early_features", lambda _device: PERCEPTUAL)
    monkeypatch.setattr(make, "_LINE", 2)
    monkeypatch.setattr(make, "_FEW_PHOTOS", 5)


def made(
    out: Path,
    steps: int,
    *,
    seed: int = 0,
    reporter: StageReporter | None = None,
    dataset: Dataset | None = None,
) -> MadeStyles:
    return make_styles(
        dataset or photos(),
        STYLES,
        out,
        recipe=replace(RECIPE, seed=seed),
        limits=Limits(steps=steps),
        device=CPU,
        reporter=reporter,
    )


def contents(folder: Path) -> dict[Path, bytes]:
    return {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


class Watching(SilentStages):
    """Keeps what users are told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.stages: dict[str, list[tuple[int, int]]] = {}

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        assert (not about) == (stage != "training" or not done)
        self.stages.setdefault(stage, []).append((done, total))


class Interrupting(SilentStages):
    """Ends it all once so many steps are done, as a killed process does."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:  # noqa: ARG002 - a reporter's signature
        if (stage, done) == ("training", self.steps):
            raise KeyboardInterrupt


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
        "assets.toml",
        "paintings",
        "textures",
    }
    read = read_stylization(result.weights.read_bytes(), "w")
    assert read.names.paintings == ("night", "river")
    assert read.names.textures == ("bark",)
    recipe = json.loads((tmp_path / "out" / "recipe.json").read_text(encoding="utf-8"))
    assert said_in(result.weights) == {
        name: value for name, value in recipe.items() if name not in ("schema", "file", "sha256")
    } | {"data": {"pictures": 5}}
    digest = hashlib.sha256(result.weights.read_bytes()).hexdigest()
    assert (recipe["file"], recipe["sha256"]) == ("stylization.safetensors", digest)
    assert recipe["steps"] == 5
    assert [each["fingerprint"] for each in recipe["networks"]] == ["0" * 32]
    assert recipe["made_on"] == [environment(CPU)]
    assert recipe["data"] == data_record(photos(), labels=False)
    assert [each["name"] for each in recipe["styles"]] == ["night", "river", "bark"]
    with (tmp_path / "out" / "losses.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["step"] for line in lines] == ["2", "4", "5"]
    total = 0.25 * float(lines[0]["features"]) + 6 * float(lines[0]["patches"])
    total += 0.5 * float(lines[0]["content"]) + 2 * float(lines[0]["structure"])
    assert float(lines[0]["total"]) == pytest.approx(total, rel=1e-4)
    for picture in ("losses.png", "styles.png"):
        Image.open(tmp_path / "out" / picture).verify()


def test_the_curve_has_the_losses_by_the_weights_that_make_the_total_of_them() -> None:
    weights = LossWeights(features=2.0, variation=0.0)
    losses = Losses(*(torch.tensor(float(each)) for each in (1, 2, 3, 4, 5)))
    total, *parts = curve_columns(weights)
    assert (total.name, total.weight) == ("total", 1)
    drawn = sum(each.weight * float(getattr(losses, each.name)) for each in parts)
    assert drawn == pytest.approx(float(losses.total(weights)))
    assert [each.name for each in parts] == list(Losses._fields)


def test_the_folder_is_a_pack_of_the_pictures_that_it_was_trained_on(tmp_path: Path) -> None:
    made(tmp_path, 1)
    pack = AssetPack(tmp_path)
    pack.require(["painting", "texture"])
    for each in STYLES:
        assert pack.asset(each.kind, each.name) == each.asset
        assert (tmp_path / each.asset.file).read_bytes() == each.content
    assert pack.manifest.stylization is not None
    assert pack.manifest.stylization.licence == "not stated"
    recipe = json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))
    hashes = [hashlib.sha256(each.content).hexdigest() for each in STYLES]
    assert [each["sha256"] for each in recipe["styles"]] == hashes
    assert pack.stylization.files == tuple(hashes)


def test_what_the_manifest_says_survives_further_steps(tmp_path: Path) -> None:
    made(tmp_path, 1)
    manifest = tmp_path / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    edited = "# ours\n" + text.replace("not stated", "CC-BY-4.0") + "\n[icon.x]\n" + ICON
    manifest.write_text(edited, encoding="utf-8")
    made(tmp_path, 2)
    assert manifest.read_text(encoding="utf-8") == edited


def test_a_manifest_that_names_other_files_is_refused_before_a_step(tmp_path: Path) -> None:
    made(tmp_path, 1)
    manifest = tmp_path / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    for old, new in (("paintings/night.png", "n.png"), ("stylization.safetensors", "s.bin")):
        manifest.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(RunError, match=rf"expected the file {old}, got {new}"):
            made(tmp_path, 2)
    assert torch.load(tmp_path / "training.pt", weights_only=True)["state"]["steps"] == 1


def test_a_style_that_is_not_trained_is_refused_before_a_step(tmp_path: Path) -> None:
    """The pack would be unusable: its network must know all paintings and textures."""
    made(tmp_path, 1)
    with (tmp_path / "assets.toml").open("a", encoding="utf-8") as manifest:
        manifest.write("\n[texture.night]\n" + ICON)
    with pytest.raises(RunError, match=r"assets\.toml: texture\.night: .* doesn't train it"):
        made(tmp_path, 2)
    assert torch.load(tmp_path / "training.pt", weights_only=True)["state"]["steps"] == 1


@pytest.mark.parametrize("linked", [False, True], ids=["file", "link"])
def test_what_lies_in_the_place_of_pictures_is_told_before_a_step(
    tmp_path: Path, linked: bool
) -> None:
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    with pytest.raises(KeyboardInterrupt):
        made(out, 4, reporter=Interrupting(3))
    place = out / "textures"
    if linked:
        try:
            place.symlink_to(elsewhere, target_is_directory=True)
        except OSError:  # Windows asks for a right that few users have
            pytest.skip("needs links")
    else:
        place.write_text("years of work")
    with pytest.raises(
        RunError, match=r"textures: expected a folder .* got a (file|link)\. Remove"
    ):
        made(out, 4)
    assert torch.load(out / "training.pt", weights_only=True)["state"]["steps"] == 1
    assert list(elsewhere.iterdir()) == []


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
    with pytest.raises(RunError, match="was begun there with other models, pictures or settings"):
        made(tmp_path, 2, seed=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_ALGORITHM", 0),
        ("early_features", lambda _device: PERCEPTUAL._replace(fingerprint="1" * 32)),
    ],
    ids=["algorithm", "perceptual network"],
)
def test_another_algorithm_or_perceptual_network_does_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    made(tmp_path, 1)
    monkeypatch.setattr(make, name, value)
    with pytest.raises(RunError, match="was begun there with other models, pictures or settings"):
        made(tmp_path, 2)


def test_fewer_steps_than_were_done_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    made(tmp_path, 3)
    before = contents(tmp_path)
    with pytest.raises(RunError, match=r"3 steps were done already, .* Give --steps 3 or more"):
        made(tmp_path, 1)
    assert contents(tmp_path) == before


def test_few_steps_have_a_curve_and_each_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "_LINE", 20)
    watching = Watching()
    made(tmp_path, 3, reporter=watching)
    assert watching.stages["training"] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    lines = (tmp_path / "losses.csv").read_text(encoding="utf-8").splitlines()
    assert [line.partition(",")[0] for line in lines] == ["step", "3"]
    assert (tmp_path / "losses.png").exists()


def test_what_a_killed_process_loses_is_bounded_by_the_clock_at_every_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pitfall: kill -9 in the middle."""
    whole = made(tmp_path / "whole", 4)
    monkeypatch.setattr(going_on, "_CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr(make, "_LINE", 20)

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "stopped", 4, reporter=Interrupting(3))
    kept = torch.load(tmp_path / "stopped" / "training.pt", weights_only=True)
    assert kept["state"]["steps"] == 2
    again = made(tmp_path / "stopped", 4)
    expected = read_stylization(whole.weights.read_bytes(), "w").network.state_dict()
    seen = read_stylization(again.weights.read_bytes(), "w").network.state_dict()
    assert all(torch.equal(value, seen[name]) for name, value in expected.items())


@pytest.mark.parametrize(
    "change",
    [
        lambda s: {"steps": s["steps"]},
        lambda s: s | {"network": {}},
        lambda s: s | {"averaged": {n: v[..., :1] for n, v in s["averaged"].items()}},
        lambda s: s | {"network": dict.fromkeys(s["network"], 1)},
        lambda s: s | {"guard": {}},
        lambda s: s | {"guard": s["guard"] | {"adam": {"state": {0: {"step": torch.tensor(1.0)}}}}},
        lambda s: s | {"guard": s["guard"] | {"skipped": -1}},
    ],
    ids=["empty", "no weights", "misshapen", "numbers", "no moments", "few moments", "counts"],
)
def test_a_state_that_does_not_fit_is_an_error_in_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    made(tmp_path, 1)
    path = tmp_path / "training.pt"
    content = torch.load(path, weights_only=True)
    torch.save(content | {"state": change(content["state"])}, path)
    with pytest.raises(RunError, match=r"training\.pt: expected a training to go on with"):
        made(tmp_path, 2)


def test_a_damaged_checkpoint_and_a_foreign_folder_are_refused(tmp_path: Path) -> None:
    made(tmp_path / "out", 1)
    for content in (b"", b"text", (tmp_path / "out" / "training.pt").read_bytes()[:-200]):
        (tmp_path / "out" / "training.pt").write_bytes(content)
        with pytest.raises(
            RunError, match=r"training\.pt: expected a training .* begin anew in another --out"
        ):
            made(tmp_path / "out", 2)
    for file in [*(tmp_path / "out").iterdir()]:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    assert made(tmp_path / "out", 1).steps == 1
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


def test_a_checkpoint_older_than_the_curve_on_disk_ends_with_the_same_curve(tmp_path: Path) -> None:
    """Pitfall: kill -9 between the two. Lines that are made again don't stand twice."""
    made(tmp_path / "out", 2)
    older = (tmp_path / "out" / "training.pt").read_bytes()
    made(tmp_path / "out", 4)
    expected = (tmp_path / "out" / "losses.csv").read_bytes()
    (tmp_path / "out" / "training.pt").write_bytes(older)
    made(tmp_path / "out", 4)
    assert (tmp_path / "out" / "losses.csv").read_bytes() == expected


def test_photos_that_can_not_be_read_leave_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected photos to train on"):
        made(tmp_path / "a" / "out", 1, dataset=InMemory([OSError("no disk")]))
    assert list(tmp_path.iterdir()) == []


def test_a_training_none_of_whose_steps_could_be_done_ends_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Losses, "total", lambda self, _weights: self.features * float("nan"))
    with pytest.raises(ModelError, match="got none in all 3 steps") as ended:
        made(tmp_path, 3)
    assert "\n" not in str(ended.value)
    assert not (tmp_path / "stylization.safetensors").exists()


def test_after_few_steps_it_is_said_that_figures_are_of_artefacts(tmp_path: Path) -> None:
    watching = Watching()
    made(tmp_path, 3, reporter=watching)
    (note,) = watching.notes
    assert note == (
        "training: after 3 steps, styles don't look like their pictures yet, and figures under them are of "
        "artefacts; 1,000 steps give clear ones, 8,000 are usual."
    )


def test_photos_may_be_typed_otherwise_and_a_seed_may_be_long(tmp_path: Path) -> None:
    """Pitfall: ./flat and the absolute path are the same pictures."""
    made(tmp_path, 1, seed=2**70)
    elsewhere = photos()
    elsewhere.card = replace(elsewhere.card, uri="/home/me/flat")
    assert made(tmp_path, 2, seed=2**70, dataset=elsewhere).steps == 2
    with pytest.raises(RunError, match="memory: pictures is 5, asked for is 4"):
        made(tmp_path, 3, seed=2**70, dataset=photos(4))


def test_a_style_of_other_bytes_is_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, 1)
    other = STYLES[0]._replace(content=STYLES[1].content)
    monkeypatch.setitem(globals(), "STYLES", [other, *STYLES[1:]])
    with pytest.raises(RunError, match="the picture of a style is another one"):
        made(tmp_path, 2)


def test_a_manifest_to_which_no_style_can_be_added_is_refused_before_a_step(
    tmp_path: Path,
) -> None:
    made(tmp_path, 1)
    text = "painting = { x = { " + ICON.strip().replace("\n", ", ") + " } }"
    (tmp_path / "assets.toml").write_text(f"schema = 1\n{text}\n", encoding="utf-8")
    with pytest.raises(AssetError, match=r"assets\.toml: expected TOML"):
        made(tmp_path, 2, reporter=Interrupting(2))


def test_what_another_process_wrote_before_the_lock_is_looked_at_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "sole_writer", overtaken)
    with pytest.raises(RunError, match="not a folder of a training"):
        made(tmp_path / "out", 1)
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_every_field_of_a_recipe_decides_what_training_goes_on() -> None:
    """A new field fails here until it is listed."""
    changes: dict[str, Any] = {
        "seed": 1,
        "side": SIDE + 8,
        "batch": 3,
        "learning_rate": 1e-3,
        "averaging": 0.9,
        "weights": LossWeights(content=1.0),
    }
    assert [*changes] == [each.name for each in fields(Recipe)]
    usual = _deciding(RECIPE)
    for name, value in changes.items():
        assert _deciding(replace(RECIPE, **{name: value})) != usual, name
    for each in fields(LossWeights):
        weights = replace(RECIPE.weights, **{each.name: 9.0})
        assert _deciding(replace(RECIPE, weights=weights)) != usual, each.name


def _deciding(recipe: Recipe) -> dict[str, Any]:
    return make._deciding(photos(), STYLES, recipe, PERCEPTUAL)


@pytest.mark.parametrize(("number", "told"), [(4, True), (5, False)])
def test_a_training_on_few_photos_says_so(tmp_path: Path, number: int, told: bool) -> None:
    watching = Watching()
    made(tmp_path, 1, reporter=watching, dataset=photos(number))
    said = [each for each in watching.notes if each.startswith("4 photos to train on")]
    assert len(said) == told


def test_the_recipe_that_ships_has_the_keys_that_are_written(tmp_path: Path) -> None:
    """Else what ships was made by another program than this one."""
    made(tmp_path, 1)
    ours, ships = (
        json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
        for folder in (tmp_path, default_assets().folder / "styles")
    )
    assert keys_of(ships) == keys_of(ours)
    assert (ships["schema"], ships["algorithm"]) == (ours["schema"], ours["algorithm"])
