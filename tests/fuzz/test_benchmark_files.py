"""Benchmark files of any content: a benchmark that can be planned, or one line."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import ANY_JSON, a_result_or_one_line, changed, damaged, fuzz
from small import BENCHMARK_FILE
from unforeseen.benchmarks import (
    BENCHMARKS,
    Benchmark,
    ObfuscationBenchmark,
    load_attack_benchmark,
    load_benchmark,
)
from unforeseen.benchmarks.kinds import benchmark_of, expect_attacks
from unforeseen.models.cards import ModelCard
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.obfuscation_plan import make_obfuscation_plan

#: A benchmark of obfuscations that says ranges of its own.
RANGED = load_benchmark("image-obfuscation-own").to_record() | {
    "obfuscations": {
        "ColorNoiseBlocks": {"group": "training", "ranges": {"block": [12, 20]}},
        "IconOverlay": {"group": "hold-out", "ranges": {"opacity": [0.4, 0.5]}},
    }
}

CARD = ModelCard(uri="timm:small", fingerprint="0123456789abcdef", classes=10)


def planned(source: Benchmark) -> None:
    """What is made of a benchmark before it runs; attacks may refuse their parameters."""
    json.dumps(source.to_record(), allow_nan=False)
    if isinstance(source, ObfuscationBenchmark):
        make_obfuscation_plan(source, CARD)
        return
    benchmark = expect_attacks(source)
    for edition in benchmark.editions:
        plan = make_attack_plan(benchmark, CARD, edition=edition, levels=("low", "medium", "high"))
        assert len({cell.id for cell in plan.cells}) == len(plan.cells)


FILES = {"small": BENCHMARK_FILE.encode()} | {
    name: resources.files("unforeseen.benchmarks").joinpath(f"{name}.toml").read_bytes()
    for name in BENCHMARKS
}


@pytest.mark.parametrize("name", FILES)
@fuzz(120)
@given(draw=st.data())
def test_damaged_text_is_a_benchmark_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, draw: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged.toml"
    file.write_bytes(draw.draw(damaged(FILES[name])))
    with a_result_or_one_line():
        planned(load_benchmark(file))


@fuzz(300)
@given(record=changed(load_attack_benchmark("imagenet-ua").to_record()) | ANY_JSON)
def test_any_structure_is_a_benchmark_or_one_line(record: Any) -> None:
    with a_result_or_one_line():
        planned(benchmark_of(record))


@fuzz(150)
@given(record=changed(RANGED) | changed(load_benchmark("image-obfuscation").to_record()))
def test_any_structure_of_obfuscations_is_a_benchmark_or_one_line(record: Any) -> None:
    with a_result_or_one_line():
        planned(benchmark_of(record))


@fuzz(100)
@given(name=st.text(max_size=30))
def test_any_name_is_a_benchmark_or_one_line(name: str) -> None:
    for each in (name, f"{name}.toml", str(Path(name[:5]) / "x.toml")):
        with a_result_or_one_line():
            load_benchmark(each)
