"""The perceptual network: a real one, whose gradients don't vanish."""

import pytest
import torch

from oracles import pictures
from unforeseen.asset_making.styles.features import EarlyFeatures, early_features


@pytest.fixture(scope="module")
def see() -> EarlyFeatures:
    see, fingerprint = early_features(torch.device("cpu"))
    assert len(fingerprint) == 32
    assert isinstance(see, EarlyFeatures)
    return see


def test_features_come_from_half_the_size_down_to_an_eighth(see: EarlyFeatures) -> None:
    seen = see(pictures(2, 64, 96))
    assert [64 // each.shape[2] for each in seen] == [2, 2, 4, 4, 4, 4, 8, 8, 8, 8]
    assert [96 // each.shape[3] for each in seen] == [2, 2, 4, 4, 4, 4, 8, 8, 8, 8]
    assert seen[-1].shape[1] == 40


def test_every_pixel_has_a_gradient_even_where_relu_would_have_none(see: EarlyFeatures) -> None:
    for x in (torch.zeros(1, 3, 32, 32), torch.ones(1, 3, 32, 32), pictures(1, 32, 32)):
        x.requires_grad_()
        sum(each.square().mean() for each in see(x)).backward()
        assert x.grad is not None
        assert (x.grad.abs().sum(1) > 0).all()


def test_it_is_frozen_and_each_picture_is_seen_alone(see: EarlyFeatures) -> None:
    assert not any(each.requires_grad for each in see.parameters())
    x = pictures(2, 48, 48)
    for together, alone in zip(see(x), see(x[1:]), strict=True):
        torch.testing.assert_close(together[1:], alone, atol=1e-4, rtol=1e-4)
