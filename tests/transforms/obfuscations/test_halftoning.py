"""Halftoning: blocks' means, techniques, and that channels go their own ways."""

from collections import Counter

import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.ops.halftone import halftone
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.halftoning import (
    TECHNIQUES,
    Halftoning,
    HalftoningParameters,
    Technique,
)

each_technique = pytest.mark.parametrize("technique", TECHNIQUES)


def printed(
    x: torch.Tensor, technique: Technique, assets: AssetPack, *, block: int = 8, seed: int = 1
) -> torch.Tensor:
    parameters = HalftoningParameters(technique=technique, block=block, seed=seed)
    return Halftoning().apply(x, parameters, assets)


@each_technique
def test_the_print_of_a_soft_picture_has_its_brightness_everywhere(
    technique: Technique, assets: AssetPack
) -> None:
    x = torch.nn.functional.interpolate(
        pictures(1, 4, 4), (192, 192), mode="bilinear", align_corners=False
    )[0]
    seen = printed(x, technique, assets)
    one, other = (torch.nn.functional.avg_pool2d(each, 32) for each in (seen, x))
    assert float((one - other).abs().max()) < 0.06


@each_technique
def test_channels_are_printed_by_themselves(technique: Technique, assets: AssetPack) -> None:
    x = pictures(1, 64, 64)[0]
    changed = x.clone()
    changed[1] = 1 - changed[1]
    one, other = (printed(each, technique, assets) for each in (x, changed))
    assert torch.equal(one[0], other[0])
    assert torch.equal(one[2], other[2])
    assert not torch.equal(one[1], other[1])


def test_the_three_screens_are_turned_against_each_other(assets: AssetPack) -> None:
    grey = torch.full((3, 96, 96), 0.3)
    seen = printed(grey, "square", assets)
    assert torch.equal(seen[0], halftone(grey[0], 8, 0.0, "square"))
    assert not torch.equal(seen[0], seen[1])
    assert not torch.equal(seen[1], seen[2])


def test_the_seed_is_of_random_pixels(assets: AssetPack) -> None:
    x = pictures(1, 64, 64)[0]
    for technique in TECHNIQUES:
        one, other = (printed(x, technique, assets, seed=seed) for seed in (1, 2))
        assert torch.equal(one, other) == (technique != "pixels")


def test_the_four_techniques_come_equally_often(assets: AssetPack) -> None:
    draws = drawn(Halftoning(), assets)
    counts = Counter(each.technique for each in draws)
    assert set(counts) == set(TECHNIQUES)
    assert min(counts.values()) > 70
    zigzags = {each.block for each in draws if each.technique == "zigzag"}
    assert zigzags == {4, 5}
    assert {each.block for each in draws if each.technique != "zigzag"} == {3, 4}


def test_blocks_of_small_pictures_still_have_shades(assets: AssetPack) -> None:
    draws = drawn(Halftoning(), assets, size=(32, 32))
    assert {each.block for each in draws} == {3}
