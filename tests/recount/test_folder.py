"""Whole run folders: nothing is found in an honest one, and whatever is changed by hand is."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from changed_runs import broken, edit_record, edit_row
from data.in_memory import InMemory
from small import SmallNet, Watched, as_function, small_benchmark
from small_runs import COUNT, labelled_dataset, run_small
from unforeseen.errors import BenchmarkError, RunError
from unforeseen.metrics import Estimate, wilson
from unforeseen.models import as_classifier
from unforeseen.recount import recount
from unforeseen.rows import ROW_SCHEMA


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of each edition."""
    folders = {}
    for edition in ("published", "strict"):
        folders[edition] = tmp_path_factory.mktemp(edition)
        run_small(folders[edition], edition=edition, attacks=("pgd", "wood", "pixel"))
    return folders


@pytest.fixture(params=["published", "strict"])
def run(request: pytest.FixtureRequest, runs: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of one, to be changed."""
    return shutil.copytree(runs[request.param], tmp_path / "run")


def settings(record: dict[str, Any]) -> dict[str, Any]:
    """The benchmark's settings of wood, in a record."""
    of_wood: dict[str, Any] = record["benchmark"]["attacks"]["wood"]
    return of_wood


def edition_of(record: dict[str, Any]) -> dict[str, Any]:
    """The benchmark's edition that was run, in a record."""
    edition: dict[str, Any] = record["benchmark"]["editions"][record["edition"]]
    return edition


def unreadable_and_nonfinite() -> Iterator[tuple[InMemory, Watched]]:
    data = labelled_dataset()
    contents = list(data._contents)
    contents[3], contents[5] = OSError("gone"), b"no picture"

    def nan(x: Tensor, scores: Tensor) -> Tensor:
        bright = x.mean(dim=(1, 2, 3)) > 0.51
        return scores.masked_fill(bright[:, None], torch.nan)

    yield InMemory(contents, data.labels.tolist()), Watched(SmallNet(), after=nan)


@pytest.mark.parametrize(
    ("edition", "steps", "eot"),
    [("published", None, 1), ("strict", None, 1), ("published", 0, 1), ("strict", 2, 3)],
)
def test_an_honest_run_agrees(tmp_path: Path, edition: str, steps: int | None, eot: int) -> None:
    levels = ("low", "high")
    run_small(tmp_path, edition=edition, steps=steps, eot=eot, levels=levels)
    result = recount(tmp_path)
    assert result.agrees, broken(result)
    assert result.rows == 5 * COUNT
    assert result.figures > 40
    assert not result.notes


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_run_with_failures_agrees(tmp_path: Path, edition: str) -> None:
    for data, model in unreadable_and_nonfinite():
        summary = run_small(tmp_path, model, data=data, edition=edition, attacks=("pgd", "pixel"))
        assert summary.nonfinite
        assert summary.unreadable == 2
        result = recount(tmp_path)
        assert result.agrees, broken(result)


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_run_on_a_plain_function_agrees(tmp_path: Path, edition: str) -> None:
    def predict(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        with torch.no_grad():
            probabilities: NDArray[np.floating] = SmallNet()(x).softmax(dim=1).numpy()
        return probabilities

    run_small(tmp_path, as_classifier(predict), steps=0, edition=edition)
    result = recount(tmp_path)
    assert result.agrees, broken(result)


def test_a_run_continued_with_more_pictures_and_attacks_agrees(tmp_path: Path) -> None:
    run_small(tmp_path, attacks=("pgd",), limit=5)
    run_small(tmp_path, attacks=("pgd", "pixel"))
    run_small(tmp_path, attacks=("pixel",), limit=3)
    result = recount(tmp_path)
    assert result.agrees, broken(result)
    assert result.rows == 3 * COUNT


def test_an_unfinished_run_agrees_with_itself(run: Path) -> None:
    next((run / "rows").glob("cell-*.parquet")).unlink()
    (run / "summary.json").unlink()
    result = recount(run)
    assert not result.differences
    assert "summary.json isn't there yet" in result.notes[0]


def test_rows_that_lie_there_twice_after_a_crash_are_counted_once(run: Path) -> None:
    file = next((run / "rows").glob("cell-*.parquet"))
    shutil.copy(file, file.with_name(f"part-{file.stem[5:]}-{'0' * 32}.parquet"))
    result = recount(run)
    assert result.agrees, broken(result)
    assert result.rows == 4 * COUNT


def test_a_recount_changes_nothing(run: Path) -> None:
    before = {file: file.read_bytes() for file in run.rglob("*.*")}
    recount(run)
    assert {file: file.read_bytes() for file in run.rglob("*.*")} == before


SEARCHED = pl.col("norm").is_not_null()
RIGHT = pl.col("correct") & SEARCHED
WRONG = ~pl.col("correct") & SEARCHED

#: What is changed in a searched row of wood, and the rule that this breaks.
TAMPERED: dict[str, tuple[pl.Expr, dict[str, object], str]] = {
    "a wrong verdict made right": (WRONG, {"correct": True}, "correct is whether prediction"),
    "a right verdict made wrong": (
        RIGHT,
        {"correct": False, "correct_any": False},
        "correct is whether prediction",
    ),
    "a verdict and its prediction": (
        WRONG & (pl.col("label") == 1),
        {"correct": True, "prediction": 1},
        "prediction is the most probable",
    ),
    "a verdict left out": (WRONG, {"correct": None}, "verdicts are null only where"),
    "an 8-bit verdict left out": (RIGHT, {"correct_8bit": None}, "verdicts are null only where"),
    "a failure called unreadable": (
        WRONG,
        {"status": "unreadable"},
        "what is unreadable has no verdicts",
    ),
    "a failure that only clean says is readable": (
        WRONG,
        {"status": "unreadable"},
        "a picture is unreadable in every cell or in none",
    ),
    "non-finite but right": (RIGHT, {"status": "nonfinite"}, "correct is whether prediction"),
    "an unknown status": (RIGHT, {"status": "fine"}, "status is ok, nonfinite, unreadable"),
    "no status": (RIGHT, {"status": None}, "status is ok, nonfinite, unreadable"),
    "any point right, the judged one wrong": (
        WRONG,
        {"correct_any": True, "first_success_step": None},
        "correct_any implies correct",
    ),
    "fooled, but never": (WRONG, {"first_success_step": None}, "first_success_step is null"),
    "never fooled, but after two steps": (
        RIGHT & pl.col("correct_any"),
        {"first_success_step": 2},
        "first_success_step is null",
    ),
    "fooled after the judged picture": (WRONG, {"first_success_step": 9}, "first_success_step"),
    "another label": (RIGHT, {"label": 7}, "label is the one in pictures.parquet"),
    "no label": (RIGHT, {"label": None}, "label is the one in pictures.parquet"),
    "another transform": (RIGHT, {"transform": "pixel"}, "transform, level and seed"),
    "another level": (RIGHT, {"level": "high"}, "transform, level and seed"),
    "another seed": (RIGHT, {"seed": 5}, "transform, level and seed"),
    "another clean prediction": (RIGHT, {"clean_prediction": 9}, "those of the picture's clean"),
    "another clean confidence": (RIGHT, {"clean_confidence": 0.123}, "those of the picture's"),
    "another clean loss": (RIGHT, {"clean_loss": 0.123}, "those of the picture's clean row"),
    "another clean verdict": (RIGHT, {"correct_clean": False}, "those of the picture's clean row"),
    "another confidence": (RIGHT, {"confidence": 0.123}, "confidence its probability"),
    "a probability above 1": (RIGHT, {"confidence": 1.5}, "shares are in [0, 1]"),
    "a share of gradients below 0": (RIGHT, {"zero_gradient_share": -0.1}, "shares are in [0, 1]"),
    "no classes": (RIGHT, {"top10": []}, "prediction is the most probable class"),
    "classes of nothing": (RIGHT, {"top10": None}, "prediction is the most probable class"),
    "right but second": (RIGHT, {"true_rank": 2}, "true_rank is where"),
    "before the first": (WRONG, {"true_rank": 0}, "true_rank is where"),
    "out of the ball": (RIGHT, {"norm": 1.1}, "norm is at most 1"),
    "nowhere": (RIGHT, {"norm": float("nan")}, "norm is at most 1"),
    "not attacked": (RIGHT, {"norm": None}, "all are attacked"),
    "more steps than there are": (RIGHT, {"steps": 4}, "steps and restart are within"),
    "a start that there isn't": (RIGHT, {"restart": 1}, "steps and restart are within"),
    "more gradients than steps": (RIGHT, {"gradient_evaluations": 4}, "gradient_evaluations are"),
    "a gradient less": (RIGHT, {"gradient_evaluations": 2}, "gradient_evaluations are what"),
    "gradients of nobody": (RIGHT, {"gradient_evaluations": None}, "gradient_evaluations are"),
    "bad gradients below 0": (RIGHT, {"nonfinite_gradients": -5}, "gradient_evaluations are"),
    "more bad gradients than updates": (RIGHT, {"nonfinite_gradients": 4}, "gradient_evaluations"),
    "no number of bad gradients": (RIGHT, {"nonfinite_gradients": None}, "gradient_evaluations"),
    "a share that isn't of three": (RIGHT, {"zero_gradient_share": 0.5}, "is a share of the upda"),
    "no share of gradients": (RIGHT, {"zero_gradient_share": None}, "is a share of the updates"),
    "a loss near 0 of a wrong answer": (WRONG, {"loss": 0.001}, "loss is what the true class"),
    "a large loss": (RIGHT, {"loss": 5.0}, "loss is what the true class"),
    "a loss below 0": (RIGHT, {"loss": -0.01}, "loss is what the true class"),
    "a loss that is no number": (RIGHT, {"loss": float("nan")}, "loss is what the true class"),
    "no loss": (RIGHT, {"loss": None}, "loss is what the true class"),
    "a rank too low": (WRONG & (pl.col("true_rank") == 2), {"true_rank": 3}, "true_rank is where"),
    "a rank beyond all classes": (WRONG, {"true_rank": 5}, "true_rank is where"),
    "a class that can't be": (
        RIGHT,
        {
            "top10": [
                {"class_index": -1, "probability": 0.9},
                {"class_index": 0, "probability": 0.1},
            ]
        },
        "top10 are classes of the model",
    ),
    "probabilities of more than 1": (
        RIGHT,
        {"top10": [{"class_index": each, "probability": 0.9} for each in range(4)]},
        "top10 are classes of the model",
    ),
    "probabilities of less than 1": (
        RIGHT,
        {"top10": [{"class_index": each, "probability": 0.1} for each in range(4)]},
        "top10 are classes of the model",
    ),
    "time that is no number": (RIGHT, {"seconds": float("nan")}, "took some time"),
    "time below 0": (RIGHT, {"seconds": -1.0}, "took some time"),
    "no device": (RIGHT, {"device": None}, "has a device"),
    "a reason though readable": (RIGHT, {"reason": "gone"}, "only what is unreadable has a reason"),
    "a donor": (RIGHT, {"donor": "0" * 32}, "where the attack takes from one, else none"),
    "fewer gradients than steps": (
        RIGHT & (pl.col("steps") > 0),
        {"gradient_evaluations": 0},
        "gradient_evaluations are",
    ),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_row_that_was_changed_by_hand_is_found(run: Path, case: str) -> None:
    where, changes, rule = TAMPERED[case]
    edit_row(run, "wood", changes, where=where)
    result = recount(run)
    assert not result.agrees
    assert rule in broken(result)
    found = next(each for each in result.violations if rule in each.rule)
    assert found.cases == 1
    assert "wood medium, picture" in found.example


@pytest.mark.parametrize("case", ["another transform", "another level", "another seed"])
def test_rows_that_results_refuses_are_not_a_difference_in_why_a_run_is_partial(
    run: Path, case: str
) -> None:
    where, changes, _ = TAMPERED[case]
    edit_row(run, "wood", changes, where=where)
    result = recount(run)
    assert "results can be counted from the rows" in broken(result)
    assert not result.differences


@pytest.mark.parametrize("place", range(COUNT))
def test_any_verdict_turned_round_is_found_in_rule_and_figure(run: Path, place: int) -> None:
    for transform in ("clean", "pgd", "wood", "pixel"):
        copy = shutil.copytree(run, run.with_name(transform))
        rows = pl.concat(
            rows
            for file in (copy / "rows").glob("*.parquet")
            if (rows := pl.read_parquet(file))["transform"][0] == transform
        )
        turned = not rows["correct"][place]
        edit_row(copy, transform, {"correct": turned}, where=pl.col("place") == place)
        result = recount(copy)
        assert "correct is whether prediction is label" in broken(result)
        figures = {each.figure for each in result.differences if each.where == "summary.json"}
        name = "clean_accuracy" if transform == "clean" else f"{transform} medium"
        assert f"{name} value" in figures


@pytest.mark.parametrize("column", [c for c in ROW_SCHEMA if c not in ("cell", "example_id")])
def test_nulls_are_no_fault_of_the_program(run: Path, column: str) -> None:
    for transform in ("clean", "wood"):
        edit_row(run, transform, {column: None}, where=pl.col("correct"))
    recount(run)


@pytest.fixture(scope="module")
def function_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("function")
    classifier = as_classifier(as_function(SmallNet()))
    run_small(folder, classifier, steps=0, edition="strict", attacks=("wood",))
    return folder


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"correct_8bit": False}, "correct_8bit is correct where the model is a function"),
        ({"nonfinite_gradients": 7}, "a function has no gradients"),
        ({"gradient_evaluations": 0}, "a function has no gradients"),
        ({"gradient_evaluations": 0, "nonfinite_gradients": 0}, "a function has no gradients"),
        ({"zero_gradient_share": 0.0}, "null where there were none"),
        ({"steps": 1}, "steps and restart are within"),
    ],
)
def test_what_a_function_cannot_have_is_found(
    function_run: Path, tmp_path: Path, changes: dict[str, object], rule: str
) -> None:
    run = shutil.copytree(function_run, tmp_path / "run")
    assert recount(run).agrees
    edit_row(run, "wood", changes, where=RIGHT)
    assert rule in broken(recount(run))


