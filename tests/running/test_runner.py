"""A run goes on where it stopped, and reuses what still holds."""

import gc
import weakref
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from data.in_memory import InMemory
from small import SmallNet, Watched, small_benchmark, small_dataset
from small_runs import COUNT, assert_same_results, labelled_dataset, rows_of, run_small
from unforeseen.benchmarks import AttackBenchmark
from unforeseen.data import pictures as pictures_module
from unforeseen.errors import ModelError, RunError
from unforeseen.models import as_classifier
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.run_folder.record import read_record, write_record
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.reporter import Silent
from unforeseen.running.runner import run
from unforeseen.search.fixed_step import FixedStep
from unforeseen.transforms.attacks.pgd import Pgd


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_running_again_computes_nothing_and_leaves_every_byte(tmp_path: Path, edition: str) -> None:
    model = Watched(SmallNet())
    run_small(tmp_path, model, edition=edition)
    before = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}
    model.forget()
    run_small(tmp_path, model, edition=edition)
    assert model.batches == [1], "only a grey picture, to count the outputs"
    assert before == {f: f.read_bytes() for f in sorted(tmp_path.rglob("*")) if f.is_file()}


def test_a_plan_of_another_model_is_refused_and_makes_no_rows(tmp_path: Path) -> None:
    plan = make_attack_plan(small_benchmark(), as_classifier(SmallNet(seed=1)).card)
    with pytest.raises(ModelError, match="expected the network and head that the plan was made"):
        run(plan, as_classifier(SmallNet()), labelled_dataset(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_the_same_command_gives_the_same_rows_to_the_last_bit_whatever_the_workers(
    tmp_path: Path, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for workers in (1, 4):
        readers = partial(pictures_module.stream_pictures, workers=workers)
        monkeypatch.setattr("unforeseen.running.cell_run.stream_pictures", readers)
        run_small(tmp_path / f"{workers}", edition=edition)
    assert_frame_equal(rows_of(tmp_path / "1"), rows_of(tmp_path / "4"), check_exact=True)


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_larger_limit_computes_only_the_new_pictures(tmp_path: Path, edition: str) -> None:
    model = Watched(SmallNet())
    run_small(tmp_path / "grown", model, edition=edition, limit=6)
    model.forget()
    summary = run_small(tmp_path / "grown", model, edition=edition)
    grown = model.pictures_seen
    assert summary.images == COUNT
    assert summary.complete

    model.forget()
    run_small(tmp_path / "fresh", model, edition=edition)
    assert grown < 0.75 * model.pictures_seen
    assert_same_results(rows_of(tmp_path / "grown"), rows_of(tmp_path / "fresh"))


def test_a_smaller_limit_afterwards_keeps_the_rest(tmp_path: Path) -> None:
    run_small(tmp_path)
    before = rows_of(tmp_path)
    summary = run_small(tmp_path, limit=3)
    assert summary.images == COUNT
    assert_frame_equal(rows_of(tmp_path), before, check_exact=True)


def test_more_attacks_and_levels_add_cells_and_recompute_none(tmp_path: Path) -> None:
    run_small(tmp_path / "grown", attacks=["pgd"])
    seconds = read_attack_run(tmp_path / "grown")[1].select("cell", "example_id", "seconds")
    summary = run_small(tmp_path / "grown", attacks=["pixel"], levels=["low", "medium"])
    assert {(a.attack, a.level) for a in summary.attacks} == {
        ("pgd", "medium"),
        ("pixel", "low"),
        ("pixel", "medium"),
    }
    now = read_attack_run(tmp_path / "grown")[1].select("cell", "example_id", "seconds")
    assert seconds.join(now, on=seconds.columns, how="anti").is_empty(), "times of old rows stand"

    run_small(tmp_path / "fresh", attacks=["pixel"], levels=["low", "medium"])
    fresh = rows_of(tmp_path / "fresh")
    grown = rows_of(tmp_path / "grown").filter(pl.col("transform") != "pgd")
    assert_frame_equal(grown, fresh, check_exact=True)


def edited_benchmark() -> AttackBenchmark:
    benchmark = small_benchmark()
    pgd = replace(benchmark.attacks["pgd"], step_size=0.02)
    return replace(benchmark, attacks={**benchmark.attacks, "pgd": pgd})


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 1}, "seed 0; asked for was 1. .* or the same --seed to go on"),
        ({"edition": "strict"}, "edition 'published'; asked for was 'strict'"),
        (
            {"steps": 1},
            "the benchmark's number of steps; asked for was 1. .* or leave --steps out to go on",
        ),
        ({"model": SmallNet(seed=1)}, "another model: both are called module:SmallNet"),
        ({"benchmark": edited_benchmark()}, "another benchmark"),
    ],
    ids=["seed", "edition", "steps", "weights", "benchmark"],
)
def test_a_change_that_matters_is_told_and_never_mixed(
    tmp_path: Path, changes: dict[str, Any], named: str
) -> None:
    run_small(tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(RunError, match=named):
        run_small(tmp_path, **changes)
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_steps_that_were_given_are_to_be_given_again(tmp_path: Path) -> None:
    run_small(tmp_path, steps=1, attacks=("pgd",))
    words = (
        "steps 1; asked for was the benchmark's number of steps. .* or the same --steps to go on"
    )
    with pytest.raises(RunError, match=words):
        run_small(tmp_path, attacks=("pgd",))


def test_a_benchmark_with_another_title_is_the_same(tmp_path: Path) -> None:
    run_small(tmp_path)
    before = rows_of(tmp_path)
    renamed = replace(small_benchmark(), title="Another title", source="another source")
    run_small(tmp_path, benchmark=renamed)
    assert_frame_equal(rows_of(tmp_path), before, check_exact=True)


@pytest.mark.parametrize("algorithm", [FixedStep, Pgd], ids=["search", "attack"])
def test_another_version_of_an_algorithm_is_told_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, algorithm: type
) -> None:
    model = Watched(SmallNet())
    run_small(tmp_path, model)
    model.forget()
    monkeypatch.setattr(algorithm, "version", 999)
    with pytest.raises(RunError, match="version"):
        run_small(tmp_path, model)
    assert model.batches == [1]


