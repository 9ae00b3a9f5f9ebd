"""The conditions in which networks are asked about pictures: without a patch, and with it in two ways."""

__all__ = ["CONDITIONS", "Condition", "pictures_in"]

from collections.abc import Sequence
from typing import Literal, get_args

import torch
from torch import Tensor

from unforeseen.adversarial_patches.placement import anywhere
from unforeseen.adversarial_patches.recipe import PatchRecipe
from unforeseen.data.pictures import Picture
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.adversarial_patches import AdversarialPatches

#: Pictures as they are, with one patch anywhere, and under AdversarialPatches.
Condition = Literal["clean", "anywhere", "corners"]
CONDITIONS: tuple[Condition, ...] = get_args(Condition)


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
    if condition == "corners":
        return torch.stack([_in_corners(each, patch, pack, recipe.seed) for each in pictures])
    images = torch.stack([each.image for each in pictures]).float() / 255
    if condition == "clean":
        return images
    whole = pack.patch(patch, recipe.size)
    laid = [
        anywhere(
            image,
            whole,
            Stream(recipe.seed, "make patches", "measure", each.index),
            recipe.placement,
        )
        for image, each in zip(images, pictures, strict=True)
    ]
    return (torch.stack(laid) * 255).round() / 255


def _in_corners(picture: Picture, patch: str, pack: AssetPack, seed: int) -> Tensor:
    obfuscation = AdversarialPatches()
    key = ExampleKey(seed=seed, transform=obfuscation.name, example_id=str(picture.index))
    height, width = picture.image.shape[1:]
    parameters = obfuscation.sample_for(patch, key.stream("parameters"), (height, width))
    made = obfuscation.apply_record(picture.image, parameters.to_json(), pack)
    return made.float() / 255
