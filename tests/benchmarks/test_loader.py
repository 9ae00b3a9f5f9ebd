"""Benchmark files: the built-in ones hold the paper's numbers, broken ones end in one line."""

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from small import ATTACK_BENCHMARKS
from unforeseen.benchmarks import BENCHMARKS, LEVELS, AttackBenchmark, load_attack_benchmark
from unforeseen.errors import BenchmarkError, UnknownNameError
from unforeseen.preprocessing import Preprocessing

CORE = {"jpeg", "elastic", "wood", "glitch", "kaleidoscope", "pixel", "snow", "gabor"}

VALID = """
schema = 1
name = "mine"
title = "Mine"
source = "me"
classes = 4
image_size = 64
metric = "ua2"
default_edition = "strict"

[editions.strict]
geometry = "centred"
judging = "any"

[attacks.wood]
group = "core"
steps = 10
step_size = 0.01
radii = { low = "2/255", medium = 0.1, high = 1 }

[attacks.wood.parameters]
rings = 4
"""


def file_of(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


# Oracle: tables 8 and 9 of the paper, (low, medium, high, step size, steps).
TABLE_8 = {
    "pgd": (2 / 255, 4 / 255, 8 / 255, 0.004, 50),
    "gabor": (0.02, 0.04, 0.06, 0.0025, 100),
    "snow": (10, 15, 25, 0.1, 100),
    "pixel": (3, 5, 10, 1, 100),
    "jpeg": (1 / 255, 3 / 255, 6 / 255, 0.0024, 80),
    "elastic": (0.1, 0.25, 0.5, 0.003, 100),
    "wood": (0.03, 0.05, 0.1, 0.005, 80),
    "glitch": (0.03, 0.05, 0.07, 0.005, 90),
    "kaleidoscope": (0.05, 0.1, 0.15, 0.005, 90),
}
TABLE_9 = {
    "pgd": (2 / 255, 4 / 255, 8 / 255, 0.008, 50),
    "gabor": (0.02, 0.03, 0.04, 0.0025, 80),
    "snow": (3, 4, 5, 0.2, 20),
    "pixel": (1, 5, 10, 1, 60),
    "jpeg": (1 / 255, 3 / 255, 6 / 255, 0.0024, 50),
    "elastic": (0.1, 0.25, 0.5, 0.006, 30),
    "wood": (0.03, 0.05, 0.1, 0.000625, 70),
    "glitch": (0.03, 0.05, 0.1, 0.0025, 60),
    "kaleidoscope": (0.05, 0.1, 0.15, 0.005, 30),
}


@pytest.mark.parametrize(("name", "printed"), [("imagenet-ua", TABLE_8), ("cifar10-ua", TABLE_9)])
def test_built_in_numbers_are_the_papers(name: str, printed: dict[str, tuple[float, ...]]) -> None:
    attacks = load_attack_benchmark(name).attacks
    assert {
        key: (*(each.radii[level] for level in LEVELS), each.step_size, each.steps)
        for key, each in attacks.items()
        if each.group not in ("extra", "optional")
    } == printed


@pytest.mark.parametrize("name", ATTACK_BENCHMARKS)
def test_built_in_benchmarks_have_the_eight_core_attacks_and_two_editions(name: str) -> None:
    benchmark = load_attack_benchmark(name)
    assert benchmark.name == name
    assert benchmark.title == BENCHMARKS[name]
    assert set(benchmark.core) == CORE
    assert benchmark.attack("pgd").group == "baseline"
    assert benchmark.edition() == benchmark.edition("published")
    assert benchmark.edition("published").geometry == "published"
    assert benchmark.edition("published").judging == "last"
    assert benchmark.edition("strict").geometry == "centred"
    assert benchmark.edition("strict").judging == "any"
    assert benchmark.edition("strict").gradient_batch is None


def test_preprocessing_is_imagenets_crop_and_none_for_cifar() -> None:
    imagenet, cifar = load_attack_benchmark("imagenet-ua"), load_attack_benchmark("cifar10-ua")
    assert imagenet.preprocessing == Preprocessing(
        resize=256, crop=(224, 224), interpolation="bicubic"
    )
    assert cifar.preprocessing == Preprocessing()
    assert (imagenet.edition("published").gradient_batch, imagenet.classes) == (5, 1000)
    assert (cifar.edition("published").gradient_batch, cifar.classes) == (200, 10)


def test_every_file_beside_the_loader_is_in_the_table() -> None:
    files = resources.files("unforeseen.benchmarks").iterdir()
    assert {Path(file.name).stem for file in files if file.name.endswith(".toml")} == set(
        BENCHMARKS
    )


@pytest.mark.parametrize("name", ATTACK_BENCHMARKS)
def test_a_record_survives_json_and_comes_back_equal(name: str) -> None:
    benchmark = load_attack_benchmark(name)
    again = AttackBenchmark.from_record(json.loads(json.dumps(benchmark.to_record())))
    assert again == benchmark
    assert again.to_record() == benchmark.to_record()
    assert list(again.attacks) == list(benchmark.attacks)


def test_titles_do_not_make_two_benchmarks_different_but_radii_do() -> None:
    benchmark = load_attack_benchmark("cifar10-ua")
    assert replace(benchmark, title="other", source="other") == benchmark
    wood = replace(benchmark.attacks["wood"], steps=1)
    assert replace(benchmark, attacks={**benchmark.attacks, "wood": wood}) != benchmark


def test_a_users_own_file_runs_by_path(tmp_path: Path) -> None:
    benchmark = load_attack_benchmark(file_of(tmp_path, VALID))
    assert benchmark.attacks["wood"].radii == {"low": 2 / 255, "medium": 0.1, "high": 1.0}
    assert benchmark.attacks["wood"].parameters == {"rings": 4}
    assert (benchmark.label_space, benchmark.images) == (None, None)
    assert benchmark.edition().name == "strict"


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf" + VALID.encode())
    assert load_attack_benchmark(path).name == "mine"


def test_unknown_names_list_near_matches() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean imagenet-ua"):
        load_attack_benchmark("imagenet_ua")
    with pytest.raises(UnknownNameError, match="Did you mean strict"):
        load_attack_benchmark("imagenet-ua").edition("strickt")
    with pytest.raises(UnknownNameError, match="Did you mean glitch"):
        load_attack_benchmark("imagenet-ua").attack("glitsch")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("classes = 4", "clases = 4", "unknown key 'clases' in the file; did you mean classes"),
        ("classes = 4", "", "lacks classes"),
        ("classes = 4", "classes = true", "classes: expected a whole number, got True"),
        ("classes = 4", 'classes = "4"', "classes: expected a whole number, got '4'"),
        ("classes = 4", "classes = 1", "classes: expected a whole number from 2"),
        ("schema = 1", "schema = 2", "schema: expected 1 .*, got 2"),
        ("schema = 1", "", "schema: expected 1 .*, got none"),
        ("steps = 10", "steps = -1", "attacks.wood.steps: expected a whole number from 0"),
        ("steps = 10", "steps = 1.5", "attacks.wood.steps: expected a whole number, got 1.5"),
        ("steps = 10", "stepz = 10", "in attacks.wood; did you mean steps"),
        ("medium = 0.1, ", "", "attacks.wood.radii lacks medium"),
        ("0.1", "0", "attacks.wood.radii.medium: expected a finite number above 0"),
        ("0.1", "-0.1", "attacks.wood.radii.medium"),
        ("0.1", "inf", "attacks.wood.radii.medium"),
        ("0.1", "nan", "attacks.wood.radii.medium"),
        ("0.1", "true", "attacks.wood.radii.medium"),
        ("0.1", '"1/0"', "attacks.wood.radii.medium"),
        ("0.1", '"0/1"', "attacks.wood.radii.medium"),
        ("0.1", '"__import__"', "attacks.wood.radii.medium"),
        ("0.1", "1" + "0" * 400, "attacks.wood.radii.medium.*a very large number"),
        ("0.01", "0", "attacks.wood.step_size"),
        ('"core"', '"cores"', "attacks.wood.group: expected 'core' or 'baseline'"),
        ('"core"', '"extra"', "attacks: expected at least one with group"),
        ("rings = 4", "rings = [4]", "parameters.rings: expected a finite number.*a list of 1"),
        ("rings = 4", "rings = inf", "parameters.rings"),
        ("rings = 4", '"Ring s" = 4', "parameters: expected names of the form"),
        ('"centred"', '"middle"', "editions.strict.geometry: expected 'published' or 'centred'"),
        ('"any"', '"any"\ngradient_batch = 0', "editions.strict.gradient_batch"),
        ('"strict"', '"stricter"', "default_edition: expected 'strict', got 'stricter'"),
        ("attacks.wood", "attacks.clean", "attacks: expected names of the form"),
        ("attacks.wood", "attacks.core", "attacks: expected names of the form"),
        ("attacks.wood", "attacks.all", "attacks: expected names of the form"),
        ("attacks.wood", 'attacks."../wood"', "attacks: expected names of the form"),
        ('name = "mine"', 'name = "../mine"', "name: expected text of the form"),
        ('title = "Mine"', 'title = "a\\u001bb"', r"title: expected .*got 'a\\x1bb'"),
        ("[editions.strict]", "[editionz.strict]", "unknown key 'editionz'"),
        ("[editions.strict]", "[preprocessing]\ncrop = [224]\n[editions.strict]", "crop"),
        ("[editions.strict]", "[preprocessing]\nresize = 0\n[editions.strict]", "resize"),
        ("schema = 1", "schema = = 1", "expected TOML"),
    ],
)
def test_a_broken_file_ends_in_one_line_that_says_where(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in VALID
    path = file_of(tmp_path, VALID.replace(old, new, 1))
    with pytest.raises(BenchmarkError, match=said) as caught:
        load_attack_benchmark(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"a = " + b"[" * 1_990,
        b"a = " + b"[\n" * 30_000,
        b"a" + b".a" * 30_000 + b" = 1",
        (b"a" + b".a" * 990 + b" = 1\n") * 30,
        b"a = " + b"9" * 10_000,
        b"a = " + b"\n9" * 10_000,
        b"a = 2024-99-99",
        b"\x00" * 100,
        b"#\n" * 2**16,
        b"<!DOCTYPE html>",
    ],
    ids=list("abcdefghijkl"),
)
def test_hostile_bytes_end_in_a_benchmark_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hostile.toml"
    path.write_bytes(content)
    with pytest.raises(BenchmarkError) as caught:
        load_attack_benchmark(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["missing.toml", "folder.toml", "nul\0.toml", "x" * 5000 + ".toml"]
)
def test_an_unreadable_path_ends_in_a_benchmark_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BenchmarkError):
        load_attack_benchmark(str(tmp_path / name))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *((key,) for key in load_attack_benchmark("imagenet-ua").to_record()),
        *((("attacks", "wood", key)) for key in ("group", "steps", "radii", "parameters", "?")),
        ("attacks", "wood"),
        ("editions", "strict"),
        ("editions", "strict", "gradient_batch"),
        ("attacks", "wood", "radii", "low"),
        ("preprocessing", "crop"),
    ]
)


