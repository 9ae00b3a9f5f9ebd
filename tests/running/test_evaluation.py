"""The Python interface to a whole run."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from polars.testing import assert_frame_equal

from small import BENCHMARK_FILE, SmallNet, as_function, small_benchmark
from small_runs import COUNT, labelled_dataset, rows_of, run_small
from unforeseen import black_box, evaluate, load_results
from unforeseen.data import from_arrays
from unforeseen.errors import DataError, ModelError, RunError, UnknownNameError, UserError
from unforeseen.models import PredictFunction, Predictor, as_classifier
from unforeseen.results import AttackResults
from unforeseen.rows import ROW_SCHEMA


def test_an_evaluation_is_a_run_whose_folder_nobody_asked_for(tmp_path: Path) -> None:
    results = evaluate(
        SmallNet(), labelled_dataset(), small_benchmark(), attacks=["pgd", "pixel"], batch_size=4
    )
    assert results.rows.schema == ROW_SCHEMA
    run_small(tmp_path)
    assert_frame_equal(
        results.rows.drop("seconds").sort("transform", "level", "example_id"),
        rows_of(tmp_path),
        check_exact=True,
    )
    assert results.summary.images == COUNT
    assert "module:SmallNet" in results.table()
    # What a notebook shows is the table, not every number behind it.
    assert results.table() in repr(results)
    assert results._repr_markdown_() == results.table()


def test_a_folder_keeps_the_run_and_continues_it(tmp_path: Path) -> None:
    first = evaluate(
        SmallNet(), labelled_dataset(), small_benchmark(), attacks=["pgd"], limit=4, out=tmp_path
    )
    more = evaluate(
        SmallNet(), labelled_dataset(), small_benchmark(), attacks=["pgd"], out=tmp_path
    )
    assert_frame_equal(load_results(tmp_path).rows, more.rows, check_exact=True)
    assert more.rows.join(first.rows, on=["cell", "example_id", "seconds"]).height == 2 * 4


def test_a_benchmark_file_runs_by_path_and_by_its_default_edition(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(BENCHMARK_FILE, encoding="utf-8")
    results = evaluate(SmallNet(), labelled_dataset(), str(file), attacks=["pgd"], steps=0)
    assert results.summary.benchmark.name == "small"
    assert isinstance(results, AttackResults)
    assert results.summary.edition == "published"


def test_a_function_from_pictures_to_probabilities_runs_without_steps() -> None:
    predict = as_function(SmallNet())
    results = evaluate(predict, labelled_dataset(), small_benchmark(), steps=0)
    clean = results.summary.clean_accuracy
    assert clean is not None
    assert clean.value == pytest.approx((COUNT - 1) / COUNT)
    assert isinstance(results, AttackResults)
    assert results.summary.ua2["medium"] is not None
    with pytest.raises(ModelError, match="without gradients"):
        evaluate(predict, labelled_dataset(), small_benchmark())


def test_functions_of_one_code_that_answer_differently_never_share_a_folder(tmp_path: Path) -> None:
    """What a closure, a default, an object or a global variable holds is not in a function's code."""

    def turned(by: int) -> PredictFunction:
        return lambda pictures: np.roll(as_function(SmallNet())(pictures), by, axis=1)

    def go_on(model: PredictFunction | Predictor) -> float:
        results = evaluate(model, labelled_dataset(), small_benchmark(), steps=0, out=tmp_path)
        assert results.summary.clean_accuracy is not None
        return results.summary.clean_accuracy.value

    for model in (turned(0), turned(1), as_classifier(turned(0))):
        with pytest.raises(ModelError, match=r"black_box\(function, version=NAME\)"):
            go_on(model)
    assert not list(tmp_path.iterdir()), "nor is anything left behind"
    assert go_on(black_box(turned(0), version="0")) == pytest.approx((COUNT - 1) / COUNT)
    with pytest.raises(RunError, match=r"version=0; asked for was .*version=1\."):
        go_on(black_box(turned(1), version="1"))


def test_a_pair_of_arrays_or_tensors_is_a_data_set_like_any_other() -> None:
    model, dataset = SmallNet(), labelled_dataset()
    pictures = np.stack([np.asarray(dataset.read(row)) for row in range(COUNT)])
    on_a_scale_of_1 = torch.from_numpy(pictures).permute(0, 3, 1, 2) / 255
    pairs: list[Any] = [
        dataset,
        (pictures, dataset.labels),
        (on_a_scale_of_1, torch.from_numpy(dataset.labels)),
        from_arrays(pictures, dataset.labels),
    ]
    first, *others = [
        evaluate(model, each, small_benchmark(), attacks=["pgd"], batch_size=4).rows.drop("seconds")
        for each in pairs
    ]
    for rows in others:
        assert_frame_equal(rows, first, check_exact=True)


def test_a_pair_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match=r"expected a pair \(pictures, labels\), got 1 things"):
        evaluate(SmallNet(), (np.zeros(3),), small_benchmark())  # type: ignore[arg-type]  # the test
    with pytest.raises(DataError, match="labels: expected 2"):
        evaluate(SmallNet(), (np.zeros((2, 32, 32, 3), np.uint8), [0]), small_benchmark())


def test_pictures_are_not_kept_where_nobody_could_find_them() -> None:
    with pytest.raises(UserError, match=r"save_images: expected .* Give out=DIR"):
        evaluate(SmallNet(), labelled_dataset(), small_benchmark(), save_images=True)


def test_an_unknown_name_lists_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean wood"):
        evaluate(SmallNet(), labelled_dataset(), small_benchmark(), attacks=["woood"])
    with pytest.raises(UnknownNameError, match="Did you mean imagenet-ua"):
        evaluate(SmallNet(), labelled_dataset(), "imagenet_ua")


def test_a_model_is_left_in_the_mode_it_came_in() -> None:
    model = SmallNet().train()
    evaluate(model, labelled_dataset(), small_benchmark(), attacks=["pgd"], steps=1)
    assert model.training
    assert all(parameter.requires_grad for parameter in model.parameters())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_seed_0_is_a_seed_and_another_seed_is_another_run() -> None:
    losses = []
    for seed in (0, 0, 1):
        rows = evaluate(
            SmallNet(),
            labelled_dataset(),
            small_benchmark(),
            attacks=["pgd"],
            steps=0,
            seed=seed,
        ).rows
        losses.append(rows.filter(pl.col("transform") == "pgd").sort("example_id")["loss"])
    assert losses[0].equals(losses[1])
    assert not losses[0].equals(losses[2])
