"""The layers of which a patch is the sum."""

import pytest
import torch

from unforeseen.asset_making.patches.pyramid import PatchPyramid
from unforeseen.rng import Stream

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("size", "sides"), [(64, [4, 8, 16, 32, 64]), (50, [4, 8, 16, 32, 50]), (8, [4, 8])]
)
def test_every_layer_is_twice_as_fine_up_to_the_patchs_own_side(
    size: int, sides: list[int]
) -> None:
    pyramid = PatchPyramid(size, Stream(0), CPU)
    assert [each.shape[-1] for each in pyramid.layers] == sides
    assert pyramid.patch().shape == (3, size, size)


def test_even_layers_add_up_to_an_even_patch() -> None:
    pyramid = PatchPyramid(16, Stream(0), CPU)
    pyramid.set(
        [
            torch.full_like(each, value)
            for each, value in zip(pyramid.layers, (1.0, -0.5, 2.0), strict=True)
        ]
    )
    torch.testing.assert_close(pyramid.patch(), torch.full((3, 16, 16), 2.5).sigmoid())


def test_the_first_patch_is_nearly_grey_and_follows_from_the_stream() -> None:
    first, again, other = (PatchPyramid(32, Stream(seed), CPU).patch() for seed in (0, 0, 1))
    assert (first - 0.5).abs().max() < 0.15
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_coarse_layers_get_the_gradient_of_all_that_they_cover() -> None:
    pyramid = PatchPyramid(16, Stream(0), CPU)
    pyramid.set([torch.zeros_like(each) for each in pyramid.layers])
    # At grey the sigmoid's slope is 1/4: 768 values have 192 in all, whatever the layer.
    for gradient in torch.autograd.grad(pyramid.patch().sum(), pyramid.layers):
        assert gradient.sum().item() == pytest.approx(192, rel=1e-5)
