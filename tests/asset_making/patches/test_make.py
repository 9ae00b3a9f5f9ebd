"""Making patches as a whole: what is written, and that what was stopped goes on as if it hadn't been."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from asset_making.patches.small_patches import ColourNet, colour_networks, pictures_of_colours
from data.in_memory import InMemory
from other_processes import overtaken
from recorded_keys import keys_of
from unforeseen.asset_making import going_on, record
from unforeseen.asset_making.patches import make as make_module
from unforeseen.asset_making.patches import recipe_file
from unforeseen.asset_making.patches.conditions import CONDITIONS
from unforeseen.asset_making.patches.make import MadePatch, make_patches
from unforeseen.asset_making.patches.networks import Network
from unforeseen.asset_making.patches.placement import PlacementRanges
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.recipe_file import Settings
from unforeseen.asset_making.patches.targets import Target, targets_of
from unforeseen.asset_making.record import data_record, environment
from unforeseen.errors import AssetError, DataError, ModelError, RunError, UserError
from unforeseen.models.cards import HeadCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.stage_reporter import SilentStages
from unforeseen.transforms.assets.pack import AssetPack, default_assets

CPU = torch.device("cpu")
LABELS = (0, 1, 2) * 4
RECIPE = PatchRecipe(size=16, picture_size=36, steps=6, learning_rate=0.2)
RED, BLUE = Target("red", 0, "red"), Target("blue", 2, "blue")


def make(
    out: Path,
    targets: Sequence[Target] = (BLUE,),
    *,
    recipe: PatchRecipe = RECIPE,
    networks: Sequence[Network] | None = None,
    labels: Sequence[int] = LABELS,
    dataset: InMemory | None = None,
    reporter: Any = None,
) -> list[MadePatch]:
    return make_patches(
        networks or colour_networks(1, held_out=1),
        dataset or pictures_of_colours(labels),
        targets,
        out,
        recipe=recipe,
        device=CPU,
        reporter=reporter,
    )


def with_head(mapping: str) -> list[Network]:
    """The usual networks, under a head of one name that maps so."""
    head = HeadCard(name="head.csv", outputs=3, mapping=mapping)
    networks = colour_networks(1, held_out=1)
    for each in networks:
        each.classifier.card = replace(each.classifier.card, head=head)
    return networks


def recipe_of(out: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / "recipe.json").read_text(encoding="utf-8"))
    return content


def losses_of(out: Path, patch: str) -> list[str]:
    return (out / f"{patch}.losses.csv").read_text(encoding="utf-8").splitlines()


class Interrupting(SilentStages):
    """Ends it all once so much of a stage is done, as a killed process does."""

    def __init__(self, stage: str, done: int) -> None:
        self.at = (stage, done)

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        assert done <= total
        assert not about or (done and stage.startswith("optimising"))
        if (stage, done) == self.at:
            raise KeyboardInterrupt


def test_a_folder_has_a_png_for_each_target_and_is_a_pack_of_assets(tmp_path: Path) -> None:
    make(tmp_path / "made", (RED, BLUE))
    pack = AssetPack(tmp_path / "made")
    assert pack.names("patch") == ("red", "blue")
    with Image.open(tmp_path / "made" / "blue.png") as image:
        assert (image.size, image.mode) == ((16, 16), "RGB")
    with Image.open(tmp_path / "made" / "sheet.png") as sheet:
        assert sheet.width > sheet.height


def test_no_patch_takes_the_place_of_another_file(tmp_path: Path) -> None:
    names = ("sheet", "recipe", "assets")
    targets = targets_of(names, names, 3)
    for _ in range(2):
        made = make(tmp_path / "made", targets, recipe=replace(RECIPE, steps=1))
        for each in made:
            with Image.open(tmp_path / "made" / f"{each.target.patch}.png") as image:
                assert image.size == (16, 16)
    files = [each.name.lower() for each in (tmp_path / "made").iterdir() if each.is_file()]
    files = [each for each in files if not each.startswith(".")]
    assert len({*files}) == len(files) == 3 * 4 + len(("sheet.png", "recipe.json", "assets.toml"))


def test_the_recipe_says_what_decided_a_patch_and_what_it_does(tmp_path: Path) -> None:
    (made,) = make(tmp_path, networks=colour_networks(2, held_out=1))
    recipe = recipe_of(tmp_path)
    assert [(each["uri"], each["held_out"]) for each in recipe["networks"]] == [
        ("colours:0", False),
        ("colours:1", False),
        ("colours:2", True),
    ]
    assert recipe["data"] == data_record(pictures_of_colours(LABELS), labels=True) | {
        "optimised_on": 6,
        "measured_on": 6,
    }
    assert (recipe["seed"], recipe["size"], recipe["picture_size"]) == (0, 16, 36)
    (patch,) = recipe["patches"]
    assert (patch["name"], patch["target"], patch["target_class"]) == ("blue", 2, "blue")
    assert (patch["steps"], patch["made_on"]) == (6, [environment(CPU)])
    assert patch["sha256"] == hashlib.sha256((tmp_path / "blue.png").read_bytes()).hexdigest()
    assert patch["effect"] == [each.to_record() for each in made.effect]
    assert len(patch["effect"]) == 3 * 5


@pytest.mark.parametrize(
    ("stage", "done"),
    [("optimising red", 4), ("measuring red", 6), ("optimising blue", 1), ("measuring blue", 6)],
)
def test_what_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, done: int
) -> None:
    """Pitfall: kill -9 in the middle. A checkpoint after every step here."""
    make(tmp_path / "whole", (RED, BLUE))
    monkeypatch.setattr(going_on, "_CHECKPOINT_SECONDS", -1)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "stopped", (RED, BLUE), reporter=Interrupting(stage, done))
    make(tmp_path / "stopped", (RED, BLUE))
    for file in ("red.png", "blue.png", "red.losses.csv", "blue.losses.csv", "assets.toml"):
        assert (tmp_path / "stopped" / file).read_bytes() == (
            tmp_path / "whole" / file
        ).read_bytes()
    ours, theirs = recipe_of(tmp_path / "stopped"), recipe_of(tmp_path / "whole")
    for patch in (*ours["patches"], *theirs["patches"]):
        del patch["seconds"]
    assert ours == theirs


class Watching(SilentStages):
    """Keeps what users are told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


