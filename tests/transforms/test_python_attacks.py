"""Attacks from the user's own code: what is taken, what is refused, and in which words."""

import sys
from pathlib import Path

import pytest

from own_attacks import FADE, own_benchmark, write_attack
from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.errors import AttackError, BenchmarkError, UnknownNameError, UserError
from unforeseen.transforms import attack_class
from unforeseen.transforms.python_attacks import code_of

UNSEEN = "unseen_updates: expected a whole number from 0, got"
DECORATED = "@dataclass(frozen=True, kw_only=True)\nclass Fade("


def test_a_class_is_taken_from_a_file_beside_the_benchmark_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_attack(tmp_path)
    own_benchmark(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    setting = load_attack_benchmark("../own.toml").attack("fade")
    kind = attack_class(setting.attack, folder=setting.folder)
    assert (kind.name, [*kind().balls]) == ("fade", ["shift"])
    code = code_of(kind)
    assert code is not None
    assert code.source == tmp_path / "fade.py"


def test_a_class_is_taken_from_a_package_in_the_folder(tmp_path: Path) -> None:
    package = tmp_path / "package_of_attacks"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "own.py").write_text(FADE, encoding="utf-8")
    before = list(sys.path)
    kind = attack_class("py:package_of_attacks.own:Fade", folder=tmp_path)
    assert kind.__module__ == "package_of_attacks.own"
    assert sys.path == before


def test_an_unchanged_file_is_run_once_and_a_changed_one_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    write_attack(tmp_path)
    first = attack_class("py:fade.py:Fade", folder=tmp_path)
    assert attack_class("py:fade.py:Fade", folder=tmp_path) is first
    # Of the same length, within the same second: compiled files would hide it.
    write_attack(tmp_path, ("parameter(1.0", "parameter(3.0"))
    changed = attack_class("py:fade.py:Fade", folder=tmp_path)
    assert getattr(changed(), "gain", None) == 3.0
    assert code_of(changed) != code_of(first)
    assert not (tmp_path / "__pycache__").exists()


