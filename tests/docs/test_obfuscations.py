"""docs/obfuscations.md does what it says."""

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image
from torch import Tensor, nn

from documents import code_block
from made_data import OBFUSCATIONS_USED, files_of
from made_data import made_folder as made_data
from made_obfuscations import made_folder, made_record, made_verdicts
from unforeseen import evaluate, load_data
from unforeseen.cli import main
from unforeseen.obfuscations import AssetPack, load_picture
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.running.images import image_path
from unforeseen.transforms import OBFUSCATIONS

PAGE = "docs/obfuscations.md"
#: Beginnings of the commands under "Running it", and the folders that they write.
COMMANDS = {
    "unforeseen run image-obfuscation --model timm:resnet50 --data imagefolder:imagenet": "resnet50",
    "unforeseen run image-obfuscation-own --model timm": "mine",
    'unforeseen run image-obfuscation-own --model "py': "service",
    "unforeseen obfuscate": "ready-made",
}

#: A network of 1,000 outputs and a service of two, by brightness.
MODELS = """
import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        bright = x.mean((1, 2, 3))
        return bright[:, None] * torch.linspace(-4, 4, 1000)


def predict(pictures):
    bright = np.asarray(pictures).mean((1, 2, 3)) / 255
    return np.stack([1 - bright, bright], 1)
"""


class Net(nn.Module):
    """1,000 outputs, all alike."""

    def forward(self, x: Tensor) -> Tensor:
        return x.new_zeros(len(x), 1000)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of two of ImageNet's classes, and of two of somebody's own; models, and a head."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "service.py").write_text(MODELS, encoding="utf-8")
    (folder / "groups.json").write_text('{"other": "*", "weapon": [413, 764]}', encoding="utf-8")
    noise = np.random.default_rng(0)
    # An airliner and a brown bear; then two folders of uploads.
    for name in (
        "imagenet/val/n02690373",
        "imagenet/val/n02132136",
        "uploads/other",
        "uploads/weapon",
    ):
        (folder / name).mkdir(parents=True)
        pixels = noise.integers(0, 256, (30, 40, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((320, 240)).save(folder / name / "0.png")
    return folder


@pytest.mark.parametrize("beginning", COMMANDS)
def test_its_commands_run(beginning: str, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    for line in code_block(PAGE, "sh", beginning=beginning).splitlines():
        words = shlex.split(line.replace("timm:resnet50", "py:service.py:Net"))[1:]
        with pytest.raises(SystemExit) as ended:
            main([*words, *(["--workers", "0"] if words[0] == "obfuscate" else ["--no-check"])])
        assert ended.value.code == 0
    summary = read_obfuscation_run(work / COMMANDS[beginning]).summary
    assert summary.complete
    assert len(summary.obfuscations) == 22
    assert [each.n for each in summary.classes if each.n] == [1, 1]


def test_its_evaluation_runs(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(work)
    code = code_block(PAGE, "python", beginning="from unforeseen import evaluate")
    exec(compile(code, PAGE, "exec"), {"model": Net()})
    assert read_obfuscation_run(work / "from-python").summary.worst_of == 2
    assert "worst over the hold-outs" in capsys.readouterr().out


def test_its_call_makes_what_the_command_makes(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    exec(code_block(PAGE, "python", beginning="from unforeseen import obfuscate"), {})
    words = "obfuscate --data imagefolder:imagenet/val --out typed --workers 0 --seed 1"
    with pytest.raises(SystemExit):
        main([*words.split(), "--obfuscations", "LineShift,SwirlWarp"])
    made, typed = files_of(Path("chosen")), files_of(Path("typed"))
    assert made == typed
    assert any(name.startswith("SwirlWarp/") for name in made)


def test_its_way_from_a_row_back_to_the_picture_ends_at_what_was_judged(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work)
    monkeypatch.setattr("torch.set_num_threads", lambda _: None)  # tests have one
    evaluate(Net(), "imagefolder:imagenet/val", "image-obfuscation", out="my-run", save_images=True)
    names: dict[str, Any] = {}
    exec(code_block(PAGE, "python", beginning="import torch"), names)
    row = names["row"]
    with (
        Image.open(image_path(Path("my-run"), row["cell"], row["example_id"])) as judged,
        Image.open("again.png") as again,
    ):
        np.testing.assert_array_equal(again, judged)


def test_records_of_made_data_give_their_pictures_again(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work)
    made_data(Path("made-data"), load_data("imagefolder:imagenet/val"))
    for name in OBFUSCATIONS_USED:
        for line in pl.read_parquet(f"made-data/records/{name}.parquet").iter_rows(named=True):
            picture = load_picture("obfuscated:made-data", line["file_name"])
            again = OBFUSCATIONS[name]().apply_record(
                picture, line["parameters"], AssetPack(Path("pack"))
            )
            with Image.open(Path("made-data", name, line["file"])) as made:
                np.testing.assert_array_equal(again.permute(1, 2, 0), made)


def test_the_example_counts_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = made_record()
    made_folder(tmp_path / "my-run", record, made_verdicts(record, seed=3))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(
        compile(code_block(PAGE, "python", beginning="from unforeseen import load"), PAGE, "exec"),
        names,
    )
    exec(code_block(PAGE, "python", beginning="from unforeseen.metrics"), names)
    headline = read_obfuscation_run(tmp_path / "my-run").summary.headline
    assert names["results"].summary.headline == headline
    printed = capsys.readouterr().out
    assert printed.startswith(str(headline))
    assert "worst over the hold-outs" in printed