class OverflowingAtFirst(ColourNet):
    """Its logits are NaN in some of the first calls."""

    def __init__(self, *calls: int) -> None:
        super().__init__()
        self.left = list(range(max(calls) + 1))
        self.bad = calls

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        call = self.left.pop(0) if self.left else -1
        return super().forward(x) * (float("nan") if call in self.bad else 1)


def overflowing(*calls: int) -> list[Network]:
    (usual,) = colour_networks()
    module = OverflowingAtFirst(*calls)
    return [Network(DifferentiableClassifier(module, usual.classifier.card), False)]


def test_steps_that_are_not_finite_are_said_and_written_down(tmp_path: Path) -> None:
    watching = Watching()
    make(tmp_path, networks=overflowing(1, 3), reporter=watching)
    assert any(
        each.startswith("optimising blue: 2 of 6 steps were passed over") for each in watching.notes
    )
    (patch,) = recipe_of(tmp_path)["patches"]
    assert patch["skipped"] == 2
    assert losses_of(tmp_path, "blue")[0] == "step,loss"
    assert [each.partition(",")[0] for each in losses_of(tmp_path, "blue")[1:]] == ["6"]


def test_nothing_but_such_steps_ends_in_one_line(tmp_path: Path) -> None:
    more = replace(RECIPE, steps=20)
    with pytest.raises(ModelError, match="in 10 steps in a row"):
        make(tmp_path, networks=overflowing(*range(2, 12)), recipe=more)
    assert not (tmp_path / "blue.png").exists()


def test_what_has_ended_is_neither_optimised_nor_measured_again(tmp_path: Path) -> None:
    first = make(tmp_path)
    for stage in ("optimising blue", "measuring blue"):
        for done in range(1, 7):
            assert make(tmp_path, reporter=Interrupting(stage, done)) == first


