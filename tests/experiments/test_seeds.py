"""Several seeds judge the same pictures, and their spread is that of a sample."""

import statistics
from pathlib import Path
from typing import Any

import pytest

from asked import asked
from small import SmallNet, small_benchmark
from small_runs import labelled_dataset, rows_of
from unforeseen import evaluate
from unforeseen.errors import RunError, UserError
from unforeseen.experiment_folder.record import read_experiment
from unforeseen.experiments.seeds import run_seeds
from unforeseen.report.experiment_tables import ExperimentTable
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.running.options import RunOptions

OPTIONS = asked(
    attacks=["wood", "pixel"], batch_size=4, limit=6, check=False, levels=["low", "medium"]
)


def seeded(
    out: Path, *seeds: int, model: SmallNet | None = None, options: RunOptions = OPTIONS
) -> tuple[ExperimentTable, ...]:
    return run_seeds(
        model or SmallNet(),
        labelled_dataset(),
        small_benchmark(),
        seeds=seeds,
        options=options,
        out=out,
    )


def test_all_seeds_judge_the_pictures_that_seed_0_chooses(tmp_path: Path) -> None:
    seeded(tmp_path, 3, 7)
    pictures = [
        set(rows_of(tmp_path / run.folder)["example_id"]) for run in read_experiment(tmp_path).runs
    ]
    zero = evaluate(
        SmallNet(), labelled_dataset(), small_benchmark(), attacks=["wood"], limit=6, check=False
    )
    assert pictures == [set(zero.rows["example_id"])] * 2
    # Continued alone, a run keeps to them.
    folder = tmp_path / "seed-3"
    evaluate(
        SmallNet(),
        labelled_dataset(),
        small_benchmark(),
        attacks=["pgd"],
        limit=6,
        seed=3,
        out=folder,
        check=False,
    )
    assert set(rows_of(folder)["example_id"]) == pictures[0]


def test_mean_and_deviation_are_those_of_the_runs(tmp_path: Path) -> None:
    tables = seeded(tmp_path, 0, 1, 2)
    assert [table.level for table in tables] == ["low", "medium"]
    for table in tables:
        assert table.values == (0, 1, 2)
        (block,) = table.blocks
        for line in block.lines:
            summaries = [read_attack_run(tmp_path / f"seed-{seed}").summary for seed in range(3)]
            shares = []
            for summary in summaries:
                figure = {
                    "clean_accuracy": summary.clean_accuracy,
                    "ua2": summary.ua2[table.level],
                }.get(line.key) or summary.accuracy(line.key, table.level)
                assert figure is not None
                shares.append(figure.value)
            assert line.spread is not None
            assert line.spread.mean == pytest.approx(statistics.fmean(shares))
            assert line.spread.deviation == pytest.approx(statistics.stdev(shares))
            if line.kind == "clean":
                assert line.spread.deviation == 0, "no draw touches a clean picture"


def test_seeds_come_to_those_that_are_there(tmp_path: Path) -> None:
    seeded(tmp_path, 5)
    tables = seeded(tmp_path, 0, 5)
    assert tables[0].values == (0, 5)
    assert [run.folder for run in read_experiment(tmp_path).runs] == ["seed-0", "seed-5"]
    assert tables == seeded(tmp_path, 0)
    assert "0 of" not in " ".join(tables[0].notes)


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        (SmallNet(seed=1), {}, "another model"),
        (SmallNet(), {"edition": "strict"}, "edition"),
        (SmallNet(), {"steps": 1}, "steps"),
        (SmallNet(), {"eot": 2}, "eot"),
        (SmallNet(), {"search": "apgd"}, "another search"),
    ],
    ids=["model", "edition", "steps", "eot", "search"],
)
def test_what_differs_in_more_than_the_seed_is_refused_before_anything_is_run(
    tmp_path: Path, model: SmallNet, options: dict[str, Any], words: str
) -> None:
    seeded(tmp_path, 0)
    with pytest.raises(RunError, match=words):
        seeded(tmp_path, 7, model=model, options=asked(OPTIONS, **options))
    assert not (tmp_path / "seed-7").exists()
    assert seeded(tmp_path, 0, 1)[0].values == (0, 1)


def test_a_single_seed_has_no_deviation(tmp_path: Path) -> None:
    tables = seeded(tmp_path, 4)
    spreads = {line.spread and line.spread.deviation for line in tables[0].blocks[0].lines}
    assert spreads == {None}
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_seeds_that_judge_other_pictures_are_noted(tmp_path: Path) -> None:
    seeded(tmp_path, 0)
    smaller = asked(OPTIONS, limit=4)
    (note, *_) = seeded(tmp_path, 1, options=smaller)[0].notes
    assert note == (
        "partial: the runs are not of the same pictures (4, 6 of them); run the experiment again "
        "with one --limit"
    )
    assert "same pictures" not in " ".join(seeded(tmp_path, 1)[0].notes)


def test_seeds_of_as_many_pictures_of_other_data_are_noted(tmp_path: Path) -> None:
    seeded(tmp_path, 0)
    other = labelled_dataset(8)
    tables = run_seeds(
        SmallNet(), other, small_benchmark(), seeds=[1], options=OPTIONS, out=tmp_path
    )
    assert tables[0].notes[0] == (
        "partial: the runs are not of the same pictures (6 of them); run it with one --data, in "
        "another --out"
    )


def test_the_folder_of_one_run_is_refused(tmp_path: Path) -> None:
    evaluate(
        SmallNet(),
        labelled_dataset(),
        small_benchmark(),
        attacks=["wood"],
        limit=3,
        seed=3,
        check=False,
        out=tmp_path / "out" / "seed-3",
    )
    with pytest.raises(RunError, match="is not an experiment"):
        seeded(tmp_path / "out", 3)


def test_no_seed_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="seeds: expected at least one value"):
        seeded(tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("other", [{"seed": 3}, {"choice_seed": 3}])
def test_another_seed_beside_them_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"expected no other ones beside them, got .*3"):
        seeded(tmp_path / "out", 0, options=asked(OPTIONS, **other))
    assert not (tmp_path / "out").exists()
