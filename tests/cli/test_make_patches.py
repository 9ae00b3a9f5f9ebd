"""The command ``make patches``: what it writes, what it says, and that a killed one goes on."""

import json
from pathlib import Path

import pytest
from PIL import Image

from asset_making.patches.small_patches import pictures_of_colours
from other_processes import killed_once
from unforeseen.cli import main
from unforeseen.data.label_spaces import imagenet_wnids
from unforeseen.data.super_classes import super_classes
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.typed_command import as_typed

#: Names the colour there is most of; as slowly as the environment says.
MODEL = """
import os, time
import torch
from unforeseen.models.cards import ModelCard

class Colours(torch.nn.Module):
    def __init__(self, sharpness):
        super().__init__()
        self.sharpness = torch.nn.Parameter(torch.tensor(sharpness))

    def forward(self, x):
        time.sleep(float(os.environ.get("SLOWNESS", "0")))
        return self.sharpness * x.mean(dim=(2, 3))

def first():
    return Colours(20.0)

def second():
    return Colours(25.0)

def of_imagenet():
    return torch.nn.Sequential(first(), torch.nn.Linear(3, 1000))

def two_classes():
    return torch.nn.Sequential(first(), torch.nn.Linear(3, 2))
"""

OPTIONS = (
    *(
        "make",
        "patches",
        "--model",
        "py:models.py:first",
        "--held-out-model",
        "py:models.py:second",
    ),
    *("--data", "pictures", "--out", "made", "--size", "16", "--picture-size", "36"),
)


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("models.py").write_text(MODEL, encoding="utf-8")
    labels = (0, 1, 2) * 3
    dataset = pictures_of_colours(labels)
    for number, label in enumerate(labels):
        folder = Path("pictures") / ("blood", "grass", "sky")[label]
        folder.mkdir(parents=True, exist_ok=True)
        content = dataset.read(number)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(folder / f"{number}.png")


def run(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[object, str, list[str]]:
    """Exit code, standard output and the lines on standard error."""
    with pytest.raises(SystemExit) as ended:
        main([*OPTIONS, *options])
    out, err = capsys.readouterr()
    return ended.value.code, out, err.splitlines()


def test_it_makes_a_pack_and_prints_what_patches_do_to_every_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, said = run(
        capsys, "--target", "SKY", "--target", "blood", "--steps", "3", "--out", "my patches"
    )
    assert code == 0, said
    assert AssetPack(Path("my patches")).names("patch") == ("sky", "blood")
    for words in (
        "sky",
        "sky on py:models.py:second (held out), in percent",
        "anywhere",
        "corners",
    ):
        assert words in out
    assert "taken for target" in out
    assert "How they were made is in its recipe.json. Use the folder as --assets" in said[-1]
    assert said[-1].endswith(as_typed("assets", "combine", "my patches", "--out", "DIR"))
    recipe = json.loads(Path("my patches/recipe.json").read_text(encoding="utf-8"))
    assert recipe["data"]["uri"] == "pictures"


def test_an_untargeted_patch_has_no_target_rate(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, said = run(capsys, "--untargeted", "--steps", "2")
    assert code == 0, said
    assert AssetPack(Path("made")).names("patch") == ("untargeted",)
    assert "taken for target" not in out
    assert "super-classes" not in out
    assert not any("super-classes" in line for line in said)


def test_of_imagenets_classes_it_says_what_the_column_of_super_classes_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wnids = imagenet_wnids()
    labels = [members[0] for members in super_classes().values()][:3]
    for label, folder in zip(labels, sorted(Path("pictures").iterdir()), strict=True):
        folder.rename(folder.with_name(wnids[label]))
    options = ("--data", "imagefolder:pictures", "--out", "made", "--size", "16")
    model = ("--model", "py:models.py:of_imagenet")
    command = ("make", "patches", *model, *options, "--picture-size", "36", "--untargeted")
    with pytest.raises(SystemExit) as ended:
        main([*command, "--steps", "2"])
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    assert "of super-classes" in out
    assert "of super-classes: accuracy among ImageNet's 16 super-classes" in err
    assert "the mean of its members' probabilities" in err


def test_what_it_makes_is_an_obfuscation_of_the_user(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--target", "sky", "--steps", "2")
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *("obfuscate", "--data", "pictures", "--out", "obfuscated", "--assets", "made"),
                *("--obfuscations", "AdversarialPatches", "--workers", "0"),
            ]
        )
    assert ended.value.code == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "expected either --target CLASS or --untargeted, got neither."),
        (("--target", "sky", "--untargeted"), "got both."),
        (("--target", "skye"), "skye"),
        (("--target", "7"), "'7'"),
        (("--target", "sky", "--target", "2"), "every class once"),
        (("--target", "sky", "--steps", "0"), "steps: expected a whole number from 1"),
        (
            ("--target", "sky", "--batch-size", "65537"),
            "batch-size: expected a whole number from 1 to 65536",
        ),
        (
            ("--target", "sky", "--out", "s3://bucket/made"),
            "--out: expected a path on this machine",
        ),
        (("--target", "sky", "--size", "4"), "size: expected a whole number from 8 to 512"),
        (
            ("--target", "sky", "--picture-size", "31"),
            "picture-size: expected a whole number from 32",
        ),
        (("--target", "sky", "--model", "py:models.py:two_classes"), "expected 3 classes"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_mistakes_end_in_one_line_and_write_nothing(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
) -> None:
    code, _, said = run(capsys, *options)
    assert code == 2
    (line,) = said
    assert words in line
    assert not Path("made").exists()


def test_ctrl_c_says_what_is_kept_only_where_something_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty folder says that nothing was."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    Path("made").mkdir()
    asked = ("--target", "sky", "--steps", "2")
    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.data.load_data", interrupted)
        assert not any("Stopped" in line for line in run(capsys, *asked)[2])
    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.asset_making.patches.make.patch_bytes", interrupted)
        said = run(capsys, *asked)[2]
    assert any(
        line.startswith("Stopped. All but the last half minute is in made.") for line in said
    )


def test_a_killed_one_goes_on_and_makes_the_same_patch(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Pitfall: kill -9, which no handler sees."""
    asked = ("--target", "sky", "--steps", "8", "--device", "cpu")
    killed_once(Path("made/recipe.json"), *OPTIONS, *asked, SLOWNESS="0.3")
    assert not Path("made/sky.png").exists()
    assert run(capsys, *asked)[0] == 0
    killed = Path("made/sky.png").read_bytes()
    for file in Path("made").iterdir():
        file.unlink()
    assert run(capsys, *asked)[0] == 0
    assert Path("made/sky.png").read_bytes() == killed
