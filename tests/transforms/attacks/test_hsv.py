"""HSV: Python's colorsys pixel by pixel, scipy's blur, and pure colours known in closed form."""

import colorsys

import numpy as np
import pytest
import torch
from torch import Tensor

from oracles import Array, assert_uniform, gaussian_blur, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.hsv import Hsv, HsvLatents
from unforeseen.transforms.base import NoScene

SIZES = [(32, 32), (33, 47)]


def shifted_pixel_by_pixel(picture: Array, shift: Array) -> Array:
    """A picture (3, H, W) whose hue, saturation and value are shifted and cut off at 0 and 1."""
    result = np.empty_like(picture)
    for place in np.ndindex(*picture.shape[1:]):
        hsv = colorsys.rgb_to_hsv(*picture[:, *place].tolist())
        moved = [min(max(a + b, 0.0), 1.0) for a, b in zip(hsv, shift[:, *place], strict=True)]
        result[:, *place] = colorsys.hsv_to_rgb(*moved)
    return result


def flat(red: float, green: float, blue: float) -> Tensor:
    """A picture of one colour."""
    colour = torch.tensor([red, green, blue], dtype=torch.float32)
    return colour.reshape(1, 3, 1, 1).expand(1, 3, 32, 32)


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize(("height", "width"), SIZES)
@pytest.mark.parametrize(("size", "sigma"), [(3, 3.0), (9, 1.5), (1, 3.0)])
@pytest.mark.parametrize("strength", [0.03, 0.4])
def test_the_smoothed_shift_is_added_in_hsv(
    geometry: Geometry, height: int, width: int, size: int, sigma: float, strength: float
) -> None:
    x = pictures(2, height, width, dtype=torch.float64)
    shift = pictures(2, height, width, seed=1, low=-strength, high=strength, dtype=torch.float64)
    attack = Hsv(geometry=geometry, blur_size=size, blur_sigma=sigma)
    seen = attack.render(x, HsvLatents(shift=shift), NoScene())
    for each in range(2):
        smooth = np.stack([gaussian_blur(plane, size, sigma) for plane in shift[each].numpy()])
        expected = shifted_pixel_by_pixel(x[each].numpy(), smooth)
        np.testing.assert_allclose(seen[each], expected, atol=1e-6)


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_no_shift_is_the_identity(height: int, width: int) -> None:
    x = pictures(2, height, width)
    x[..., :4] = torch.tensor([0.0, 1.0, 0.5, 0.25])  # black, white, greys
    seen = Hsv().render(x, HsvLatents(shift=torch.zeros_like(x)), NoScene())
    torch.testing.assert_close(seen, x, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("before", "shift", "after"),
    [
        ((1, 0, 0), (1 / 3, 0, 0), (0, 1, 0)),
        ((0, 1, 0), (1 / 3, 0, 0), (0, 0, 1)),
        ((0, 0, 1), (-1 / 6, 0, 0), (0, 1, 1)),
        # Neither beyond the end of the circle nor before its beginning: red stays red.
        ((1, 0, 0.5), (1 / 3, 0, 0), (1, 0, 0)),
        ((1, 0.5, 0), (-1 / 3, 0, 0), (1, 0, 0)),
        ((1, 0, 0), (0, -0.5, 0), (1, 0.5, 0.5)),
        ((0.5, 0.5, 0.5), (0, 0, 0.25), (0.75, 0.75, 0.75)),
        # Grey has the hue of red, and gets it as soon as it is saturated.
        ((0.5, 0.5, 0.5), (0, 1, 0), (0.5, 0, 0)),
        ((0.2, 0.4, 0.6), (0, 0, 1), (1 / 3, 2 / 3, 1)),
        ((0.2, 0.4, 0.6), (0, 0, -1), (0, 0, 0)),
    ],
)
def test_colours_move_as_their_hue_saturation_and_value_say(
    before: tuple[float, float, float],
    shift: tuple[float, float, float],
    after: tuple[float, float, float],
) -> None:
    seen = Hsv().render(flat(*before), HsvLatents(shift=flat(*shift)), NoScene())
    torch.testing.assert_close(seen, flat(*after), atol=1e-6, rtol=0)


def test_one_shift_reaches_its_window_and_no_further() -> None:
    x = pictures(1, 40, 40)
    shift = torch.zeros(1, 3, 40, 40)
    unshifted = Hsv().render(x, HsvLatents(shift=shift.clone()), NoScene())
    shift[0, 2, 20, 11] = -0.1
    changed = Hsv().render(x, HsvLatents(shift=shift), NoScene()) != unshifted
    expected = torch.zeros(40, 40, dtype=torch.bool)
    expected[19:22, 10:13] = True
    assert torch.equal(changed.any(dim=1)[0], expected)


def test_the_start_is_uniform_and_positive() -> None:
    x = pictures(2, 33, 47)
    attack = Hsv()
    radius = torch.tensor([0.01, 0.05])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).shift
    assert start.shape == x.shape
    assert_uniform(start[0], 0, 0.01)
    assert_uniform(start[1], 0, 0.05)
