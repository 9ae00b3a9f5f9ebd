"""Targets judge the pictures that were made against a source, all of them and no others."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from PIL import Image
from polars.testing import assert_frame_equal
from torch import Tensor, nn

from data.in_memory import InMemory
from small import SmallNet, Watched, as_function, small_benchmark
from small_runs import (
    COUNT,
    Notes,
    assert_same_results,
    labelled_dataset,
    rows_of,
    run_small,
    transfer_small,
)
from unforeseen.errors import DataError, ModelError, RunError
from unforeseen.models import as_classifier
from unforeseen.models.cards import ModelCard
from unforeseen.preprocessing import Preprocessing
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.transfer_plan import transfer_plan

ONLY_SEARCHES_MEASURE = (
    *("norm", "steps", "first_success_step", "restart", "zero_gradient_share"),
    *("nonfinite_gradients", "donor"),
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with its pictures."""
    folder = tmp_path_factory.mktemp("source")
    run_small(folder, save_images=True)
    return folder


def attacked(folder: Path) -> pl.DataFrame:
    return rows_of(folder).filter(pl.col("transform") != "clean")


def test_a_target_that_is_the_source_says_what_the_source_said_of_8_bit_pictures(
    tmp_path: Path, source: Path
) -> None:
    transfer_small(tmp_path, source, SmallNet())
    columns = [
        "transform",
        "example_id",
        "label",
        "clean_prediction",
        "clean_loss",
        "correct_clean",
    ]
    mine, sources = attacked(tmp_path), attacked(source)
    assert mine["correct"].to_list() == sources["correct_8bit"].to_list()
    assert_frame_equal(mine.select(columns), sources.select(columns), check_exact=True)
    clean = [rows_of(each).filter(pl.col("transform") == "clean") for each in (tmp_path, source)]
    assert_frame_equal(*clean, check_exact=True)


def test_a_row_is_the_targets_own_answer_to_the_stored_pixels(tmp_path: Path, source: Path) -> None:
    target = SmallNet(seed=3)
    transfer_small(tmp_path, source, target)
    made = rows_of(source).filter(pl.col("transform") != "clean")["cell"].unique()
    rows = attacked(tmp_path)
    assert set(rows["cell"]).isdisjoint(made), "another cell: another model judges"
    cell_of = {
        cell["transform"]: cell["id"]
        for cell in json.loads((source / "run.json").read_bytes())["cells"]
    }
    seen = 0
    for row in rows.iter_rows(named=True):
        path = source / "images" / cell_of[row["transform"]] / f"{row['example_id']}.png"
        with Image.open(path) as image:
            pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1)[None]
        with torch.no_grad():
            logits = target(pixels.float() / 255)[0]
        assert row["prediction"] == int(logits.argmax())
        assert row["correct"] is row["correct_any"] is row["correct_8bit"]
        assert row["correct"] == (row["prediction"] == row["label"])
        expected = -logits.log_softmax(dim=0)[row["label"]].item()
        assert row["loss"] == pytest.approx(expected, rel=1e-4, abs=1e-6)
        assert row["confidence"] == pytest.approx(logits.softmax(dim=0).max().item(), rel=1e-5)
        assert (row["gradient_evaluations"], row["status"]) == (0, "ok")
        assert all(row[name] is None for name in ONLY_SEARCHES_MEASURE)
        seen += 1
    assert seen == 2 * COUNT
    assert 0 < rows["correct"].sum() < rows.height


def test_the_clean_row_is_the_targets_own(tmp_path: Path, source: Path) -> None:
    target = SmallNet(seed=3)
    transfer_small(tmp_path / "transfer", source, target)
    run_small(tmp_path / "alone", target, attacks=("pgd",))
    clean = pl.col("transform") == "clean"
    assert_frame_equal(
        rows_of(tmp_path / "transfer").filter(clean),
        rows_of(tmp_path / "alone").filter(clean),
        check_exact=True,
    )


