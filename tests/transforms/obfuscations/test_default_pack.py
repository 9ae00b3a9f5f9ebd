"""Each asset of the default pack leaves a trace of its own, at once and at the sizes that are drawn."""

import itertools
from dataclasses import replace

import pytest
import torch

from obfuscation_draws import drawn
from oracles import pictures
from unforeseen.asset_check.examination import IN_THE_PAPER
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import default_assets

TAKING_ASSETS = [name for name, each in OBFUSCATIONS.items() if each.asset_kinds]


@pytest.mark.parametrize("name", TAKING_ASSETS)
@pytest.mark.parametrize("size", [(224, 224), (32, 48)])
def test_each_asset_makes_another_picture(name: str, size: tuple[int, int]) -> None:
    obfuscation, assets = OBFUSCATIONS[name](), default_assets()
    (kind,) = obfuscation.asset_kinds
    (parameters,) = drawn(obfuscation, assets, number=1, size=size)
    x = pictures(1, *size)[0]
    made = {
        asset: obfuscation.apply(x, replace(parameters, **{kind: asset}), assets)
        for asset in assets.names(kind)
    }
    assert len(made) == IN_THE_PAPER[kind]
    for (one, picture), (other, another) in itertools.combinations(made.items(), 2):
        assert not torch.equal(picture, another), (one, other)
    for picture in made.values():
        assert (picture != x).any(0).float().mean() > 0.2
