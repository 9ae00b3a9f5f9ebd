"""Edges: the published procedure read pixel by pixel, the standard one against kornia."""

import math

import kornia
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from oracles import Array, pictures
from unforeseen.ops.canny import CannyVariant, canny_edges

SIZES = [(32, 32), (33, 47), (224, 224), (3, 5), (1, 1)]
VARIANTS: tuple[CannyVariant, ...] = ("standard", "published")

each_variant = pytest.mark.parametrize("variant", VARIANTS)
each_blur = pytest.mark.parametrize("blur", [0.0, 1.5])


def blurred_noise(size: tuple[int, int], blur: float) -> Tensor:
    """One picture whose colours change abruptly or slowly, with gradients of all sizes."""
    noise = pictures(1, *size, dtype=torch.float64).numpy()
    return torch.from_numpy(ndimage.gaussian_filter(noise, (0, 0, blur, blur)))


def published_edges(picture: Array) -> NDArray[np.bool_]:
    """The specification of edition published, sentence by sentence, for one picture (3, H, W)."""
    height, width = picture.shape[-2:]
    square = np.arange(-1, 2)[:, None] ** 2 + np.arange(-1, 2) ** 2
    gaussian = np.exp(-square / 2)
    sobel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    blurred = [ndimage.correlate(channel, gaussian, mode="constant") for channel in picture]
    across, down = (
        np.mean(
            [ndimage.correlate(channel, kernel, mode="constant") for channel in blurred], axis=0
        )
        for kernel in (sobel, sobel.T)
    )
    magnitude = np.hypot(across, down)

    def at(row: int, column: int) -> float:
        inside = 0 <= row < height and 0 <= column < width
        return float(magnitude[row, column]) if inside else 0.0

    thinned = magnitude.copy()
    for row in range(height):
        for column in range(width):
            gx, gy = across[row, column], down[row, column]
            if gx == gy == 0:
                continue
            angle = math.degrees(math.atan(gy / gx)) if gx != 0 else math.copysign(90, gy)
            match round((2 * angle + 180) / 45) % 4:
                case 0:
                    others = [at(row, column - 1), at(row, column + 1)]
                case 1:
                    others = [at(row - 1, column + 1), at(row + 1, column - 1)]
                case 2:
                    others = [at(row - 1, column)]
                case _:
                    others = [at(row - 1, column - 1)]
            if not all(magnitude[row, column] > other for other in others):
                thinned[row, column] = 0
    edges: NDArray[np.bool_] = thinned > 0.1 * thinned.max()
    return edges


@pytest.mark.parametrize("size", SIZES)
@each_blur
def test_published_edges_are_those_of_the_specification(size: tuple[int, int], blur: float) -> None:
    x = blurred_noise(size, blur)
    seen = canny_edges(x, variant="published")
    assert seen.shape == (1, 1, *size)
    np.testing.assert_array_equal(seen[0, 0], published_edges(x[0].numpy()))


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (224, 224)])
@each_blur
def test_standard_edges_are_kornias_above_a_tenth_of_the_largest(
    size: tuple[int, int], blur: float
) -> None:
    x = blurred_noise(size, blur)
    thinned, _ = kornia.filters.canny(x, kernel_size=(3, 3), hysteresis=False, eps=1e-12)
    seen = canny_edges(x, variant="standard")
    assert torch.equal(seen, thinned > 0.1 * thinned.max())


@pytest.mark.parametrize("column", [5, 16])
def test_a_standard_edge_of_a_step_is_one_pixel_wide(column: int) -> None:
    x = torch.zeros(1, 3, 32, 40)
    x[..., column:] = 0.7
    upright = canny_edges(x, variant="standard")
    assert upright.sum() == 32
    assert upright[..., column - 1 : column + 1].sum() == 32
    lying = canny_edges(x.transpose(-1, -2), variant="standard")
    assert torch.equal(lying.transpose(-1, -2), upright)


@pytest.mark.parametrize("value", [0.0, 1 / 255, 0.3, 1.0])
def test_a_flat_picture_has_no_edges_but_its_published_border(value: float) -> None:
    x = torch.full((1, 3, 20, 24), value)
    assert not canny_edges(x, variant="standard").any()
    published = canny_edges(x, variant="published")
    assert not published[..., 2:-2, 2:-2].any()
    assert bool(published.any()) == (value > 0)


def test_rounding_is_no_edge() -> None:
    x = 0.3 + pictures(1, 20, 24, high=1e-7, dtype=torch.float64)
    assert not canny_edges(x, variant="standard").any()
    # One level of 8 bits is.
    x[..., 12:] += 1 / 255
    assert canny_edges(x, variant="standard").sum() == 20


def test_the_threshold_is_relative_to_each_picture_of_a_batch() -> None:
    x = pictures(3, 33, 47, dtype=torch.float64) * torch.tensor([1, 0.5, 0.25]).reshape(-1, 1, 1, 1)
    for variant in VARIANTS:
        together = canny_edges(x, variant=variant)
        for number in range(3):
            alone = canny_edges(x[number : number + 1], variant=variant)
            assert torch.equal(alone[0], together[number])
        assert torch.equal(canny_edges(x / 2, variant=variant), together)


@each_variant
def test_edges_are_the_same_for_every_dtype(variant: CannyVariant) -> None:
    levels = (pictures(1, 64, 64) * 255).round()
    single = canny_edges(levels / 255, variant=variant)
    assert torch.equal(single, canny_edges((levels / 255).double(), variant=variant))
    assert single.dtype == torch.bool


@pytest.mark.parametrize(("step", "found"), [(0.04, False), (0.06, True)])
def test_an_edge_of_less_than_a_tenth_of_the_strongest_is_left_out(
    step: float, found: bool
) -> None:
    x = torch.full((1, 3, 32, 60), 0.5)
    x[..., 20:40] = 1.0
    x[..., 50:] = 0.5 + step
    assert bool(canny_edges(x, variant="standard")[..., 47:53].any()) == found
