"""docs/training-transforms.md: its code, as it stands there."""

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torchvision.models
from PIL import Image

from documents import CHECKOUT, code_block
from made_assets import made_assets
from small import SmallNet
from unforeseen import ObfuscationTransform, RandomObfuscation
from unforeseen.transforms import OBFUSCATIONS

PAGE = "docs/training-transforms.md"


def executed(beginning: str) -> dict[str, Any]:
    """The names that a block of the page defines."""
    names: dict[str, Any] = {}
    exec(code_block(PAGE, "python", beginning=beginning), names)
    return names


def test_its_training_runs_on_a_folder_of_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(0)
    for label in ("cat", "dog"):
        (tmp_path / label).mkdir()
        for number in range(6):
            coarse = generator.integers(0, 256, (6, 8, 3), dtype=np.uint8)
            Image.fromarray(coarse).resize((320, 240)).save(tmp_path / label / f"{number}.png")

    def small(num_classes: int) -> SmallNet:
        return SmallNet(num_classes)

    monkeypatch.setattr(torchvision.models, "resnet50", small)
    train = executed('"""Trains')["train"]
    torch.manual_seed(0)
    model = train(tmp_path, epochs=1, workers=0, device="cpu")
    assert all(weight.isfinite().all() for weight in model.parameters())


def test_its_single_obfuscations_are_made() -> None:
    names = executed("from unforeseen import ObfuscationTransform\n")
    picture = torch.rand(3, 64, 64, generator=torch.Generator().manual_seed(0))
    for name in ("swirl", "stronger"):
        assert not torch.equal(names[name](picture), picture)


def test_its_hold_outs_are_asked_for_and_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = made_assets(tmp_path)
    monkeypatch.setattr("unforeseen.augmentation.default_assets", lambda: pack)
    with pytest.warns(UserWarning, match="hold-outs"):
        names = executed("from unforeseen import ObfuscationTransform, RandomObfuscation")
    assert {each.name for each in names["everything"].obfuscations} == set(OBFUSCATIONS)
    assert [each.name for each in names["some"].obfuscations] == [
        "SwirlWarp",
        "ColorPatternOverlay",
    ]
    assert names["one"].obfuscation.held_out


@pytest.mark.parametrize("transform", [ObfuscationTransform, RandomObfuscation])
def test_it_and_the_docstrings_say_what_every_argument_is(transform: type) -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    said = transform.__doc__ or ""
    for name, parameter in inspect.signature(transform).parameters.items():
        assert f"    {name}: " in said
        if parameter.kind is parameter.KEYWORD_ONLY:
            assert f"{name}=" in text
    assert "`hold_outs=` takes" in text


def test_it_names_the_hold_outs() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    assert all(name in text for name, each in OBFUSCATIONS.items() if each.held_out)
