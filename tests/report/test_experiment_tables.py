"""Figures of experiments, from rows that were made up."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.console import Console

from made_experiments import Survivors, made_experiment
from made_runs import CORE
from unforeseen.errors import RunError
from unforeseen.experiment_folder.record import (
    Experiment,
    ExperimentName,
    ExperimentRun,
    write_experiment,
)
from unforeseen.metrics import wilson
from unforeseen.report.experiment_export import experiments_to_csv, experiments_to_json
from unforeseen.report.experiment_files import write_report
from unforeseen.report.experiment_render import experiments_to_markdown, experiments_to_rich
from unforeseen.report.experiment_tables import ExperimentTable, experiment_tables
from unforeseen.run_folder.record import read_record, write_record
from unforeseen.search.settings import SearchSettings

STEPS = (0, 1, 5, 10)
WOOD: Survivors = {"wood": (8, 6, 3, 3), "pgd": (9, 1, 0, 0)}
SNOW: Survivors = {"wood": (6, 4, 3, 2), "pgd": (9, 5, 2, 2)}


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    return made_experiment(tmp_path / "out", "steps", STEPS, {"a.pt2": WOOD, "b.pt2": SNOW})


def shares(table: ExperimentTable, block: int, key: str) -> list[float | None]:
    (line,) = (line for line in table.blocks[block].lines if line.key == key)
    return [None if figure is None else figure.value for figure in line.figures]


def shown(folder: Path, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(experiments_to_rich(experiment_tables(folder), width=width))
    text = console.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    assert isinstance(text, str)
    return text


def test_the_first_block_is_the_mean_over_models_and_each_has_one(steps: Path) -> None:
    (table,) = experiment_tables(steps)
    assert [block.model for block in table.blocks] == [None, "a.pt2", "b.pt2"]
    assert shares(table, 0, "wood") == pytest.approx([0.7, 0.5, 0.3, 0.25])
    assert shares(table, 1, "wood") == pytest.approx([0.8, 0.6, 0.3, 0.3])
    assert shares(table, 0, "clean_accuracy") == pytest.approx([0.9] * 4)
    figure = table.blocks[1].lines[0].figures[0]
    assert figure == wilson(8, 10)
    mean = table.blocks[0].lines[0].figures[0]
    assert mean is not None
    assert (mean.interval, mean.n) == ("bootstrap", 10)
    assert mean.low < mean.value < mean.high


def test_the_mean_over_core_is_ua2_only_where_all_of_them_were_run(tmp_path: Path) -> None:
    def last_but_one(name: str, attacks: tuple[str, ...]) -> Any:
        counts = {attack: (index,) for index, attack in enumerate(attacks)}
        folder = made_experiment(tmp_path / name, "steps", (3,), {"a.pt2": counts})
        (table,) = experiment_tables(folder)
        return table.blocks[0].lines[-2]

    whole = last_but_one("all", (*CORE, "pgd"))
    assert (whole.key, whole.heading, whole.kind) == ("ua2", "UA2", "mean")
    assert whole.figures[0].value == pytest.approx(0.35)
    part = last_but_one("part", ("elastic", "wood", "pgd"))
    assert (part.key, part.heading) == ("mean:elastic+wood", "Mean of 2 core")
    assert part.figures[0].value == pytest.approx(0.05)
    assert last_but_one("one", ("wood", "pgd")).kind == "attack"
    assert last_but_one("none", ("pgd",)).key == "pgd"


@pytest.mark.parametrize(
    ("survivors", "chosen"),
    [
        ((8, 6, 3, 3), 5),
        ((5, 5, 5, 5), 0),
        ((10, 9, 8, 9), 5),
        ((9, 1, 0, 0), 5),
        ((9, 3, 4, 2), 10),
        ((11, 10, 10, 10), 0),
    ],
)
def test_the_smallest_number_of_steps_within_a_tenth_of_the_lowest_is_chosen(
    tmp_path: Path, survivors: tuple[int, ...], chosen: float
) -> None:
    """Appendix A. At most 1.1 times the lowest: 11 of 100 beside 10 will do, 9 of 10 beside 8 won't."""
    images = 100 if max(survivors) > 10 else 10
    folder = made_experiment(
        tmp_path, "steps", STEPS, {"a.pt2": {"wood": survivors}}, images=images
    )
    (table,) = experiment_tables(folder)
    (choice,) = table.choices
    assert (choice.attack, choice.value) == ("wood", chosen)
    assert choice.accuracy == survivors[STEPS.index(int(chosen))] / images
    assert choice.lowest == min(survivors) / images


