"""Pictures, models and folders that can't be used: counted, or refused in words."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from PIL import Image
from polars.testing import assert_frame_equal
from torch import Tensor

from data.in_memory import Content, InMemory, encoded
from small import SmallNet, Watched, as_arrays, as_function, small_benchmark, small_pictures
from small_runs import COUNT, assert_same_results, labelled_dataset, rows_of, run_small
from unforeseen.errors import DataError, ModelError, RunError, UserError
from unforeseen.models.cards import ModelCard
from unforeseen.models.function_predictor import FunctionPredictor
from unforeseen.preprocessing import Preprocessing
from unforeseen.results import load_results
from unforeseen.rows import Row
from unforeseen.running.images import image_path
from unforeseen.running.reporter import Silent

JPEG = encoded(Image.new("RGB", (32, 32), "teal"), "JPEG")
BROKEN: list[Content] = [
    JPEG[: len(JPEG) // 2],
    b"<!DOCTYPE html><html><body>404 Not Found</body></html>",
    b"",
    PermissionError(13, "Permission denied"),
]


class Notes(Silent):
    """Keeps what a user would be told, and which rows came."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.rows: list[tuple[str, str]] = []

    def note(self, text: str) -> None:
        self.said.append(text)

    def row(self, row: Row) -> None:
        self.rows.append((row.cell, row.example_id))


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_broken_files_are_rows_outside_every_denominator(tmp_path: Path, edition: str) -> None:
    whole = labelled_dataset()
    contents = [*BROKEN, *(whole.read(index) for index in range(COUNT))]
    data = InMemory(contents, [0] * len(BROKEN) + whole.labels.tolist())
    summary = run_small(tmp_path / "broken", data=data, edition=edition)
    assert summary.complete
    assert summary.unreadable == len(BROKEN)
    assert summary.images == COUNT + len(BROKEN)
    assert summary.clean_accuracy is not None
    assert summary.clean_accuracy.n == COUNT

    run_small(tmp_path / "whole", data=whole, edition=edition)
    rows = rows_of(tmp_path / "broken")
    unreadable = rows.filter(pl.col("status") == "unreadable")
    assert unreadable.height == 3 * len(BROKEN)
    assert unreadable["correct"].null_count() == unreadable["loss"].null_count() == 12
    assert unreadable["reason"].str.len_chars().to_list().count(0) == 0
    readable = rows.filter(pl.col("status") != "unreadable")
    assert_same_results(readable, rows_of(tmp_path / "whole"))


def test_nothing_but_broken_files_has_no_accuracy(tmp_path: Path) -> None:
    summary = run_small(tmp_path, data=InMemory(BROKEN, [0] * len(BROKEN)))
    assert summary.complete
    assert summary.unreadable == len(BROKEN)
    assert summary.clean_accuracy is None
    assert all(each.accuracy is None for each in summary.attacks)
    assert set(summary.ua2.values()) == {None}
    assert "unreadable" in load_results(tmp_path).table()


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_nonfinite_logits_are_wrong_and_counted(tmp_path: Path, edition: str) -> None:
    contents: list[Content] = [np.full((32, 32, 3), 255, np.uint8)]
    contents += as_arrays(small_pictures(COUNT - 1))
    data = InMemory(contents)

    def spoil(x: Tensor, scores: Tensor) -> Tensor:
        return torch.where(x.mean(dim=(1, 2, 3))[:, None] > 0.93, math.nan, scores)

    run_small(tmp_path, Watched(SmallNet(), after=spoil), data=data, edition=edition)
    summary = load_results(tmp_path).summary
    assert summary.nonfinite == 3
    assert summary.unreadable == 0
    rows = rows_of(tmp_path).filter(pl.col("status") == "nonfinite")
    assert rows["correct"].to_list() == [False] * 3
    assert rows["loss"].null_count() == rows["confidence"].null_count() == 3
    assert summary.clean_accuracy is not None
    assert summary.clean_accuracy.n == COUNT


