"""``unforeseen preview`` of obfuscations: one sheet, and one line where something doesn't fit."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from data.in_memory import noise
from made_assets import made_assets, without_network
from small import BENCHMARK_FILE
from unforeseen.cli import main
from unforeseen.report.contact_sheet import CAPTION, GAP, LEFT

ACROSS = 224 + GAP
DOWN = ACROSS + CAPTION


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with pictures of two classes, a pack and benchmarks of both kinds."""
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate(("tree", "tree", "house")):
        home = tmp_path / "data" / name
        home.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noise(224, 224, seed=seed)).save(home / f"{seed}.png")
    made_assets(tmp_path / "pack")
    (tmp_path / "attacks.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    own = 'schema = 1\nextends = "image-obfuscation-own"\nname = "own"\ntitle = "own"\nsource = "own"\n'
    ranges = "[obfuscations.InvertLines.ranges]\nwidth = [112, 112]\n"
    (tmp_path / "own.toml").write_text(own + ranges, encoding="utf-8")
    return tmp_path


def ended(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["preview", *arguments])
    code = stopped.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().err


def drawn(work: Path, *arguments: str, capsys: pytest.CaptureFixture[str]) -> np.ndarray:
    code, said = ended(*arguments, "--out", "sheet.png", capsys=capsys)
    assert code == 0, said
    assert "sheet.png" in said
    with Image.open(work / "sheet.png") as image:
        return np.asarray(image.convert("RGB"))


def tile(sheet: np.ndarray, row: int, column: int) -> np.ndarray:
    # What stands above the pictures is lower than one of them.
    top, left = len(sheet) % DOWN + row * DOWN, LEFT + column * ACROSS
    return sheet[top : top + 224, left : left + 224]


def tiles(sheet: np.ndarray) -> tuple[int, int]:
    """How many pictures there are, down and across."""
    return len(sheet) // DOWN, (sheet.shape[1] - LEFT) // ACROSS


def test_a_benchmark_is_shown_whole_on_pictures_of_a_data_set(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("image-obfuscation", "--data", "imagefolder:data", "--assets", "pack")
    assert tiles(drawn(work, *command, capsys=capsys)) == (23, 3)
    sheet = drawn(work, *command, "--limit", "2", "--seed", "5", capsys=capsys)
    assert tiles(sheet) == (23, 2)
    assert not np.array_equal(tile(sheet, 1, 0), tile(sheet, 0, 0))


def test_some_of_a_benchmarks_obfuscations_whatever_the_case_of_their_letters(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("own.toml", "--data", "imagefolder:data", "--limit", "1")
    sheet = drawn(
        work,
        *command,
        "--obfuscations",
        "invertlines,ROTATEIMAGE",
        "--assets",
        "pack",
        capsys=capsys,
    )
    assert tiles(sheet) == (3, 1)
    # By the file's range, half of the picture is inverted.
    original, halves = tile(sheet, 0, 0).astype(int), tile(sheet, 1, 0).astype(int)
    inverted = (halves == 255 - original).all(2)
    assert inverted.mean() == pytest.approx(0.5, abs=0.01)


def test_obfuscations_given_one_by_one_are_all_shown(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    each = ("--obfuscations", "InvertLines", "--obfuscations", "RotateImage,LineShift")
    command = ("own.toml", "--data", "imagefolder:data", "--limit", "1", "--assets", "pack")
    assert tiles(drawn(work, *command, *each, capsys=capsys)) == (4, 1)


def test_one_obfuscation_is_drawn_several_times_for_one_picture(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = ("--image", str(Path("data/tree/0.png")), "--assets", "pack")
    assert tiles(drawn(work, "PhotoComposition", *image, capsys=capsys)) == (2, 6)
    sheet = drawn(work, "photocomposition", *image, "--draws", "2", capsys=capsys)
    assert tiles(sheet) == (2, 2)
    assert not np.array_equal(tile(sheet, 1, 0), tile(sheet, 1, 1))
    # "draw 1" and so on stand above the draws, below the original, which is none.
    first = len(sheet) % DOWN
    column = sheet[: first + DOWN, LEFT : LEFT + 224]
    (top,) = [y for y in range(first) if np.array_equal(column[y : y + 224], noise(224, 224))]
    assert (column[top + 224 : first + DOWN] < 128).any()


def test_an_obfuscation_takes_the_ranges_of_the_benchmark_that_is_named(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = ("--image", str(Path("data/tree/0.png")), "--assets", "pack", "--draws", "1")
    sheet = drawn(work, "InvertLines", "--benchmark", "own.toml", *image, capsys=capsys)
    original, halves = tile(sheet, 0, 0).astype(int), tile(sheet, 1, 0).astype(int)
    assert (halves == 255 - original).all(2).mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.usefixtures("work")
def test_what_takes_long_is_said_before_it_begins(
    capsys: pytest.CaptureFixture[str], stages: list[str]
) -> None:
    command = ("own.toml", "--data", "imagefolder:data", "--obfuscations", "RotateImage,SwirlWarp")
    code, said = ended(*command, "--assets", "pack", "--out", "sheet.png", capsys=capsys)
    assert code == 0
    (line,) = said.splitlines()
    assert "sheet.png" in line
    assert stages == [
        "loading the data",
        "loading libraries",
        "reading pictures",
        "obfuscating",
        "drawing the sheet",
    ]


def test_pictures_that_cannot_be_read_are_counted(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (work / "data" / "house" / "2.png").write_bytes(b"broken")
    code, said = ended(
        *("SwirlWarp", "--data", "imagefolder:data", "--assets", "pack", "--out", "sheet.png"),
        capsys=capsys,
    )
    assert code == 0
    assert "1 picture can't be read" in said


DATA = ("--data", "imagefolder:data")
IMAGE = ("--image", "data/tree/0.png")

MISTAKES = {
    "neither picture nor data": (("SwirlWarp",), "expected --image FILE or --data URI"),
    "both": (("SwirlWarp", *DATA, *IMAGE), "expected --image FILE or --data URI, got both"),
    "a limit of one picture": (("SwirlWarp", *IMAGE, "--limit", "2"), "--limit: expected --data"),
    "no pictures": (("SwirlWarp", *DATA, "--limit", "0"), "limit: expected"),
    "far too many draws": (("SwirlWarp", *IMAGE, "--draws", "1000"), "draws: expected"),
    "a model": (("SwirlWarp", *DATA, "--model", "demo:x"), "--model: expected an attack"),
    "steps": (("image-obfuscation", *DATA, "--steps", "0"), "--steps: expected an attack"),
    "a head": (("image-obfuscation", *DATA, "--head", "imagenet16"), "--head: expected an attack"),
    "a choice of one": (("SwirlWarp", *DATA, "--obfuscations", "x"), "expected a benchmark"),
    "an unknown choice": (
        ("image-obfuscation", *DATA, "--obfuscations", "SwirlWrap"),
        "Did you mean SwirlWarp",
    ),
    "a slip of the pen": (("SwirlWrap", *IMAGE), "Did you mean SwirlWarp"),
    "a benchmark of attacks": (("attacks.toml", *DATA), "expected a benchmark of obfuscations"),
    "data for an attack": (("wood", *DATA), "--data: expected an obfuscation"),
    "a pack for an attack": (("wood", *IMAGE, "--assets", "pack"), "--assets: expected"),
    "no picture for an attack": (("wood",), "--image: expected a picture"),
    "a pack that isn't one": (("IconOverlay", *IMAGE, "--assets", "data"), "assets.toml"),
}


@pytest.mark.parametrize(("arguments", "message"), MISTAKES.values(), ids=MISTAKES)
@pytest.mark.usefixtures("work")
def test_what_does_not_go_together_is_said_in_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = ended(*arguments, "--out", "sheet.png", capsys=capsys)
    assert code == 2
    assert said.startswith("error: ")
    assert message in said
    assert said.count("\n") == 1
    assert not Path("sheet.png").exists()


def test_a_pack_without_a_network_is_refused_before_anything_is_drawn(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_network(work / "pack")
    code, said = ended(
        "own.toml", "--data", "data", "--assets", "pack", "--out", "sheet.png", capsys=capsys
    )
    assert code == 2
    assert "pack: expected a table [stylization]" in said
    assert len(said.splitlines()) == 1
    assert not Path("sheet.png").exists()