def test_the_choice_is_by_the_mean_over_models(steps: Path) -> None:
    (table,) = experiment_tables(steps)
    assert {each.attack: each.value for each in table.choices} == {"wood": 10, "pgd": 5}


@pytest.mark.parametrize(("survivors", "chosen"), [((5, 2, 3, 9), 0.5), ((4, 2, 2, 2), 0.5)])
def test_the_step_size_with_the_lowest_accuracy_is_chosen_of_equals_the_smaller(
    tmp_path: Path, survivors: tuple[int, ...], chosen: float
) -> None:
    values = (0.25, 0.5, 1, 2)
    folder = made_experiment(tmp_path, "step-sizes", values, {"a.pt2": {"wood": survivors}})
    (table,) = experiment_tables(folder)
    assert [each.value for each in table.choices] == [chosen]
    assert table.benchmark == "small-imagenet-ua"


@pytest.mark.parametrize(
    ("name", "survivors", "told"),
    [
        ("steps", (8, 6, 5, 4), True),
        ("steps", (8, 5, 4, 4), False),
        ("steps", (8, 6, 5, 0), False),
        ("steps", (4, 4, 4, 4), False),
        ("step-sizes", (8, 6, 5, 4), True),
        ("step-sizes", (4, 6, 7, 8), True),
        ("step-sizes", (7, 4, 5, 8), False),
    ],
)
def test_a_choice_at_the_end_of_what_was_run_says_so(
    tmp_path: Path, name: ExperimentName, survivors: tuple[int, ...], told: bool
) -> None:
    folder = made_experiment(tmp_path, name, (1, 2, 5, 10), {"a.pt2": {"wood": survivors}})
    assert ("may fall further" in experiments_to_markdown(experiment_tables(folder))) == told


def test_radii_are_a_budget_and_nothing_is_chosen(tmp_path: Path) -> None:
    folder = made_experiment(tmp_path, "radii", STEPS[1:], {"a.pt2": {"wood": (9, 5, 1)}})
    (table,) = experiment_tables(folder)
    assert table.choices == ()
    assert "appendix" not in shown(folder)


def test_each_level_has_a_table(tmp_path: Path) -> None:
    folder = made_experiment(
        tmp_path, "seeds", (0, 1), {"a.pt2": {"wood": (3, 5)}}, levels=("low", "high")
    )
    tables = experiment_tables(folder)
    assert [table.level for table in tables] == ["low", "high"]
    spread = tables[0].blocks[0].lines[0].spread
    assert spread is not None
    assert spread.mean == pytest.approx(0.4)
    assert spread.deviation == pytest.approx(0.02**0.5)


def test_what_was_not_begun_is_said_and_has_no_figure(steps: Path) -> None:
    shutil.rmtree(steps / "b" / "steps-5")
    (table,) = experiment_tables(steps)
    assert table.notes[0] == "partial: 1 of 8 runs not begun: b/steps-5"
    assert shares(table, 0, "wood") == pytest.approx([0.7, 0.5, None, 0.25])
    assert shares(table, 1, "wood") == pytest.approx([0.8, 0.6, 0.3, 0.3])
    assert " – " in shown(steps)
    shutil.rmtree(steps / "a")
    shutil.rmtree(steps / "b")
    with pytest.raises(RunError, match="no run was begun"):
        experiment_tables(steps)


def test_runs_of_other_pictures_are_told_of(steps: Path) -> None:
    record = read_record(steps / "a" / "steps-1")
    record["data"]["subset"] = "0" * 32
    write_record(steps / "a" / "steps-1", record)
    (table,) = experiment_tables(steps)
    assert any("not of the same pictures" in note for note in table.notes)


