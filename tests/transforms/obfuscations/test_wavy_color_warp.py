"""WavyColorWarp: places against scipy, colours against colorsys."""

import colorsys

import numpy as np
import pytest
import torch
from scipy import ndimage

from oracles import pictures
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.wavy_color_warp import (
    WavyColorWarp,
    WavyColorWarpParameters,
)


def waves(wavelength: float = 9.4, **values: float) -> WavyColorWarpParameters:
    given = {"down": 0.0, "across": 0.0, "hue": 0.0} | values
    return WavyColorWarpParameters(
        wavelength=wavelength, down=given["down"], across=given["across"], hue=given["hue"]
    )


@pytest.mark.parametrize("hue", [0.15, 0.5, 0.85])
def test_every_pixels_hue_is_raised_as_colorsys_does(assets: AssetPack, hue: float) -> None:
    x = pictures(1, 32, 32, dtype=torch.float64)[0]
    x[:, :8] = (x[:, :8] * 8).round() / 8  # Greys, primary colours, black and white among them.
    x[:, 0, 0], x[:, 0, 1] = 0, 1
    seen = WavyColorWarp().apply(x, waves(hue=hue), assets)
    for row in range(32):
        for column in range(32):
            h, s, v = colorsys.rgb_to_hsv(*x[:, row, column].tolist())
            expected = colorsys.hsv_to_rgb((h + hue) % 1, s, v)
            np.testing.assert_allclose(seen[:, row, column], expected, atol=1e-6)


@pytest.mark.parametrize(("down", "across"), [(2.2, 0.0), (0.0, 3.0), (5.0, 2.0)])
def test_columns_and_rows_move_in_sine_waves(assets: AssetPack, down: float, across: float) -> None:
    x = pictures(1, 48, 40, dtype=torch.float64)[0]
    seen = WavyColorWarp().apply(x, waves(11.0, down=down, across=across), assets)
    row, column = np.mgrid[:48, :40].astype(float)
    places = [
        row + down * np.sin(2 * np.pi * (column + 0.5) / 11.0),
        column + across * np.sin(2 * np.pi * (row + 0.5) / 11.0),
    ]
    for channel in range(3):
        expected = ndimage.map_coordinates(
            x[channel].numpy(), places, order=1, mode="grid-constant"
        )
        np.testing.assert_allclose(seen[channel], expected, atol=1e-6)


def test_no_waves_and_no_shift_are_the_picture(assets: AssetPack) -> None:
    x = pictures(1, 33, 47)[0]
    torch.testing.assert_close(WavyColorWarp().apply(x, waves(), assets), x, atol=2e-5, rtol=0)


def test_greys_have_no_hue(assets: AssetPack) -> None:
    x = pictures(1, 33, 47)[0][:1].expand(3, -1, -1)
    seen = WavyColorWarp().apply(x, waves(hue=0.4), assets)
    torch.testing.assert_close(seen, x, atol=2e-5, rtol=0)
