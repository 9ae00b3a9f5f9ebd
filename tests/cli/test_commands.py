"""What the commands print when all goes well."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer
from PIL import Image

from made_runs import made_folder, made_record
from small import ATTACK_BENCHMARKS, BENCHMARK_FILE, SmallNet, small_dataset
from small_runs import run_small
from unforeseen import __version__
from unforeseen.benchmarks import BENCHMARKS, load_attack_benchmark
from unforeseen.cli import main
from unforeseen.cli.app import app
from unforeseen.data import DATA_SCHEMES
from unforeseen.models import MODEL_SCHEMES
from unforeseen.models.heads import HEADS
from unforeseen.models.papers import PAPERS, models_of_paper
from unforeseen.search.settings import SEARCHES
from unforeseen.transforms import ATTACKS

COUNT = 6


PROGRAM: Any = typer.main.get_command(app)
#: Every command by its name; those of a group too, as they are typed.
COMMANDS: dict[str, Any] = {
    " ".join(filter(None, (name, inner))): part
    for name, command in PROGRAM.commands.items()
    for inner, part in {"": command, **getattr(command, "commands", {})}.items()
}


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Standard output of a command that must succeed."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    return out


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help_with_its_options(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    said = printed(capsys, *command.split(), "--help")
    assert "Usage: unforeseen" in said
    parameters = (COMMANDS[command] if command else PROGRAM).params
    options = [name for each in parameters for name in (*each.opts, *each.secondary_opts)]
    assert [name for name in options if name.startswith("--") and name not in said] == []
    for words in {"results": ["table|csv|json|markdown"], "": PROGRAM.commands}.get(command, ()):
        assert words in said


def test_the_commands_are_described_in_whole_lines_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "..." not in printed(capsys, "--help").split("Commands:")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_values_of_options_are_called_what_they_are_and_not_by_pythons_types(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    options = printed(capsys, *command.split(), "--help").split("Options:")[1]
    assert not re.search(r"<(str|int|float|path|dir|list\[.*\])|TEXT|INTEGER|PATH\b", options)
    assert "--no-check" not in options or "True" not in options


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == printed(capsys, "--help")


def test_an_output_that_lacks_the_papers_symbols_gets_question_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    piped = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", piped)
    with pytest.raises(SystemExit) as ended:
        main(["show", "wood"])
    assert ended.value.code == 0
    piped.seek(0)
    assert "|sin(? · rings · d)|" in piped.read()


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--version").strip() == __version__


def test_the_module_is_the_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "unforeseen", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == __version__


@pytest.mark.parametrize(
    ("closed", "name", "code"), [("stdout", "imagenet-ua", 0), ("stderr", "imgenet-ua", 2)]
)
def test_output_that_was_closed_before_goes_nowhere(closed: str, name: str, code: int) -> None:
    """As with ``>&-``, or under pythonw on Windows."""
    program = f"import sys; sys.{closed} = None; from unforeseen.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program, "show", name], capture_output=True, text=True, check=False
    )
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has another error for a closed pipe")
@pytest.mark.parametrize(
    "command", [("--version",), ("--help",), ("show", "wood"), ("list", "data"), ("results", "run")]
)
def test_output_that_nobody_reads_has_a_code_of_its_own(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """1 would mean that something was found."""
    made_folder(tmp_path / "run", made_record())
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "unforeseen", *command],
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    finally:
        os.close(writer)
    assert ran.returncode == 141
    assert not any(word in ran.stderr for word in (b"Traceback", b"error", b"Broken pipe"))


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("attacks", ATTACKS),
        ("benchmarks", BENCHMARKS),
        ("models", MODEL_SCHEMES),
        ("data", DATA_SCHEMES),
        ("heads", HEADS),
        ("searches", SEARCHES),
    ],
)
def test_lists_hold_every_entry_of_their_table(
    capsys: pytest.CaptureFixture[str], what: str, names: dict[str, object]
) -> None:
    lines = printed(capsys, "list", what).splitlines()
    first_words = {line.split()[0] for line in lines if line.strip()}
    assert set(names) <= first_words


@pytest.mark.parametrize("number", PAPERS)
def test_the_papers_models_are_listed_with_uris_on_lines_of_their_own(
    capsys: pytest.CaptureFixture[str], number: int
) -> None:
    lines = printed(capsys, "list", "models", "--paper", str(number)).splitlines()
    others = lines.index("Its models that no library has")
    for model in models_of_paper(number):
        part = lines[:others] if model.uri else lines[others:]
        assert any(line.startswith(f"{model.model} (") for line in part)
        assert not model.uri or f"    {model.uri}" in part


@pytest.mark.parametrize(("what", "schemes"), [("models", MODEL_SCHEMES), ("data", DATA_SCHEMES)])
@pytest.mark.parametrize("width", ["40", "80"])
def test_examples_of_uris_stay_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    schemes: dict[str, Any],
    width: str,
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    lines = printed(capsys, "list", what).splitlines()
    for each in schemes.values():
        for uri in [each.example] if what == "models" else each.examples:
            assert f"    {uri}" in lines


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_is_shown_with_formula_parameters_radii_and_source(
    capsys: pytest.CaptureFixture[str], attack: str
) -> None:
    shown = printed(capsys, "show", attack).split()
    said = " ".join(shown)
    kind = ATTACKS[attack]
    for text in (kind.summary, kind.formula, kind.source):
        assert " ".join(text.split()) in said
    for benchmark in ATTACK_BENCHMARKS:
        assert (benchmark in shown) == (attack in load_attack_benchmark(benchmark).attacks)


@pytest.mark.parametrize(
    ("attack", "line"),
    [
        ("wood", "u = 2i/W − 1, v = 2j/H − 1."),
        ("snow", "y = 0.85 x + 0.15 max(x, 1.5 luma(x) + 0.5);"),
    ],
)
def test_a_formula_is_not_broken_within_a_term(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, attack: str, line: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = printed(capsys, "show", attack).splitlines()
    assert line in lines
    assert max(map(len, lines)) <= 80


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model of one's own, pictures and a benchmark."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["unforeseen"])
    (tmp_path / "model.py").write_text("from small import SmallNet as make\n", encoding="utf-8")
    (tmp_path / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(COUNT, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = tmp_path / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
    return tmp_path


RUN = ("run", "small.toml", "--model", "py:model.py:make", "--data", "imagefolder:data")


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_run_prints_its_table_and_its_results_come_in_four_formats(
    capsys: pytest.CaptureFixture[str], work: Path, edition: str
) -> None:
    options = ("--out", "run", "--edition", edition, "--attacks", "wood, pixel", "--limit", "5")
    said = printed(capsys, *RUN, *options, "--levels", "low,high")
    assert "py:model.py:make" in said
    assert said in printed(capsys, "results", "run")

    summary = json.loads((work / "run" / "summary.json").read_text(encoding="utf-8"))
    assert summary["images"] == 5
    assert summary["complete"]
    assert [(a["attack"], a["level"]) for a in summary["attacks"]] == [
        ("wood", "low"),
        ("wood", "high"),
        ("pixel", "low"),
        ("pixel", "high"),
    ]
    shown = json.loads(printed(capsys, "results", "run", "--format", "json"))
    assert len(shown) == 1
    assert [(row["level"], row["figures"]["ua2"]["value"]) for row in shown[0]["rows"]] == [
        (level, summary["ua2"][level]["value"]) for level in ("low", "high")
    ]
    csv = printed(capsys, "results", "run", "--format", "csv").splitlines()
    assert len({line.count(",") for line in csv if '"' not in line}) == 1
    assert printed(capsys, "results", "run", "--format", "markdown").startswith("###")


def test_a_preview_is_a_png_and_says_where_a_picture_is_not_attacked(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    image = next((work / "data").rglob("*.png"))
    own = ("--benchmark", "small.toml", "--model", "py:model.py:make", "--image", str(image))
    printed(capsys, "preview", "pixel", *own, "--out", "new/pixel.png", "--steps", "1")
    with Image.open(work / "new" / "pixel.png") as drawn:
        assert drawn.format == "PNG"
        assert drawn.width > 600
    label = (int(image.parent.name[-1]) + 1) % 4
    with pytest.raises(SystemExit):
        main(["preview", "pixel", *own, "--out", "x.png", "--label", str(label), "--steps", "0"])
    assert f"doesn't take the original for class {label}" in capsys.readouterr().err


def test_a_check_prints_verdict_and_figures_and_ends_with_0_or_1(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    options = ("--data", "imagefolder:data", "--benchmark", "small.toml")
    said = printed(capsys, "check", "--model", "py:model.py:make", *options).splitlines()
    assert said[0] == "fine"
    assert "with 6 pictures a wrong normalisation" in " ".join(said)
    assert {
        "model      py:model.py:make",
        "data       imagefolder:data",
        "benchmark  small, edition published",
    } <= set(said)
    assert any(line.split()[:2] == ["classified", "right"] and "%" in line for line in said)

    (work / "soft.py").write_text(
        "import torch\nfrom small import SmallNet\n"
        "def make(): return torch.nn.Sequential(SmallNet(), torch.nn.Softmax(dim=1))\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as ended:
        main(["check", "--model", "py:soft.py:make", *options])
    assert ended.value.code == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("masked: softmax outputs")
    assert said[2].startswith("masked: The outputs are probabilities")


def test_a_check_looks_at_the_run_that_it_advises(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    options = ("--data", "imagefolder:data", "--benchmark", "small.toml", "--model")
    (work / "noisy.py").write_text(
        "import torch\nfrom small import SmallNet\n"
        "class Noisy(SmallNet):\n"
        "    def forward(self, x): return super().forward(x) + torch.randn(len(x), 4)\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["check", *options, "py:noisy.py:Noisy"])
    assert "give --eot N" in capsys.readouterr().out
    said = printed(
        capsys, "check", *options, "py:noisy.py:Noisy", "--eot", "3", "--attacks", "pgd, wood"
    )
    assert "the mean of 3 passes" in said
    at_zero = said.partition("δ = 0")[2].split()
    assert {"pgd", "wood"} <= set(at_zero)
    assert "pixel" not in at_zero
    strict = printed(capsys, "check", *options, "py:model.py:make", "--edition", "strict")
    assert "δ = 0" not in strict
    (work / "detached.py").write_text(
        "from small import SmallNet\n"
        "class Detached(SmallNet):\n"
        "    def forward(self, x): return super().forward(x).detach()\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["check", *options, "py:detached.py:Detached"])
    assert "--steps 0" in capsys.readouterr().out
    printed(capsys, "check", *options, "py:detached.py:Detached", "--steps", "0")


def test_a_check_that_cannot_be_made_ends_with_one_line(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    model = ("--model", "py:model.py:make", "--data", f"imagefolder:{work / 'data'}")
    for options in ((), ("--benchmark", "small.toml", "--expect-accuracy", "76")):
        with pytest.raises(SystemExit) as ended:
            main(["check", *model, *options])
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert "benchmark: nothing in" in said or "a share above 0 and up to 1" in said
        assert "Traceback" not in said


def test_several_runs_make_one_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folders = [
        str(made_folder(tmp_path / name, made_record(model=f"timm:{name}", levels=("medium",))))
        for name in ("first", "second")
    ]
    said = printed(capsys, "results", *folders)
    assert said.count("small-imagenet-ua, edition published, medium") == 1
    first_words = [line.split()[0] for line in said.splitlines() if line.strip()]
    assert [word for word in first_words if word in ("Model", "timm:first", "timm:second")] == [
        "Model",
        "timm:first",
        "timm:second",
    ]


def test_results_over_sets_of_attacks_come_in_every_format(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = str(made_folder(tmp_path / "run", made_record(levels=("medium",))))
    for fmt, shown in {
        "table": ("  jpeg, wood  ", "  core  "),
        "markdown": ("| jpeg, wood |", "| core |"),
        "csv": (",mean:jpeg+wood,", ",worst:core,"),
        "json": ('"mean:jpeg+wood":', '"worst:core":'),
    }.items():
        over = ("--over", "jpeg,wood", "--over", "core")
        said = printed(capsys, "results", folder, *over, "--format", fmt)
        assert [words for words in shown if words not in said] == []


def test_a_recount_that_agrees_says_of_how_much(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run_small(tmp_path)
    said = printed(capsys, "recount", str(tmp_path), str(tmp_path)).splitlines()
    line = f"{tmp_path}: 34 figures from 33 rows, all equal; the rows contradict nothing."
    assert said == [line, line]


def test_a_recount_that_differs_shows_where_and_ends_with_code_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run_small(tmp_path / "whole")
    run_small(tmp_path / "changed")
    for file in (tmp_path / "changed" / "rows").glob("*.parquet"):
        pl.read_parquet(file).with_columns(correct=~pl.col("correct")).write_parquet(file)
    with pytest.raises(SystemExit) as ended:
        main(["recount", str(tmp_path / "changed"), str(tmp_path / "whole")])
    out, err = capsys.readouterr()
    assert ended.value.code == 1
    assert not err
    for words in ("clean_accuracy value", "summary.json", "correct is whether prediction"):
        assert words in out
    assert "whole: 34 figures from 33 rows, all equal" in out


def test_markup_in_a_strangers_names_is_shown_and_not_obeyed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = "[bold red]x[/] [link=http://example.org]y[/link]"
    folder = made_folder(tmp_path / "run", made_record(model=name))
    for fmt in ("table", "csv", "json"):
        assert name in printed(capsys, "results", str(folder), "--format", fmt)
    assert "\x1b" not in printed(capsys, "results", str(folder))


def test_folders_with_brackets_in_their_names_are_named_as_they_are(
    capsys: pytest.CaptureFixture[str], work: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*RUN, "--out", "[red]run[/red]", "--attacks", "pgd", "--steps", "0"])
    assert ended.value.code == 0
    assert "[red]run[/red]" in capsys.readouterr().err
    assert (work / "[red]run[/red]" / "run.json").exists()


def test_tables_as_json_survive_an_output_that_has_only_ascii(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = "py:modèle.py:ε😀"
    folder = made_folder(tmp_path / "run", made_record(model=name))
    said = printed(capsys, "results", str(folder), "--format", "json")
    assert json.loads(said.encode("ascii", errors="replace"))[0]["rows"][0]["model"] == name


def test_an_optional_attack_is_listed_and_shown_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = (line for line in printed(capsys, "list", "attacks").splitlines() if "pgd_l2" in line)
    assert "optional" in line
    said = printed(capsys, "show", "pgd_l2")
    assert "--attacks pgd_l2" in said
    assert "L2 ball" in said


def test_heads_are_applied_in_order(capsys: pytest.CaptureFixture[str], work: Path) -> None:
    (work / "swapped.csv").write_text("class,group\n1,a\n0,b\n2,c\n3,d\n", encoding="utf-8")
    tables = [
        printed(capsys, *RUN, "--out", name, "--attacks", "pgd", "--steps", "0", *heads)
        for name, heads in (
            ("plain", ()),
            ("twice", ("--head", "swapped.csv", "--head", "swapped.csv")),
        )
    ]
    # Swapping two classes twice changes nothing; the model's card says that it was done.
    assert tables[0] == tables[1]
    head = json.loads((work / "twice" / "run.json").read_text(encoding="utf-8"))["model"]["head"]
    assert (head["name"], head["outputs"]) == ("swapped.csv + swapped.csv", 4)


def test_a_preview_knows_the_classes_after_the_head(work: Path) -> None:
    (work / "groups.csv").write_text("class,group\n0,weapon\n*,harmless\n", encoding="utf-8")
    image = next((work / "data").rglob("*.png"))
    command = ["preview", "pgd", "--image", str(image), "--out", "shown.png"]
    model = ["--benchmark", "small.toml", "--model", "py:model.py:make", "--steps", "0"]
    with pytest.raises(SystemExit) as ended:
        main([*command, *model, "--head", "groups.csv", "--label", "harmless"])
    assert ended.value.code == 0
    assert (work / "shown.png").exists()
