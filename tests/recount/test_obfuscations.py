"""Run folders of obfuscations: nothing is found in an honest one, and what is changed by hand is."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import torch
from PIL import Image
from torch import Tensor

from changed_runs import broken, edit_record, edit_row
from data.in_memory import InMemory
from made_assets import made_assets
from obfuscation_runs import NAMES, obfuscated_dataset, run_obfuscated
from small import SmallNet, Watched, as_function
from small_runs import COUNT, labelled_dataset
from unforeseen import black_box
from unforeseen.errors import AssetError
from unforeseen.recount import recount
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.transforms.assets.manifest import read_manifest

ANY = pl.lit(value=True)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One on the fly, the worst of three draws; and one of ready-made pictures."""
    folder = tmp_path_factory.mktemp("runs")
    run_obfuscated(folder / "fly", worst_of=3)
    made = obfuscated_dataset(folder / "assets", labelled_dataset())
    run_obfuscated(folder / "made", data=made)
    return {name: folder / name for name in ("fly", "made")}


@pytest.fixture
def run(runs: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the first, to be changed."""
    return shutil.copytree(runs["fly"], tmp_path / "run")


@pytest.mark.parametrize("name", ["fly", "made"])
def test_an_honest_run_agrees_with_itself(runs: dict[str, Path], name: str) -> None:
    result = recount(runs[name], assets=runs[name].parent / "assets")
    assert result.agrees, (result.differences, broken(result))
    assert result.rows == COUNT * (1 + len(NAMES))
    assert not result.notes


def test_a_run_with_broken_pictures_and_logits_agrees_with_itself(tmp_path: Path) -> None:
    data = labelled_dataset()
    contents = [data.read(index) for index in range(COUNT)]
    holed = InMemory([OSError("gone"), *contents[1:]], data.labels.tolist())

    def without_bright_ones(x: Tensor, scores: Tensor) -> Tensor:
        bright = x.mean(dim=(1, 2, 3)) > 0.5
        return torch.where(bright[:, None], torch.nan, scores)

    model = Watched(SmallNet(), after=without_bright_ones)
    summary = run_obfuscated(tmp_path / "run", model, data=holed, worst_of=2)
    assert summary.nonfinite
    assert summary.unreadable == 1
    result = recount(tmp_path / "run")
    assert result.agrees, (result.differences, broken(result))


def test_a_black_boxs_run_agrees_with_itself(tmp_path: Path) -> None:
    box = black_box(as_function(SmallNet()), version="1")
    run_obfuscated(tmp_path / "run", box, eot=2)
    result = recount(tmp_path / "run")
    assert result.agrees, (result.differences, broken(result))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"parameters": None}, "parameters are the record of what the obfuscation draws"),
        ({"parameters": '{"blok":7,"seed":1}'}, "parameters are the record"),
        ({"parameters": '{"block":7.5,"seed":1}'}, "parameters are the record"),
        ({"restart": None}, "restart is one of the draws"),
        ({"restart": 3}, "restart is one of the draws"),
        ({"correct_any": None}, "verdicts are null only where"),
        ({"steps": 0}, "nothing is searched for where pictures are obfuscated"),
        ({"norm": 0.5}, "nothing is searched for where pictures are obfuscated"),
        ({"true_rank": 5}, "true_rank is where the true class stands"),
        ({"clean_loss": 9.0}, "label and the clean columns are those of the picture's clean row"),
        ({"level": "low"}, "transform, level and seed are the cell's"),
        ({"seconds": None}, "what was computed has a device"),
        ({"reason": "none"}, "only what is unreadable has a reason"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_a_changed_row_breaks_a_rule(run: Path, changes: dict[str, object], rule: str) -> None:
    edit_row(run, "ColorNoiseBlocks", changes, where=ANY)
    assert rule in broken(recount(run))


DRAWN = "parameters are what seed, ranges, picture and draw make them"


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_the_seed_does_not_draw_break_a_rule(run: Path, name: str) -> None:
    """A record that could have been drawn, but wasn't: that of another picture."""
    assets = made_assets(run.parent / "assets").folder
    rows = read_obfuscation_run(run).rows.filter(pl.col("transform") == name)
    other = rows["parameters"].to_list()[1]
    edit_row(run, name, {"parameters": other}, where=pl.col("parameters") != other)
    assert DRAWN in broken(recount(run, assets=assets))


def test_a_record_of_another_draw_breaks_a_rule(run: Path) -> None:
    edit_row(run, "ColorNoiseBlocks", {"restart": 1}, where=pl.col("restart") != 1)
    assert DRAWN in broken(recount(run))


def test_what_cannot_be_drawn_again_without_its_pack_is_named(run: Path) -> None:
    edit_row(run, "IconOverlay", {"parameters": '{"icon":"a","side":8,"opacity":0.5}'}, where=ANY)
    result = recount(run)
    assert result.agrees
    (note,) = result.notes
    took = json.loads((run / "run.json").read_text(encoding="utf-8"))["assets"]["folders"]
    why = f"which take assets (icon) of another pack: give it with --assets {took['icon']}"
    assert note == f"not drawn again: parameters of IconOverlay, {why}"
    with pytest.raises(AssetError):
        recount(run, assets=run)


def test_why_something_cannot_be_drawn_again_is_said_as_far_as_it_is_known(
    run: Path, tmp_path: Path
) -> None:
    """The run says which pack it took; the pack, whether it is that one still."""
    mine = made_assets(tmp_path / "mine").folder

    def note(changes: dict[str, object], assets: Path | None = None) -> str:
        edit_record(run, lambda record: record["assets"].update(changes))
        (only,) = recount(run, assets=assets).notes
        return only

    assert "of another pack than " in note({"folders": {}})
    icon = next(iter(read_manifest(mine).assets["icon"].values()))
    Image.new("RGBA", (64, 64), "red").save(mine / icon.file)
    assert note({"folders": {"icon": str(mine)}}, mine).endswith(
        f"of {mine}, which was changed since"
    )
    assert "of the pack that ships with the release that ran it" in note({"own": []})


def test_a_clean_row_has_no_parameters(run: Path) -> None:
    edit_row(run, "clean", {"parameters": "{}"}, where=ANY)
    assert "only what is obfuscated has parameters" in broken(recount(run))


def test_a_flipped_verdict_changes_figures_and_breaks_a_rule(run: Path) -> None:
    verdicts: dict[str, object] = dict.fromkeys(("correct", "correct_any", "correct_8bit"), True)
    edit_row(run, "IconOverlay", verdicts, where=~pl.col("correct"))
    result = recount(run)
    assert "correct is whether prediction is label" in broken(result)
    changed = {each.figure for each in result.differences if each.where == "summary.json"}
    assert "IconOverlay unweighted value" in changed
    assert "hold-out worst balanced value" in changed


def cell_of(record: dict[str, Any], name: str) -> dict[str, Any]:
    cell: dict[str, Any] = next(each for each in record["cells"] if each["transform"] == name)
    return cell


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (
            lambda record: cell_of(record, "IconOverlay").update(assets={"icon": "0" * 32}),
            "a cell's id is the hash of what it is",
        ),
        (
            lambda record: record["assets"]["fingerprints"].update(icon="0" * 32),
            "a cell is what the run's benchmark",
        ),
        (lambda record: record.update(worst_of=4), "a cell is what the run's benchmark"),
        (
            lambda record: record["benchmark"]["obfuscations"]["ColorNoiseBlocks"].update(
                ranges={"block": [40, 61]}
            ),
            "a cell is what the run's benchmark",
        ),
        (
            lambda record: record["preprocessing"].update(resize=40),
            "preprocessing is the model's own, or the benchmark's",
        ),
    ],
)
def test_a_changed_record_breaks_a_rule(
    run: Path, change: Callable[[dict[str, Any]], object], rule: str
) -> None:
    edit_record(run, change)
    assert rule in broken(recount(run))


@pytest.mark.parametrize(
    ("key", "value"), [("worst_of", 1), ("made_by", "published"), ("ready_made", True)]
)
def test_a_changed_summary_differs(run: Path, key: str, value: object) -> None:
    file = run / "summary.json"
    content = json.loads(file.read_bytes())
    file.write_text(json.dumps(content | {key: value}), encoding="utf-8")
    assert key in {each.figure for each in recount(run).differences}


def test_a_changed_interval_differs(run: Path) -> None:
    file = run / "summary.json"
    content = json.loads(file.read_bytes())
    content["sets"][0]["worst"]["balanced"]["low"] += 0.01
    file.write_text(json.dumps(content), encoding="utf-8")
    assert "sets 0 worst balanced low" in {each.figure for each in recount(run).differences}


def test_a_row_of_a_picture_that_is_nowhere_else_breaks_a_rule(run: Path) -> None:
    edit_row(run, "IconOverlay", {"example_id": "0" * 32}, where=ANY)
    assert not recount(run).agrees