def test_further_targets_and_steps_may_come_later(tmp_path: Path) -> None:
    make(tmp_path / "later", (RED,))
    (before,) = make(tmp_path / "later", (BLUE,))
    assert AssetPack(tmp_path / "later").names("patch") == ("red", "blue")
    more = replace(RECIPE, steps=40)
    later = make(tmp_path / "later", (BLUE,), recipe=more)
    assert make(tmp_path / "at-once", (BLUE,), recipe=more) == later
    assert later[0].effect != before.effect
    files = [tmp_path / name / "blue.png" for name in ("later", "at-once")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [each["steps"] for each in recipe_of(tmp_path / "later")["patches"]] == [6, 40]


def test_fewer_steps_than_a_patch_has_had_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    with pytest.raises(RunError, match="Give --steps 6 or more"):
        make(tmp_path, recipe=replace(RECIPE, steps=5))


@pytest.mark.parametrize(
    "changes",
    [
        {"recipe": replace(RECIPE, seed=1)},
        {"recipe": replace(RECIPE, size=24)},
        {"networks": colour_networks(2)},
        {"networks": colour_networks(1)},
        {"networks": with_head("1" * 32)},
        {"labels": LABELS[:-1]},
        {"labels": LABELS[::-1]},
    ],
    ids=["seed", "size", "networks", "held-out", "head", "pictures", "labels"],
)
def test_a_folder_of_patches_made_otherwise_is_left_alone(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    make(tmp_path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    with pytest.raises(RunError, match="other models, pictures or settings"):
        make(tmp_path, **changes)
    after = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    assert after == before


def test_a_head_file_that_was_changed_is_another_head(tmp_path: Path) -> None:
    make(tmp_path, networks=with_head("0" * 32))
    make(tmp_path, networks=with_head("0" * 32))
    with pytest.raises(RunError, match="colours:0: the head maps to other classes"):
        make(tmp_path, networks=with_head("1" * 32))
    head = recipe_of(tmp_path)["networks"][0]
    assert (head["head"], head["mapping"]) == ("head.csv", "0" * 32)


def test_labels_that_were_changed_are_said(tmp_path: Path) -> None:
    make(tmp_path)
    dataset = pictures_of_colours(LABELS)
    dataset.labels[0] = 1
    with pytest.raises(RunError, match="memory: the pictures have other labels"):
        make(tmp_path, dataset=dataset)


def test_models_and_pictures_may_be_typed_otherwise_or_lie_elsewhere(tmp_path: Path) -> None:
    """Pitfall: ./flat and the absolute path are the same. Stopped in the middle of the second."""
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path, (RED, BLUE), reporter=Interrupting("optimising blue", 3))
    networks = colour_networks(1, held_out=1)
    for each in networks:
        each.classifier.card = replace(each.classifier.card, uri=f"./{each.classifier.card.uri}")
    dataset = pictures_of_colours(LABELS)
    dataset.card = replace(dataset.card, uri="/home/me/flat")
    (blue,) = make(tmp_path, (BLUE,), networks=networks, dataset=dataset)
    assert {each.network for each in blue.effect} == {"./colours:0", "./colours:1"}
    recipe = recipe_of(tmp_path)
    assert recipe["data"]["uri"] == "/home/me/flat"
    uris = [each["uri"] for each in recipe["networks"]]
    for patch in recipe["patches"]:
        assert [each["network"] for each in patch["effect"]] == [
            uri for uri in uris for _ in CONDITIONS
        ]


def test_a_patch_that_took_the_place_of_one_is_refused_at_the_start(tmp_path: Path) -> None:
    make(tmp_path, (RED, BLUE))
    before = (tmp_path / "red.png").read_bytes()
    (tmp_path / "red.png").write_bytes((tmp_path / "blue.png").read_bytes())
    with pytest.raises(
        RunError, match=r"expected red\.png beside it, as it was made, found another"
    ):
        make(tmp_path, (BLUE,), recipe=replace(RECIPE, steps=7), reporter=Interrupting("", 0))
    (tmp_path / "red.png").write_bytes(before)
    make(tmp_path, (BLUE,))


def test_one_that_was_stopped_between_a_patch_and_its_measurement_is_not_taken_for_replaced(
    tmp_path: Path,
) -> None:
    """Pitfall: kill -9 in the middle. Its picture is that of more steps than the recipe knew."""
    make(tmp_path, (BLUE,))
    before = (tmp_path / "blue.png").read_bytes()
    more = replace(RECIPE, steps=20)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path, (BLUE,), recipe=more, reporter=Interrupting("measuring blue", 6))
    assert (tmp_path / "blue.png").read_bytes() != before
    make(tmp_path, (RED,))
    make(tmp_path, (BLUE,), recipe=more)
    assert [(each["name"], each["steps"]) for each in recipe_of(tmp_path)["patches"]] == [
        ("red", 6),
        ("blue", 20),
    ]


def test_a_recipe_says_nothing_of_a_picture_that_took_the_place_of_another(
    tmp_path: Path,
) -> None:
    """Pitfall: kill -9 in the middle of the measurement, after which others are asked for."""
    make(tmp_path, (RED, BLUE))
    with pytest.raises(KeyboardInterrupt):
        make(
            tmp_path,
            (BLUE,),
            recipe=replace(RECIPE, steps=9),
            reporter=Interrupting("measuring blue", 6),
        )
    make(tmp_path, (RED._replace(patch="green", number=1),))
    patches = recipe_of(tmp_path)["patches"]
    assert [each["name"] for each in patches] == ["red", "green"]
    for each in patches:
        content = (tmp_path / each["file"]).read_bytes()
        assert each["sha256"] == hashlib.sha256(content).hexdigest()


def test_a_patch_of_the_folder_that_became_unusable_is_told_before_a_step(tmp_path: Path) -> None:
    make(tmp_path, (RED,))
    Image.new("RGB", (16, 20)).save(tmp_path / "red.png")
    with pytest.raises(RunError, match=r"expected red\.png beside it, as it was made"):
        make(tmp_path, (BLUE,))
    assert not (tmp_path / "blue.checkpoint").exists()


def test_what_another_process_wrote_before_the_lock_is_looked_at_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_module, "sole_writer", overtaken)
    with pytest.raises(RunError, match="not a folder of patches"):
        make(tmp_path / "made")
    assert [each.name for each in (tmp_path / "made").iterdir()] == ["thesis.tex"]


