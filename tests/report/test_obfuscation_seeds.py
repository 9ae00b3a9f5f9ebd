"""Obfuscations with several seeds: mean and deviation are those of the runs, and nothing is hidden."""

import csv
import io
import json
import shutil
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from rich.console import Console

from made_experiments import made_experiment
from made_obfuscations import made_record, made_seeds
from unforeseen.errors import RunError
from unforeseen.metrics.verdicts import TOP, TopK
from unforeseen.report.experiment_files import write_obfuscation_report
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds, obfuscation_seeds
from unforeseen.report.obfuscation_seeds_export import (
    obfuscation_seeds_to_csv,
    obfuscation_seeds_to_json,
)
from unforeseen.report.obfuscation_seeds_render import (
    obfuscation_seeds_to_markdown,
    obfuscation_seeds_to_rich,
)
from unforeseen.run_folder.obfuscation_figures import Weighting
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.run_folder.record import read_record, write_record

SEEDS = (0, 1, 4)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_seeds(tmp_path_factory.mktemp("seeds"), SEEDS)


def shown(table: ObfuscationSeeds, weighting: Weighting = "balanced", width: int = 200) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(obfuscation_seeds_to_rich([table], weighting, width=width))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    return text


@pytest.mark.parametrize("top", list(TOP))
@pytest.mark.parametrize("weighting", get_args(Weighting))
def test_mean_and_deviation_are_those_of_the_runs(
    seeds: Path, weighting: Weighting, top: TopK
) -> None:
    table = obfuscation_seeds(seeds, top=top)
    runs = [read_obfuscation_run(seeds / f"seed-{seed}", top=top).summary for seed in SEEDS]
    assert table.seeds == SEEDS
    keys = [line.key for line in table.table.lines]
    assert sorted(keys) == sorted(runs[0].figures)
    assert keys[:3] == ["worst:hold-out", "mean:hold-out", "clean"]
    for line in table.table.lines:
        shares = []
        for run in runs:
            figure = run.figures[line.key].by(weighting)
            assert figure is not None
            shares.append(figure.value)
        spread = table.spread(line, weighting)
        assert spread is not None
        assert spread.mean == pytest.approx(statistics.fmean(shares))
        assert spread.deviation == pytest.approx(statistics.stdev(shares))
        assert spread.n == len(SEEDS)


def test_the_headline_its_deviation_and_what_must_be_read_before_come_first(seeds: Path) -> None:
    table = obfuscation_seeds(seeds)
    spread = table.spread(table.table.lines[0], "balanced")
    assert spread is not None
    assert spread.deviation is not None
    told = f"{100 * spread.mean:.2f} ± {100 * spread.deviation:.2f}"
    title, headline, *others = shown(table).splitlines()
    assert title == (
        "small-image-obfuscation, top 1, class-balanced, 3 seeds: timm:resnet50, 10 pictures"
    )
    assert headline == f"Worst over the hold-outs: {told} over 3 seeds"
    before = " ".join(others).partition("mean ± SD")[0]
    assert "made by this project" in before
    assert "Dog 5" in before
    markdown = obfuscation_seeds_to_markdown([table], "balanced")
    assert f"**{headline}**" in markdown
    assert f"| Worst over the hold-outs | {told} |" in markdown
    assert "every picture weighs the same" in obfuscation_seeds_to_markdown([table], "unweighted")


