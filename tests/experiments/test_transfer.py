"""A whole transfer: one source, several targets, and going on with it."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from asked import asked
from data.in_memory import InMemory
from small import BENCHMARK_FILE, SmallNet, Watched, as_function, small_benchmark, small_dataset
from small_runs import COUNT, Notes, assert_same_results, labelled_dataset, rows_of, run_small
from unforeseen.cli import main
from unforeseen.errors import ModelError, RunError, UserError
from unforeseen.experiment_folder.record import read_experiment
from unforeseen.experiment_folder.transfer_runs import read_transfer
from unforeseen.experiments import transfer as transfer_module
from unforeseen.experiments.transfer import transfer
from unforeseen.files.lock import sole_writer
from unforeseen.fitting import Model
from unforeseen.models import as_classifier, black_box
from unforeseen.models.heads import Head
from unforeseen.recount import recount
from unforeseen.report.tables import ResultTable
from unforeseen.running.reporter import Reporter

ATTACKS = ("pgd", "pixel")


def named(model: nn.Module, uri: str) -> Any:
    """A classifier that is called so."""
    classifier = as_classifier(model)
    object.__setattr__(classifier.card, "uri", uri)
    return classifier


def transfer_of(
    folder: Path,
    targets: Sequence[Model],
    *,
    source: Model | None = None,
    data: InMemory | None = None,
    target_head: str | Head | Sequence[str | Head] = (),
    reporter: Reporter | None = None,
    **options: Any,
) -> ResultTable:
    usual: dict[str, Any] = {"attacks": ATTACKS, "batch_size": 4, "check": False}
    return transfer(
        named(SmallNet(), "timm:source") if source is None else source,
        targets,
        labelled_dataset() if data is None else data,
        small_benchmark(),
        target_head=target_head,
        options=asked(**(usual | options)),
        out=folder,
        reporter=reporter,
    )


def attacked(folder: Path) -> pl.DataFrame:
    return rows_of(folder).filter(pl.col("transform") != "clean")


def test_a_table_has_the_source_and_each_target_as_the_paper_prints_them(tmp_path: Path) -> None:
    """Table 18. The target that is the source gives the source's own verdicts on 8-bit pictures."""
    table = transfer_of(
        tmp_path, [named(SmallNet(seed=3), "timm:other"), named(SmallNet(), "timm:source")]
    )
    assert table.model_labels == (
        *("timm:source (source model)", "timm:other (transfer)", "timm:source (transfer)"),
    )
    assert [run.folder for run in read_experiment(tmp_path).runs] == ["source", "other", "source-2"]
    eight_bit = attacked(tmp_path / "source")["correct_8bit"].to_list()
    assert attacked(tmp_path / "source-2")["correct"].to_list() == eight_bit
    for folder in ("source", "other", "source-2"):
        result = recount(tmp_path / folder)
        assert result.agrees, result.violations
    source, other, itself = table.rows
    assert source.figures["clean_accuracy"] == itself.figures["clean_accuracy"]
    assert other.summary is not None
    assert other.summary.partial[0] == "pictures were made against timm:source"


def test_a_table_and_a_plot_are_written(tmp_path: Path) -> None:
    table = transfer_of(tmp_path, [SmallNet(seed=3)], levels=("low", "medium"))
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["model"], line["source_model"], line["level"]) for line in lines] == [
        ("timm:source", "", "low"),
        ("timm:source", "", "medium"),
        ("module:SmallNet", "timm:source", "low"),
        ("module:SmallNet", "timm:source", "medium"),
    ]
    figures = [row.figures["pixel"] for row in table.rows]
    assert [float(line["pixel"]) for line in lines] == [each.value for each in figures]  # type: ignore[union-attr]  # all were run
    with Image.open(tmp_path / "plot.png") as image:
        assert image.format == "PNG"
        assert image.width > image.height


