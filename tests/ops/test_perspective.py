"""Homographies against a linear solver, warped pictures against torchvision and closed forms."""

import numpy as np
import pytest
import torch
from torchvision.transforms.v2 import InterpolationMode
from torchvision.transforms.v2 import functional as published

from oracles import pictures
from unforeseen.errors import DataError
from unforeseen.ops.perspective import homography, is_convex, warp

RECTANGLE = [[0.0, 0.0], [47, 0], [47, 33], [0, 33]]
QUADRILATERALS = [
    RECTANGLE,
    [[3.5, 2], [60, 9], [48.2, 51], [1, 40]],
    [[-20.0, 5], [70, -12], [90, 66], [10, 30]],
    [[40.0, 2], [44, 30], [5, 36], [2, 6]],
]
#: Flat, with an angle of more than 180°, mirrored, crossing itself, and not there.
IMPOSSIBLE = [
    [[0.0, 0.0], [10, 0], [20, 0], [30, 0]],
    [[0.0, 0.0], [30, 0], [8, 8], [0, 30]],
    [[0.0, 0.0], [0, 33], [47, 33], [47, 0]],
    [[0.0, 0.0], [47, 33], [47, 0], [0, 33]],
    [[0.0, 0.0], [47, 0], [float("nan"), 33], [0, 33]],
]


def solved(corners: list[list[float]]) -> np.ndarray:
    """The eight equations of four points, as textbooks have them."""
    rows, values = [], []
    for (u, v), (x, y) in zip([(0, 0), (1, 0), (1, 1), (0, 1)], corners, strict=True):
        rows += [[u, v, 1, 0, 0, 0, -u * x, -v * x], [0, 0, 0, u, v, 1, -u * y, -v * y]]
        values += [x, y]
    return np.append(np.linalg.solve(np.array(rows, float), np.array(values, float)), 1).reshape(
        3, 3
    )


@pytest.mark.parametrize("corners", QUADRILATERALS)
def test_a_homography_solves_the_eight_equations_of_its_points(corners: list[list[float]]) -> None:
    np.testing.assert_allclose(
        homography(torch.tensor(corners)).numpy(), solved(corners), rtol=1e-5, atol=1e-6
    )


def test_the_whole_rectangle_gives_the_picture_back() -> None:
    image = pictures(1, 33, 47)[0]
    warped = warp(image, torch.tensor(RECTANGLE), (33, 47))
    torch.testing.assert_close(warped.image, image, atol=1e-5, rtol=0)
    assert (warped.coverage == 1).all()


def test_where_it_is_enlarged_a_picture_is_as_torchvision_warps_it() -> None:
    image = pictures(1, 33, 47)[0].double()
    corners = [[3.0, 2.0], [64.0, 9.0], [60.0, 51.0], [1.0, 46.0]]
    canvas = torch.zeros(3, 60, 70, dtype=torch.float64)
    canvas[:, :33, :47] = image
    expected = published.perspective(
        canvas,
        [[0, 0], [47, 0], [47, 33], [0, 33]],
        [[int(x), int(y)] for x, y in corners],
        InterpolationMode.BILINEAR,
    )
    warped = warp(image, torch.tensor(corners), (60, 70))
    # Torchvision's picture fades into the canvas around it, over one of the picture's pixels.
    within = (warp(torch.ones(1, 31, 45).double(), inset(corners), (60, 70)).coverage == 1)[None]
    assert within.sum() > 1500
    difference = (warped.image - expected).abs() * within
    assert difference.max() < 1e-4


def inset(corners: list[list[float]]) -> torch.Tensor:
    """Where the picture without its outermost pixels goes."""
    matrix = solved(corners)
    inner = []
    for u, v in ((1 / 47, 1 / 33), (46 / 47, 1 / 33), (46 / 47, 32 / 33), (1 / 47, 32 / 33)):
        x, y, w = matrix @ [u, v, 1]
        inner.append([x / w, y / w])
    return torch.tensor(inner)


@pytest.mark.parametrize("corners", QUADRILATERALS)
def test_corners_go_where_they_are_asked_to(corners: list[list[float]]) -> None:
    """Four quarters in four greys: near each corner is its own."""
    image = torch.zeros(1, 64, 64)
    image[:, :32, :32], image[:, :32, 32:] = 0.2, 0.4
    image[:, 32:, 32:], image[:, 32:, :32] = 0.6, 0.8
    points = torch.tensor(corners) + 30
    warped = warp(image, points, (120, 140)).image[0]
    matrix = solved(points.tolist())
    for (u, v), grey in zip(
        [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], (0.2, 0.4, 0.6, 0.8), strict=True
    ):
        x, y, w = matrix @ [u, v, 1]
        assert float(warped[int(y / w), int(x / w)]) == pytest.approx(grey, abs=1e-4)


@pytest.mark.parametrize("corners", QUADRILATERALS)
def test_coverage_adds_up_to_the_area(corners: list[list[float]]) -> None:
    points = np.array(corners) + 30
    x, y = points.T
    area = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    warped = warp(torch.ones(3, 20, 20), torch.from_numpy(points), (140, 150))
    assert float(warped.coverage.sum()) == pytest.approx(area, rel=2e-3)
    assert 0 <= float(warped.coverage.min()) <= float(warped.coverage.max()) <= 1
    # What is partly covered has the picture's own colour: the background comes in by its coverage.
    torch.testing.assert_close(warped.image, (warped.coverage > 0).float().expand(3, -1, -1))


def test_a_fine_pattern_turns_grey_where_it_is_made_small() -> None:
    """Antialiased: sampling alone would show black and white."""
    image = (torch.arange(128) % 2).float().expand(3, 128, 128)
    corners = torch.tensor([[10.0, 10.0], [40, 14], [36, 40], [12, 38]])
    warped = warp(image, corners, (64, 64))
    inner = warped.image[:, warped.coverage == 1]
    assert inner.numel() > 900
    assert float((inner - 0.5).abs().max()) < 0.1


def test_what_lies_outside_the_result_is_cut_off() -> None:
    image = pictures(1, 32, 32)[0]
    beside = warp(image, torch.tensor(RECTANGLE) + 200, (32, 32))
    assert not beside.image.any()
    assert not beside.coverage.any()
    corners = torch.tensor([[-15.0, -9], [60, -20], [50, 45], [-10, 38]])
    whole = warp(image, corners + 30, (100, 120))
    cut = warp(image, corners, (32, 40))
    torch.testing.assert_close(cut.image, whole.image[:, 30:62, 30:70], atol=1e-4, rtol=0)
    torch.testing.assert_close(cut.coverage, whole.coverage[30:62, 30:70], atol=1e-5, rtol=0)


@pytest.mark.parametrize("corners", IMPOSSIBLE)
def test_corners_of_no_convex_quadrilateral_are_refused(corners: list[list[float]]) -> None:
    assert not is_convex(torch.tensor(corners))
    with pytest.raises(DataError, match="corners: expected upper left"):
        warp(torch.ones(3, 20, 20), torch.tensor(corners), (64, 64))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_is_kept_and_the_picture_too(dtype: torch.dtype) -> None:
    image = pictures(1, 32, 32)[0].to(dtype)
    before = image.clone()
    warped = warp(image, torch.tensor(QUADRILATERALS[1]), (64, 64))
    assert warped.image.dtype == warped.coverage.dtype == dtype
    assert torch.equal(image, before)
    assert 0 <= float(warped.image.min()) <= float(warped.image.max()) <= 1
