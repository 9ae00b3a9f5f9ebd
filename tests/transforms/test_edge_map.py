"""Which edges the scene of Edge and Texture holds."""

import pytest
import torch

from oracles import pictures
from unforeseen.benchmarks.edition import Geometry
from unforeseen.contract.case import keys_for
from unforeseen.ops.canny import CannyVariant, canny_edges
from unforeseen.transforms.attacks.edge import Edge
from unforeseen.transforms.attacks.texture import Texture


@pytest.mark.parametrize("attack", [Edge, Texture])
@pytest.mark.parametrize(("geometry", "variant"), [("centred", "standard"), ("published",) * 2])
def test_each_geometry_has_its_kind_of_edges(
    attack: type[Edge | Texture], geometry: Geometry, variant: CannyVariant
) -> None:
    x = pictures(2, 33, 47)
    scene = attack(geometry=geometry).draw_scene(x, keys_for(Edge(), ["a", "b"]))
    assert torch.equal(scene.edges, canny_edges(x, variant=variant))
    assert 0 < scene.edges.sum() < scene.edges.numel()
