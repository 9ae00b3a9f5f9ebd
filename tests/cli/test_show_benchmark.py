"""``unforeseen show`` of a benchmark: everything that it says is there to be read."""

from pathlib import Path

import pytest

from own_attacks import own_benchmark
from unforeseen.benchmarks import (
    BENCHMARKS,
    LEVELS,
    AttackBenchmark,
    ObfuscationBenchmark,
    load_benchmark,
)
from unforeseen.cli import main
from unforeseen.typed_command import as_typed

_EXTENDED = (
    'schema = 1\nextends = "image-obfuscation-own"\nname = "mine"\ntitle = "of us"\nsource = "we"\n'
)


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["show", *arguments])
    return stopped.value.code, *capsys.readouterr()


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_is_shown_with_kind_pictures_metric_source_and_all_that_it_runs(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    benchmark = load_benchmark(name)
    code, out, _ = ended(capsys, name)
    assert code == 0
    said = " ".join(out.split())
    for text in (benchmark.title, benchmark.source, benchmark.preprocessing.in_words()):
        assert text in said
    if benchmark.images is not None:
        assert f"Pictures: {benchmark.images:,}." in said
    table = out[out.index("──") : out.index("More of one")]
    rows = {line.split()[0]: line.split() for line in table.splitlines() if "  " in line.strip()}
    if isinstance(benchmark, AttackBenchmark):
        assert "benchmark of attacks" in said
        assert "UA2" in said
        assert f"Edition {benchmark.default_edition}, the default" in said
        for each in benchmark.attacks.values():
            radii = [f"{each.radii[level]:.4g}" for level in LEVELS]
            numbers = [*radii, str(each.steps), f"{each.step_size:.4g}"]
            assert rows[each.name] == [each.name, each.group, *numbers]
        assert "pgd_l2 is pgd with norm = l2." in said
    else:
        assert isinstance(benchmark, ObfuscationBenchmark)
        assert "benchmark of obfuscations" in said
        assert "worst case over the hold-outs" in said
        for setting in benchmark.obfuscations.values():
            assert rows[setting.name][:2] == [setting.name, setting.group]


def test_a_file_is_shown_with_the_ranges_that_it_says_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(
        _EXTENDED
        + '[obfuscations.ColorNoiseBlocks]\ngroup = "hold-out"\nranges = { block = [3, 5] }\n',
        encoding="utf-8",
    )
    code, out, _ = ended(capsys, "mine.toml")
    assert code == 0
    said = " ".join(out.split())
    assert "mine. of us." in said
    assert "ColorNoiseBlocks hold-out color block 3 to 5" in said
    assert "unforeseen show ColorNoiseBlocks --benchmark mine.toml" in said


def test_a_strangers_file_does_not_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "odd.toml").write_text(
        _EXTENDED.replace("of us", r"\u009b31mof \u202eus").replace("we", r"we\u0085")
        + '[obfuscations.ColorNoiseBlocks]\ngroup = "hold-out"\n',
        encoding="utf-8",
    )
    code, out, _ = ended(capsys, "odd.toml")
    assert code == 0
    assert out.replace("\n", "").isprintable()
    assert r"\x9b31mof \u202eus" in out
    assert r"Source: we\x85" in out


def test_a_built_in_benchmark_is_found_whatever_the_case_of_its_letters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As obfuscations are."""
    usual, other = (ended(capsys, name) for name in ("image-obfuscation", "Image-Obfuscation"))
    assert other == (0, usual[1].replace("--benchmark image-o", "--benchmark Image-O"), "")
    code, out, _ = ended(capsys, "SwirlWarp", "--benchmark", "IMAGE-OBFUSCATION")
    assert code == 0
    assert out
    assert load_benchmark("ImageNet-UA") == load_benchmark("imagenet-ua")


def test_an_unknown_name_is_no_reason_to_count_all_that_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, _, err = ended(capsys, "nothing")
    assert "There are" not in err


def test_a_file_with_an_attack_of_ones_own_is_shown_without_running_its_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = own_benchmark(tmp_path)
    (tmp_path / "fade.py").write_text("raise RuntimeError('it was run')\n", encoding="utf-8")
    code, out, err = ended(capsys, str(file))
    assert (code, err) == (0, "")
    assert "fade is py:fade.py:Fade with gain = 2.0." in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("imgenet-ua",), "unknown attack, obfuscation or benchmark 'imgenet-ua'. Did you mean"),
        (("nothing",), "unforeseen list attacks, list obfuscations, list benchmarks"),
        (("imagenet-ua", "--benchmark", "cifar10-ua"), "which is a benchmark itself"),
        (("none.toml",), "none.toml: expected a benchmark file"),
        (("odd.toml",), "unknown obfuscation 'SwirlWrap'. Did you mean SwirlWarp"),
    ],
)
def test_what_is_no_benchmark_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    odd = _EXTENDED + '[obfuscations.SwirlWrap]\ngroup = "hold-out"\n'
    (tmp_path / "odd.toml").write_text(odd, encoding="utf-8")
    code, out, err = ended(capsys, *arguments)
    assert code == 2
    assert "obfuscation  " not in out
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_the_command_that_is_advised_for_a_file_can_be_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "my file.toml", "--benchmark", "imagenet-ua"])
    assert ended.value.code == 2
    assert as_typed("show", "my file.toml") in capsys.readouterr().err