def test_no_gradient_is_taken_and_each_picture_is_asked_about_once(
    tmp_path: Path, source: Path
) -> None:
    grads = []
    target = Watched(SmallNet(), before=lambda _: grads.append(torch.is_grad_enabled()))
    transfer_small(tmp_path, source, target)
    assert not any(grads)
    # A grey picture to see whether it takes the size, another to count classes, then each cell.
    assert target.batches == [1, 1, *[4] * (3 * -(-COUNT // 4))]


def test_a_summary_says_whom_the_pictures_were_made_against(tmp_path: Path, source: Path) -> None:
    summary = transfer_small(tmp_path, source, SmallNet(seed=3))
    assert summary.complete
    assert summary.source_model == "module:SmallNet"
    assert summary.partial[0] == "pictures were made against module:SmallNet"
    assert summary.gradient_evaluations == 0
    assert json.loads((tmp_path / "summary.json").read_bytes())["source_model"] == "module:SmallNet"
    assert read_attack_run(source)[0].source_model is None


@pytest.mark.parametrize("batch_size", [4, 5])
def test_a_plain_function_can_be_a_target(tmp_path: Path, source: Path, batch_size: int) -> None:
    """It is asked about each picture once, and needs no gradients."""
    asked: list[int] = []

    def predict(pictures: Any) -> Any:
        asked.append(len(pictures))
        return as_function(SmallNet())(pictures)

    transfer_small(tmp_path, source, as_classifier(predict), batch_size=batch_size)
    assert attacked(tmp_path)["correct"].to_list() == attacked(source)["correct_8bit"].to_list()
    assert sum(asked) <= 1 + 3 * COUNT


def test_going_on_judges_only_what_is_missing(tmp_path: Path) -> None:
    target = Watched(SmallNet(seed=3))
    run_small(tmp_path / "source", save_images=True, limit=6)
    transfer_small(tmp_path / "target", tmp_path / "source", target, limit=6)
    target.forget()
    transfer_small(tmp_path / "target", tmp_path / "source", target, limit=6)
    assert target.batches == [1, 1]
    run_small(tmp_path / "source", save_images=True)
    target.forget()
    summary = transfer_small(tmp_path / "target", tmp_path / "source", target)
    assert summary.complete
    assert target.batches == [1, 1, *[4] * (3 * 2)]
    transfer_small(tmp_path / "fresh", tmp_path / "source", Watched(SmallNet(seed=3)))
    assert_same_results(rows_of(tmp_path / "target"), rows_of(tmp_path / "fresh"))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"source": SmallNet(seed=7)}, "another source model: both are called module:SmallNet"),
        ({"target": SmallNet(seed=7)}, "another model: both are called module:SmallNet"),
        ({"eot": 2}, "eot 1; asked for was 2"),
    ],
)
def test_another_source_is_another_run(
    tmp_path: Path, source: Path, changes: dict[str, Any], named: str
) -> None:
    transfer_small(tmp_path, source, SmallNet(seed=3))
    with pytest.raises(RunError, match=named):
        transfer_small(tmp_path, source, **({"target": SmallNet(seed=3)} | changes))


def test_an_ordinary_run_is_no_transfer_and_the_other_way_round(
    tmp_path: Path, source: Path
) -> None:
    transfer_small(tmp_path / "transfer", source, SmallNet(seed=3))
    with pytest.raises(RunError, match="another source model: module:SmallNet; asked for was none"):
        run_small(tmp_path / "transfer", SmallNet(seed=3))
    run_small(tmp_path / "alone", SmallNet(seed=3))
    with pytest.raises(RunError, match="another source model: none; asked for was module:SmallNet"):
        transfer_small(tmp_path / "alone", source, SmallNet(seed=3))


