"""PGD: x + δ, clamped."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.pgd import Pgd, PgdLatents
from unforeseen.transforms.base import NoScene


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_picture_is_the_clamped_sum(geometry: Geometry) -> None:
    x, delta = pictures(2, 33, 47), pictures(2, 33, 47, seed=1, low=-1)
    attack = Pgd(geometry=geometry)
    seen = attack.render(x, PgdLatents(delta=delta), NoScene())
    np.testing.assert_array_equal(seen, np.clip(x.numpy() + delta.numpy(), 0, 1))
    assert torch.equal(attack.render(x, PgdLatents(delta=torch.zeros_like(x)), NoScene()), x)


@pytest.mark.parametrize(("geometry", "expected"), [("published", 1.0), ("centred", 0.0)])
def test_only_edition_published_differentiates_before_the_clamp(
    geometry: Geometry, expected: float
) -> None:
    delta = torch.full((1, 3, 32, 32), 2.0, requires_grad=True)
    painted = Pgd(geometry=geometry).paint(pictures(1, 32, 32), PgdLatents(delta=delta), NoScene())
    (gradient,) = torch.autograd.grad(painted.sum(), [delta])
    assert (gradient == expected).all()


def test_the_start_is_uniform_between_minus_and_plus_the_radius() -> None:
    x = pictures(2, 32, 32)
    attack = Pgd()
    radius = torch.tensor([0.1, 0.4])
    start = attack.start(x, NoScene(), radius, keys_for(attack, ["a", "b"])).delta
    for each, limit in zip(start, radius.tolist(), strict=True):
        assert_uniform(each, -limit, limit)