def test_its_code_is_called_by_what_can_be_typed_here_however_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path in a benchmark file is relative to that file, and a class may have several names."""
    home = tmp_path / "home"
    home.mkdir()
    file = write_attack(home)
    beside = tmp_path / "beside"
    beside.mkdir()
    for here, said in (
        (home, "py:fade.py:Fade"),
        (tmp_path, f"py:{Path('home') / 'fade.py'}:Fade"),
        (beside, f"py:{file}:Fade"),
    ):
        monkeypatch.chdir(here)
        for folder, named in ((home, "py:fade.py:Fade"), (beside, "py:../home/fade.py:Fade")):
            code = code_of(attack_class(named, folder=folder))
            assert code is not None
            assert code.said == said
            assert attack_class(code.said, folder=Path.cwd()) is attack_class(named, folder=folder)


def test_code_is_never_run_for_a_benchmark_out_of_a_record(tmp_path: Path) -> None:
    write_attack(tmp_path, ("\n\n@dataclass", "\nraise SystemExit('run')\n@dataclass"))
    benchmark = load_attack_benchmark(own_benchmark(tmp_path))
    read = AttackBenchmark.from_record(benchmark.to_record())
    assert read == benchmark
    assert "folder" not in str(benchmark.to_record())
    setting = read.attack("fade")
    with pytest.raises(AttackError, match=r"comes from a run's record\. Give the benchmark file"):
        attack_class(setting.attack, folder=setting.folder)


@pytest.mark.parametrize(
    "written",
    [r'"\u0070y\u003afade.py:Fade"', r'"py\u003afade.py:Fade"', r'"py:f\u0061de.py:Fade"'],
)
def test_code_that_a_search_for_py_would_not_show_is_refused(tmp_path: Path, written: str) -> None:
    write_attack(tmp_path)
    file = own_benchmark(tmp_path)
    text = file.read_text(encoding="utf-8").replace('"py:fade.py:Fade"', written)
    file.write_text(f"# copy: another py: in it\n{text}", encoding="utf-8")
    with pytest.raises(
        BenchmarkError, match=r"attacks\.fade\.attack: .*got escapes for py:fade\.py:Fade\.$"
    ):
        load_attack_benchmark(file)


@pytest.mark.parametrize("written", [r'"py:sub\\fade.py:Fade"', r"'py:sub\fade.py:Fade'"])
def test_a_windows_path_may_be_written_in_both_ways(tmp_path: Path, written: str) -> None:
    file = own_benchmark(tmp_path)
    text = file.read_text(encoding="utf-8").replace('"py:fade.py:Fade"', written)
    file.write_text(text, encoding="utf-8")
    assert load_attack_benchmark(file).attack("fade").attack == r"py:sub\fade.py:Fade"


def test_a_file_that_extends_another_keeps_its_folder(tmp_path: Path) -> None:
    write_attack(tmp_path)
    file = tmp_path / "more.toml"
    file.write_text(
        'schema = 1\nextends = "cifar10-ua"\nname = "more"\ntitle = "More"\nsource = "a test"\n'
        '[attacks.fade]\nattack = "py:fade.py:Fade"\ngroup = "extra"\nsteps = 1\nstep_size = 0.1\n'
        "radii = { low = 0.1, medium = 0.2, high = 0.3 }\n",
        encoding="utf-8",
    )
    setting = load_attack_benchmark(file).attack("fade")
    assert attack_class(setting.attack, folder=setting.folder).name == "fade"


@pytest.mark.parametrize("text", ["py:fade.py", "py:fade:", "py:a/b:Fade", "py:"])
def test_an_incomplete_name_is_refused_with_the_benchmark_file(tmp_path: Path, text: str) -> None:
    setting = f'\n[attacks.fade]\nattack = "{text}"\ngroup = "core"\nsteps = 1\nstep_size = 0.1\n'
    file = own_benchmark(tmp_path, f"{setting}radii = {{ low = 0.1, medium = 0.2, high = 0.3 }}\n")
    with pytest.raises(
        BenchmarkError, match=r"attacks\.fade\.attack: expected py:path/to/file\.py"
    ):
        load_attack_benchmark(file)
    with pytest.raises(AttackError, match=r"expected py:path/to/file\.py:CLASS"):
        attack_class(text, folder=tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("class Fade(SceneFreeAttack[FadeLatents])", "class Fade", r"derived from .*got the class"),
        (DECORATED, "class Fade(", "write @dataclass.frozen=True, kw_only=True. above class Fade"),
        (
            DECORATED,
            "@dataclass\nclass Fade(",
            r"line [0-9]+: TypeError: .*write @dataclass\(frozen=True, kw_only=True\)$",
        ),
        ("    def paint(", "    def draw(", "Fade lacks paint; define it"),
        (
            "    def paint(",
            "    render = None\n    def paint(",
            r"has a render\(\) of its own; define p",
        ),
        ('name: ClassVar[str] = "fade"', "", r"Fade\.name: expected text of one line, got None"),
        ('ClassVar[str] = "fade"', 'ClassVar[str] = "Fade"', r"Fade\.name: expected lower-case"),
        ('ClassVar[str] = "fade"', 'ClassVar[str] = "clean"', r"Fade\.name: expected lower-case"),
        ('ClassVar[str] = "fade"', 'ClassVar[str] = "wood"', "'wood' is a built-in attack's"),
        ('"a colour cast"', '"a colour\\ncast"', r"Fade\.summary: expected text of one line"),
        ('"a test"', '""', r"Fade\.source: expected text of one line, got ''"),
        ("    gain:", "    version = 0\n    gain:", r"Fade\.version: expected a whole number"),
        ("gain: float", "gain: list", "parameter gain: expected int, float or Literal.*got list"),
        ("gain: float", "gain: Number", "line [0-9]+: NameError: name 'Number' is not defined"),
        ("parameter(1.0,", "parameter(0.25,", "gain: its default can't be used: Fade.gain: exp"),
        ('= parameter(1.0, "what δ is multiplied with", minimum=0.5)', "", "gain: expected a def"),
        ('{"shift": Ball(norm="linf")}', '{"shift": 1}', "balls: 'shift': expected a Ball, got 1"),
        ('{"shift": Ball(norm="linf")}', "{}", "balls: expected a Ball for each latent"),
        ('norm="linf"', 'norm="l7"', "balls: 'shift': norm: expected 'linf' or 'l2', got 'l7'"),
        (
            'norm="linf"',
            'norm="linf", low=0.1',
            "box from low to high that 0 lies in, got 0.1 to i",
        ),
        (
            "    @property\n    def balls",
            "    unseen_updates = -5\n    @property\n    def balls",
            UNSEEN,
        ),
        (
            "    @property\n    def balls",
            "    unseen_updates = 'a'\n    @property\n    def balls",
            UNSEEN,
        ),
        ('return "sign"', 'return "signs"', "step_rule: expected 'sign' or 'l2', got 'signs'"),
        ('return "sign"', "return 1 / 0", r"fade\.py, line [0-9]+: ZeroDivisionError"),
        ("\n\n@dataclass", "\nimport no_such_module_1\n@dataclass", "line 7: ModuleNotFoundError"),
    ],
)
def test_what_is_no_attack_is_refused_in_a_line_that_says_what_to_do(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    write_attack(tmp_path, (old, new))
    with pytest.raises(AttackError, match=words) as caught:
        attack_class("py:fade.py:Fade", folder=tmp_path)
    assert str(caught.value).startswith("py:fade.py:Fade: ")


@pytest.mark.parametrize("name", ["Fade", "Strong"])
def test_an_attack_is_final(tmp_path: Path, name: str) -> None:
    write_attack(tmp_path)
    with (tmp_path / "fade.py").open("a", encoding="utf-8") as file:
        file.write(
            "\n@dataclass(frozen=True, kw_only=True)\nclass Strong(Fade):\n"
            "    name: ClassVar[str] = 'strong'\n"
        )
    with pytest.raises(AttackError, match="an attack is final, and Strong derives from Fade"):
        attack_class(f"py:fade.py:{name}", folder=tmp_path)


def test_a_function_a_missing_file_and_a_wrong_name_are_called_so(tmp_path: Path) -> None:
    write_attack(tmp_path)
    with pytest.raises(AttackError, match="got a function"):
        attack_class("py:fade.py:parameter", folder=tmp_path)
    with pytest.raises(AttackError, match="there is no file"):
        attack_class("py:fede.py:Fade", folder=tmp_path)
    with pytest.raises(UnknownNameError, match="Did you mean Fade"):
        attack_class("py:fade.py:Fad", folder=tmp_path)


def test_an_unknown_name_is_told_that_classes_can_be_named() -> None:
    with pytest.raises(UserError, match=r"Did you mean wood.*py:path/to/file\.py:CLASS"):
        attack_class("woood")