def test_the_same_again_computes_nothing_and_a_later_target_alone_is_judged(tmp_path: Path) -> None:
    source, first, second = (Watched(SmallNet(seed=seed)) for seed in (0, 3, 4))
    transfer_of(tmp_path, [first], source=source)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.parquet")}
    for each in (source, first):
        each.forget()
    transfer_of(tmp_path, [first], source=source)
    table = transfer_of(tmp_path, [second], source=source)
    assert {*source.batches, *first.batches} == {1}, "grey pictures, to see that they fit"
    assert sum(size == 4 for size in second.batches) == 3 * -(-COUNT // 4)
    assert len(table.rows) == 3, "the first target is still there"
    assert before.items() <= {f: f.read_bytes() for f in tmp_path.rglob("*.parquet")}.items()


def test_a_larger_limit_and_further_attacks_reach_source_and_targets(tmp_path: Path) -> None:
    target = SmallNet(seed=3)
    transfer_of(tmp_path / "grown", [target], limit=6, attacks=("pgd",))
    transfer_of(tmp_path / "grown", [target])
    transfer_of(tmp_path / "fresh", [target])
    for folder in ("source", "SmallNet"):
        grown, fresh = (rows_of(tmp_path / each / folder) for each in ("grown", "fresh"))
        assert_same_results(grown, fresh)


def test_a_plain_function_with_a_version_is_judged_and_asked_about_each_picture_once(
    tmp_path: Path,
) -> None:
    asked: list[int] = []

    def predict(pictures: Any) -> Any:
        asked.append(len(pictures))
        return as_function(SmallNet())(pictures)

    transfer_of(tmp_path, [black_box(predict, version="1")])
    (target,) = [run.folder for run in read_experiment(tmp_path).runs if run.folder != "source"]
    eight_bit = attacked(tmp_path / "source")["correct_8bit"].to_list()
    assert attacked(tmp_path / target)["correct"].to_list() == eight_bit
    # A grey picture, each picture as it is and under two attacks; those that are equal once.
    assert sum(asked) <= 1 + 3 * COUNT


def test_a_function_whose_budget_ends_goes_on_with_the_same_command(tmp_path: Path) -> None:
    predict = as_function(SmallNet(seed=3))
    notes = Notes()
    with pytest.raises(ModelError, match="budget"):
        transfer_of(tmp_path, [black_box(predict, version="1", budget=2 * COUNT)], reporter=notes)
    told = [re.search(r"asked about (\d+) picture", note) for note in notes.said]
    assert [int(found[1]) for found in told if found] == [1, 2 * COUNT - 1], "all of the budget"
    transfer_of(tmp_path, [black_box(predict, version="1", budget=2 * COUNT)])
    transfer_of(tmp_path / "whole", [black_box(predict, version="1")])
    (name,) = [run.folder for run in read_experiment(tmp_path).runs if run.folder != "source"]
    assert_same_results(rows_of(tmp_path / name), rows_of(tmp_path / "whole" / name))


def test_a_function_without_a_version_is_refused_before_the_source_is_attacked(
    tmp_path: Path,
) -> None:
    with pytest.raises(ModelError, match="version"):
        transfer_of(tmp_path / "out", [as_function(SmallNet())])
    assert not (tmp_path / "out").exists()


class Picky(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        raise ValueError(f"Input height ({x.shape[-1]}) doesn't match model (64).")


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ([], "targets: expected at least one, got none"),
        ([SmallNet(seed=3), Picky()], "can't judge the source's pictures of 32×32 pixels"),
        ([SmallNet(seed=3), SmallNet(classes=3)], "has only 3 outputs"),
        ([SmallNet(seed=3), SmallNet(seed=3)], "are the same network with the same head"),
    ],
    ids=["none", "another size", "too few classes", "one twice"],
)
def test_what_cannot_be_judged_is_told_before_the_source_is_attacked(
    tmp_path: Path, targets: list[nn.Module], said: str
) -> None:
    with pytest.raises(UserError, match=said) as caught:
        transfer_of(tmp_path / "out", targets)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [{"edition": "strict"}, {"search": "apgd"}])
