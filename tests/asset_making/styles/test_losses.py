"""The losses: nothing between a picture and itself, and each sees what it is for and nothing else."""

import numpy as np
import pytest
import torch
from torch import Tensor

from asset_making.styles.small_training import SIDE, see, styles
from oracles import pictures
from unforeseen.asset_making.styles import losses as module
from unforeseen.asset_making.styles.losses import Losses, LossWeights, StyleLosses
from unforeseen.rng import Stream

STYLES = styles()
FLAT_LUMINANCE = torch.tensor([0.299, 0.587, 0.114])


@pytest.fixture(scope="module")
def of_styles() -> StyleLosses:
    return StyleLosses(see, STYLES, pictures(4, SIDE, SIDE), seed=0)


def losses(of_styles: StyleLosses, made: Tensor, photos: Tensor, row: int, turn: int = 0) -> Losses:
    style = torch.full((len(made),), row)
    return of_styles.of(made, photos, style, turn=turn, draws=Stream("test", turn))


@pytest.mark.parametrize("turn", [0, 1])
def test_a_style_is_nearest_to_itself_in_features_and_patches(
    of_styles: StyleLosses, turn: int
) -> None:
    photo = pictures(1, 96, 100, seed=9)
    for row, style in enumerate(STYLES):
        own = losses(of_styles, style[None], photo, row, turn)
        assert own.features < 1e-9
        for other in {0, 1, 2} - {row}:
            strange = losses(of_styles, style[None], photo, other, turn)
            assert strange.features > 0.01
            assert strange.patches > 10 * own.patches


@pytest.mark.parametrize("turn", [0, 1])
def test_a_photo_that_stays_as_it_is_loses_no_content(of_styles: StyleLosses, turn: int) -> None:
    photo = pictures(2, SIDE, SIDE, seed=3)
    seen = losses(of_styles, photo, photo, 0, turn)
    assert seen.content == 0
    assert abs(float(seen.structure)) < 1e-5


def test_structure_is_blind_to_brightness_and_contrast_and_sees_a_negative() -> None:
    """Correlations don't change under a·x + b, and turn to −1 under −x: the loss is 0 and 2."""
    photo = torch.nn.functional.interpolate(pictures(2, 10, 10), (SIDE, SIDE), mode="bicubic")
    same = module._structure_loss(0.2 + 0.6 * photo, photo)
    negative = module._structure_loss(1 - photo, photo)
    assert same < 0.05
    assert negative > 1.95


def test_structure_is_blind_to_colour_of_equal_luminance() -> None:
    photo = torch.nn.functional.interpolate(pictures(1, 10, 10), (SIDE, SIDE), mode="bicubic")
    photo = photo.clamp(0, 1)
    grey = (photo[0] * FLAT_LUMINANCE[:, None, None]).sum(0).expand(1, 3, SIDE, SIDE)
    assert abs(float(module._structure_loss(grey, photo))) < 1e-5


def test_bands_of_a_pyramid_add_up_to_the_picture() -> None:
    """Burt and Adelson: nothing is lost."""
    x = pictures(2, 96, 80)
    *bands, small = module._bands(x)
    for band in reversed(bands):
        small = band + torch.nn.functional.interpolate(small, band.shape[-2:], mode="bilinear")
    torch.testing.assert_close(small, x)


def test_halving_keeps_an_even_colour_and_the_mean_of_stripes() -> None:
    even = torch.full((1, 3, 20, 30), 0.3)
    torch.testing.assert_close(module._halved(even), torch.full((1, 3, 10, 15), 0.3))
    stripes = (torch.arange(32) % 2).float().expand(1, 1, 32, 32)
    inside = module._halved(stripes)[..., 1:-1, 1:-1]
    torch.testing.assert_close(inside, torch.full_like(inside, 0.5))


def test_gram_is_the_mean_over_places_of_products_of_channels() -> None:
    x = torch.randn(2, 4, 5, 3, generator=torch.Generator().manual_seed(0))
    expected = np.einsum("bchw,bdhw->bcd", x.numpy(), x.numpy()) / 15
    np.testing.assert_allclose(module._gram(x), expected, rtol=1e-5, atol=1e-6)


def test_patches_see_a_shift_of_colour_by_its_square_over_the_spread() -> None:
    """Sorted responses of a filter f all move by c·Σf, and only in the coarsest band."""
    style, photo = STYLES[0], pictures(4, SIDE, SIDE)
    own = StyleLosses(see, [style], photo, seed=0)
    shift = 0.1
    losses_by_band = []
    for band, filters, wanted in zip(
        module._bands(style[None] + shift), own._filters, own._bands, strict=True
    ):
        responses = torch.nn.functional.conv2d(band, filters).flatten(2)
        moved = module._shares(responses) - wanted.sorted
        expected = shift * filters.sum((1, 2, 3)) if band.shape[2] == 6 else torch.zeros(48)
        torch.testing.assert_close(
            moved[0], expected[:, None].expand(-1, moved.shape[2]), atol=2e-5, rtol=0
        )
        losses_by_band.append(moved)
    assert len(losses_by_band) == 5


def test_the_total_is_the_sum_by_weights() -> None:
    parts = Losses(*(torch.tensor(float(each)) for each in (1, 2, 3, 4, 5)))
    weights = LossWeights(features=1, patches=10, content=100, structure=1000, variation=10000)
    assert float(parts.total(weights)) == 54321


def test_equal_draws_give_equal_losses_and_others_give_near_ones(of_styles: StyleLosses) -> None:
    x = pictures(2, SIDE, SIDE, seed=4)
    style = torch.tensor([0, 1])
    one, same, other = (
        of_styles.of(x, x, style, turn=0, draws=Stream(key)).patches for key in (1, 1, 2)
    )
    assert one == same != other
    assert 0.5 < float(one / other) < 2


@pytest.mark.parametrize("count", [64, 144, 784, 1024, 50])
def test_shares_are_what_adaptive_pooling_makes_of_sorted_responses(count: int) -> None:
    x = torch.randn(2, 3, count, generator=torch.Generator().manual_seed(0))
    expected = torch.nn.functional.adaptive_avg_pool1d(x.sort(2)[0], 64)
    torch.testing.assert_close(module._shares(x), expected)
