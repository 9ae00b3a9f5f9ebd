"""docs/benchmark-file.md: its example is a benchmark, and no key is missing from its tables."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from documents import CHECKOUT, code_block
from unforeseen.benchmarks import (
    AttackBenchmark,
    AttackSetting,
    Edition,
    ObfuscationBenchmark,
    ObfuscationSetting,
    load_attack_benchmark,
    load_benchmark,
)
from unforeseen.models.cards import ModelCard
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.obfuscation_plan import make_obfuscation_plan

PAGE = "docs/benchmark-file.md"

#: Each section, what it describes, and the fields that are no keys there.
SECTIONS = [
    ("The file", AttackBenchmark, {"schema", "extends"}, set[str]()),
    ("Preprocessing", Preprocessing, set[str](), set[str]()),
    ("An edition", Edition, set[str](), {"name"}),
    ("An attack", AttackSetting, set[str](), {"name", "folder"}),
]


@pytest.fixture
def example(tmp_path: Path) -> AttackBenchmark:
    file = tmp_path / "flowers.toml"
    file.write_text(
        code_block(PAGE, "toml", beginning='schema = 1\nname = "flowers'), encoding="utf-8"
    )
    return load_attack_benchmark(file)


@pytest.mark.parametrize(
    ("heading", "described", "more", "fewer"), SECTIONS, ids=[each[0] for each in SECTIONS]
)
def test_every_key_is_described_and_no_other(
    heading: str, described: type, more: set[str], fewer: set[str]
) -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    keys = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    names = {field.name for field in fields(described)}
    assert len(keys) == len(set(keys))
    assert set(keys) == (names | more) - fewer


def test_the_example_of_obfuscations_can_be_run_and_every_key_is_described(tmp_path: Path) -> None:
    file = tmp_path / "uploads.toml"
    block = code_block(PAGE, "toml", beginning='schema = 1\nname = "uploads')
    file.write_text(block, encoding="utf-8")
    plan = make_obfuscation_plan(load_benchmark(file), ModelCard(uri="any", fingerprint="0"))
    assert plan.benchmark.names("hold-out") == ("ColorPatternOverlay",)
    assert [cell.transform for cell in plan.cells[1:]] == [*plan.benchmark.obfuscations]
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition("## A benchmark of obfuscations\n")[2].partition("\n## ")[0]
    described = set(re.findall(r"`(\w+)`", section))
    for kind in (ObfuscationBenchmark, ObfuscationSetting):
        names = {field.name for field in fields(kind)} - {"name", "obfuscations"}
        assert names <= described


@pytest.mark.parametrize("edition", ["strict", "published"])
def test_the_example_can_be_run_in_each_of_its_editions(
    example: AttackBenchmark, edition: str
) -> None:
    card = ModelCard(uri="any", fingerprint="0")
    plan = make_attack_plan(example, card, edition=edition, levels=("low", "medium", "high"))
    assert len(plan.cells) == 1 + 3 * 3
    assert plan.preprocessing == example.preprocessing
    assert example.core == ("wood", "elastic")


def test_the_example_leaves_out_nothing_that_a_file_may_hold_but_what_it_says(
    example: AttackBenchmark,
) -> None:
    assert example.label_space is None
    assert example.attack("pgd").radii["medium"] == 4 / 255
    assert example.attack("elastic").parameters == {}
    assert example.edition().name == "strict"
