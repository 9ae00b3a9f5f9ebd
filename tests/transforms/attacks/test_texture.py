"""Texture: black edges, the rest whitened, on edge maps made by hand."""

import numpy as np
import pytest
import torch

from oracles import assert_uniform, pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import GEOMETRIES, keys_for
from unforeseen.transforms.attacks.texture import Texture, TextureLatents
from unforeseen.transforms.edge_map import EdgeMap

EDGES = torch.from_numpy(np.random.default_rng(0).uniform(size=(2, 1, 33, 47)) < 0.2)
EDGE_LISTS = EDGES[:, 0].nonzero().tolist()


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_edges_are_black_and_all_else_goes_its_share_of_the_way_to_white(
    geometry: Geometry,
) -> None:
    x = pictures(2, 33, 47)
    whitening = pictures(2, 33, 47, seed=1, low=-1)[:, :1]
    seen = Texture(geometry=geometry).render(
        x, TextureLatents(whitening=whitening), EdgeMap(edges=EDGES)
    )
    share = np.abs(whitening.numpy())
    expected = (1 - share) * x.numpy() + share
    for example, row, column in EDGE_LISTS:
        expected[example, :, row, column] = 0
    np.testing.assert_allclose(seen, expected, atol=1e-6)


def test_the_smallest_and_the_largest_whitening_leave_the_picture_and_a_drawing() -> None:
    x, scene = pictures(2, 33, 47), EdgeMap(edges=EDGES)
    none, all_of_it = torch.zeros(2, 1, 33, 47), torch.ones(2, 1, 33, 47)
    attack = Texture()
    untouched = attack.render(x, TextureLatents(whitening=none), scene)
    assert torch.equal(untouched, torch.where(EDGES, 0.0, x))
    for whitening in (all_of_it, -all_of_it):
        drawing = attack.render(x, TextureLatents(whitening=whitening), scene)
        torch.testing.assert_close(drawing, (~EDGES).float().expand_as(x))


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_the_start_is_uniform_between_zero_and_the_radius(geometry: Geometry) -> None:
    x = pictures(2, 64, 33)
    attack = Texture(geometry=geometry)
    keys = keys_for(attack, ["a", "b"])
    radius = torch.tensor([0.1, 0.4])
    start = attack.begin(x, attack.draw_scene(x, keys), radius, keys).whitening
    assert start.shape == (2, 1, 64, 33)
    for each, limit in zip(start, radius.tolist(), strict=True):
        assert_uniform(each, 0, limit)