def test_a_source_that_leaves_pictures_alone_is_refused(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    with pytest.raises(UserError, match="makes no pictures for other models"):
        transfer_of(tmp_path / "out", [SmallNet(seed=3)], **options)
    assert not (tmp_path / "out").exists()


def test_heads_of_source_and_targets_are_their_own(tmp_path: Path) -> None:
    """A target of eight outputs, two of which stand for each class of the source's four."""

    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = SmallNet()

        def forward(self, x: Tensor) -> Tensor:
            scores: Tensor = self.net(x)
            return torch.cat([scores, scores - 50], dim=1)

    groups = tmp_path / "groups.json"
    groups.write_text(json.dumps({f"g{n}": [n, n + 4] for n in range(4)}), encoding="utf-8")
    transfer_of(tmp_path / "out", [Twice()], target_head=str(groups))
    eight_bit = attacked(tmp_path / "out" / "source")["correct_8bit"].to_list()
    assert attacked(tmp_path / "out" / "Twice")["correct"].to_list() == eight_bit
    record = json.loads((tmp_path / "out" / "Twice" / "run.json").read_bytes())
    assert record["model"]["head"]["outputs"] == 8
    assert record["source_model"]["head"] is None
    # With another head it is another target.
    groups.write_text(json.dumps({f"g{n}": [n + 4, n] for n in (0, 1, 3, 2)}), encoding="utf-8")
    transfer_of(tmp_path / "out", [Twice()], target_head=str(groups))
    folders = [run.folder for run in read_experiment(tmp_path / "out").runs]
    assert folders == ["source", "Twice", "Twice-2"]


def test_on_imagenet100_a_target_of_1000_outputs_is_asked_about_the_100(tmp_path: Path) -> None:
    class Thousand(nn.Module):
        """SmallNet's hundred scores at the benchmark's classes, and much more of all others."""

        def __init__(self) -> None:
            super().__init__()
            self.net = SmallNet(100)

        def forward(self, x: Tensor) -> Tensor:
            scores: Tensor = self.net(x)
            others = torch.full((len(scores), 100, 9), 1e3)
            return torch.cat([scores[:, :, None], others], dim=2).flatten(1)

    data = labelled_dataset()
    data.labels *= 10
    data.card = replace(data.card, label_space="imagenet")
    table = transfer(
        SmallNet(100),
        [Thousand()],
        data,
        small_benchmark(label_space="imagenet100", classes=100),
        options=asked(attacks=ATTACKS, batch_size=4, check=False),
        out=tmp_path,
    )
    eight_bit = attacked(tmp_path / "source")["correct_8bit"].to_list()
    assert attacked(tmp_path / "Thousand")["correct"].to_list() == eight_bit
    record = json.loads((tmp_path / "Thousand" / "run.json").read_bytes())
    assert record["model"]["head"]["name"] == "imagenet100"
    assert table.rows[0].figures["clean_accuracy"] == table.rows[1].figures["clean_accuracy"]


def test_another_source_wants_another_folder(tmp_path: Path) -> None:
    transfer_of(tmp_path, [SmallNet(seed=3)])
    with pytest.raises(
        RunError, match=r"was made with another model.*or the same --source to go on"
    ):
        transfer_of(tmp_path, [SmallNet(seed=3)], source=SmallNet(seed=5))


@pytest.mark.parametrize("role", ["source", "target"])
def test_a_head_that_is_missing_is_asked_for_by_the_option_that_transfer_has(
    tmp_path: Path, role: str
) -> None:
    data = labelled_dataset()
    data.card = replace(data.card, label_space="cifar10")
    benchmark = small_benchmark(label_space="cifar10", classes=10)
    models = {"source": SmallNet(10), "target": SmallNet(10, seed=3)} | {role: SmallNet(6)}
    with pytest.raises(ModelError, match=rf"has 6 outputs.*Give --{role}-head FILE, which"):
        transfer(models["source"], [models["target"]], data, benchmark, out=tmp_path / "out")


def test_a_head_file_for_other_outputs_is_told_by_the_option_that_transfer_has(
    tmp_path: Path,
) -> None:
    with pytest.raises(ModelError, match=r"expected a model of 1,001 .*\(--target-head FILE\)"):
        transfer_of(tmp_path / "out", [SmallNet(seed=3)], target_head="imagenet1001")


def test_what_another_command_judged_while_models_were_loaded_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def after_another(folder: Path, note: Callable[[str], None]) -> AbstractContextManager[None]:
        monkeypatch.undo()
        transfer_of(tmp_path, [SmallNet(seed=3)])
        return sole_writer(folder, note)

    monkeypatch.setattr(transfer_module, "sole_writer", after_another)
    table = transfer_of(tmp_path, [SmallNet(seed=4)])
    folders = [run.folder for run in read_experiment(tmp_path).runs]
    assert folders == ["source", "SmallNet", "SmallNet-2"]
    assert len(table.rows) == 3


def test_a_target_that_changes_while_the_source_is_attacked_is_refused(tmp_path: Path) -> None:
    target = SmallNet(seed=3)

    class Changing(Notes):
        def part_begins(self, title: str) -> None:  # noqa: ARG002 - as all reporters have it
            with torch.no_grad():
                target.first.mul_(2)

    with pytest.raises(ModelError, match="module:SmallNet has changed since this command began"):
        transfer_of(tmp_path, [target], reporter=Changing())
    assert not (tmp_path / "SmallNet").exists()


@pytest.mark.parametrize("what", ["a run", "something else"])
def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, what: str) -> None:
    if what == "a run":
        run_small(tmp_path)
    else:
        (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RunError, match="is not empty"):
        transfer_of(tmp_path, [SmallNet(seed=3)])
    assert sorted(tmp_path.rglob("*")) == before


