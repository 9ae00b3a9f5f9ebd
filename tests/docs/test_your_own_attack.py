"""docs/your-own-attack.md: its file, benchmark file and commands, as they stand there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import unforeseen.attacks
from contract.broken.sound import Sound
from documents import CHECKOUT, code_block
from small import SmallNet
from unforeseen import perturb
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.cli import main
from unforeseen.contract import CHECKS
from unforeseen.contract.case import keys_for, pictures
from unforeseen.transforms import attack_class

PAGE = "docs/your-own-attack.md"
#: What stands in for a network and for pictures that a test doesn't have.
MODEL = "py:model.py:make"
DATA = "imagefolder:imagenet/val"
#: Pictures of each of two classes.
COUNT = 2


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page's folder, with a small model and a few pictures."""
    folder = tmp_path_factory.mktemp("rain")
    for name, language, beginning in (
        ("rain.py", "python", '"""Rain'),
        ("rain.toml", "toml", "schema = 1"),
    ):
        text = code_block(PAGE, language, beginning=beginning)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "model.py").write_text(
        "from small import SmallNet\ndef make(): return SmallNet(1000)\n", encoding="utf-8"
    )
    generator = np.random.default_rng(0)
    for wnid in ("n01440764", "n01443537"):
        (folder / "imagenet" / "val" / wnid).mkdir(parents=True)
        for number in range(COUNT):
            coarse = generator.integers(30, 220, (8, 8, 3), dtype=np.uint8)
            picture = Image.fromarray(coarse).resize((256, 256))
            picture.save(folder / "imagenet" / "val" / wnid / f"{number}.png")
            picture.save(folder / "photo.jpg")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "100")
        yield folder


def commands(beginning: str) -> list[list[str]]:
    """The commands of one of the page's blocks, on a model that a test has."""
    lines = code_block(PAGE, "sh", beginning=beginning).splitlines()
    return [shlex.split(line.replace("timm:resnet50", MODEL))[1:] for line in lines]


def ended(capsys: pytest.CaptureFixture[str], command: list[str]) -> tuple[object, str]:
    """Exit code and standard output."""
    with pytest.raises(SystemExit) as caught:
        main(command)
    out, err = capsys.readouterr()
    return caught.value.code, out if caught.value.code in (0, 1) else err


def test_the_example_keeps_the_contract(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert work.exists()
    ((command),) = commands("unforeseen contract")
    code, out = ended(capsys, command)
    assert code == 0, out
    said = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    assert f"tries {len(CHECKS)} properties" in said
    typed = re.findall(r"`unforeseen (contract py:[^`]+)`", said)
    ((code, out),) = [ended(capsys, [*each.split(), "--size", "33x47"]) for each in typed]
    assert code == 0, out


def test_the_slip_that_the_page_makes_is_found_in_the_words_that_it_quotes(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = work / "rain.py"
    sound = file.read_text(encoding="utf-8")
    assert "HAZE * (0.5 - x)" in sound
    file.write_text(sound.replace("HAZE * (0.5 - x)", "HAZE * (x.mean() - x)"), encoding="utf-8")
    code, out = ended(capsys, [*commands("unforeseen contract")[0], "--size", "33x47"])
    file.write_text(sound, encoding="utf-8")
    assert code == 1
    assert code_block(PAGE, "text", beginning="BROKEN") in out


def test_light_falls_on_the_streaks_only_and_as_much_as_delta_says(work: Path) -> None:
    rain = attack_class("py:rain.py:Rain", folder=work).from_parameters(
        {"drops": 5}, geometry="centred"
    )
    x = pictures(2, 48, 40, dtype=torch.float64)
    keys = keys_for(rain, ["a", "b"])
    scene = rain.draw_scene(x, keys)
    start = rain.start(x, scene, x.new_tensor([0.5, 0.5]), keys)
    hazy = rain.render(x, start.map(torch.zeros_like), scene)
    torch.testing.assert_close(hazy, 0.8 * x + 0.1)
    painted = rain.render(x, start, scene)
    light, tensors = start.tensors()["light"], scene.tensors()
    for example in range(2):
        veil = np.zeros(48 * 40)
        for drop in range(5):
            for pixel, share in zip(
                tensors["pixel"][example, drop].tolist(),
                tensors["share"][example, drop].tolist(),
                strict=True,
            ):
                veil[pixel] += float(light[example, drop]) * share
        expected = torch.from_numpy(np.minimum(veil, 1)).reshape(48, 40)
        measured = (painted[example] - hazy[example]) / (0.9 - hazy[example])
        torch.testing.assert_close(measured, expected.expand(3, -1, -1))
        assert 0.01 < (expected > 0).double().mean() < 0.2


def test_the_benchmark_leaves_ua2_alone(work: Path) -> None:
    benchmark = load_attack_benchmark(work / "rain.toml")
    assert benchmark.core == load_attack_benchmark("imagenet-ua").core
    assert benchmark.attack("rain").user_made


def test_the_commands_preview_run_and_show_it(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (preview,) = commands("unforeseen preview")
    code, said = ended(capsys, [*preview, "--model", MODEL, "--steps", "1"])
    assert code == 0, said
    assert (work / "rain.png").exists()
    (run,) = commands("unforeseen run")
    assert run[run.index("--data") + 1] == DATA
    code, said = ended(capsys, [*run, "--steps", "2", "--no-check"])
    assert code == 0, said
    kept = (work / "rain.py").read_text(encoding="utf-8")
    (work / "rain.py").unlink()
    results = [ended(capsys, each) for each in commands("unforeseen results")]
    exec(code_block(PAGE, "python", beginning="from unforeseen import load_results"), {})
    (work / "rain.py").write_text(kept, encoding="utf-8")
    assert [code for code, _ in results] == [0, 0], results
    accuracy, *losses = map(float, capsys.readouterr().out.split())
    assert 0 <= accuracy <= 1
    assert len(losses) == 2
    said = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    (show,) = re.findall(r"`unforeseen (show [^`]+)`", said)
    code, shown = ended(capsys, show.split())
    assert code == 0, shown
    assert "slanting streaks of rain" in shown


def test_perturb_and_evaluate_take_the_benchmark_file(work: Path) -> None:
    x = pictures(2, 40, 40)
    attacked = perturb(
        SmallNet(), x, torch.tensor([0, 1]), "rain", benchmark=str(work / "rain.toml"), steps=1
    )
    assert attacked.images.shape == x.shape


def test_what_is_public_is_in_the_table_and_enough_for_an_attack() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition("## What is public\n")[2].partition("\n## ")[0]
    lines = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = [name for line in lines for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named, key=str.casefold) == sorted(unforeseen.attacks.__all__, key=str.casefold)
    assert Sound.name == "sound"  # which is made of these names alone