def test_batch_size_does_not_start_another_run(tmp_path: Path) -> None:
    model = Watched(SmallNet())
    run_small(tmp_path, model, limit=4)
    model.forget()
    run_small(tmp_path, model, limit=4, batch_size=2)
    assert model.batches == [1]


def test_other_pictures_are_not_mixed_in(tmp_path: Path) -> None:
    run_small(tmp_path)
    others = small_dataset(COUNT, model=SmallNet(), seed=1)
    with pytest.raises(RunError, match="other pictures"):
        run_small(tmp_path, data=others)
    relabelled = labelled_dataset()
    relabelled.labels[0] = (relabelled.labels[0] + 1) % 4
    with pytest.raises(RunError, match="other pictures"):
        run_small(tmp_path, data=relabelled)


def test_five_pictures_and_two_workers_have_the_denominator_five(tmp_path: Path) -> None:
    summary = run_small(tmp_path, data=labelled_dataset(5))
    assert summary.images == 5
    assert summary.clean_accuracy is not None
    assert summary.clean_accuracy.n == 5
    assert [each.accuracy.n for each in summary.attacks if each.accuracy] == [5, 5]


def test_the_same_picture_twice_has_two_rows(tmp_path: Path) -> None:
    pair = labelled_dataset(2)
    contents = [pair.read(0), pair.read(1), pair.read(0)]
    labels = [int(label) for label in (*pair.labels, pair.labels[0])]
    summary = run_small(tmp_path, data=InMemory(contents, labels), attacks=["pgd"])
    assert summary.images == 3
    ids = rows_of(tmp_path)["example_id"].unique().to_list()
    assert sum(name.endswith("#2") for name in ids) == 1


@pytest.mark.parametrize(("classes", "highest"), [(4, 3), (8, 7)])
def test_heads_of_four_and_eight_classes_run(tmp_path: Path, classes: int, highest: int) -> None:
    model = SmallNet(classes)
    data = small_dataset(5, model=model)
    data.labels[0] = highest
    summary = run_small(tmp_path, model, data=data, benchmark=small_benchmark(classes=classes))
    assert summary.complete
    rows = rows_of(tmp_path).filter(pl.col("transform") == "clean")
    assert set(rows["top10"].list.len()) == {classes}


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_batch_of_misclassified_pictures_runs(tmp_path: Path, edition: str) -> None:
    data = labelled_dataset(5)
    right = small_dataset(5, model=SmallNet()).labels
    data.labels[:] = (right + 1) % 4
    summary = run_small(tmp_path, data=data, edition=edition)
    assert summary.complete
    assert summary.ua2["medium"] is None, "wood, which is core, was not run"
    assert [a.accuracy.n for a in summary.attacks if a.accuracy] == [5, 5]
    if edition == "strict":
        assert summary.gradient_evaluations == 0


