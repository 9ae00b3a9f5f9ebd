"""What every obfuscation does with a picture of a data set."""

from pathlib import Path

import numpy as np
import pytest
import torch

from made_assets import made_assets
from unforeseen.rng import ExampleKey
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.obfuscations.rotate_image import RotateImage


@pytest.mark.parametrize("name", OBFUSCATIONS)
def test_a_picture_of_8_bits_becomes_one_by_seed_obfuscation_picture_and_draw(
    name: str, tmp_path: Path
) -> None:
    assets, obfuscation = made_assets(tmp_path), OBFUSCATIONS[name]()
    pixels = torch.from_numpy(
        np.random.default_rng(0).integers(0, 256, (3, 48, 40), dtype=np.uint8)
    )
    key = ExampleKey(seed=7, transform=name, example_id="a", restart=2)
    expected, drawn = obfuscation.obfuscate(pixels / 255, key.stream("parameters"), assets)
    seen, parameters = obfuscation.obfuscate_example(pixels, assets, seed=7, example_id="a", draw=2)
    assert seen.dtype == torch.uint8
    np.testing.assert_array_equal(seen, np.rint(expected.numpy() * 255).astype(np.uint8))
    assert parameters == drawn


def test_seed_picture_and_draw_each_change_what_is_drawn(tmp_path: Path) -> None:
    assets = made_assets(tmp_path)
    pixels = torch.zeros(3, 32, 32, dtype=torch.uint8)
    angles = {
        RotateImage()
        .obfuscate_example(pixels, assets, seed=seed, example_id=example_id, draw=draw)[1]
        .angle
        for seed, example_id, draw in ((0, "a", 0), (1, "a", 0), (0, "b", 0), (0, "a", 1))
    }
    assert len(angles) == 4


def test_what_rounding_carries_over_white_is_white_in_8_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """255 + 1 would be black."""
    beyond = torch.full((3, 32, 32), 256 / 255)
    beyond[0] = -1 / 255
    monkeypatch.setattr(RotateImage, "apply", lambda *_: beyond)
    pixels = torch.zeros(3, 32, 32, dtype=torch.uint8)
    seen, _ = RotateImage().obfuscate_example(pixels, made_assets(tmp_path), seed=0, example_id="a")
    assert seen[:, 0, 0].tolist() == [0, 255, 255]
