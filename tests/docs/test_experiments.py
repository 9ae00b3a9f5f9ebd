"""docs/experiments.md on sweeps and seeds: its example runs, and it describes every key and column."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from torch import Tensor, nn

from documents import CHECKOUT, code_block
from unforeseen.experiment_folder.record import EXPERIMENTS

PAGE = "docs/experiments.md"


class Brightness(nn.Module):
    """Ten classes by brightness."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(dim=(1, 2, 3), keepdim=True)[:, :, 0, 0] * x.new_tensor([range(10)])


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's example has run."""
    folder = tmp_path_factory.mktemp("documented")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        code = code_block(PAGE, "python", beginning="from unforeseen.experiments.seeds")
        exec(compile(code, PAGE, "exec"), {"my_model": Brightness()})
    return folder


def text() -> str:
    return (CHECKOUT / PAGE).read_text(encoding="utf-8")


def test_the_example_makes_a_sweep_and_seeds(work: Path) -> None:
    assert sorted(path.name for path in (work / "my-sweep" / "Brightness").iterdir()) == [
        *("steps-0", "steps-1", "steps-2"),
    ]
    assert {path.name for path in (work / "my-seeds").glob("seed-*")} == {"seed-0", "seed-1"}
    for folder in ("my-sweep", "my-seeds"):
        assert {"experiment.json", "table.csv", "plot.png"} <= {
            path.name for path in (work / folder).iterdir()
        }


def test_every_key_of_experiment_json_and_every_experiment_is_described(work: Path) -> None:
    record: dict[str, Any] = json.loads((work / "my-sweep" / "experiment.json").read_bytes())
    (paragraph,) = (part for part in text().split("\n\n") if part.startswith("`experiment.json`"))
    described = set(re.findall(r"`([\w-]+)`", paragraph))
    assert {*record, *record["runs"][0], *EXPERIMENTS} <= described


@pytest.mark.parametrize("folder", ["my-sweep", "my-seeds"])
def test_every_column_of_the_table_is_described_and_no_other(work: Path, folder: str) -> None:
    section = text().partition("## Tables of experiments as CSV\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    described = [name for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    with (work / folder / "table.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == described