def test_wrong_at_the_start_is_wrong_without_an_attack_in_edition_strict(tmp_path: Path) -> None:
    run_small(tmp_path, edition="strict")
    rows = rows_of(tmp_path).filter(pl.col("transform") != "clean")
    wrong = rows.filter(~pl.col("correct_clean"))
    assert wrong.height == 2, "one picture under two attacks"
    assert wrong["gradient_evaluations"].to_list() == [0, 0]
    for column in ("correct", "correct_any", "correct_8bit"):
        assert wrong[column].to_list() == [False, False]
    assert rows.filter(pl.col("correct_clean") & (pl.col("gradient_evaluations") > 0)).height


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_no_row_is_right_at_all_points_and_wrong_at_the_last(tmp_path: Path, edition: str) -> None:
    run_small(tmp_path, edition=edition, attacks=["pgd", "wood", "pixel"], levels=["low", "high"])
    rows = rows_of(tmp_path)
    assert rows.filter(pl.col("correct_any") & ~pl.col("correct")).is_empty()
    attacked = rows.filter(pl.col("transform") != "clean")
    assert 0 < attacked["correct"].sum() < attacked.height
    assert attacked.filter(pl.col("norm") > 1 + 1e-6).is_empty()


def test_memory_does_not_grow_with_the_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    living, most = [0], [0]
    read = pictures_module.read_picture

    def counted(*arguments: Any) -> pictures_module.Picture | pictures_module.Unreadable:
        picture = read(*arguments)
        assert isinstance(picture, pictures_module.Picture)
        living[0] += 1
        most[0] = max(most[0], living[0])
        weakref.finalize(picture.image, lambda: living.__setitem__(0, living[0] - 1))
        return picture

    monkeypatch.setattr(pictures_module, "read_picture", counted)
    batch_size = 50
    data = small_dataset(2000, model=SmallNet())
    run_small(tmp_path, data=data, attacks=["pgd"], steps=0, batch_size=batch_size)
    # A batch at work, and two batches ahead of it.
    assert batch_size <= most[0] <= 4 * batch_size
    gc.collect()
    assert living[0] == 0


def test_a_smaller_limit_says_that_figures_are_of_all_pictures(tmp_path: Path) -> None:
    class Noting(Silent):
        def __init__(self) -> None:
            self.notes: list[str] = []

        def note(self, text: str) -> None:
            self.notes.append(text)

    told = {}
    for limit in (4, 4, 3):
        reporter = Noting()
        run_small(tmp_path, limit=limit, attacks=("pgd",), reporter=reporter)
        told[limit] = [note for note in reporter.notes if "figures are of all of them" in note]
    assert told == {
        4: [],
        3: [f"{tmp_path} holds a run on 4 pictures; figures are of all of them."],
    }


def test_runs_of_several_seeds_can_judge_the_same_pictures(tmp_path: Path) -> None:
    def pictures(folder: Path) -> set[str]:
        return set(read_attack_run(folder)[1]["example_id"])

    run_small(tmp_path / "own", limit=5, attacks=("pgd",))
    run_small(tmp_path / "other", limit=5, attacks=("pgd",), seed=3)
    run_small(tmp_path / "shared", limit=5, attacks=("pgd",), seed=3, choice_seed=0)
    assert pictures(tmp_path / "own") == pictures(tmp_path / "shared")
    assert pictures(tmp_path / "own") != pictures(tmp_path / "other")
    assert read_attack_run(tmp_path / "shared")[0].seed == 3
    # Who goes on there with nothing but the seed gets the pictures that were chosen before, and more.
    run_small(tmp_path / "shared", limit=7, attacks=("pgd",), seed=3)
    run_small(tmp_path / "own", limit=7, attacks=("pgd",))
    assert pictures(tmp_path / "own") == pictures(tmp_path / "shared")
    assert len(pictures(tmp_path / "own")) == 7
    # And who asks for another choice than a folder's is refused.
    with pytest.raises(RunError, match="holds results on other pictures"):
        run_small(tmp_path / "other", limit=5, attacks=("pgd",), seed=3, choice_seed=0)


def test_a_record_of_before_there_was_a_choice_means_the_runs_own_seed(tmp_path: Path) -> None:
    run_small(tmp_path, limit=5, attacks=("pgd",), seed=3)
    record = read_record(tmp_path)
    assert record["data"].pop("choice_seed") == 3
    write_record(tmp_path, record)
    assert run_small(tmp_path, limit=7, attacks=("pgd",), seed=3).complete
    record["data"]["choice_seed"] = "3"
    write_record(tmp_path, record)
    with pytest.raises(RunError, match="choice_seed: expected a whole number"):
        run_small(tmp_path, limit=7, attacks=("pgd",), seed=3)
