"""Benchmarks of obfuscations: the built-in ones are the paper's, broken ones end in one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unforeseen.benchmarks import BENCHMARKS, ObfuscationBenchmark, load_benchmark
from unforeseen.benchmarks.kinds import benchmark_of, expect_attacks, expect_obfuscations
from unforeseen.errors import BenchmarkError, UnknownNameError
from unforeseen.preprocessing import Preprocessing

OURS = ("image-obfuscation", "image-obfuscation-own")

#: The paper's appendices A.2 to A.6 in order; its section 3.2 names the three hold-outs.
PAPERS = (
    *("ColorNoiseBlocks", "Halftoning", "InvertLines", "LowContrastTriangles"),
    *("LineShift", "PerspectiveTransform", "RotateBlocks", "RotateImage", "SwirlWarp"),
    *("WavyColorWarp", "BackgroundBlurComposition", "HighContrastBorder"),
    *("PerspectiveComposition", "PhotoComposition", "ColorPatternOverlay", "IconOverlay"),
    *("ImageOverlay", "Interleave", "TextOverlay", "AdversarialPatches", "StyleTransfer"),
    "Texturize",
)
HOLD_OUTS = ("LowContrastTriangles", "PerspectiveComposition", "ColorPatternOverlay")

OWN = """
schema = 1
name = "moderation"
title = "Two obfuscations"
source = "us"
image_size = 224
metric = "worst_case"

[obfuscations.SwirlWarp]
group = "training"
ranges = { strength = [3, 4.5], radius = [80, 80] }

[obfuscations.TextOverlay]
group = "hold-out"
"""


def own(folder: Path, *changes: tuple[str, str], text: str = OWN) -> ObfuscationBenchmark:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return expect_obfuscations(load_benchmark(file))


@pytest.mark.parametrize("name", OURS)
def test_built_in_ones_have_the_papers_22_obfuscations(name: str) -> None:
    benchmark = expect_obfuscations(load_benchmark(name))
    assert (benchmark.name, benchmark.title) == (name, BENCHMARKS[name])
    assert tuple(benchmark.obfuscations) == PAPERS
    assert benchmark.names("hold-out") == HOLD_OUTS
    assert len(benchmark.names("training")) == 19
    assert benchmark.image_size == 224
    assert benchmark.preprocessing == Preprocessing(resize=224, crop=(224, 224))
    assert not any(each.ranges for each in benchmark.obfuscations.values())


def test_one_is_of_imagenets_super_classes_and_one_of_the_datas_own_labels() -> None:
    ours, others = (load_benchmark(name) for name in OURS)
    assert (ours.label_space, ours.classes, ours.images) == ("imagenet16", 16, 207 * 50)
    assert (others.label_space, others.classes, others.images) == (None, None, None)


@pytest.mark.parametrize("name", OURS)
def test_a_record_survives_json_and_comes_back_equal(name: str) -> None:
    benchmark = load_benchmark(name)
    again = benchmark_of(json.loads(json.dumps(benchmark.to_record())))
    assert again == benchmark
    assert again.to_record() == benchmark.to_record()


def test_a_file_says_from_what_parameters_are_drawn(tmp_path: Path) -> None:
    benchmark = own(tmp_path)
    assert (benchmark.label_space, benchmark.classes) == (None, None)
    assert benchmark.obfuscation("swirlwarp").ranges == {"strength": (3, 4.5), "radius": (80, 80)}
    assert benchmark_of(json.loads(json.dumps(benchmark.to_record()))) == benchmark
    with pytest.raises(UnknownNameError, match="Did you mean SwirlWarp"):
        benchmark.obfuscation("SwirlWrap")


def test_a_file_that_extends_ours_changes_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    text = """
    schema = 1
    extends = "image-obfuscation-own"
    name = "mine"
    title = "Mine"
    source = "me"
    obfuscations.SwirlWarp.group = "hold-out"
    """
    base = expect_obfuscations(load_benchmark("image-obfuscation-own"))
    swirl = replace(base.obfuscations["SwirlWarp"], group="hold-out")
    expected = {**base.obfuscations, "SwirlWarp": swirl}
    assert own(tmp_path, text=text) == replace(base, name="mine", obfuscations=expected)


def test_a_run_is_of_one_benchmark_as_far_as_its_obfuscations_are_set_alike(tmp_path: Path) -> None:
    """So that obfuscations that a later release adds can come to a run."""
    small, large = own(tmp_path), own(tmp_path, ("TextOverlay", "IconOverlay"))
    assert small != large
    assert small.without_optional(but=["SwirlWarp"]) == large.without_optional(but=["SwirlWarp"])
    other = own(tmp_path, ("4.5", "4.6"))
    assert small.without_optional(but=["SwirlWarp"]) != other.without_optional(but=["SwirlWarp"])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"hold-out"', '"holdout"', "TextOverlay.group: expected 'training' or 'hold-out'"),
        ("[3, 4.5]", "[4.5, 3]", r"ranges.strength: expected \[lowest, highest\]"),
        ("[3, 4.5]", "[3, inf]", r"ranges.strength: expected \[lowest, highest\]"),
        ("[3, 4.5]", "[3]", r"ranges.strength: expected \[lowest, highest\]"),
        ("[3, 4.5]", "[true, 4]", r"ranges.strength: expected \[lowest, highest\]"),
        ("[3, 4.5]", "3", r"ranges.strength: expected \[lowest, highest\]"),
        ("SwirlWarp", "swirl_warp", "expected names of the form"),
        ('"worst_case"', '"worst"', "metric: expected 'ua2' or 'worst_case'"),
        ('"worst_case"', '"ua2"', "unknown key 'obfuscations'"),
        ("image_size = 224", "image_size = 224\nclasses = 1", "classes: expected a whole number"),
        ("image_size = 224", 'image_size = 224\nlabel_space = "imagenet16"', "got none"),
        ("image_size = 224", "image_size = 224\nattacks = 3", "unknown key 'attacks'"),
        ('metric = "worst_case"', "", "lacks metric"),
    ],
)
def test_a_broken_file_ends_in_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(BenchmarkError, match=says) as raised:
        own(tmp_path, (old, new))
    assert "\n" not in str(raised.value)


def test_one_kind_is_refused_where_only_the_other_will_do() -> None:
    with pytest.raises(BenchmarkError, match="image-obfuscation: expected a benchmark of attacks"):
        expect_attacks(load_benchmark("image-obfuscation"))
    with pytest.raises(BenchmarkError, match="imagenet-ua: expected a benchmark of obfuscations"):
        expect_obfuscations(load_benchmark("imagenet-ua"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *((key,) for key in load_benchmark("image-obfuscation").to_record()),
        *(("obfuscations", "SwirlWarp", key) for key in ("group", "ranges", "?")),
        ("obfuscations", "SwirlWarp"),
        ("obfuscations", "?"),
        ("preprocessing", "crop"),
    ]
)


@given(keys=KEYS, value=JSON)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_replaced_value_gives_a_benchmark_or_a_benchmark_error(
    keys: tuple[str, ...], value: object
) -> None:
    record = load_benchmark("image-obfuscation").to_record()
    inner = record
    for key in keys[:-1]:
        inner = inner[key] = dict(inner[key])
    inner[keys[-1]] = value
    try:
        benchmark = benchmark_of(record)
    except BenchmarkError:
        return
    json.dumps(benchmark.to_record(), allow_nan=False)