def a_picture(source: Path) -> Path:
    return min((source / "images").glob("*/*.png"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def other_size(path: Path) -> None:
    Image.new("RGB", (16, 32)).save(path)


def pipe(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link(path: Path) -> None:
    """To the picture itself: where it leads doesn't matter."""
    moved = path.rename(path.with_suffix(".moved"))
    try:
        path.symlink_to(moved)
    except OSError:
        pytest.skip("this user may not make links")


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (Path.unlink, "No such file"),
    "empty": (lambda path: path.write_bytes(b""), "the file is empty"),
    "cut short": (cut, "expected the picture that was made against the source model, but"),
    "a web page": (lambda path: path.write_bytes(b"<html>"), "not a picture"),
    "of another size": (other_size, "it has 16×32 pixels and not 32×32"),
    "no file": (pipe, "not a regular file"),
    "a link": (link, "is a link, through which nothing is read"),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_stored_picture_that_cannot_be_used_is_named_with_what_to_do(
    tmp_path: Path, source: Path, case: str
) -> None:
    damaged = shutil.copytree(source, tmp_path / "source")
    path = a_picture(damaged)
    damage, reason = DAMAGE[case]
    damage(path)
    with pytest.raises(DataError) as caught:
        transfer_small(tmp_path / "target", damaged, SmallNet(seed=3))
    said = str(caught.value)
    assert str(path) in said
    assert reason in said
    rows = damaged / "rows" / f"cell-{path.parent.name}.parquet"
    assert f"remove {rows}" in said
    assert "\n" not in said

    # Doing as it says mends it.
    if path.is_dir():
        path.rmdir()
    rows.unlink()
    run_small(damaged, save_images=True)
    assert transfer_small(tmp_path / "target", damaged, SmallNet(seed=3)).complete
    transfer_small(tmp_path / "whole", source, SmallNet(seed=3))
    assert_frame_equal(rows_of(tmp_path / "target"), rows_of(tmp_path / "whole"), check_exact=True)


def test_pictures_that_the_source_could_not_read_are_so_for_the_target(tmp_path: Path) -> None:
    data = labelled_dataset()
    contents = list(data._contents)
    contents[3] = OSError("gone")
    data = InMemory(contents, data.labels.tolist())
    run_small(tmp_path / "source", data=data, save_images=True)
    summary = transfer_small(tmp_path / "target", tmp_path / "source", SmallNet(seed=3), data=data)
    assert (summary.unreadable, summary.complete) == (1, True)
    unreadable = rows_of(tmp_path / "target").filter(pl.col("status") == "unreadable")
    assert unreadable["transform"].to_list() == ["clean", "pgd", "pixel"]


def test_nonfinite_answers_of_a_target_are_wrong_and_counted(tmp_path: Path, source: Path) -> None:
    def nan(x: Tensor, scores: Tensor) -> Tensor:
        return scores.masked_fill((x.mean(dim=(1, 2, 3)) > 0.51)[:, None], torch.nan)

    summary = transfer_small(tmp_path, source, Watched(SmallNet(), after=nan))
    rows = attacked(tmp_path).filter(pl.col("status") == "nonfinite")
    assert summary.nonfinite > 0
    assert rows.height > 0
    assert not rows["correct"].any()


SOURCE = ModelCard(uri="timm:source", fingerprint="aa", preprocessing=Preprocessing(crop=(32, 32)))
TARGET = ModelCard(uri="timm:target", fingerprint="bb", preprocessing=Preprocessing(crop=(64, 64)))


def resizing_plan(source: ModelCard = SOURCE, target: ModelCard = TARGET) -> Any:
    benchmark = small_benchmark(preprocessing=Preprocessing(resize=40, crop=(32, 32)))
    plan = make_attack_plan(benchmark, source, attacks=["wood"])
    return transfer_plan(plan, source, target, folder=Path("source"))


def test_both_see_the_same_pixels_the_sources_preprocessing_holds() -> None:
    plan = resizing_plan()
    assert plan.picture_size == (32, 32)
    assert {cell.preprocessing.crop for cell in plan.cells} == {(32, 32)}
    assert {cell.model for cell in plan.cells} == {"bb"}
    assert plan.cells[1].source.model == "aa"


class Picky(nn.Module):
    """Takes 64 pixels only."""

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[-1] != 64:
            raise ValueError("Input height (32) doesn't match model (64).")
        return x.flatten(1)[:, :4]


def test_a_target_that_cannot_take_the_sources_size_is_refused_before_anything_is_written(
    tmp_path: Path, source: Path
) -> None:
    with pytest.raises(ModelError, match=r"can't judge the source's pictures of 32×32 pixels") as e:
        transfer_small(tmp_path / "target", source, Picky())
    assert "\n" not in str(e.value)
    assert "doesn't match model (64)" in str(e.value)
    assert not (tmp_path / "target").exists()


def test_a_target_that_declares_another_preprocessing_is_told_so(tmp_path: Path) -> None:
    own = as_classifier(SmallNet(seed=3))
    own.card = replace(own.card, preprocessing=Preprocessing(resize=40, crop=(32, 32)))
    benchmark = small_benchmark(preprocessing=Preprocessing(resize=36, crop=(32, 32)))
    run_small(tmp_path / "source", benchmark=benchmark, save_images=True)
    notes = Notes()
    transfer_small(
        tmp_path / "target", tmp_path / "source", own, benchmark=benchmark, reporter=notes
    )
    assert any(
        "declares shorter side to 40 (bicubic), centre crop 32×32; it judges pictures that were "
        "prepared for the source: shorter side to 36 (bicubic), centre crop 32×32." in note
        for note in notes.said
    )


@pytest.mark.parametrize("resize", [(32, 48), 36], ids=["to both sides", "the shorter side"])
def test_stored_pictures_have_the_size_that_preprocessing_makes(
    tmp_path: Path, resize: Any
) -> None:
    """Where pictures keep their proportions, the first one says which size that is."""
    benchmark = small_benchmark(preprocessing=Preprocessing(resize=resize))
    run_small(tmp_path / "source", benchmark=benchmark, save_images=True)
    target = SmallNet(seed=3)
    transfer_small(tmp_path / "target", tmp_path / "source", target, benchmark=benchmark)
    other_size(a_picture(tmp_path / "source"))
    with pytest.raises(DataError, match=r"16×32 pixels and not|and not 16×32"):
        transfer_small(tmp_path / "again", tmp_path / "source", target, benchmark=benchmark)