def test_what_all_runs_lack_is_said_once(steps: Path) -> None:
    (table,) = experiment_tables(steps)
    assert table.notes == (
        "not checked (unforeseen check)",
        "partial: 2 of 9 attacks at medium; only level medium",
    )


RANDOM = SearchSettings(name="random", draws=10).to_record()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: record.update(edition="strict"), "one benchmark and edition"),
        (lambda record: record["benchmark"].update(image_size=64), "one benchmark and edition"),
        (lambda record: record["model"].update(fingerprint="other"), "another network"),
        (lambda record: record["model"].update(head={"mapping": 3}), "mapping: expected text"),
        (lambda record: record.update(eot=2), "steps-1 differ in eot too"),
        (lambda record: record.update(search=RANDOM), "steps-1 differ in search too"),
        (lambda record: record["benchmark"].update(classes=3), "number of imagenet's classes"),
    ],
)
def test_runs_that_do_not_belong_together_are_refused(steps: Path, change: Any, words: str) -> None:
    record = read_record(steps / "a" / "steps-1")
    change(record)
    write_record(steps / "a" / "steps-1", record)
    with pytest.raises(RunError if "imagenet" not in words else Exception, match=words):
        experiment_tables(steps)


def test_a_point_whose_radii_are_no_multiple_is_refused(tmp_path: Path) -> None:
    folder = made_experiment(tmp_path, "radii", (1, 2), {"a.pt2": {"wood": (9, 5)}})
    write_experiment(
        folder,
        Experiment(
            name="radii", runs=(ExperimentRun("a/radii-1", 1), ExperimentRun("a/radii-2", 4))
        ),
    )
    with pytest.raises(RunError, match="which differ in radii only"):
        experiment_tables(folder)


def test_a_table_goes_on_below_where_it_is_wider_than_the_terminal(tmp_path: Path) -> None:
    values = range(21)
    counts = {"wood": [5] * 21, "kaleidoscope": [4] * 21}
    folder = made_experiment(tmp_path, "steps", values, {"a.pt2": counts})
    for width in (40, 80):
        lines = shown(folder, width).splitlines()
        assert max(map(len, lines)) <= width
        heads = [line.split()[1:] for line in lines if line.split()[:1] == ["steps"]]
        assert [int(each) for head in heads for each in head if each.isdigit()] == [*values]
    assert len(heads) > 1


def test_a_table_of_seeds_has_a_line_for_each_then_mean_and_deviation(tmp_path: Path) -> None:
    folder = made_experiment(tmp_path, "seeds", (0, 4), {"a.pt2": dict.fromkeys(CORE, (2, 4))})
    text = experiments_to_markdown(experiment_tables(folder))
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[0][:4] == ["seed", "Clean", "UA2", "JPEG"]
    assert [line[0] for line in cells[2:]] == ["0", "4", "mean", "standard deviation"]
    assert [line[2] for line in cells[2:]] == ["20.0", "40.0", "30.00", "14.14"]


def test_the_reach_of_intervals_is_that_of_the_longer_side(tmp_path: Path) -> None:
    """0 of 9 and 9 of 9 are Wilson's [0, z² / (9 + z²)] and its mirror image, z = 1.96."""
    folder = made_experiment(tmp_path, "steps", (1,), {"a.pt2": {"wood": (0,)}}, images=9)
    reach = 100 * 1.96**2 / (9 + 1.96**2)
    assert f"reach up to {reach:.1f} points from their figure" in " ".join(shown(folder).split())


def test_csv_has_a_line_for_each_figure_of_each_model_at_each_value(steps: Path) -> None:
    lines = list(csv.DictReader(io.StringIO(experiments_to_csv(experiment_tables(steps)))))
    assert len(lines) == 3 * 3 * len(STEPS)
    assert {line["model"] for line in lines} == {"", "a.pt2", "b.pt2"}
    found = [line for line in lines if (line["model"], line["figure"]) == ("", "wood")]
    assert [(line["value"], line["estimate"], line["chosen"]) for line in found] == [
        ("0", "0.7", "false"),
        ("1", "0.5", "false"),
        ("5", "0.3", "false"),
        ("10", "0.25", "true"),
    ]
    assert {line["n"] for line in lines} == {"10"}