def test_a_loss_of_a_class_that_is_not_listed_is_at_least_that_of_the_last(
    tmp_path: Path,
) -> None:
    """With more than ten classes the true one may not be among them."""
    classes = 30
    data = InMemory(labelled_dataset()._contents, list(range(COUNT)))
    run_small(tmp_path, SmallNet(classes), data=data, benchmark=small_benchmark(classes=classes))
    result = recount(tmp_path)
    assert result.agrees, broken(result)
    unlisted = ~pl.col("top10").list.eval(pl.element().struct["class_index"]).list.contains(
        pl.col("label")
    )
    edit_row(tmp_path, "pixel", {"loss": 0.01}, where=unlisted)
    assert "loss is what the true class's probability makes it" in broken(recount(tmp_path))


@pytest.mark.parametrize("scale", [1e-3, 1e4, 1e9])
@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_logits_of_any_size_contradict_nothing(tmp_path: Path, scale: float, shift: float) -> None:
    model = Watched(SmallNet(), after=lambda _, scores: scores * scale + shift)
    run_small(tmp_path, model, attacks=("pgd", "wood"))
    result = recount(tmp_path)
    assert result.agrees, broken(result)


def test_a_clean_row_changed_by_hand_is_found(run: Path) -> None:
    edit_row(run, "clean", {"correct_8bit": False}, where=pl.col("correct"))
    edit_row(run, "clean", {"gradient_evaluations": 3}, where=pl.col("correct"))
    found = broken(recount(run))
    assert "a clean row says the same of the clean and of the judged picture" in found
    assert "nothing is searched for in a clean row" in found


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("correct_8bit", True),
        ("prediction", 3),
        ("confidence", 0.123),
        ("true_rank", 4),
        ("top10", None),
        ("loss", 0.123),
        ("steps", 1),
        ("gradient_evaluations", 1),
        ("first_success_step", 0),
        ("restart", 0),
        ("zero_gradient_share", 0.5),
        ("nonfinite_gradients", 0),
        ("seconds", 1.0),
    ],
)
def test_a_misclassified_picture_of_edition_strict_stays_as_it_is(
    runs: dict[str, Path], tmp_path: Path, column: str, value: object
) -> None:
    run = shutil.copytree(runs["strict"], tmp_path / "run")
    edit_row(run, "wood", {column: value}, where=pl.col("norm").is_null())
    assert "a picture that isn't attacked is judged as it is" in broken(recount(run))


