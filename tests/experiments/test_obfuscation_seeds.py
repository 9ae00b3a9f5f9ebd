"""Obfuscations drawn with several seeds, on the pictures that seed 0 chooses."""

from pathlib import Path

import pytest

from asked import asked
from data.in_memory import InMemory
from made_assets import made_assets
from obfuscation_runs import (
    obfuscated_dataset,
    obfuscation_benchmark,
    rows_of_obfuscations,
    run_obfuscated,
)
from small import SmallNet, small_benchmark
from small_runs import labelled_dataset
from unforeseen.errors import BenchmarkError, RunError, UserError
from unforeseen.experiment_folder.record import read_experiment
from unforeseen.experiments.seeds import run_obfuscation_seeds, run_seeds
from unforeseen.recount import recount
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds, obfuscation_seeds
from unforeseen.running.options import RunOptions

OPTIONS = asked(batch_size=4, limit=6, check=False)


def seeded(
    work: Path, *seeds: int, model: SmallNet | None = None, options: RunOptions = OPTIONS
) -> ObfuscationSeeds:
    """Runs into ``out`` below the folder."""
    return run_obfuscation_seeds(
        model or SmallNet(),
        labelled_dataset(),
        obfuscation_benchmark(work / "benchmark"),
        seeds=seeds,
        options=asked(options, assets=made_assets(work / "assets").folder),
        out=work / "out",
    )


def test_all_seeds_judge_the_pictures_that_seed_0_chooses(tmp_path: Path) -> None:
    table = seeded(tmp_path, 3, 0)
    assert table.seeds == (0, 3)
    rows = {seed: rows_of_obfuscations(tmp_path / "out" / f"seed-{seed}") for seed in (0, 3)}
    run_obfuscated(tmp_path / "alone", limit=6)
    assert rows[0].equals(rows_of_obfuscations(tmp_path / "alone"))
    assert set(rows[3]["example_id"]) == set(rows[0]["example_id"])
    # Alone, seed 3 would have chosen others; clean pictures are the same in all runs.
    (clean,) = (line for line in table.table.lines if line.key == "clean")
    spread = table.spread(clean, "balanced")
    assert spread is not None
    assert spread.deviation == 0


def test_obfuscations_are_drawn_anew_with_each_seed(tmp_path: Path) -> None:
    seeded(tmp_path, 0, 1)
    rows = [rows_of_obfuscations(tmp_path / "out" / f"seed-{seed}") for seed in (0, 1)]
    zero, one = (each["parameters"].drop_nulls().to_list() for each in rows)
    assert len(zero) == len(one) == 18
    assert all(a != b for a, b in zip(zero, one, strict=True))


def test_seeds_come_to_those_that_are_there_and_are_shown_again(tmp_path: Path) -> None:
    seeded(tmp_path, 5)
    table = seeded(tmp_path, 0, 5)
    out = tmp_path / "out"
    assert [run.folder for run in read_experiment(out).runs] == ["seed-0", "seed-5"]
    assert obfuscation_seeds(out) == table == seeded(tmp_path, 0)
    assert (out / "table.csv").read_text(encoding="utf-8").startswith("experiment,benchmark,")
    assert (out / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert all(recount(out / f"seed-{seed}").agrees for seed in (0, 5))


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        (SmallNet(seed=1), {}, "another model"),
        (SmallNet(), {"worst_of": 2}, "worst of"),
        (SmallNet(), {"eot": 2}, "eot"),
    ],
    ids=["model", "worst of", "eot"],
)
def test_what_differs_in_more_than_the_seed_is_refused_before_anything_is_run(
    tmp_path: Path, model: SmallNet, options: dict[str, int], words: str
) -> None:
    seeded(tmp_path, 0)
    with pytest.raises(RunError, match=words):
        seeded(
            tmp_path,
            7,
            model=model,
            options=asked(OPTIONS, worst_of=options.get("worst_of", 1), eot=options.get("eot", 1)),
        )
    assert not (tmp_path / "out" / "seed-7").exists()


def test_pictures_that_were_obfuscated_before_are_refused(tmp_path: Path) -> None:
    """No seed changes them, so that a deviation of 0 would say nothing."""
    clean = labelled_dataset()
    assert isinstance(clean, InMemory)
    with pytest.raises(
        UserError, match="these were obfuscated before, so that no seed changes them"
    ):
        run_obfuscation_seeds(
            SmallNet(),
            obfuscated_dataset(tmp_path, clean),
            obfuscation_benchmark(tmp_path / "benchmark"),
            seeds=[0, 1],
            out=tmp_path / "out",
        )
    assert not (tmp_path / "out").exists()


def test_each_kind_of_benchmark_has_its_function(tmp_path: Path) -> None:
    own = obfuscation_benchmark(tmp_path / "benchmark")
    data, out = labelled_dataset(), tmp_path / "out"
    with pytest.raises(UserError, match="run_obfuscation_seeds takes it"):
        run_seeds(SmallNet(), data, own, seeds=[0], out=out)
    with pytest.raises(BenchmarkError, match="expected a benchmark of obfuscations"):
        run_obfuscation_seeds(SmallNet(), data, small_benchmark(), seeds=[0], out=out)
    with pytest.raises(UserError, match="levels: expected none"):
        seeded(tmp_path, 0, options=asked(OPTIONS, levels=["low"]))
    assert not out.exists()
