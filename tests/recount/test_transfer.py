"""Runs that judge pictures made against another model: honest ones agree, changed ones are found."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from changed_runs import broken, edit_record, edit_row
from data.in_memory import InMemory
from small import SmallNet, as_function, small_benchmark
from small_runs import COUNT, labelled_dataset, run_small, transfer_small
from unforeseen.errors import RunError
from unforeseen.models import Predictor, as_classifier
from unforeseen.preprocessing import Preprocessing
from unforeseen.recount import recount


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transfer")
    run_small(folder / "source", save_images=True)
    transfer_small(folder / "target", folder / "source", SmallNet(seed=3))
    return folder / "target"


@pytest.fixture
def run(honest: Path, tmp_path: Path) -> Path:
    """A copy, to be changed."""
    return shutil.copytree(honest, tmp_path / "run")


def test_an_honest_target_agrees(honest: Path) -> None:
    result = recount(honest)
    assert result.agrees, broken(result)
    assert result.rows == 3 * COUNT
    assert not result.notes


def test_honest_targets_agree_whatever_they_are(tmp_path: Path) -> None:
    data = labelled_dataset()
    contents = list(data._contents)
    contents[3], contents[5] = OSError("gone"), b"no picture"
    data = InMemory(contents, data.labels.tolist())
    benchmark = small_benchmark(preprocessing=Preprocessing(resize=36, crop=(32, 32)))
    run_small(
        tmp_path / "source", data=data, benchmark=benchmark, eot=2, steps=None, save_images=True
    )
    targets: dict[str, Predictor] = {
        "function": as_classifier(as_function(SmallNet(seed=3))),
        "itself": as_classifier(SmallNet()),
    }
    for name, target in targets.items():
        transfer_small(
            tmp_path / name, tmp_path / "source", target, data=data, benchmark=benchmark, eot=2
        )
        result = recount(tmp_path / name)
        assert result.agrees, broken(result)


RIGHT, WRONG = pl.col("correct"), ~pl.col("correct")
ALL_RIGHT: dict[str, object] = dict.fromkeys(("correct", "correct_any", "correct_8bit"), True)
SEARCH = "nothing is searched for where stored pictures are judged"

TAMPERED: dict[str, tuple[pl.Expr, dict[str, object], str]] = {
    "a wrong verdict made right": (WRONG, {"correct": True}, "correct is whether prediction"),
    "all its verdicts": (WRONG, ALL_RIGHT, "correct is whether prediction"),
    "wrong, but right in 8 bits": (WRONG, {"correct_8bit": True}, "are one"),
    "right, but not at any point": (RIGHT, {"correct_any": False}, "are one"),
    "another prediction": (RIGHT, {"prediction": 9}, "prediction is the most probable class"),
    "another confidence": (RIGHT, {"confidence": 0.123}, "confidence its probability"),
    "another rank": (RIGHT, {"true_rank": 2}, "true_rank is where"),
    "another loss": (RIGHT, {"loss": 7.5}, "loss is what the true class"),
    "another label": (RIGHT, {"label": 7}, "label is the one in pictures.parquet"),
    "another clean prediction": (RIGHT, {"clean_prediction": 9}, "those of the picture's clean"),
    "another clean verdict": (RIGHT, {"correct_clean": None}, "verdicts are null only where"),
    "another seed": (RIGHT, {"seed": 5}, "transform, level and seed"),
    "steps of nobody": (RIGHT, {"steps": 4}, SEARCH),
    "gradients of nobody": (RIGHT, {"gradient_evaluations": 4}, SEARCH),
    "no number of gradients": (RIGHT, {"gradient_evaluations": None}, SEARCH),
    "a norm": (RIGHT, {"norm": 0.5}, SEARCH),
    "a start": (RIGHT, {"restart": 0}, SEARCH),
    "a first success": (WRONG, {"first_success_step": 1}, SEARCH),
    "a share of gradients": (RIGHT, {"zero_gradient_share": 0.0}, SEARCH),
    "a number of bad gradients": (RIGHT, {"nonfinite_gradients": 0}, SEARCH),
    "a donor": (RIGHT, {"donor": "0" * 32}, SEARCH),
    "no device": (RIGHT, {"device": None}, "has a device"),
    "called unreadable": (RIGHT, {"status": "unreadable"}, "unreadable in every cell or in none"),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_row_that_was_changed_by_hand_is_found(run: Path, case: str) -> None:
    where, changes, rule = TAMPERED[case]
    edit_row(run, "pixel", changes, where=where)
    assert rule in broken(recount(run))


def maker(record: dict[str, Any]) -> dict[str, Any]:
    """The source's cell of pixel, in a target's record."""
    cell: dict[str, Any] = record["cells"][2]["source_cell"]
    return cell


OPTIONS = "a cell is what the run's benchmark, edition and options make it"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda record: maker(record)["search"].update(steps=9), "a cell's id is the hash"),
        (lambda record: maker(record).update(steps=9), "a cell's steps and seed are those of its"),
        (lambda record: maker(record).update(radius=9.0), OPTIONS),
        (lambda record: maker(record).update(model="x"), "a cell's model and preprocessing are"),
        (lambda record: maker(record)["search"].update(seed=9), "a cell's steps and seed are"),
        (lambda record: record["cells"][2].update(steps=9), OPTIONS),
        (lambda record: record["cells"][2].update(radius=9.0), OPTIONS),
        (lambda record: record["cells"][2].update(model="x"), "a cell's model and preprocessing"),
        (lambda record: record["cells"][2].update(version=9), "a cell's id is the hash"),
        (lambda record: record["cells"][2].update(search={}), SEARCH),
        (lambda record: record["cells"][2].update(loss="margin"), SEARCH),
        (lambda record: record["source_model"].update(fingerprint="x"), "a cell's model and"),
        (lambda record: record["source_model"].update(head={"mapping": "x"}), OPTIONS),
        (
            lambda record: record.update(
                source_model=record["source_model"] | {"preprocessing": {"resize": 40}},
                benchmark=record["benchmark"] | {"preprocessing": {"resize": 40}},
            ),
            "preprocessing is the model's own",
        ),
        (lambda record: record.update(steps=1), OPTIONS),
        (lambda record: record.update(edition="strict"), OPTIONS),
        (lambda record: record["benchmark"]["attacks"]["pixel"].update(step_size=1.0), OPTIONS),
        (lambda record: record["search"].update(loss="margin"), OPTIONS),
    ],
)
def test_a_record_changed_by_hand_is_found(
    run: Path, change: Callable[[dict[str, Any]], object], rule: str
) -> None:
    edit_record(run, change)
    assert rule in broken(recount(run))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.update(source_model=None), "expected cells of one's own"),
        (lambda record: record.pop("source_model"), "expected cells of one's own"),
        (lambda record: record.update(source_model="x"), "source_model: expected an object"),
        (lambda record: record["source_model"].pop("uri"), "uri: expected text"),
        (lambda record: record["cells"][2].pop("source"), "expected as source the id of"),
        (lambda record: record["cells"][2].pop("source_cell"), "source_cell: expected an object"),
        (lambda record: record["cells"][2].update(source="ab"), "expected as source the id of"),
        (lambda record: record["cells"][2].update(source=None), "expected as source the id of"),
        (lambda record: maker(record).update(id="../x"), "ids of hexadecimal digits"),
        (lambda record: maker(record).update(level="huge"), "expected as source_cell that of"),
        (lambda record: maker(record).update(transform="wood"), "expected as source_cell that of"),
    ],
)
def test_a_record_that_does_not_say_whose_pictures_these_are_is_refused(
    run: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    """So that a transfer is never taken for a run of one's own, in any table."""
    edit_record(run, change)
    with pytest.raises(RunError, match=said) as caught:
        recount(run)
    assert "\n" not in str(caught.value)