def test_classes_that_do_not_fit_a_spared_pictures_prediction_are_found(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    """Changed alike in both rows, they contradict the answer itself."""
    run = shutil.copytree(runs["strict"], tmp_path / "run")
    wrong = pl.col("correct_clean").not_()
    for transform in ("clean", "wood"):
        edit_row(run, transform, {"top10": []}, where=wrong)
    rule = "prediction is the most probable class"
    (found,) = [each for each in recount(run).violations if rule in each.rule]
    assert found.cases == 2


def test_in_edition_strict_correct_is_correct_any(runs: dict[str, Path], tmp_path: Path) -> None:
    run = shutil.copytree(runs["strict"], tmp_path / "run")
    edit_row(run, "wood", {"correct_any": False, "first_success_step": 1}, where=RIGHT)
    assert "correct_any is correct where any visited point counts" in broken(recount(run))


def test_a_row_taken_away_is_found(run: Path) -> None:
    for file in (run / "rows").glob("*.parquet"):
        pl.read_parquet(file)[1:].write_parquet(file)
    figures = {each.figure for each in recount(run).differences}
    assert {"complete", "clean_accuracy n", "wood medium n"} <= figures


def test_a_picture_exchanged_for_another_in_every_cell_is_found(run: Path) -> None:
    for file in (run / "rows").glob("*.parquet"):
        rows = pl.read_parquet(file).sort("example_id")
        first = pl.col("example_id") == rows["example_id"][0]
        renamed = pl.when(first).then(pl.lit("0" * 32)).otherwise("example_id")
        rows.with_columns(example_id=renamed).write_parquet(file)
    found = broken(recount(run))
    assert "the pictures are those that were chosen" in found
    assert "label is the one in pictures.parquet" in found


def test_a_picture_too_many_is_found(run: Path) -> None:
    for file in (run / "rows").glob("*.parquet"):
        rows = pl.read_parquet(file)
        more = rows[:1].with_columns(example_id=pl.lit("0" * 32))
        pl.concat([rows, more]).write_parquet(file)
    assert "there are no more pictures than were chosen" in broken(recount(run))


def test_a_row_twice_in_a_file_is_found(run: Path) -> None:
    file = next((run / "rows").glob("cell-*.parquet"))
    rows = pl.read_parquet(file)
    pl.concat([rows, rows[:1]]).write_parquet(file)
    result = recount(run)
    assert "a file has one row of each picture" in broken(result)
    assert not result.differences


def test_two_rows_of_a_picture_that_differ_are_found(run: Path) -> None:
    file = next((run / "rows").glob("cell-*.parquet"))
    other = pl.read_parquet(file).with_columns(correct=~pl.col("correct"))
    other.write_parquet(file.with_name(f"part-{file.stem[5:]}-{'0' * 32}.parquet"))
    assert "rows of one picture in one cell are the same" in broken(recount(run))


def test_a_damaged_file_is_found_and_its_figures_are_missing(run: Path) -> None:
    for file in (run / "rows").glob("*.parquet"):
        file.write_bytes(file.read_bytes()[:-9])
    result = recount(run)
    assert "row files are whole" in broken(result)
    assert any(each.figure == "complete" for each in result.differences)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda cell: cell.update(radius=0.5), "a cell's id is the hash of what it is"),
        (lambda cell: cell["search"].update(step_size=1), "a cell's id is the hash"),
        (lambda cell: cell.update(extra=1), "a cell's id is the hash of what it is"),
        (lambda cell: cell.pop("search"), "a cell's id is the hash of what it is"),
        (lambda cell: cell.update(steps=100), "a cell's steps and seed are those of its search"),
        (lambda cell: cell.update(steps=1), "steps and restart are within the cell's"),
        (lambda cell: cell.update(model="other"), "a cell's model and preprocessing are the run's"),
    ],
)
def test_a_cell_changed_by_hand_in_the_record_is_found(
    run: Path, change: Callable[[dict[str, Any]], object], rule: str
) -> None:
    edit_record(run, lambda record: change(record["cells"][2]))
    assert rule in broken(recount(run))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda record: record.update(seed=1), "a cell's steps and seed"),
        (lambda record: record["model"].update(fingerprint="x"), "a cell's model"),
        (lambda record: record.update(preprocessing=None), "a cell's model and preprocessing"),
        (lambda record: record["data"].update(subset="x"), "the pictures are those"),
        (lambda record: settings(record).update(steps=50), "what the run's benchmark, edition"),
        (lambda record: settings(record).update(step_size=1.0), "what the run's benchmark, edi"),
        (lambda record: settings(record)["radii"].update(medium=0.01), "what the run's benchmark"),
        (lambda record: settings(record)["parameters"].update(rings=4), "what the run's bench"),
        (lambda record: settings(record).update(attack="pixel"), "what the run's benchmark"),
        (
            lambda record: record.update(
                edition={"strict": "published", "published": "strict"}[record["edition"]]
            ),
            "what the run's benchmark, edition and options",
        ),
        (lambda record: edition_of(record).update(gradient_batch=7), "what the run's benchmark"),
        (lambda record: record.update(steps=1), "what the run's benchmark, edition and options"),
        (lambda record: record.update(eot=50), "what the run's benchmark, edition and options"),
        (
            lambda record: record["model"].update(head={"name": "x", "mapping": "y"}),
            "what the run's benchmark, edition and options",
        ),
        (
            lambda record: record["benchmark"].update(preprocessing={"resize": 40}),
            "preprocessing is the model's own",
        ),
        (
            lambda record: record["data"].update(images=COUNT + 1),
            "as many pictures are chosen as there are",
        ),
        (lambda record: record["data"].update(limit=5), "as many pictures are chosen as there"),
        (
            lambda record: (
                record["benchmark"].update(label_space="cifar10", classes=10),
                record["data"].update(label_space="imagenet"),
            ),
            "the data's labels are those that the benchmark is for",
        ),
    ],
)
def test_a_record_changed_by_hand_is_found(
    run: Path, change: Callable[[dict[str, Any]], object], rule: str
) -> None:
    edit_record(run, change)
    assert rule in broken(recount(run))