def test_another_algorithm_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    monkeypatch.setattr(recipe_file, "_ALGORITHM", 0)
    with pytest.raises(RunError, match="other models, pictures or settings"):
        make(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: {"state": {"steps": c["state"]["steps"]}},
        lambda c: {"state": c["state"] | {"layers": [torch.ones(1, 3, 1, 1)] * 3}},
        lambda c: {"state": c["state"] | {"layers": c["state"]["layers"][:1]}},
        lambda c: {"state": c["state"] | {"guard": {}}},
        lambda _: {"measured": {"a": 1}},
        lambda c: {"measured": c["measured"] | {"done": 7}},
        lambda c: {"measured": c["measured"] | {"counts": c["measured"]["counts"][1:]}},
    ],
    ids=["empty", "broadcast", "few", "moments", "measured", "done", "counts"],
)
def test_a_state_that_does_not_fit_is_an_error_in_one_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    make(tmp_path)
    path = tmp_path / "blue.checkpoint"
    content = torch.load(path, weights_only=True)
    torch.save(content | change(content), path)
    with pytest.raises(RunError, match=r"blue\.checkpoint: expected a patch to go on with"):
        make(tmp_path)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(RunError, match="not a folder of patches"):
        make(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


def test_one_picture_is_too_few(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="at least two pictures"):
        make(tmp_path / "made", labels=(0,))
    assert not (tmp_path / "made").exists()


def test_networks_that_are_all_held_out_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="all are held out"):
        make(tmp_path / "made", networks=colour_networks(0, held_out=2))
    assert not (tmp_path / "made").exists()