def test_seeds_go_on_below_where_the_terminal_is_narrow(seeds: Path) -> None:
    lines = shown(obfuscation_seeds(seeds), width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum("seed 4" in line for line in lines) == 1


def test_csv_has_every_figure_of_every_seed_in_both_weightings(seeds: Path) -> None:
    table = obfuscation_seeds(seeds, top=5)
    text = obfuscation_seeds_to_csv([table])
    lines = list(csv.DictReader(io.StringIO(text)))
    assert list(lines[0]) == [
        *("experiment", "benchmark", "weighting", "top", "model", "images", "figure", "value"),
        *("estimate", "low", "high", "n", "interval"),
    ]
    assert len(lines) == 2 * len(table.table.lines) * (len(SEEDS) + 2)
    assert {(each["experiment"], each["top"], each["images"]) for each in lines} == {
        ("seeds", "5", "10")
    }
    found = {(each["weighting"], each["figure"], each["value"]): each for each in lines}
    content = json.loads(obfuscation_seeds_to_json([table]))[0]
    assert content["values"] == [0, 1, 4]
    for (weighting, figure, value), line in found.items():
        recorded = content["figures"][figure][weighting]
        if value in ("mean", "standard_deviation"):
            key = "mean" if value == "mean" else "deviation"
            assert float(line["estimate"]) == recorded["spread"][key]
            assert line["n"] == "3"
        else:
            estimate = recorded["estimates"][SEEDS.index(int(value))]
            assert float(line["estimate"]) == estimate["value"]
            assert (line["n"], line["interval"]) == (str(estimate["n"]), estimate["interval"])


def test_a_single_seed_has_no_deviation(tmp_path: Path) -> None:
    table = obfuscation_seeds(made_seeds(tmp_path, [7]))
    (headline,) = (line for line in shown(table).splitlines() if "over 1 seed" in line)
    assert headline.endswith("± – over 1 seed")
    lines = csv.DictReader(io.StringIO(obfuscation_seeds_to_csv([table])))
    assert {each["estimate"] for each in lines if each["value"] == "standard_deviation"} == {""}


def test_what_was_not_run_is_said_and_has_no_figure(tmp_path: Path) -> None:
    record = made_record(obfuscations=["SwirlWarp"])
    folder = made_seeds(tmp_path, SEEDS, record)
    shutil.rmtree(folder / "seed-1")
    table = write_obfuscation_report(folder)
    assert table.seeds == (0, 4)
    assert "partial: 1 of 3 runs not begun: seed-1" in table.notes
    assert shown(table).splitlines()[1] == "Worst over the hold-outs: not run"
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")
    shutil.rmtree(folder / "seed-0")
    shutil.rmtree(folder / "seed-4")
    with pytest.raises(RunError, match="no run was begun"):
        obfuscation_seeds(folder)


def test_runs_of_other_pictures_are_told_of(tmp_path: Path) -> None:
    folder = made_seeds(tmp_path, SEEDS)
    record = read_record(folder / "seed-4")
    record["data"]["subset"] = "0" * 32
    write_record(folder / "seed-4", record)
    assert any("not of the same pictures" in note for note in obfuscation_seeds(folder).notes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: record["benchmark"].update(image_size=64), "differ in benchmark too"),
        (lambda record: record["model"].update(fingerprint="other"), "another network"),
        (lambda record: record.update(eot=2), "differ in eot too"),
        (lambda record: record.update(worst_of=2), "differ in worst of too"),
        (
            lambda record: next(each for each in record["cells"] if "assets" in each).update(
                assets={"icon": "b"}
            ),
            "differ in assets too",
        ),
        (
            lambda record: record.update(
                ready_made={"made_by": "published", "fingerprint": "f"}, assets=None
            ),
            "assets and origin of the pictures too",
        ),
    ],
    ids=["benchmark", "model", "eot", "worst of", "assets", "origin"],
)
def test_runs_that_differ_in_more_than_the_seed_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    folder = made_seeds(tmp_path, (0, 1))
    record = read_record(folder / "seed-1")
    change(record)
    write_record(folder / "seed-1", record)
    with pytest.raises(RunError, match=words):
        obfuscation_seeds(folder)


def test_one_seed_is_not_counted_twice(tmp_path: Path) -> None:
    folder = made_seeds(tmp_path, (0, 1))
    shutil.rmtree(folder / "seed-1")
    shutil.copytree(folder / "seed-0", folder / "seed-1")
    with pytest.raises(RunError, match="expected a run with seed 1 in seed-1, got one with seed 0"):
        obfuscation_seeds(folder)


def test_experiments_over_something_else_are_refused(tmp_path: Path) -> None:
    steps = made_experiment(tmp_path, "steps", (0, 1), {"a.pt2": {"wood": (5, 4)}})
    with pytest.raises(RunError, match="expected an experiment over seeds, got one over steps"):
        obfuscation_seeds(steps)