def test_a_changed_benchmark_under_a_built_in_name_is_found_or_of_another_release(
    tmp_path: Path,
) -> None:
    run_small(tmp_path, benchmark=small_benchmark(name="cifar10-ua"))
    assert "a benchmark called cifar10-ua is the one of that name" in broken(recount(tmp_path))
    edit_record(tmp_path, lambda record: record.update(unforeseen="0.0.1"))
    result = recount(tmp_path)
    assert result.agrees, broken(result)
    assert "its cifar10-ua isn't this release's" in result.notes[0]


def test_a_check_whose_verdict_is_not_that_of_its_findings_is_found(tmp_path: Path) -> None:
    run_small(tmp_path, check=True)
    assert recount(tmp_path).agrees
    edit_record(tmp_path, lambda record: record["check"].update(verdict="certified"))
    assert "the check's verdict is that of its findings" in broken(recount(tmp_path))


def test_files_of_cells_that_the_record_does_not_know_are_found(run: Path) -> None:
    file = next((run / "rows").glob("cell-*.parquet"))
    shutil.copy(file, file.with_name(f"cell-{'ab' * 16}.parquet"))
    file.with_name(f"part-{'cd' * 16}-{'0' * 32}.parquet").write_bytes(b"garbage")
    (found,) = recount(run).violations
    assert found.rule == "row files are of the run's cells"
    assert found.cases == 2


