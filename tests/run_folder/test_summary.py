"""A summary recounts the rows and says in words what keeps it from being the benchmark."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from made_runs import (
    CORE,
    EVERY,
    IMAGES,
    made_folder,
    made_frame,
    made_record,
    planned_attack_run,
    small_benchmark,
)
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.errors import BenchmarkError, RunError
from unforeseen.metrics import wilson
from unforeseen.run_folder.attack_summary import summarise_attacks
from unforeseen.run_folder.read_run import read_run, write_summary
from unforeseen.run_folder.record import write_record
from unforeseen.run_folder.runlog import RunLog


def test_a_whole_run_is_complete_and_nothing_is_partial() -> None:
    record = made_record()
    summary = summarise_attacks(planned_attack_run(record), made_frame(record))
    assert summary.complete
    assert summary.partial == ()
    assert summary.images == IMAGES
    assert summary.clean_accuracy == wilson(10, 10)
    assert summary.accuracy("wood", "medium") == wilson(3, 10)
    assert summary.worst["medium"] == wilson(3, 10)
    assert summary.ua2["medium"] is not None
    assert (summary.ua2["medium"].value, summary.ua2["medium"].n) == (0.3, 10)
    assert summary.gradient_evaluations == 9 * 3 * IMAGES * 2
    assert len(summary.attacks) == 27
    assert summary.levels == ("low", "medium", "high")


def test_the_record_has_the_documented_shape() -> None:
    record = made_record(levels=("medium",))
    content = json.loads(
        json.dumps(summarise_attacks(planned_attack_run(record), made_frame(record)).to_record())
    )
    estimate = {"value", "low", "high", "n", "interval"}
    assert set(content) == {
        *("schema", "benchmark", "edition", "seed", "model", "data", "images", "complete"),
        *("partial", "nonfinite", "unreadable", "gradient_evaluations", "clean_accuracy"),
        *("ua2", "worst", "attacks", "check", "source_model"),
    }
    assert (content["benchmark"], content["edition"]) == ("small-imagenet-ua", "published")
    assert (content["model"], content["data"]) == ("timm:resnet50", "imagefolder:val")
    assert set(content["ua2"]) == {"low", "medium", "high"}
    assert content["ua2"]["low"] is None
    assert set(content["ua2"]["medium"]) == set(content["clean_accuracy"]) == estimate
    assert [set(each) for each in content["attacks"]] == [{"attack", "level", "accuracy"}] * 9
    assert [each["attack"] for each in content["attacks"]] == list(EVERY)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"attacks": EVERY[:-1]}, "attacks not run at medium: gabor"),
        ({"attacks": ("pgd", "wood")}, "2 of 9 attacks at medium"),
        ({"levels": ("medium",)}, "only level medium"),
        ({"levels": ("low", "high")}, "only level low and high"),
        ({"available": 500}, "10 of 500 pictures (10 in the benchmark)"),
        ({"images": 9}, "9 pictures (10 in the benchmark)"),
        ({"images": 9, "available": 10}, "9 of 10 pictures"),
    ],
)
def test_less_than_the_benchmark_is_partial_and_says_why(
    change: dict[str, Any], reason: str
) -> None:
    record = made_record(**change)
    summary = summarise_attacks(planned_attack_run(record), made_frame(record))
    assert summary.complete
    assert reason in summary.partial


def test_unfinished_cells_are_counted_and_the_run_is_not_complete() -> None:
    record = made_record(levels=("medium",))
    rows = made_frame(record).filter((pl.col("transform") != "wood") | (pl.col("correct")))
    summary = summarise_attacks(planned_attack_run(record), rows)
    assert not summary.complete
    assert "wood medium: 3 of 10 pictures" in summary.partial
    assert summary.ua2["medium"] is not None
    assert summary.ua2["medium"].n == 3


def test_changed_steps_and_radii_are_partial() -> None:
    record = made_record(levels=("medium",))
    wood = next(cell for cell in record["cells"] if cell["transform"] == "wood")
    wood |= {"steps": 2, "radius": 0.5}
    partial = summarise_attacks(planned_attack_run(record), made_frame(record)).partial
    assert "2 steps instead of the benchmark's" in partial
    wood |= {"steps": 1}
    partial = summarise_attacks(planned_attack_run(record), made_frame(record)).partial
    assert "1 step instead of the benchmark's" in partial
    assert "wood medium: radius 0.5, the benchmark's is 0.05" in partial


def test_means_over_several_passes_are_partial() -> None:
    record = made_record(levels=("medium",))
    for eot in (1, 20):
        run = planned_attack_run(record | {"eot": eot})
        partial = summarise_attacks(run, made_frame(record)).partial
        assert ("20 passes per evaluation" in partial) == (eot == 20)


@pytest.mark.parametrize("eot", [0, -1, "2", 2.0, True, None])
def test_a_number_of_passes_that_is_none_is_refused(eot: object) -> None:
    with pytest.raises(RunError, match="eot: expected"):
        planned_attack_run(made_record() | {"eot": eot})


def test_labels_that_are_not_the_benchmarks_are_told() -> None:
    record = made_record(benchmark=load_attack_benchmark("imagenet-ua"), levels=("medium",))
    told = "the labels are the data's own (bad, ok), not imagenet's"
    assert told not in summarise_attacks(planned_attack_run(record), made_frame(record)).partial
    record["data"]["classes"] = ["bad", "ok"]
    partial = summarise_attacks(planned_attack_run(record), made_frame(record)).partial
    assert told in partial
    assert not [reason for reason in partial if "in the benchmark" in reason]


def test_a_changed_file_under_a_built_in_name_is_told() -> None:
    benchmark = load_attack_benchmark("imagenet-ua")
    wood = replace(benchmark.attacks["wood"], step_size=1e-9)
    fake = replace(benchmark, attacks={**benchmark.attacks, "wood": wood})
    for each, told in ((benchmark, False), (fake, True)):
        record = made_record(benchmark=each)
        partial = summarise_attacks(planned_attack_run(record), made_frame(record)).partial
        assert any("differs from this release's imagenet-ua" in one for one in partial) == told


@pytest.mark.parametrize("attack", CORE)
def test_ua2_over_fewer_attacks_is_not_ua2(attack: str) -> None:
    record = made_record(levels=("medium",), attacks=[name for name in EVERY if name != attack])
    summary = summarise_attacks(planned_attack_run(record), made_frame(record))
    assert summary.ua2["medium"] is None
    assert summary.worst["medium"] is None
    whole = made_record(levels=("medium",))
    rows = made_frame(whole).filter(pl.col("transform") != attack)
    assert summarise_attacks(planned_attack_run(whole), rows).ua2["medium"] is None


def test_rows_of_other_cells_in_the_folder_never_mix() -> None:
    record = made_record(levels=("medium",))
    rows = made_frame(record)
    stale = made_frame(record, survivors=10).with_columns(cell=pl.lit("dead") + pl.col("cell"))
    assert summarise_attacks(
        planned_attack_run(record), pl.concat([stale, rows])
    ) == summarise_attacks(planned_attack_run(record), rows)


def test_failures_are_counted_over_the_run() -> None:
    record = made_record(levels=("medium",))
    rows = made_frame(record).with_columns(
        status=pl.when(pl.col("example_id") == "p000")
        .then(pl.lit("unreadable"))
        .when((pl.col("example_id") == "p001") & (pl.col("transform") == "snow"))
        .then(pl.lit("nonfinite"))
        .otherwise("status")
    )
    summary = summarise_attacks(planned_attack_run(record), rows)
    assert (summary.unreadable, summary.nonfinite) == (1, 1)
    assert summary.accuracy("wood", "medium") == wilson(2, 9)
    assert summary.accuracy("snow", "medium") == wilson(1, 9)
    assert summary.complete


def test_a_run_without_rows_has_no_figures() -> None:
    record = made_record(levels=("medium",))
    summary = summarise_attacks(planned_attack_run(record), made_frame(record).clear())
    assert not summary.complete
    assert summary.clean_accuracy is None
    assert set(summary.ua2.values()) == {None}
    assert {each.accuracy for each in summary.attacks} == {None}
    assert "clean: 0 of 10 pictures" in summary.partial


def test_the_written_summary_is_the_recount(tmp_path: Path) -> None:
    record = made_record(levels=("medium",))
    made_folder(tmp_path, record)
    summary = write_summary(tmp_path)
    content = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert content == summary.to_record()
    assert (
        summary
        == summarise_attacks(planned_attack_run(record), made_frame(record))
        == read_run(tmp_path).summary
    )


def test_damaged_rows_are_told_and_make_the_run_incomplete(tmp_path: Path) -> None:
    made_folder(tmp_path, made_record(levels=("medium",)))
    next((tmp_path / "rows").glob("part-c0-*")).write_bytes(b"PAR1")
    summary = read_run(tmp_path).summary
    assert not summary.complete
    assert "is damaged and was skipped" in summary.partial[0]
    assert "clean: 0 of 10 pictures" in summary.partial


def test_reading_a_summary_changes_nothing(tmp_path: Path) -> None:
    made_folder(tmp_path, made_record(levels=("medium",)))
    before = sorted(tmp_path.rglob("*"))
    read_run(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        (("edition",), "lenient", "edition: expected published or strict, got 'lenient'"),
        (("edition",), None, "edition: expected text, got None"),
        (("seed",), True, "seed: expected a whole number from 0 that fits into 63 bits, got True"),
        (("seed",), -1, "seed: expected a whole number from 0"),
        (("seed",), 2**127, "seed: expected a whole number from 0 that fits into 63 bits"),
        (("data", "images"), 2**63, "images: expected a whole number from 0"),
        (("cells", 1, "steps"), -1, "steps: expected a whole number from 0"),
        (("model",), "timm:x", "model: expected an object"),
        (("model", "uri"), 3, "uri: expected text, got 3"),
        (("data", "chosen"), "10", "chosen: expected a whole number"),
        (("data", "chosen"), 0, "chosen: expected at least 1"),
        (("cells",), {}, "cells: expected a list"),
        (("cells",), [1], "cells: expected objects"),
        (("cells", 1, "transform"), "evil", "cells: expected attacks of small-imagenet-ua"),
        (("cells", 1, "level"), "huge", "cells: expected low, medium, high"),
        (("cells", 1, "level"), [], "cells: expected low, medium, high"),
        (("cells", 0, "level"), "low", "cells: expected"),
        (("cells", 0, "level"), [], "cells: expected"),
        (("cells", 0, "level"), {}, "cells: expected"),
        (("cells", 1, "level"), "medium", "cells: expected each transform and level once"),
        (("cells", 1, "id"), "../../x", "cells: expected ids of hexadecimal digits"),
        (("cells", 1, "steps"), "many", "steps: expected a whole number"),
        (("cells", 1, "radius"), "wide", "cells: expected numbers as radii"),
        pytest.param(
            *(("cells", 1, "radius"), 10**400, "cells: expected numbers as radii"),
            id="a radius beyond floats",
        ),
    ],
)
def test_a_broken_record_is_one_line_that_says_where(
    keys: tuple[str | int, ...], value: object, said: str
) -> None:
    record = made_record()
    inner: Any = record
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with pytest.raises(RunError, match=said) as caught:
        summarise_attacks(planned_attack_run(record), RunLog.open_for_reading("nowhere").rows())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("transform", "snow", "wood medium: expected transform 'wood', got 'snow' in 1 of 10"),
        ("level", "high", "wood medium: expected level 'medium', got 'high' in 1 of 10"),
        ("seed", 1, "wood medium: expected seed 0, got 1 in 1 of 10"),
        ("level", None, "wood medium: expected level 'medium', got None in 1 of 10"),
    ],
)
def test_rows_that_contradict_their_cell_are_refused_and_not_counted(
    column: str, value: object, said: str
) -> None:
    record = made_record(levels=("medium",))
    one = (pl.col("transform") == "wood") & (pl.col("example_id") == "p001")
    rows = made_frame(record).with_columns(
        pl.when(one).then(pl.lit(value)).otherwise(column).alias(column)
    )
    with pytest.raises(RunError, match=said) as caught:
        summarise_attacks(planned_attack_run(record), rows)
    assert "\n" not in str(caught.value)


def test_a_broken_benchmark_in_a_record_is_a_benchmark_error(tmp_path: Path) -> None:
    record = made_record()
    record["benchmark"]["classes"] = "many"
    write_record(tmp_path, record)
    with pytest.raises(
        BenchmarkError, match=r"run\.json: classes: expected a whole number"
    ) as caught:
        write_summary(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "run.json"))
    assert not (tmp_path / "summary.json").exists()


def test_a_broken_record_is_named_by_its_file(tmp_path: Path) -> None:
    """Commands of several folders would otherwise leave open which of them it is."""
    record = made_record()
    record["model"] = None
    write_record(tmp_path, record)
    with pytest.raises(RunError, match=r"run\.json: model: expected an object, got None") as caught:
        write_summary(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "run.json"))


def test_the_small_benchmark_of_these_tests_differs_only_in_name_and_images() -> None:
    assert replace(small_benchmark(), name="imagenet-ua", images=50000) == load_attack_benchmark(
        "imagenet-ua"
    )