@given(keys=KEYS, value=JSON)
@settings(
    max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_any_replaced_value_gives_a_benchmark_or_a_benchmark_error(
    keys: tuple[str, ...], value: object
) -> None:
    record = load_attack_benchmark("imagenet-ua").to_record()
    inner = record
    for key in keys[:-1]:
        inner = inner[key] = dict(inner[key])
    inner[keys[-1]] = value
    try:
        benchmark = AttackBenchmark.from_record(record)
    except BenchmarkError:
        return
    json.dumps(benchmark.to_record(), allow_nan=False)


def test_imagenet100_has_imagenets_attacks_on_a_tenth_of_its_classes() -> None:
    whole, tenth = load_attack_benchmark("imagenet-ua"), load_attack_benchmark("imagenet100-ua")
    assert tenth.attacks == whole.attacks
    assert tenth.editions == whole.editions
    assert (tenth.classes, tenth.images, tenth.label_space) == (100, 5000, "imagenet100")
    assert tenth.preprocessing == Preprocessing(
        resize=256, crop=(224, 224), interpolation="bilinear"
    )


EXTENDING = """
schema = 1
extends = "cifar10-ua"
name = "mine"
title = "Mine"
source = "me"

[attacks.wood]
steps = 3
radii = { high = 0.5 }
"""


def test_a_file_that_extends_another_changes_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    mine, base = (
        load_attack_benchmark(file_of(tmp_path, EXTENDING)),
        load_attack_benchmark("cifar10-ua"),
    )
    wood = base.attacks["wood"]
    radii = {**wood.radii, "high": 0.5}
    expected = {**base.attacks, "wood": replace(wood, steps=3, radii=radii)}
    assert mine == replace(base, name="mine", attacks=expected)
    assert AttackBenchmark.from_record(mine.to_record()) == mine
    assert "extends" not in mine.to_record()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"cifar10-ua"', '"other.toml"', "extends"),
        ('title = "Mine"\n', "", "it lacks title"),
        ("steps = 3", "stepps = 3", "stepps"),
    ],
)
def test_a_file_that_extends_wrongly_is_refused(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(BenchmarkError, match=says):
        load_attack_benchmark(file_of(tmp_path, EXTENDING.replace(old, new)))