def test_what_happens_is_told_run_by_run(tmp_path: Path) -> None:
    class Parts(Notes):
        def part_begins(self, title: str) -> None:
            self.said.append(title)

    told = Parts()
    transfer_of(tmp_path, [named(SmallNet(seed=3), "timm:other")], reporter=told)
    assert told.said[0] == "timm:source, the source model"
    assert "timm:other, on the pictures made against the source" in told.said


#: One of them dies in a forward pass that DIES_AT names.
MODELS = """
import os
from small import SmallNet

class Mortal(SmallNet):
    def __init__(self, name, seed):
        super().__init__(seed=seed)
        self.name = name
        self._calls = 0

    def forward(self, x):
        self._calls += 1
        if f"{self.name} {self._calls}" == os.environ.get("DIES_AT"):
            os._exit(9)
        return super().forward(x)

def source():
    return Mortal("source", 0)

def target():
    return Mortal("target", 3)
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models, pictures and a benchmark, and an undisturbed transfer."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "models.py").write_text(MODELS, encoding="utf-8")
    (folder / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(8, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = folder / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
    go_on(folder, "undisturbed")
    return folder


def arguments(out: str) -> list[str]:
    return [
        *("transfer", "small.toml", "--source", "py:models.py:source"),
        *("--target", "py:models.py:target", "--data", "imagefolder:data", "--out", out),
        *("--attacks", "pgd", "--batch-size", "4", "--device", "cpu", "--no-check"),
    ]


def go_on(work: Path, out: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(work)
        with pytest.raises(SystemExit) as ended:
            main(arguments(out))
    assert ended.value.code == 0


#: Of both, the first two passes are of grey pictures, the next two of clean ones. The target is
#: opened twice, and dies when it is opened the second time.
@pytest.mark.parametrize(
    ("dies_at", "there"),
    [
        ("source 4", ["source"]),
        ("source 12", ["source"]),
        ("target 4", ["source", "models-target"]),
        ("target 6", ["source", "models-target"]),
    ],
)
def test_killed_at_any_time_the_same_command_goes_on(
    work: Path, dies_at: str, there: list[str]
) -> None:
    out = f"killed {dies_at}"
    environment = os.environ | {
        "DIES_AT": dies_at,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    program = "from unforeseen.cli import main; main()"
    killed = subprocess.run(
        [sys.executable, "-c", program, *arguments(out)],
        cwd=work,
        env=environment,
        check=False,
        capture_output=True,
    )
    assert killed.returncode == 9, killed.stderr.decode()
    begun = {path.parent.name for path in (work / out).glob("*/run.json")}
    assert begun == set(there)
    assert not (work / out / "table.csv").exists()
    go_on(work, out)
    for run in ("source", "models-target"):
        assert_same_results(rows_of(work / out / run), rows_of(work / "undisturbed" / run))
        assert recount(work / out / run).agrees
    assert [each.folder for each in read_transfer(work / out)] == ["source", "models-target"]
