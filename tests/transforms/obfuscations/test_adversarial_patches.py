"""AdversarialPatches: Pillow's copy in the middle, its mirror image around it, patches in the corners."""

import math

import numpy as np
import pytest
import torch
from PIL import Image

import oracles
from obfuscation_draws import drawn
from unforeseen.errors import DataError
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.adversarial_patches import (
    AdversarialPatches,
    AdversarialPatchesParameters,
    with_patches,
)

SMALL = AdversarialPatchesParameters(patch="hum", side=9, height=31, width=25, sigma=1.7)
TOP, LEFT = (48 - 31) // 2, (40 - 25) // 2


def corners(height: int, width: int, side: int) -> np.ndarray:
    covered = np.zeros((height, width), dtype=bool)
    for rows in (slice(0, side), slice(height - side, height)):
        for columns in (slice(0, side), slice(width - side, width)):
            covered[rows, columns] = True
    return covered


def test_inside_is_a_copy_of_the_whole_picture(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40)[0]
    seen = AdversarialPatches().apply(x, SMALL, assets)
    free = ~corners(48, 40, 9)[TOP : TOP + 31, LEFT : LEFT + 25]
    for plane, inner in zip(x, seen[:, TOP : TOP + 31, LEFT : LEFT + 25].numpy(), strict=True):
        copy = Image.fromarray(plane.numpy()).resize((25, 31), Image.Resampling.BILINEAR)
        np.testing.assert_allclose(inner[free], np.asarray(copy)[free], atol=5e-6)


def test_the_margin_is_the_blurred_mirror_image_of_the_copy(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = AdversarialPatches().apply(x, SMALL, assets).numpy()
    margin = ~corners(48, 40, 9)
    margin[TOP : TOP + 31, LEFT : LEFT + 25] = False
    window = 2 * math.ceil(3 * SMALL.sigma) + 1
    # Numpy's own mirror image, which repeats the pixels of the edge.
    around = ((TOP, 48 - 31 - TOP), (LEFT, 40 - 25 - LEFT))
    small = torch.nn.functional.interpolate(x[None], (31, 25), mode="bilinear", antialias=True)[0]
    for plane, of_copy in zip(seen, small.numpy(), strict=True):
        expected = oracles.gaussian_blur(np.pad(of_copy, around, "symmetric"), window, SMALL.sigma)
        np.testing.assert_allclose(plane[margin], expected[margin], atol=1e-12)


def test_the_patch_lies_unchanged_in_all_four_corners(assets: AssetPack) -> None:
    x = oracles.pictures(1, 48, 40)[0]
    seen = AdversarialPatches().apply(x, SMALL, assets)
    whole = Image.open(assets.folder / "patch-hum.png")
    patch = torch.from_numpy(np.array(whole.resize((9, 9), Image.Resampling.BILINEAR)))
    expected = patch.permute(2, 0, 1).float() / 255
    for corner in (seen[:, :9, :9], seen[:, :9, -9:], seen[:, -9:, :9], seen[:, -9:, -9:]):
        torch.testing.assert_close(corner, expected, rtol=0, atol=0)


@pytest.mark.parametrize("size", [(224, 224), (128, 300), (1000, 600)])
def test_the_picture_keeps_its_shape_and_patches_never_overlap(
    assets: AssetPack, size: tuple[int, int]
) -> None:
    for each in drawn(AdversarialPatches(), assets, number=100, size=size):
        shares = each.height / size[0], each.width / size[1]
        assert abs(shares[0] - shares[1]) <= 1 / min(size)
        assert each.side == round(50 * min(size) / 224)
        assert 2 * each.side < min(size)


def test_every_patch_of_the_pack_is_drawn_about_as_often(assets: AssetPack) -> None:
    draws = [each.patch for each in drawn(AdversarialPatches(), assets)]
    # 400 draws of two: within 4 standard deviations, √(400/4) = 10 each.
    assert {*draws} == {"static", "hum"}
    assert abs(draws.count("hum") - 200) < 40


def test_the_patch_gets_a_gradient_from_all_four_corners() -> None:
    patch = torch.rand(3, 9, 9, requires_grad=True)
    laid = with_patches(torch.rand(3, 48, 40), patch, SMALL)
    (gradient,) = torch.autograd.grad(laid.sum(), patch)
    torch.testing.assert_close(gradient, torch.full_like(patch, 4.0))


def test_parameters_of_a_larger_picture_are_refused() -> None:
    with pytest.raises(DataError, match="in the size that it was drawn for"):
        with_patches(torch.rand(3, 48, 20), torch.rand(3, 9, 9), SMALL)
