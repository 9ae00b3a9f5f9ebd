"""``unforeseen make styles``: from folders of pictures to a pack that can be used."""

import re
from pathlib import Path

import pytest
import torch
from PIL import Image

from data.in_memory import noise
from made_assets import made_assets
from oracles import pictures
from other_processes import killed_once
from unforeseen.cli import main
from unforeseen.stylization.weights import read_stylization
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.typed_command import as_typed


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
        "my styles",
        "--steps",
        "1",
        "--device",
        "cpu",
    )
    code, said = run(capsys, *asked)
    assert code == 0, said
    assert re.search(r"3 styles, trained for 1 step in \d+ seconds?: my styles", said)
    assert "note: 3 photos to train on" in said
    assert as_typed("assets", "combine", "my styles", "--out", "DIR") in said
    made = read_stylization(Path("my styles/stylization.safetensors").read_bytes(), "w")
    assert made.names.paintings == ("night",)
    assert made.names.textures == ("bark", "rust")
    assert made.stylise(pictures(1, 64, 64)[0], "texture", "rust").shape == (3, 64, 64)
    pack = AssetPack(Path("my styles"))
    pack.require(["painting", "texture"])
    rust = pack.asset("texture", "rust")
    assert (rust.licence, rust.source) == ("not stated", "given to unforeseen make styles")
    assert Path("my styles", rust.file).read_bytes() == Path("t/rust.png").read_bytes()
    code, said = run(capsys, *asked, "--seed", "1")
    assert code == 2
    (line,) = said.splitlines()
    assert line.startswith(
        "error: my styles: a training was begun there with other models, pictures"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--paintings", "p", "--assets", "pack"), "--assets: expected either a pack or"),
        (("--minutes", "0"), "--minutes: expected a finite number above 0, got 0"),
        (("--minutes", "nan"), "--minutes: expected a finite number above 0, got nan"),
        (("--minutes", "inf"), "--minutes: expected a finite number above 0, got inf"),
        (("--out", "s3://bucket/made"), "--out: expected a path on this machine"),
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
    (line,) = said.splitlines()
    assert message in line
    assert not Path("made").exists()


def test_a_style_whose_name_cannot_be_one_is_refused_before_photos_are_loaded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("p/night.png").rename("p/My Night.png")
    code, said = run(capsys, "--out", "made", "--paintings", "p", "--images", "none")
    assert code == 2
    assert "My Night.png: expected a name of small letters, digits and hyphens" in said


def test_ctrl_c_says_what_is_kept_only_where_something_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    Path("made").mkdir()
    asked = ("--paintings", "p", "--out", "made", "--steps", "1", "--device", "cpu")
    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.data.unlabelled.load_unlabelled", interrupted)
        assert "Stopped" not in run(capsys, *asked)[1]
    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.asset_making.styles.make._write", interrupted)
        assert "Stopped. All but the last half minute is in made." in run(capsys, *asked)[1]


def test_a_killed_one_goes_on_and_trains_the_same_network(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Pitfall: kill -9, which no handler sees."""
    asked = ("--paintings", "p", "--textures", "t", "--device", "cpu")
    command = ("make", "styles", "--images", "photos", *asked, "--out", "killed", "--steps", "999")
    killed_once(Path("killed/training.pt"), *command)
    assert not Path("killed/stylization.safetensors").exists()
    kept = torch.load("killed/training.pt", weights_only=True)["state"]["steps"]
    made = []
    for out in ("killed", "whole"):
        code, said = run(capsys, *asked, "--out", out, "--steps", str(kept + 1))
        assert code == 0, said
        weights = Path(out, "stylization.safetensors").read_bytes()
        made.append(read_stylization(weights, "w").network.state_dict())
    assert all(torch.equal(value, made[1][name]) for name, value in made[0].items())
