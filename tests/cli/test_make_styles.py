"""``unforeseen make styles``: from folders of pictures to a pack that can be used."""

from pathlib import Path

import pytest
from PIL import Image

from data.in_memory import noise
from made_assets import made_assets
from oracles import pictures
from unforeseen.cli import main
from unforeseen.stylization.weights import read_stylization
from unforeseen.transforms.assets.pack import AssetPack


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("photos/1", "photos/2", "photos/3", "p/night", "t/bark", "t/rust"):
        file = tmp_path / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noise(140, 160, seed=len(name))).save(file)


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main(["make", "styles", "--images", "photos", *options])
    return ended.value.code, capsys.readouterr().err


def test_folders_of_pictures_become_a_network_that_a_pack_can_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = (
        "--paintings",
        "p",
        "--textures",
        "t",
        "--out",
        "made",
        "--steps",
        "1",
        "--device",
        "cpu",
    )
    code, said = run(capsys, *asked)
    assert code == 0, said
    assert "3 styles, trained for 1 step in 0 minutes: made" in said
    made = read_stylization(Path("made/stylization.safetensors").read_bytes(), "w")
    assert made.names.paintings == ("night",)
    assert made.names.textures == ("bark", "rust")
    assert made.stylise(pictures(1, 64, 64)[0], "texture", "rust").shape == (3, 64, 64)
    pack = AssetPack(Path("made"))
    pack.require(["painting", "texture"])
    rust = pack.asset("texture", "rust")
    assert (rust.licence, rust.source) == ("not stated", "given to unforeseen make styles")
    assert Path("made", rust.file).read_bytes() == Path("t/rust.png").read_bytes()
    code, said = run(capsys, *asked, "--seed", "1")
    assert code == 2
    assert said.startswith("error: made: a training was begun there with other models, pictures")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--paintings", "p", "--assets", "pack"), "--assets: expected either a pack or"),
        (("--minutes", "0"), "--minutes: expected a number above 0, got 0"),
        (("--minutes", "nan"), "--minutes: expected a number above 0, got nan"),
        (("--steps", "0"), "steps: expected a whole number"),
        (("--paintings", "bare"), "bare: expected pictures of styles, found none"),
        (("--assets", "bare"), "expected paintings or textures, got none"),
        (("--paintings", "p", "--device", "abacus"), "unknown device 'abacus'"),
    ],
)
def test_mistakes_end_in_one_line_and_write_nothing(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    made_assets(Path("pack"))
    Path("bare").mkdir()
    Path("bare/assets.toml").write_text("schema = 1\n")
    code, said = run(capsys, "--out", "made", *options)
    assert code == 2
    assert message in said
    assert len(said.splitlines()) == 1
    assert not Path("made").exists()