def test_cells_of_an_ordinary_run_are_no_transfer(tmp_path: Path) -> None:
    run_small(tmp_path)
    source = {"uri": "timm:resnet50", "fingerprint": "x", "head": None, "preprocessing": None}
    edit_record(tmp_path, lambda record: record.update(source_model=source))
    with pytest.raises(RunError, match="expected cells of the source model"):
        recount(tmp_path)


def test_a_summary_that_leaves_the_source_out_is_found(run: Path) -> None:
    path = run / "summary.json"
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps(content | {"source_model": None, "partial": []}), encoding="utf-8")
    (source, partial) = recount(run).differences
    assert (source.figure, source.recounted, source.claimed) == (
        *("source_model", "module:SmallNet", None),
    )
    assert partial.figure == "partial"


def test_a_summary_of_before_there_were_transfers_is_still_right(tmp_path: Path) -> None:
    run_small(tmp_path)
    path = tmp_path / "summary.json"
    content = json.loads(path.read_bytes())
    del content["source_model"]
    path.write_text(json.dumps(content), encoding="utf-8")
    result = recount(tmp_path)
    assert result.agrees, result.differences


def test_the_ids_in_a_record_are_hashes_of_what_stands_beside_them(honest: Path) -> None:
    """By a path of the test's own: the target's cell names the source's, which names everything."""
    for cell in json.loads((honest / "run.json").read_bytes())["cells"][1:]:
        made = cell["source_cell"]
        for each in (cell, made):
            identity = {k: v for k, v in each.items() if k not in ("id", "steps", "source_cell")}
            text = json.dumps(identity, sort_keys=True)
            assert hashlib.sha256(text.encode()).hexdigest()[:32] == each["id"]
        assert cell["source"] == made["id"]