@pytest.mark.parametrize("file", ["run.json", "summary.json"])
def test_a_key_that_stands_twice_is_refused(run: Path, file: str) -> None:
    text = (run / file).read_text(encoding="utf-8")
    (run / file).write_text(text.replace('"seed"', '"seed": 3, "seed"', 1), encoding="utf-8")
    with pytest.raises(RunError, match=rf"{file}.*a key stands twice"):
        recount(run)


def test_keys_that_no_summary_has_are_found(run: Path) -> None:
    content = json.loads((run / "summary.json").read_bytes())
    content["robust"] = "certified"
    content["clean_accuracy"]["certified"] = 1.0
    content["attacks"][0]["accuracy"]["certified"] = 1.0
    (run / "summary.json").write_text(json.dumps(content), encoding="utf-8")
    result = recount(run)
    assert [each.figure for each in result.differences] == [
        *("clean_accuracy certified", "attacks accuracy certified", "robust"),
    ]


LISTED: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], str]] = {
    "twice under two labels": (
        lambda listed: pl.concat([listed.with_columns(pl.col("label") + 1), listed]),
        "each picture is listed once",
    ),
    "another class": (
        lambda listed: listed.with_columns(pl.lit("bomb").alias("class")),
        "a class is its label's, in words",
    ),
    "no file": (
        lambda listed: listed.with_columns(pl.lit(None, dtype=pl.String).alias("file")),
        "a listed picture has an id, a file and a label",
    ),
    "another picture": (
        lambda listed: pl.concat(
            [listed[1:], listed[:1].with_columns(example_id=pl.lit("0" * 32))]
        ),
        "the pictures are those that were chosen",
    ),
    "one more": (
        lambda listed: pl.concat([listed, listed[:1].with_columns(example_id=pl.lit("0" * 32))]),
        "there are no more pictures than were chosen",
    ),
}


