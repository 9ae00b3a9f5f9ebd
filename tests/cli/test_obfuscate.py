"""The command ``obfuscate``: its options, what it says, and that what it wrote is read."""

import json
from pathlib import Path

import pytest
from PIL import Image

from data.in_memory import noise
from made_assets import made_assets, without_network
from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.cli import main
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import imagenet_wnids
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.selection import select
from unforeseen.data.super_classes import super_classes
from unforeseen.fitting import fit_data


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_assets(tmp_path / "pack")
    without_network(tmp_path / "no-network")
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
        "To score them: unforeseen run image-obfuscation-own --model URI --data obfuscated:made"
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


@pytest.fixture
def imagenet(tmp_path: Path) -> list[int]:
    """Twelve pictures of ImageNet, every second of a super-class; the labels of these."""
    wnids = imagenet_wnids()
    members = [group[0] for group in super_classes().values()][:6]
    for number, label in enumerate([*members, *range(990, 996)]):
        folder = tmp_path / "imagenet" / wnids[label]
        folder.mkdir(parents=True)
        Image.fromarray(noise(40, 50, seed=number)).save(folder / f"{number}.png")
    return members


def test_a_benchmark_says_which_pictures_are_made_and_from_which_ranges(
    imagenet: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.toml").write_text(
        'schema = 1\nextends = "image-obfuscation"\nname = "small"\ntitle = "t"\nsource = "s"\n'
        "image_size = 48\npreprocessing = { resize = 48, crop = [48, 48] }\n"
        "[obfuscations.ColorNoiseBlocks.ranges]\nblock = [40, 60]\n"
    )
    asked = ("--data", "imagenet", "--assets", "pack", "--obfuscations", "ColorNoiseBlocks")
    code, said = run(capsys, *asked, "--benchmark", "small.toml", "--limit", "4", "--seed", "5")
    assert code == 0
    assert said[-1].endswith("run small.toml --model URI --data obfuscated:made")
    source = expect_obfuscations(load_benchmark("small.toml"))
    taken = fit_data(load_data("imagenet"), source)
    dataset = load_data("obfuscated:made")
    assert isinstance(dataset, ObfuscatedDataset)
    assert dataset.card.label_space == "imagenet16"
    run_takes = [int(index) for index in select(taken, 4, 5)]
    assert list(dataset.example_ids) == identify(taken, run_takes)
    assert dataset.labels.tolist() == taken.labels[run_takes].tolist()
    assert fit_data(dataset, source) is dataset
    record = json.loads(Path("made/obfuscated.json").read_text())
    assert record["obfuscations"]["ColorNoiseBlocks"]["block"] == [40, 60]
    assert len(imagenet) == 6 == taken.card.images


def test_pictures_of_no_super_class_are_counted_before_they_are_made(
    imagenet: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--data", "imagenet", "--assets", "pack", "--obfuscations", "ColorNoiseBlocks")
    code, said = run(capsys, *asked, "--size", "48")
    assert code == 0
    assert said[0] == (
        f"note: {len(imagenet)} of 12 pictures are of the 16 super-classes that image-obfuscation "
        "judges; --benchmark image-obfuscation makes only such."
    )
    assert said[-1].endswith("unforeseen run image-obfuscation --model URI --data obfuscated:made")


@pytest.mark.usefixtures("imagenet")
@pytest.mark.parametrize("refused", ["occupied", "other settings", "missing kinds"])
def test_what_is_refused_is_refused_before_anything_is_said_of_the_pictures(
    refused: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--data", "imagenet", "--size", "48", "--obfuscations", "ColorNoiseBlocks"]
    if refused == "occupied":
        Path("made").mkdir()
        Path("made/notes.txt").write_text("mine")
    elif refused == "other settings":
        assert run(capsys, *asked)[0] == 0
        asked += ["--seed", "9"]
    else:
        Path("empty").mkdir()
        Path("empty/assets.toml").write_text("schema = 1\n")
        asked += ["--obfuscations", "ImageOverlay", "--assets", "empty"]
    code, said = run(capsys, *asked)
    assert code == 2
    (line,) = said
    assert line.startswith("error: ")


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
        (("--seed", "-1"), "seed: expected a whole number"),
        (("--benchmark", "imagenet-ua"), "imagenet-ua: expected a benchmark of obfuscations"),
        (("--benchmark", "image-obfuscation", "--size", "48"), "is for pictures of 224 px"),
        (("--limit", "0"), "--limit: expected a whole number"),
        (("--assets", "photos"), "photos: expected a folder of assets"),
        (("--assets", "no-network"), "no-network: expected a table [stylization]"),
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