@pytest.mark.parametrize(
    "error",
    [
        torch.cuda.OutOfMemoryError("CUDA out of memory."),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate"),
        RuntimeError("MPS backend out of memory (MPS allocated: 17 GB)"),
        MemoryError("Unable to allocate 9 GiB"),
    ],
    ids=["cuda", "cpu", "cpu on windows", "mps", "numpy"],
)
def test_a_batch_that_does_not_fit_is_halved_aloud_and_all_rows_are_right(
    tmp_path: Path, error: Exception
) -> None:
    def refuse_more_than_two(x: Tensor) -> None:
        if len(x) > 2:
            raise error

    notes = Notes()
    model = Watched(SmallNet(), before=refuse_more_than_two)
    summary = run_small(tmp_path / "small", model, batch_size=8, reporter=notes)
    assert summary.complete
    assert [note for note in notes.said if "batches of 4" in note]
    assert [note for note in notes.said if "batches of 2" in note]
    run_small(tmp_path / "large", batch_size=8)
    small, large = rows_of(tmp_path / "small"), rows_of(tmp_path / "large")
    assert_same_results(small.drop("cell"), large.drop("cell"))


def test_memory_that_runs_out_late_repeats_no_finished_row(tmp_path: Path) -> None:
    batches: list[int] = []

    def refuse_after_a_while(x: Tensor) -> None:
        batches.append(len(x))
        # By then three batches are clean and one has been attacked.
        if len(batches) > 11 and len(x) > 2:
            raise MemoryError

    notes = Notes()
    model = Watched(SmallNet(), before=refuse_after_a_while)
    assert run_small(tmp_path, model, attacks=["pgd"], reporter=notes).complete
    assert len([note for note in notes.said if "batches of 2" in note]) == 1
    assert len(notes.rows) == len(set(notes.rows)) == 2 * COUNT


def test_a_single_picture_that_does_not_fit_ends_the_run_in_words(tmp_path: Path) -> None:
    def refuse_coloured(x: Tensor) -> None:
        if x.std() > 0:
            raise MemoryError

    with pytest.raises(ModelError, match="out of memory with a single picture"):
        run_small(tmp_path, Watched(SmallNet(), before=refuse_coloured))


def function_model() -> FunctionPredictor:
    return FunctionPredictor(as_function(SmallNet()), ModelCard(uri="function", fingerprint="f"))


def test_a_plain_function_runs_unoptimised(tmp_path: Path) -> None:
    summary = run_small(tmp_path, function_model(), steps=0)
    assert summary.complete
    rows = rows_of(tmp_path)
    assert rows["steps"].to_list() == [0] * rows.height
    assert_frame_equal(rows.select(c="correct"), rows.select(c="correct_8bit"))


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_what_a_plain_function_cannot_measure_is_null(tmp_path: Path, edition: str) -> None:
    summary = run_small(tmp_path, function_model(), steps=0, edition=edition)
    assert summary.gradient_evaluations is None
    attacked = rows_of(tmp_path).filter(pl.col("transform") != "clean")
    for column in ("gradient_evaluations", "zero_gradient_share", "nonfinite_gradients"):
        assert attacked[column].null_count() == attacked.height


def labelled(label: int) -> InMemory:
    data = labelled_dataset(3)
    data.labels[1] = label
    return data


REFUSALS: list[Any] = [
    pytest.param({"data": labelled(4)}, DataError, "labels up to 4, .* only 4 outputs", id="label"),
    pytest.param({"data": labelled(-1)}, DataError, "got -1", id="negative label"),
    pytest.param({"data": InMemory([])}, DataError, "found none", id="no pictures"),
    pytest.param({"model": function_model()}, ModelError, "without gradients", id="function"),
    pytest.param({"limit": 0}, UserError, "limit: expected", id="limit"),
    pytest.param({"batch_size": 0}, UserError, "batch size: expected", id="batch size"),
    pytest.param({"attacks": []}, UserError, "attacks: expected", id="no attack"),
    pytest.param({"levels": []}, UserError, "levels: expected", id="no level"),
    pytest.param({"seed": -1}, UserError, "seed: expected", id="seed"),
    pytest.param({"steps": -1}, UserError, "steps: expected", id="steps"),
]


@pytest.mark.parametrize(("arguments", "kind", "words"), REFUSALS)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    tmp_path: Path, arguments: dict[str, Any], kind: type[Exception], words: str
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(kind, match=words):
        run_small(folder, **arguments)
    assert not folder.exists()


