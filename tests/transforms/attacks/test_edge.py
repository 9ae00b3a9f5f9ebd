"""Edge: grey plus noise on edge maps made by hand, the picture elsewhere."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.edge import Edge, EdgeLatents
from unforeseen.transforms.edge_map import EdgeMap

EDGES = torch.from_numpy(np.random.default_rng(0).uniform(size=(2, 1, 33, 47)) < 0.2)
EDGE_LISTS = EDGES[:, 0].nonzero().tolist()


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_edges_are_grey_plus_delta_and_all_else_is_the_picture(
    geometry: Geometry, strength: float
) -> None:
    x = pictures(2, 33, 47)
    delta = pictures(2, 33, 47, seed=1, low=-1) * strength
    seen = Edge(geometry=geometry).render(x, EdgeLatents(delta=delta), EdgeMap(edges=EDGES))
    expected = x.numpy().copy()
    for example, row, column in EDGE_LISTS:
        added = delta.numpy()[example, :, row, column] + np.float32(0.5)
        expected[example, :, row, column] = np.clip(added, 0, 1)
    np.testing.assert_array_equal(seen, expected)


def test_only_what_is_on_an_edge_has_a_gradient() -> None:
    x = pictures(2, 33, 47)
    delta = torch.zeros_like(x, requires_grad=True)
    painted = Edge().paint(x, EdgeLatents(delta=delta), EdgeMap(edges=EDGES))
    (gradient,) = torch.autograd.grad(painted.sum(), [delta])
    assert torch.equal(gradient, EDGES.float().expand_as(x))


def begun(geometry: Geometry, radius: torch.Tensor) -> torch.Tensor:
    x = pictures(2, 33, 47)
    attack = Edge(geometry=geometry)
    keys = keys_for(attack, ["a", "b"])
    return attack.begin(x, attack.draw_scene(x, keys), radius, keys).delta


def test_the_start_is_uniform_between_minus_and_plus_the_radius() -> None:
    radius = torch.tensor([0.1, 0.3])
    for each, limit in zip(begun("centred", radius), radius.tolist(), strict=True):
        assert_uniform(each, -limit, limit)


def test_edition_published_starts_anywhere_between_zero_and_one_whatever_the_radius() -> None:
    for each in begun("published", torch.tensor([0.0, 0.3])):
        assert_uniform(each, 0, 1)
