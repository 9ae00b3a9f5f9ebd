"""The conditions in which networks are asked about pictures: without a patch, with it, and with plain grey."""

__all__ = ["CONDITIONS", "Condition", "pictures_in"]

from collections.abc import Sequence
from typing import Literal, get_args

import torch
from torch import Tensor

from unforeseen.asset_making.patches.placement import anywhere
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.data.pictures import Picture
from unforeseen.pixels import in_8_bits
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.adversarial_patches import (
    AdversarialPatches,
    AdversarialPatchesParameters,
    with_patches,
)

#: Pictures as they are; with one patch anywhere; under AdversarialPatches; and as these, but for grey
#: squares in the patches' places: what covering and shrinking do alone.
Condition = Literal["clean", "grey anywhere", "anywhere", "grey corners", "corners"]
CONDITIONS: tuple[Condition, ...] = get_args(Condition)

_GREY = 0.5


def pictures_in(
    condition: Condition,
    pictures: Sequence[Picture],
    patch: str,
    pack: AssetPack,
    recipe: PatchRecipe,
) -> Tensor:
    """Pictures as networks are asked about them, rounded to 8 bits.

    Args:
        condition: Which.
        pictures: As they are.
        patch: Its name in the pack.
        pack: Where it lies.
        recipe: Says where a patch may lie, and the seed of what is drawn.

    Returns:
        (B, 3, H, W) in [0, 1].
    """

    def square(side: int) -> Tensor:
        if condition in {"grey anywhere", "grey corners"}:
            return torch.full((3, side, side), _GREY)
        return pack.patch(patch, side)

    made = []
    for each in pictures:
        image = each.image.float() / 255
        if condition in {"anywhere", "grey anywhere"}:
            stream = Stream(recipe.seed, "make patches", "measure", each.index)
            image = anywhere(image, square(recipe.size), stream, recipe.placement)
        elif condition in {"corners", "grey corners"}:
            parameters = _corners_of(each, patch, recipe.seed)
            image = with_patches(image, square(parameters.side), parameters)
        made.append(in_8_bits(image).float() / 255)
    return torch.stack(made)


def _corners_of(picture: Picture, patch: str, seed: int) -> AdversarialPatchesParameters:
    """What AdversarialPatches draws for a picture, whatever the pack's other patches are."""
    obfuscation = AdversarialPatches()
    key = ExampleKey(seed=seed, transform=obfuscation.name, example_id=str(picture.index))
    height, width = picture.image.shape[1:]
    return obfuscation.sample_for(patch, key.stream("parameters"), (height, width))