def test_two_patches_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a name of its own"):
        make(tmp_path / "made", (RED, RED._replace(number=1)))
    assert not (tmp_path / "made").exists()


def test_what_the_user_wrote_into_the_manifest_stays(tmp_path: Path) -> None:
    make(tmp_path, (RED,))
    manifest = tmp_path / "assets.toml"
    text = manifest.read_text(encoding="utf-8").replace("not stated", "CC0-1.0")
    icon = '# ours\n[icon.red]\nfile = "red.png"\nlicence = "CC0-1.0"\nsource = "ours"'
    manifest.write_text(f"{text}\n{icon}", encoding="utf-8")
    make(tmp_path, (RED, BLUE))
    after = manifest.read_text(encoding="utf-8")
    assert after.startswith(f"{text}\n{icon}\n\n[patch.blue]")
    pack = AssetPack(tmp_path)
    assert (pack.names("patch"), pack.names("icon")) == (("red", "blue"), ("red",))
    assert pack.asset("patch", "red").licence == "CC0-1.0"


@pytest.mark.parametrize(
    ("changed", "words"),
    [("schema = 1\n[patch.blue", "expected TOML"), ("blue.png", "expected the file blue.png")],
)
def test_a_manifest_that_can_not_take_the_patch_is_refused_at_once(
    tmp_path: Path, changed: str, words: str
) -> None:
    make(tmp_path)
    manifest = tmp_path / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(
        text.replace("blue.png", "red.png") if changed == "blue.png" else changed, encoding="utf-8"
    )
    with pytest.raises(UserError, match=words):
        make(tmp_path, recipe=replace(RECIPE, steps=7), reporter=Interrupting("optimising blue", 7))


def test_a_manifest_to_which_no_patch_can_be_added_is_refused_before_a_step(tmp_path: Path) -> None:
    make(tmp_path, (RED,))
    text = '{ red = { file = "red.png", licence = "l", source = "s" } }'
    (tmp_path / "assets.toml").write_text(f"schema = 1\npatch = {text}\n", encoding="utf-8")
    with pytest.raises(AssetError, match=r"assets\.toml: expected TOML"):
        make(tmp_path, (BLUE,), reporter=Interrupting("optimising blue", 1))


@pytest.mark.parametrize(
    "patches",
    [
        "absent",
        None,
        [1],
        [{}],
        [{"name": 1, "file": "1.png"}],
        [{"name": 'x"]\n[icon.y', "file": "blue.png"}],
        [{"name": "blue", "file": "../blue.png"}],
        [{"name": "gone", "file": "gone.png", "sha256": "0" * 64}],
        [{"name": "blue", "file": "blue.png"}],
        [{"name": "blue", "file": "blue.png", "sha256": 7}],
    ],
)
def test_a_strangers_recipe_is_refused_in_one_line_before_anything_is_made(
    tmp_path: Path, patches: object
) -> None:
    make(tmp_path)
    recipe = recipe_of(tmp_path)
    if patches == "absent":
        del recipe["patches"]
    else:
        recipe["patches"] = patches
    (tmp_path / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    with pytest.raises(RunError) as ended:
        make(tmp_path, (RED,), reporter=Interrupting("optimising red", 1))
    assert "\n" not in str(ended.value)
    assert not (tmp_path / "red.png").exists()


@pytest.mark.parametrize("content", ["", '{"schema": 1', '{"schema": true}', '{"schema": 2}', "[]"])
def test_of_a_damaged_recipe_it_is_said_what_to_do(tmp_path: Path, content: str) -> None:
    (tmp_path / "recipe.json").write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match=r"recipe\.json: .*expected .* Use another --out\.") as ended:
        make(tmp_path)
    assert "\n" not in str(ended.value)


