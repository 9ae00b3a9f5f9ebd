"""docs/run-folder.md says what rows and run folders hold."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from torch import Tensor, nn

from documents import CHECKOUT, code_block
from made_obfuscations import made_read_run, made_record
from obfuscation_runs import run_obfuscated
from unforeseen import evaluate
from unforeseen.rows import ROW_SCHEMA

PAGE = "docs/run-folder.md"


def table_under(heading: str) -> list[list[str]]:
    """Cells of the lines of the first table below a heading, its head left out."""
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names_under(heading: str) -> list[str]:
    return [name for first, *_ in table_under(heading) for name in re.findall(r"`(\w+)`", first)]


class Brightness(nn.Module):
    """Ten classes by brightness."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(dim=(1, 2, 3), keepdim=True)[:, :, 0, 0] * x.new_tensor([range(10)])


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documented") / "my-run"
    evaluate(
        Brightness(),
        "samples:cifar10",
        "cifar10-ua",
        attacks=["wood"],
        limit=3,
        steps=1,
        out=folder,
        save_images=True,
    )
    return folder


def test_every_column_of_a_row_is_described_in_order_with_its_type() -> None:
    def kind(dtype: pl.DataType) -> str:
        return "List(Struct)" if isinstance(dtype, pl.List) else str(dtype)

    described = [(name.strip("`"), dtype) for name, dtype, _ in table_under("Columns of a row")]
    assert described == [(name, kind(dtype)) for name, dtype in ROW_SCHEMA.items()]


@pytest.mark.parametrize("file", ["run.json", "summary.json"])
def test_every_key_of_a_file_is_described_and_no_other(run_folder: Path, file: str) -> None:
    content = json.loads((run_folder / file).read_bytes())
    assert sorted(names_under(file)) == sorted(content)


def test_every_key_of_a_summary_of_obfuscations_is_described_and_no_other() -> None:
    content = made_read_run(made_record()).summary.to_record()
    heading = "summary.json of obfuscations"
    keys = [name for first, *_ in table_under(heading) for name in re.findall(r"`(\w+)`", first)]
    assert sorted(keys) == sorted(content)
    for key, below in (("sets", content["sets"][0]), ("obfuscations", content["obfuscations"][0])):
        (said,) = (text for name, text in table_under(heading) if name == f"`{key}`")
        assert set(below) <= set(re.findall(r"`(\w+)`", said))


def test_every_key_of_a_run_of_obfuscations_is_described_and_no_other(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run", limit=2)
    content = json.loads((tmp_path / "run" / "run.json").read_bytes())
    only_of_attacks = {"edition", "steps", "search", "source_model"}
    usual = set(names_under("run.json")) - only_of_attacks
    own = {each[0].strip("`") for each in table_under("run.json of obfuscations")}
    assert usual | own == set(content)
    assert not usual & own


@pytest.mark.parametrize("key", ["data", "environment"])
def test_every_key_below_a_key_of_the_record_is_described(run_folder: Path, key: str) -> None:
    content = json.loads((run_folder / "run.json").read_bytes())[key]
    (said,) = (text for name, text in table_under("run.json") if name == f"`{key}`")
    assert sorted(re.findall(r"`(\w+)`", said)) == sorted(content)


def test_every_file_of_a_run_is_described(run_folder: Path) -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    head = text.partition("\n## ")[0]
    patterns = [
        re.compile(
            re.escape(path)
            .replace("CELL", "[0-9a-f]{32}")
            .replace("NUMBER", "[0-9a-f]{32}")
            .replace("ID", "[0-9a-f#]+")
        )
        for path in re.findall(r"^\| `([^`]+)` \|", head, re.MULTILINE)
    ]
    files = [file.relative_to(run_folder).as_posix() for file in run_folder.rglob("*.*")]
    # Record, summary, list; a file per cell; a picture per example. Windows takes the lock away.
    assert len(set(files) - {".lock"}) == 3 + 2 + 3
    for file in files:
        assert any(pattern.fullmatch(file) for pattern in patterns), file


def test_the_example_reads_a_run(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(run_folder.parent)
    names: dict[str, Any] = {}
    exec(compile(code_block(PAGE, "python", beginning="import polars"), PAGE, "exec"), names)
    summary = json.loads((run_folder / "summary.json").read_bytes())
    assert sorted(names["accuracies"].iter_rows()) == [
        ("clean", "", summary["clean_accuracy"]["value"]),
        ("wood", "medium", summary["attacks"][0]["accuracy"]["value"]),
    ]
    assert "cifar10-ua" in capsys.readouterr().out
    everything = pl.read_parquet("my-run/rows/*.parquet")
    assert everything.height == 6
