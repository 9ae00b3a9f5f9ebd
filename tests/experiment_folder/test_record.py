"""What ``experiment.json`` may say, and what of a stranger's is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fuzzing import ANY_JSON, a_result_or_one_line, changed, fuzz
from unforeseen.errors import RunError
from unforeseen.experiment_folder.record import (
    EXPERIMENT_FILE,
    EXPERIMENTS,
    Experiment,
    ExperimentName,
    ExperimentRun,
    is_experiment,
    previous_experiment,
    read_experiment,
    run_path,
    write_experiment,
)

STEPS = Experiment(
    name="steps",
    runs=(ExperimentRun("resnet20/steps-0", 0), ExperimentRun("resnet20/steps-10", 10)),
)


def record(name: str = "steps", *runs: dict[str, Any]) -> dict[str, Any]:
    return {"schema": 1, "experiment": name, "runs": list(runs)}


@pytest.mark.parametrize(
    ("name", "value"),
    [("steps", 0), ("steps", 50), ("radii", 0.5), ("step-sizes", 2.0), ("seeds", 0)],
)
def test_what_is_written_is_read_back(tmp_path: Path, name: ExperimentName, value: float) -> None:
    runs = (ExperimentRun("one/a", value), ExperimentRun("other/a", value))
    write_experiment(tmp_path / "out", Experiment(name=name, runs=runs))
    assert is_experiment(tmp_path / "out")
    assert read_experiment(tmp_path / "out") == Experiment(name=name, runs=runs)


def test_runs_that_differ_in_no_number_have_no_value(tmp_path: Path) -> None:
    transfer = Experiment(
        name="transfer", runs=(ExperimentRun("source", None), ExperimentRun("target", None))
    )
    write_experiment(tmp_path, transfer)
    assert read_experiment(tmp_path) == transfer


def test_every_experiment_can_be_written_and_says_what_it_varies() -> None:
    for name, what in EXPERIMENTS.items():
        value = None if name == "transfer" else 1
        made = Experiment(name=name, runs=(ExperimentRun("a", value),))
        assert Experiment.from_record(made.to_record()) == made
        assert what


@pytest.mark.parametrize(
    "folder",
    [
        *(
            "..",
            "../run",
            "a/../../run",
            "a/..",
            ".",
            "",
            "/tmp/run",
            "a//b",
            "a/",
            "/a",
            "a/b/c/d",
        ),
        *("C:\\run", "C:run", "a\\b", ".hidden", "a/.lock", "run.", "~", "~root/x", "a b", "a\nb"),
        *("con", "m/NUL", "aux.v2/steps-1", "COM1", "experiment.json/steps-1", "Plot.png"),
        *("\x1b[2J", "a\0b", "ⅸ", "x" * 101, None, 3, ["a"]),
    ],
)
def test_a_folder_that_could_lead_outside_is_refused(folder: object) -> None:
    with pytest.raises(RunError, match=r"experiment\.json: folder: expected"):
        Experiment.from_record(record("steps", {"folder": folder, "value": 1}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("steps", each) for each in (-1, 1.0, None, True, "1", 2**63)),
        *(("seeds", each) for each in (-1, 0.5, None, False)),
        *(("radii", each) for each in (0, -1, None, True, "1", 10**400, float("inf"))),
        ("step-sizes", 0.0),
        ("transfer", 1),
    ],
)
def test_a_value_that_the_experiment_cannot_have_is_refused(name: str, value: object) -> None:
    with pytest.raises(RunError, match=r"value: expected"):
        Experiment.from_record(record(name, {"folder": "a", "value": value}))


@pytest.mark.parametrize(
    "content",
    [
        record("steps"),
        record("training", {"folder": "a", "value": 1}),
        {"schema": 1, "experiment": ["steps"], "runs": []},
        {"schema": 1, "experiment": "steps", "runs": {"folder": "a", "value": 1}},
        {"schema": 1, "experiment": "steps", "runs": ["a"]},
        {"schema": 1, "experiment": "steps"},
        {"schema": 1},
        record("steps", {"folder": "a", "value": 1}, {"folder": "a", "value": 2}),
        record("steps", {"folder": "a", "value": 1}, {"folder": "A", "value": 2}),
        record("steps", {"folder": "m/a", "value": 1}, {"folder": "m/b", "value": 1}),
        record("radii", {"folder": "m/a", "value": 1}, {"folder": "m/b", "value": 1.0}),
    ],
)
def test_a_record_that_contradicts_itself_is_refused_in_one_line(
    tmp_path: Path, content: dict[str, Any]
) -> None:
    (tmp_path / EXPERIMENT_FILE).write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RunError, match="holds no experiment that can be read"):
        read_experiment(tmp_path)


@given(content=changed(STEPS.to_record()["runs"]) | ANY_JSON)
@fuzz()
def test_any_json_is_an_experiment_or_one_line(content: Any) -> None:
    for runs in (content, [content], [{"folder": "a", "value": content}]):
        for name in EXPERIMENTS:
            with a_result_or_one_line():
                Experiment.from_record({"experiment": name, "runs": runs})


def test_a_run_behind_a_link_is_never_reached(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "steps-0").mkdir(parents=True)
    out = tmp_path / "out"
    out.mkdir()
    try:
        (out / "resnet20").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    except OSError:
        pytest.skip("links are not to be had here")
    with pytest.raises(RunError, match="is a link"):
        run_path(out, STEPS.runs[0])
    # The user named the experiment's folder, which may be one.
    (tmp_path / "named").symlink_to(out, target_is_directory=True)
    other = ExperimentRun("b/c", 0)
    assert run_path(tmp_path / "named", other) == tmp_path / "named" / "b" / "c"


def test_an_experiment_is_continued_only_in_a_folder_of_its_own(tmp_path: Path) -> None:
    assert previous_experiment(tmp_path / "new", "steps") is None
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".hidden").touch()
    assert previous_experiment(tmp_path / "empty", "steps") is None
    write_experiment(tmp_path / "steps", STEPS)
    assert previous_experiment(tmp_path / "steps", "steps") == STEPS
    with pytest.raises(RunError, match="holds an experiment over steps; asked for was radii"):
        previous_experiment(tmp_path / "steps", "radii")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").touch()
    with pytest.raises(RunError, match=r"is not an experiment \(it has no experiment.json\)"):
        previous_experiment(tmp_path / "run", "steps")
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="is a file"):
        previous_experiment(tmp_path / "file", "steps")