def test_json_holds_all_that_the_table_does(steps: Path) -> None:
    (content,) = json.loads(experiments_to_json(experiment_tables(steps)))
    (table,) = experiment_tables(steps)
    assert (content["experiment"], content["values"]) == ("steps", list(STEPS))
    assert [block["model"] for block in content["blocks"]] == [None, "a.pt2", "b.pt2"]
    estimates = content["blocks"][0]["figures"]["wood"]["estimates"]
    assert [each["value"] for each in estimates] == pytest.approx(shares(table, 0, "wood"))
    assert content["choices"][0] == {
        "attack": "wood",
        "value": 10,
        "accuracy": 0.25,
        "lowest": 0.25,
    }


@pytest.mark.parametrize("name", ["steps", "radii", "step-sizes", "seeds"])
@pytest.mark.parametrize("values", [(1,), (1, 2, 40)])
def test_table_and_plot_are_written(
    tmp_path: Path, name: ExperimentName, values: tuple[float, ...]
) -> None:
    counts: dict[str, Survivors] = {
        "a.pt2": {attack: [index] * len(values) for index, attack in enumerate((*CORE, "pgd"))},
    }
    folder = made_experiment(tmp_path, name, values, counts, levels=("low", "medium"))
    tables = write_report(folder)
    assert tables == experiment_tables(folder)
    text = (folder / "table.csv").read_text(encoding="utf-8")
    assert text == experiments_to_csv(tables)
    with Image.open(folder / "plot.png") as drawn:
        assert drawn.width > 1800, "a panel for each level"
        assert len(drawn.convert("RGB").getcolors(maxcolors=2**24) or ()) > 50


def test_names_of_a_stranger_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    evil = "=cmd|$x^$\x1b[2J[red]<b>a\n|b"
    folder = made_experiment(tmp_path, "steps", (0, 1), {evil: {"wood": (5, 4)}})
    tables = write_report(folder)
    for text in (shown(folder), experiments_to_markdown(tables), experiments_to_csv(tables)):
        assert "\x1b" not in text
    assert "<b>" not in experiments_to_markdown(tables)
    (cell, *_) = {line["model"] for line in csv.DictReader(io.StringIO(experiments_to_csv(tables)))}
    assert cell.startswith("'=cmd")


def test_a_sweep_over_radii_says_which_attacks_never_move_a_picture_by_the_whole_radius(
    tmp_path: Path,
) -> None:
    """Pictures that were fooled (norm 0.1) say nothing: the search was done with them."""
    counts = {"elastic": (3, 2, 2, 1), "wood": (3, 2, 1, 1), "pixel": (3, 2, 1, 0)}
    reached = {"elastic": (1.0, 1.0, 0.6, 0.3), "wood": (1.0, 1.0, 0.995, 0.5)}
    folder = made_experiment(tmp_path, "radii", (0.5, 1, 2, 4), {"a.pt2": counts}, reached=reached)
    (table,) = experiment_tables(folder)
    (said,) = (note for note in table.notes if "steps and their size" in note)
    assert said.endswith(
        "the whole radius: Elastic from × 2 on, 30 % of it at × 4; Wood 50 % of it at × 4"
    )
    for run in sorted((folder / "a").iterdir()):
        record = read_record(run)
        record["search"] = SearchSettings(name="apgd").to_record()
        write_record(run, record)
    (table,) = experiment_tables(folder)
    assert not any("steps and their size" in note for note in table.notes)


def test_a_sweep_that_reaches_the_end_of_every_ball_says_nothing_of_it(tmp_path: Path) -> None:
    folder = made_experiment(tmp_path, "radii", (1, 2), {"a.pt2": {"wood": (3, 2)}})
    (table,) = experiment_tables(folder)
    assert not any("steps and their size" in note for note in table.notes)
