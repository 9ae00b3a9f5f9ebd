"""RotateImage against quarter turns and against Pillow."""

import numpy as np
import pytest
import torch
from scipy import ndimage

from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.rotate_image import RotateImage, RotateImageParameters


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("side", [48, 49])
def test_quarter_turns_are_exact(assets: AssetPack, turns: int, side: int) -> None:
    x = pictures(1, side, side)[0]
    seen = RotateImage().apply(x, RotateImageParameters(angle=90.0 * turns), assets)
    torch.testing.assert_close(seen, torch.rot90(x, turns, (1, 2)), atol=2e-5, rtol=0)


@pytest.mark.parametrize("angle", [45.0, 123.4, 300.0])
@pytest.mark.parametrize("size", [(48, 48), (33, 47)])
def test_other_angles_are_scipys(assets: AssetPack, angle: float, size: tuple[int, int]) -> None:
    x = pictures(1, *size, dtype=torch.float64)[0]
    seen = RotateImage().apply(x, RotateImageParameters(angle=angle), assets)
    for channel in range(3):
        expected = ndimage.rotate(
            x[channel].numpy(), angle, reshape=False, order=1, mode="grid-constant"
        )
        np.testing.assert_allclose(seen[channel], expected, atol=1e-9)


def test_corners_become_black_and_the_centre_stays(assets: AssetPack) -> None:
    x = torch.ones(3, 65, 65)
    seen = RotateImage().apply(x, RotateImageParameters(angle=45.0), assets)
    for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        assert not seen[:, corner[0], corner[1]].any()
    torch.testing.assert_close(seen[:, 16:49, 16:49], torch.ones(3, 33, 33))
    covered = float(seen[0].mean())
    # An octagon: of a square of side 1 that is turned by 45°, 2(√2 − 1) lies in the square of before.
    assert covered == pytest.approx(2 * (2**0.5 - 1), abs=2e-3)
