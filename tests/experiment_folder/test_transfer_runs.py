"""The runs of a transfer, read back; folders may be a stranger's."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from changed_runs import edit_record
from small import SmallNet
from small_runs import run_small, transfer_small
from unforeseen.errors import RunError
from unforeseen.experiment_folder.record import Experiment, ExperimentRun, write_experiment
from unforeseen.experiment_folder.transfer_runs import read_transfer


def made(folder: Path) -> Path:
    run_small(folder / "source", save_images=True)
    transfer_small(folder / "other", folder / "source", SmallNet(seed=3))
    runs = [ExperimentRun(name, None) for name in ("planned", "other", "source")]
    write_experiment(folder, Experiment(name="transfer", runs=tuple(runs)))
    return folder


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("transfer"))


@pytest.fixture
def folder(honest: Path, tmp_path: Path) -> Path:
    """A copy, to be changed."""
    return shutil.copytree(honest, tmp_path / "copy")


def test_the_source_comes_first_and_what_was_not_begun_is_left_out(honest: Path) -> None:
    source, other = read_transfer(honest)
    assert (source.folder, other.folder) == ("source", "other")
    assert source.summary.source_model is None
    assert other.summary.source_model == "module:SmallNet"


def test_a_moved_transfer_is_the_same(folder: Path) -> None:
    """Nothing in it says where it lies."""
    moved = shutil.move(folder, folder.with_name("moved"))
    assert len(read_transfer(moved)) == 2


def test_sets_of_attacks_are_counted_for_each_run(honest: Path) -> None:
    for each in read_transfer(honest, over=["pgd,pixel"]):
        assert [found.over.name for found in each.summary.sets] == ["pgd+pixel"]


def with_name(folder: Path, name: str) -> None:
    record = json.loads((folder / "experiment.json").read_bytes())
    record["experiment"] = name
    for number, run in enumerate(record["runs"]):
        run["value"] = number
    (folder / "experiment.json").write_text(json.dumps(record), encoding="utf-8")


def other_seed(folder: Path) -> None:
    shutil.rmtree(folder / "source")
    run_small(folder / "source", seed=1, save_images=True)


def target_as_source(folder: Path) -> None:
    shutil.rmtree(folder / "source")
    shutil.copytree(folder / "other", folder / "source")


def own_run_as_target(folder: Path) -> None:
    shutil.rmtree(folder / "other")
    run_small(folder / "other", SmallNet(seed=3))


def linked(folder: Path) -> None:
    shutil.move(folder / "other", folder.with_name("elsewhere"))
    (folder / "other").symlink_to(folder.with_name("elsewhere"))


def outside(folder: Path) -> None:
    record = json.loads((folder / "experiment.json").read_bytes())
    record["runs"][1]["folder"] = "../other"
    (folder / "experiment.json").write_text(json.dumps(record), encoding="utf-8")


def without_source_model(folder: Path) -> None:
    def change(record: dict[str, Any]) -> None:
        record["source_model"] = None

    edit_record(folder / "other", change)


def against_another(folder: Path, **change: Any) -> None:
    edit_record(folder / "other", lambda record: record["source_model"].update(change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: shutil.rmtree(folder / "source"), "a transfer without a run in source"),
        (other_seed, "its pgd is of others. Put the source's run back"),
        (target_as_source, "expected the run that made the pictures, got a target's"),
        (own_run_as_target, "its pgd is of others"),
        (without_source_model, "expected cells of one's own"),
        (
            lambda folder: against_another(folder, uri="py:evil", fingerprint="0"),
            "expected pictures made against the model of .*, got those made against py:evil",
        ),
        (
            lambda folder: against_another(folder, head={"name": "x", "mapping": "x"}),
            "which is another network",
        ),
        (linked, "is a link"),
        (outside, "expected up to 3 names"),
        (lambda folder: with_name(folder, "seeds"), "expected a transfer, got an experiment over"),
        (lambda folder: (folder / "experiment.json").unlink(), "found none"),
    ],
)
def test_what_does_not_belong_together_is_refused_in_one_line(
    folder: Path, change: Callable[[Path], None], said: str
) -> None:
    change(folder)
    with pytest.raises(RunError, match=said) as caught:
        read_transfer(folder)
    assert "\n" not in str(caught.value)