def test_a_recipe_of_something_else_is_called_that_and_not_other_settings(tmp_path: Path) -> None:
    """That of styles is called the same."""
    make(tmp_path)
    content = {"schema": 1, "algorithm": 1, "networks": [], "styles": []}
    (tmp_path / "recipe.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RunError, match="it is damaged or something else"):
        make(tmp_path)


def test_each_patch_says_on_what_it_was_made_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, (RED,))
    with monkeypatch.context() as patch:
        patch.setattr(record, "__version__", "9.9")
        make(tmp_path, (BLUE, RED))
        there = environment(CPU)
    here = environment(CPU)
    assert here != there
    assert [each["made_on"] for each in recipe_of(tmp_path)["patches"]] == [[here], [there]]
    make(tmp_path, (BLUE,), recipe=replace(RECIPE, steps=7))
    assert [each["made_on"] for each in recipe_of(tmp_path)["patches"]] == [[here], [there, here]]


def test_a_patch_none_of_whose_steps_could_be_done_is_no_patch(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="got none in all 6 steps") as ended:
        make(tmp_path, networks=overflowing(*range(6)))
    assert "\n" not in str(ended.value)
    assert not (tmp_path / "blue.png").exists()


@pytest.mark.parametrize("steps", [20, 6])
def test_an_error_before_the_first_step_leaves_no_folder_behind(tmp_path: Path, steps: int) -> None:
    (network,) = colour_networks()
    network.differentiable.module.register_forward_hook(lambda _m, _i, scores: scores.detach())
    with pytest.raises(ModelError, match="expected gradients"):
        make(tmp_path / "a" / "made", networks=[network], recipe=replace(RECIPE, steps=steps))
    assert list(tmp_path.iterdir()) == []


def test_what_was_begun_stays_whatever_ends_it(tmp_path: Path) -> None:
    more = replace(RECIPE, steps=20)
    with pytest.raises(ModelError, match="in 10 steps in a row"):
        make(tmp_path, networks=overflowing(*range(2, 12)), recipe=more)
    assert (tmp_path / "blue.checkpoint").exists()
    assert recipe_of(tmp_path)["patches"] == []


def test_after_few_steps_a_patch_is_said_to_be_far_from_what_it_becomes(tmp_path: Path) -> None:
    watching = Watching()
    make(tmp_path, reporter=watching)
    assert watching.notes == [
        "optimising blue: after 6 steps, the patch is far from what it does after 300."
    ]


def test_every_field_of_a_recipe_but_steps_decides_what_a_patch_goes_on_with() -> None:
    """A new field fails here until it is listed. Patches of a folder may have had more or fewer steps."""
    changes: dict[str, Any] = {
        "size": 24,
        "picture_size": 40,
        "seed": 1,
        "steps": 7,
        "batch": 3,
        "corners": 0.25,
        "learning_rate": 0.3,
        "placement": PlacementRanges(side=(0.3, 0.4)),
    }
    assert [*changes] == [each.name for each in fields(PatchRecipe)]
    usual = deciding(RECIPE)
    same = {
        name
        for name, value in changes.items()
        if deciding(replace(RECIPE, **{name: value})) == usual
    }
    assert same == {"steps"}
    ranges: dict[str, Any] = {"side": (0.1, 0.2), "angle": 5.0}
    assert [*ranges] == [each.name for each in fields(PlacementRanges)]
    for name, value in ranges.items():
        changed = replace(RECIPE, placement=replace(RECIPE.placement, **{name: value}))
        assert deciding(changed) != usual, name


def deciding(recipe: PatchRecipe) -> dict[str, Any]:
    return Settings(
        networks=colour_networks(1),
        dataset=pictures_of_colours(LABELS),
        optimised_on=range(6),
        measured_on=range(6, 12),
        recipe=recipe,
    ).deciding()


def test_the_recipe_that_ships_has_the_keys_that_are_written(tmp_path: Path) -> None:
    """Else what ships was made by another program than this one."""
    make(tmp_path)
    ours, ships = recipe_of(tmp_path), recipe_of(default_assets().folder / "patches")
    for patch in ships["patches"]:
        for effect in patch["effect"]:
            # Of the 16 super-classes, which these colours aren't among.
            effect["super_class_accuracy"] = None
    assert keys_of(ships) == keys_of(ours)
    assert (ships["schema"], ships["algorithm"]) == (ours["schema"], ours["algorithm"])