@pytest.mark.parametrize("case", LISTED)
def test_a_list_of_pictures_changed_by_hand_is_found(run: Path, case: str) -> None:
    change, rule = LISTED[case]
    file = run / "pictures.parquet"
    change(pl.read_parquet(file)).write_parquet(file)
    assert rule in broken(recount(run))


def test_a_class_of_the_datas_own_that_was_renamed_is_found(run: Path) -> None:
    edit_record(run, lambda record: record["data"].update(classes=["a", "b", "c", "d"]))
    assert "a class is its label's, in words" in broken(recount(run))


@pytest.mark.parametrize("content", [b"", b"PAR1", None])
def test_a_list_of_pictures_that_is_none_is_found(run: Path, content: bytes | None) -> None:
    file = run / "pictures.parquet"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    assert "the run's pictures are listed" in broken(recount(run))


def test_a_label_changed_in_the_list_of_pictures_is_found(run: Path) -> None:
    file = run / "pictures.parquet"
    pl.read_parquet(file).with_columns(pl.col("label") + 1).write_parquet(file)
    found = next(each for each in recount(run).violations if "pictures.parquet" in each.rule)
    assert found.cases == 4 * COUNT


def test_a_summary_changed_by_hand_is_found(run: Path) -> None:
    content = json.loads((run / "summary.json").read_bytes())
    content["ua2"]["medium"]["value"] = 0.99
    content["partial"] = []
    (run / "summary.json").write_text(json.dumps(content), encoding="utf-8")
    result = recount(run)
    assert [(each.figure, each.claimed, each.where) for each in result.differences] == [
        ("ua2 medium value", 0.99, "summary.json"),
        ("partial", [], "summary.json"),
    ]
    assert not result.violations


def test_a_fault_of_the_metrics_is_found(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(k: int, n: int) -> Estimate | None:
        right = wilson(k, n)
        return None if right is None else right._replace(low=right.value - 0.1)

    monkeypatch.setattr(sys.modules["unforeseen.metrics.accuracy"], "wilson", careless)
    result = recount(run)
    assert {each.where for each in result.differences} == {"results"}
    assert "wood medium low" in {each.figure for each in result.differences}


@pytest.mark.parametrize("content", ["[]", "{", '{"schema": 2}', "NaN"])
def test_a_summary_that_is_none_is_one_line(run: Path, content: str) -> None:
    (run / "summary.json").write_text(content, encoding="utf-8")
    with pytest.raises(RunError, match=r"summary\.json") as caught:
        recount(run)
    assert "\n" not in str(caught.value)


def test_what_is_no_run_is_refused(tmp_path: Path, run: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        recount(tmp_path)
    edit_record(run, lambda record: record["benchmark"].update(classes="many"))
    with pytest.raises(BenchmarkError):
        recount(run)