def test_labels_of_another_space_are_refused(tmp_path: Path) -> None:
    data = labelled_dataset()
    data.card = type(data.card)(uri="memory", label_space="imagenet", class_names=(), images=COUNT)
    with pytest.raises(DataError, match="labels of imagenet, but small is for cifar10"):
        run_small(tmp_path, data=data, benchmark=small_benchmark(label_space="cifar10"))


@pytest.mark.parametrize("height", [31, 40])
def test_pictures_of_another_size_are_refused(tmp_path: Path, height: int) -> None:
    data = InMemory([np.zeros((height, 32, 3), np.uint8)])
    with pytest.raises(DataError, match=f"32×32 .* got 32×{height}"):
        run_small(tmp_path, data=data)


def foreign_folder(path: Path) -> None:
    path.mkdir()
    (path / "holiday.txt").write_text("mine")


def file(path: Path) -> None:
    path.write_text("mine")


def no_json(path: Path) -> None:
    path.mkdir()
    (path / "run.json").write_text("{")


@pytest.mark.parametrize("make", [foreign_folder, file, no_json])
def test_a_folder_that_is_not_a_runs_is_left_alone(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "out")
    before = sorted(tmp_path.rglob("*"))
    model = Watched(SmallNet())
    with pytest.raises(RunError):
        run_small(tmp_path / "out", model)
    assert model.pictures_seen <= 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_written_is_told_before_the_model_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    model = Watched(SmallNet())
    with pytest.raises(RunError, match="can't be written: Permission denied"):
        run_small(tmp_path / "run", model)
    assert model.pictures_seen <= 1


def test_a_first_record_cut_short_by_a_kill_does_not_block_the_folder(tmp_path: Path) -> None:
    (tmp_path / "run.json.tmp").write_text("{")
    assert run_small(tmp_path).complete


def test_grey_scale_of_any_size_goes_through_resize_and_crop(tmp_path: Path) -> None:
    grey = Image.fromarray(np.random.default_rng(0).integers(0, 256, (188, 128), dtype=np.uint8))
    benchmark = small_benchmark(preprocessing=Preprocessing(resize=40, crop=(32, 32)))
    colour = as_arrays(small_pictures(2))
    data = InMemory([encoded(grey), encoded(grey, "JPEG"), *colour])
    summary = run_small(tmp_path, data=data, benchmark=benchmark)
    assert summary.complete
    assert summary.unreadable == 0


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_saved_pictures_are_classified_as_the_rows_say_for_8_bits(
    tmp_path: Path, edition: str
) -> None:
    run_small(tmp_path, edition=edition, save_images=True)
    rows = rows_of(tmp_path).filter(pl.col("transform") != "clean")
    seen = 0
    for row in rows.iter_rows(named=True):
        path = image_path(tmp_path, row["cell"], row["example_id"])
        if row["steps"] == 0 and edition == "strict" and not row["correct_clean"]:
            continue
        pixels = torch.from_numpy(np.array(Image.open(path)))
        logits = SmallNet()(pixels.permute(2, 0, 1)[None].float() / 255)
        assert bool(logits.argmax() == row["label"]) == row["correct_8bit"]
        seen += 1
    assert seen >= 2 * (COUNT - 1)
    assert not list(tmp_path.rglob("*.tmp"))


def test_pictures_of_rows_that_were_there_are_told_not_to_be_kept(tmp_path: Path) -> None:
    run_small(tmp_path, attacks=("pgd",), limit=4)
    notes = Notes()
    run_small(tmp_path, attacks=("pgd", "pixel"), limit=6, save_images=True, reporter=notes)
    (told,) = (note for note in notes.said if "aren't kept" in note)
    assert "aren't kept: 4, of rows that were there" in told
    assert "another --out" in told
    assert len(list((tmp_path / "images").rglob("*.png"))) == 2 + 6
    notes = Notes()
    run_small(tmp_path / "new", attacks=("pgd",), save_images=True, reporter=notes)
    run_small(tmp_path / "new", attacks=("pgd",), save_images=True, reporter=notes)
    assert not any("kept" in note for note in notes.said)
