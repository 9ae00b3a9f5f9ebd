"""The command ``obfuscate``: its options, what it says, and that what it wrote is read."""

import json
from pathlib import Path

import pytest
from PIL import Image

from data.in_memory import noise
from made_assets import made_assets
from unforeseen.cli import main
from unforeseen.data import load_data
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_assets(tmp_path / "pack")
    for number in range(3):
        folder = tmp_path / "photos" / ("cat", "dog")[number % 2]
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noise(40, 50, seed=number)).save(folder / f"{number}.png")


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[object, list[str]]:
    """Exit code and the lines on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(["obfuscate", "--data", "photos", "--out", "made", "--workers", "0", *options])
    return ended.value.code, capsys.readouterr().err.splitlines()


def test_it_writes_what_is_read_again_and_says_what_to_do_with_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("--obfuscations", "imageoverlay,ColorNoiseBlocks", "--assets", "pack", "--size", "48")
    code, said = run(capsys, *asked, "--format", "webdataset", "--encoding", "jpeg", "--seed", "3")
    assert code == 0
    assert said[0].startswith("note: 9 pictures are to be made, which take about ")
    assert said[-1].endswith(
        "To score them: unforeseen run image-obfuscation --model URI --data obfuscated:made"
    )
    dataset = load_data("obfuscated:made")
    assert isinstance(dataset, ObfuscatedDataset)
    assert dataset.obfuscations == ("ColorNoiseBlocks", "ImageOverlay")
    assert dataset.card.class_names == ("cat", "dog")
    record = json.loads(Path("made/obfuscated.json").read_text())
    assert (record["encoding"], record["quality"], record["seed"]) == ("jpeg", 95, 3)
    assert (record["format"], record["size"], record["data"]) == ("webdataset", 48, "photos")
    code, said = run(capsys, *asked, "--format", "webdataset", "--encoding", "jpeg", "--seed", "3")
    assert code == 0
    assert said[-1].startswith("All was there already. 3 pictures")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "zip"), "unknown format 'zip'"),
        (("--encoding", "webp"), "unknown encoding 'webp'"),
        (("--obfuscations", "swirl"), "unknown obfuscation 'swirl'. Did you mean SwirlWarp?"),
        (("--obfuscations", ","), "--obfuscations: expected names"),
        (("--quality", "50"), "--quality: PNG keeps every bit"),
        (("--quality", "101", "--encoding", "jpeg"), "--quality: expected 1 to 100, got 101"),
        (("--size", "16"), "--size: expected a whole number"),
        (("--size", "5000"), "--size: expected at most 4096 pixels"),
        (("--workers", "-1"), "--workers: expected a whole number"),
        (("--limit", "0"), "--limit: expected a whole number"),
        (("--assets", "photos"), "photos: expected a folder of assets"),
        (("--data", "nowhere"), "'nowhere'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run(capsys, *options)
    assert code == 2
    assert len(said) == 1
    assert said[0].startswith("error: ")
    assert message in said[0]
    assert not Path("made").exists()
