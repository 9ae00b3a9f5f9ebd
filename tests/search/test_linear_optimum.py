"""On a linear classifier the strongest perturbation has a closed form."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.fft
import torch
from torch import Tensor

from small import LinearModel, examples_of, searched
from unforeseen.judging import Judging
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.jpeg import Jpeg
from unforeseen.transforms.attacks.pgd import Pgd
from unforeseen.transforms.attacks.pixel import Pixel
from unforeseen.transforms.base import AnyAttack

SHAPE = (3, 32, 32)
STEPS = 60

#: JFIF (ITU-T T.871, section 7): RGB from Y, Cb − 128, Cr − 128.
TO_RGB = np.array([[1, 0, 1.402], [1, -0.344136286, -0.714136286], [1, 1.772, 0]])


def picture_and_weight() -> tuple[Tensor, Tensor]:
    """A picture so close to grey that no clamp bites, and w = W₁ − W₀."""
    generator = torch.Generator().manual_seed(1)
    x = 0.45 + 0.1 * torch.rand(SHAPE, generator=generator, dtype=torch.float64)
    return x, torch.randn(SHAPE, generator=generator, dtype=torch.float64)


def two_classes(x: Tensor, w: Tensor, margin: float) -> LinearModel:
    """Logits (0, w·x + b) with b such that class 0 leads by ``margin``."""
    weight = torch.stack([torch.zeros_like(w).flatten(), w.flatten()])
    bias = torch.stack([torch.zeros(()), -margin - (w * x).sum()]).to(x)
    return LinearModel(weight, bias)


def gain_linf(_x: Tensor, w: Tensor) -> float:
    """max w·δ over ‖δ‖∞ ≤ 1 is ‖w‖₁."""
    return float(w.abs().sum())


def gain_l2(_x: Tensor, w: Tensor) -> float:
    return float(w.square().sum().sqrt())


def gain_jpeg(_x: Tensor, w: Tensor) -> float:
    """The 1-norm of w carried back: decoding is colour · inverse DCT, both linear."""
    planes = np.einsum("rc,rhw->chw", TO_RGB, w.numpy())
    blocks = planes.reshape(3, 4, 8, 4, 8).transpose(0, 1, 3, 2, 4)
    return float(np.abs(scipy.fft.dctn(blocks, axes=(-2, -1), norm="ortho")).sum())


def gain_pixel(x: Tensor, w: Tensor) -> float:
    """max g·m over ‖m‖₂ ≤ 1, m ≥ 0 is ‖g₊‖₂, g the gain of levelling one block of one channel."""
    blocks = x.reshape(3, 8, 4, 8, 4).transpose(2, 3)
    levelled = blocks.mean(dim=(-2, -1), keepdim=True) - blocks
    gains = (w.reshape(3, 8, 4, 8, 4).transpose(2, 3) * levelled).sum(dim=(-2, -1))
    return float(gains.clamp_min(0).square().sum().sqrt())


Gain = Callable[[Tensor, Tensor], float]
CASES = [
    pytest.param(Pgd(), gain_linf, 0.02, id="sign steps in an L∞ ball"),
    pytest.param(Pgd(norm="l2"), gain_l2, 0.5, id="L2 steps in an L2 ball"),
    pytest.param(Jpeg(), gain_jpeg, 0.01, id="cosine coefficients"),
    pytest.param(Pixel(block=4), gain_pixel, 2.0, id="L2 steps in a ball cut by a box"),
]


def search_for(radius: float, judging: Judging) -> Search:
    # Steps of ε/20: three diameters in all, and small enough to settle within 1 %.
    return Search(steps=STEPS, movement=FixedStep(step_size=radius / 20), judging=judging)


@pytest.mark.parametrize(("attack", "gain", "radius"), CASES)
@pytest.mark.parametrize("judging", ["last", "any"])
def test_the_margin_comes_within_a_hundredth_of_the_optimum(
    attack: AnyAttack, gain: Gain, radius: float, judging: Judging
) -> None:
    x, w = picture_and_weight()
    optimum = radius * gain(x, w)
    # Out of reach by a twentieth, so that judging "any" doesn't stop early either.
    margin = 1.05 * optimum
    outcomes = searched(
        search_for(radius, judging),
        attack,
        two_classes(x, w, margin),
        examples_of(x[None], [0], radius),
    )
    logits = outcomes["p0"].logits
    gained = float(logits[1] - logits[0]) + margin
    assert 0.99 * optimum < gained <= optimum * (1 + 1e-6)
    expected_loss = math.log1p(math.exp(gained - margin))
    assert outcomes["p0"].loss == pytest.approx(expected_loss, rel=1e-9)


@pytest.mark.parametrize(("attack", "gain", "radius"), CASES)
@pytest.mark.parametrize("judging", ["last", "any"])
def test_the_smallest_radius_that_fools_is_margin_over_dual_norm(
    attack: AnyAttack, gain: Gain, radius: float, judging: Judging
) -> None:
    x, w = picture_and_weight()
    model = two_classes(x, w, radius * gain(x, w))
    pair = x.expand(2, *SHAPE)
    outcomes = searched(
        search_for(radius, judging),
        attack,
        model,
        examples_of(pair, [0, 0], [1.02 * radius, 0.98 * radius]),
    )
    assert not outcomes["p0"].correct
    assert outcomes["p1"].correct
    assert outcomes["p1"].correct_any


def test_a_published_step_hardly_moves_a_confidently_classified_picture() -> None:
    x, w = picture_and_weight()
    w = w / w.square().sum().sqrt()
    size, batch = 0.1, 100
    start, moved = (
        searched(
            Search(
                steps=steps,
                movement=FixedStep(step_size=size, gradient_batch=batch),
                judging="last",
            ),
            Pgd(norm="l2"),
            two_classes(x, w, margin=15.0),
            examples_of(x[None], [0], 5.0),
        )["p0"].logits
        for steps in (0, 1)
    )
    # The gradient is σ(−margin)·w with ‖w‖ = 1, and the step α·(g/N)/(‖g/N‖ + 1e-8).
    norm = 1 / (1 + math.exp(start[0] - start[1])) / batch
    travelled = float((moved - start)[1])
    assert travelled == pytest.approx(size * norm / (norm + 1e-8), rel=1e-3)
    assert travelled < 0.3 * size
