"""A sweep is ordinary runs: the rows that each has by itself, made once, and continued."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import torch

from asked import asked
from small import SmallNet, Watched, as_function, small_benchmark
from small_runs import assert_same_results, labelled_dataset, rows_of
from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.benchmarks.scaled import scaled
from unforeseen.errors import ModelError, RunError, UserError
from unforeseen.experiment_folder.record import read_experiment
from unforeseen.experiments import running
from unforeseen.experiments.sweep import sweep
from unforeseen.files.lock import sole_writer
from unforeseen.fitting import Model
from unforeseen.recount import recount
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.rows import Row
from unforeseen.running.evaluation import evaluate_with
from unforeseen.running.options import RunOptions
from unforeseen.running.reporter import Silent

OPTIONS = asked(attacks=["pgd", "wood", "pixel"], batch_size=4, limit=6, check=False)
STEPS = (0, 1, 3)


def swept(
    out: Path,
    over: str = "steps",
    values: Sequence[float] = STEPS,
    *,
    models: Sequence[Model] | None = None,
    benchmark: AttackBenchmark | None = None,
    options: RunOptions = OPTIONS,
    **more: Any,
) -> tuple[ExperimentTable, ...]:
    return sweep(
        models or [SmallNet()],
        labelled_dataset(),
        benchmark or small_benchmark(),
        over=over,
        values=values,
        options=options,
        out=out,
        **more,
    )


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize("search", ["pgd", "apgd"])
def test_each_run_of_a_step_sweep_has_the_rows_that_it_has_by_itself(
    tmp_path: Path, edition: str, search: str
) -> None:
    options = asked(OPTIONS, edition=edition, search=search)
    swept(tmp_path / "sweep", options=options)
    for steps in STEPS:
        alone = asked(options, steps=steps)
        evaluate_with(
            alone, SmallNet(), labelled_dataset(), small_benchmark(), out=tmp_path / f"{steps}"
        )
        folder = tmp_path / "sweep" / "SmallNet" / f"steps-{steps}"
        assert_same_results(rows_of(folder), rows_of(tmp_path / f"{steps}"))
        assert recount(folder).agrees


def test_a_step_sweep_reads_one_trajectory(tmp_path: Path) -> None:
    watched = Watched(SmallNet())
    (table,) = swept(tmp_path, models=[watched], values=range(4))
    whole = sum(watched.batches)
    watched.forget()
    longest = asked(OPTIONS, steps=3)
    evaluate_with(longest, watched, labelled_dataset(), small_benchmark(), out=tmp_path / "longest")
    # A point is looked at again where it is judged, and rounded to 8 bits; no gradient is.
    assert whole < 2.5 * sum(watched.batches)
    assert table.values == (0, 1, 2, 3)


@pytest.mark.parametrize("over", ["radii", "step-sizes"])
def test_the_multiple_1_is_the_benchmark_itself_and_others_are_named_after_it(
    tmp_path: Path, over: str
) -> None:
    (table,) = swept(tmp_path, over, [2, 0.5, 1, 2])
    assert table.values == (0.5, 1, 2)
    assert table.benchmark == "small"
    ids = {}
    for run in read_experiment(tmp_path).runs:
        assert run.folder == f"SmallNet/{over}-x{run.value:g}"
        rows = rows_of(tmp_path / run.folder)
        ids[run.value] = set(rows["cell"])
        source = scaled(
            small_benchmark(), "radii" if over == "radii" else "step-sizes", run.value or 0
        )
        evaluate_with(
            OPTIONS, SmallNet(), labelled_dataset(), source, out=tmp_path / f"alone-{run.value:g}"
        )
        assert_same_results(rows, rows_of(tmp_path / f"alone-{run.value:g}"))
    clean = set.intersection(*ids.values())
    assert len(clean) == 1, "clean pictures are the same at every multiple"


def test_the_table_says_what_the_runs_say(tmp_path: Path) -> None:
    (table,) = swept(tmp_path, models=[SmallNet(), SmallNet(seed=1)])
    first, one, other = table.blocks
    assert first.model is None
    assert table.models == ("module:SmallNet", "module:SmallNet")
    for block, folder in ((one, "SmallNet"), (other, "SmallNet-2")):
        lines = {line.key: line.figures for line in block.lines}
        assert list(lines) == ["wood", "pixel", "pgd", "ua2", "clean_accuracy"]
        for index, steps in enumerate(STEPS):
            rows = rows_of(tmp_path / folder / f"steps-{steps}")
            shares = dict(rows.group_by("transform").agg(pl.col("correct").mean()).iter_rows())
            for attack in ("wood", "pixel", "pgd"):
                figure = lines[attack][index]
                assert figure is not None
                assert (figure.value, figure.interval) == (shares[attack], "wilson")
            mean = lines["ua2"][index]
            assert mean is not None
            assert mean.value == pytest.approx((shares["wood"] + shares["pixel"]) / 2)
    for mean_line, a, b in zip(first.lines, one.lines, other.lines, strict=True):
        for figure, left, right in zip(mean_line.figures, a.figures, b.figures, strict=True):
            assert figure is not None
            assert left is not None
            assert right is not None
            assert figure.value == pytest.approx((left.value + right.value) / 2)
            assert figure.interval == "bootstrap"
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").startswith("experiment,")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_again_computes_nothing_and_more_computes_only_what_is_new(tmp_path: Path) -> None:
    watched = Watched(SmallNet())
    swept(tmp_path, values=[0, 3], models=[watched])
    rows = {path: path.read_bytes() for path in tmp_path.rglob("rows/*.parquet")}
    watched.forget()
    (table,) = swept(tmp_path, values=[3, 0], models=[watched])
    assert set(watched.batches) == {1}, "only a grey picture, to count the outputs"
    (table,) = swept(tmp_path, values=[2], models=[watched, SmallNet(seed=1)])
    assert table.values == (0, 2, 3)
    folders = [run.folder for run in read_experiment(tmp_path).runs]
    assert folders == ["Watched/steps-0", "Watched/steps-2", "Watched/steps-3", "SmallNet/steps-2"]
    # What only one of the models has run has no mean over both.
    assert [figure is None for figure in table.blocks[0].lines[0].figures] == [True, False, True]
    assert rows.items() <= {p: p.read_bytes() for p in tmp_path.rglob("rows/*.parquet")}.items()


@pytest.mark.parametrize("over", ["steps", "radii"])
@pytest.mark.parametrize("after", [1, 9, 30])
def test_a_sweep_that_was_cut_goes_on_to_the_same_table(
    tmp_path: Path, over: str, after: int
) -> None:
    class Cut(Silent):
        left = after

        def row(self, row: Row) -> None:  # noqa: ARG002 - as all reporters have it
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    values = STEPS if over == "steps" else (0.5, 1, 2)
    models = [SmallNet(), SmallNet(seed=1)]
    with pytest.raises(KeyboardInterrupt):
        swept(tmp_path / "cut", over, values, models=models, reporter=Cut())
    assert swept(tmp_path / "cut", over, values, models=models) == swept(
        tmp_path / "whole", over, values, models=models
    )
    assert (tmp_path / "cut" / "table.csv").read_bytes() == (
        tmp_path / "whole" / "table.csv"
    ).read_bytes()


def test_one_value_is_a_sweep(tmp_path: Path) -> None:
    (table,) = swept(tmp_path, values=[2])
    assert table.values == (2,)
    assert table.choices == ()
    assert (tmp_path / "plot.png").exists()


def test_another_level_comes_to_the_one_that_is_there_in_a_table_of_its_own(
    tmp_path: Path,
) -> None:
    swept(tmp_path, "radii", [1, 2])
    high = asked(OPTIONS, levels=["high"])
    tables = swept(tmp_path, "radii", [1, 2], options=high)
    assert [table.level for table in tables] == ["medium", "high"]
    # Twice the medium radius is the high one of the small benchmark, and the seed is the same.
    medium, wide = ({line.key: line.figures for line in t.blocks[0].lines} for t in tables)
    for attack in ("wood", "pixel", "pgd"):
        assert medium[attack][1] == wide[attack][0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"over": "radii", "values": [0, 1]}, "radii: expected a finite number above 0"),
        ({"values": []}, "steps: expected at least one value"),
        ({"over": "size"}, "unknown sweep 'size'"),
        ({"models": [SmallNet(), SmallNet()]}, "are the same network"),
        ({"options": asked(levels=["low", "high"])}, "expected the one that is swept"),
        ({"options": asked(steps=3)}, "steps: expected none beside those that are swept"),
        ({"options": asked(search="random")}, "search random doesn't take it"),
        (
            {"over": "step-sizes", "values": [1], "options": asked(search="apgd")},
            "has no step size",
        ),
        ({"over": "radii", "values": [1e-310]}, "beyond what can be computed with"),
        ({"options": asked(attacks=["snow"])}, "unknown attack"),
    ],
)
def test_what_cannot_be_swept_is_refused_and_leaves_nothing_behind(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        swept(tmp_path / "out", **{"over": "steps", "values": STEPS} | changes)
    assert not (tmp_path / "out").exists()


def test_a_function_without_a_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="black_box"):
        swept(tmp_path / "out", values=[0], models=[as_function(SmallNet())])


def test_the_second_model_is_found_wanting_before_the_first_is_run(tmp_path: Path) -> None:
    watched = Watched(SmallNet())
    with pytest.raises(UserError, match="no_such"):
        swept(tmp_path / "out", models=[watched, "no_such_model.pt2"])
    assert set(watched.batches) == {1}, "only a grey picture, to count the outputs"
    assert not (tmp_path / "out").exists()


def test_another_experiment_or_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    swept(tmp_path / "steps", values=[0])
    with pytest.raises(RunError, match="holds an experiment over steps; asked for was radii"):
        swept(tmp_path / "steps", "radii", [1])
    evaluate_with(OPTIONS, SmallNet(), labelled_dataset(), small_benchmark(), out=tmp_path / "run")
    with pytest.raises(RunError, match="is not an experiment"):
        swept(tmp_path / "run", values=[0])
    other = asked(OPTIONS, seed=1)
    with pytest.raises(RunError, match="has seed 0; asked for was 1"):
        swept(tmp_path / "steps", values=[0], options=other)


def test_a_model_that_changes_while_another_runs_is_refused(tmp_path: Path) -> None:
    """Else its rows would go into cells of the network that it was."""
    second = SmallNet(seed=1)

    class Changing(Silent):
        def part_begins(self, title: str) -> None:  # noqa: ARG002 - as all reporters have it
            with torch.no_grad():
                second.first.mul_(2)

    with pytest.raises(ModelError, match="module:SmallNet has changed since this command began"):
        swept(tmp_path, "radii", [1], models=[SmallNet(), second], reporter=Changing())
    assert (tmp_path / "SmallNet").exists()
    assert not (tmp_path / "SmallNet-2").exists()


@pytest.mark.parametrize("seed", [0, 1], ids=["same model", "another model"])
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"edition": "strict"}, "has edition 'published'; asked for was 'strict'"),
        ({"seed": 5}, "has seed 0; asked for was 5"),
        ({"steps": 1}, "has the benchmark's number of steps; asked for was 1"),
        ({"eot": 2}, "has eot 1; asked for was 2"),
        ({"search": "apgd"}, "another search"),
        ({"loss": "margin"}, "another search"),
        ({"restarts": 2}, "another search"),
    ],
)
def test_other_options_at_a_new_value_are_refused_before_anything_is_run(
    tmp_path: Path, seed: int, changes: dict[str, Any], words: str
) -> None:
    watched = Watched(SmallNet())
    before = swept(tmp_path, "radii", [1], models=[watched])
    record = (tmp_path / "experiment.json").read_bytes()
    other = Watched(SmallNet(seed=seed))
    options = asked(OPTIONS, **changes)
    with pytest.raises(RunError, match=words):
        swept(tmp_path, "radii", [2], models=[other], options=options)
    assert set(other.batches) == {1}, "only a grey picture, to count the outputs"
    assert (tmp_path / "experiment.json").read_bytes() == record
    assert swept(tmp_path, "radii", [1], models=[watched]) == before


def test_another_benchmark_at_a_new_value_is_refused(tmp_path: Path) -> None:
    swept(tmp_path, "radii", [1])
    wider = replace(scaled(small_benchmark(), "radii", 2), name="small")
    with pytest.raises(RunError, match="made with another benchmark"):
        swept(tmp_path, "radii", [3], benchmark=wider)


def test_what_another_command_ran_while_models_were_loaded_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def after_another(folder: Path, note: Callable[[str], None]) -> AbstractContextManager[None]:
        monkeypatch.undo()
        swept(tmp_path, "radii", [1], models=[SmallNet(seed=1)])
        return sole_writer(folder, note)

    swept(tmp_path, "radii", [1])
    monkeypatch.setattr(running, "sole_writer", after_another)
    (table,) = swept(tmp_path, "radii", [1, 2], models=[SmallNet(seed=2)])
    folders = [run.folder for run in read_experiment(tmp_path).runs]
    assert folders == [
        *("SmallNet/radii-x1", "SmallNet-2/radii-x1"),
        *("SmallNet-3/radii-x1", "SmallNet-3/radii-x2"),
    ]
    assert len(table.models) == 3


def test_a_built_in_benchmark_can_be_swept_by_name(tmp_path: Path) -> None:
    options = asked(attacks=["wood"], limit=2, check=False)
    (table,) = sweep(
        [SmallNet(classes=10)],
        "samples:cifar10",
        "cifar10-ua",
        over="steps",
        values=[0, 1],
        options=options,
        out=tmp_path,
    )
    assert table.benchmark == load_attack_benchmark("cifar10-ua").name
    assert "1 step" not in " ".join(table.notes), "which is what is swept"
