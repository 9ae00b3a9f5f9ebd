"""How far pictures are from a style, and from what they show.

Style: the Gram matrices of early features (Gatys et al. 2016), each channel reckoned in units of its own
spread, and the distributions of random patches in the bands of a pyramid. Those need no network, hold
the palette, and reach from single strokes to areas; they are compared by sorting (a sliced
Wasserstein distance: Rabin et al. 2011, Heitz et al. 2021).

Content: features after instance normalisation (Ulyanov et al. 2016), and the correlation of
luminance in small windows. Neither sees colours, so that a style may change them all.
"""

__all__ = ["LossWeights", "Losses", "See", "StyleLosses"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from unforeseen.rng import Stream

#: Pictures (B, 3, H, W) in [0, 1] → features (B, C, h, w), the finest first.
See = Callable[[Tensor], Sequence[Tensor]]

#: Spreads smaller than this are of channels that see nothing.
_SMALLEST_SPREAD = 1e-2
#: How often pictures are halved before the perceptual network sees them.
_SIZES = (0, 1)
#: Of the pyramid; of the random filters in each of its bands, and of those that a step looks at.
_LEVELS = 5
_FILTERS, _FILTER_SIDE = 48, 5
_FILTERS_A_STEP = 16
#: Of each band's responses a step sorts so many, and compares the means of so many shares of them.
_PLACES, _SHARES = 1024, 64
#: Levels of the pyramid, from the half size on, at which windows of luminance are correlated.
_STRUCTURE_LEVELS, _WINDOW = 3, 7
_LUMINANCE = (0.299, 0.587, 0.114)
#: A window whose variance is less has no structure worth keeping (SSIM's constant: Wang et al. 2004).
_FLAT = 1e-4


@dataclass(frozen=True, kw_only=True)
class LossWeights:
    """By what each of the losses is multiplied.

    Attributes:
        features: Of the Gram matrices of early features.
        patches: Of the distributions of patches.
        content: Of features after instance normalisation.
        structure: Of luminance's correlation.
        variation: Of differences between neighbouring pixels, which keeps noise away.
    """

    features: float = 0.25
    patches: float = 6.0
    content: float = 0.5
    structure: float = 2.0
    variation: float = 0.0


class Losses(NamedTuple):
    """Means over the pictures of a batch, unweighted; scalars. See :class:`LossWeights`."""

    features: Tensor
    patches: Tensor
    content: Tensor
    structure: Tensor
    variation: Tensor

    def total(self, weights: LossWeights) -> Tensor:
        """What training minimises."""
        total = torch.zeros_like(self.features)
        for name, loss in self._asdict().items():
            total = total + getattr(weights, name) * loss
        return total


class _Layer(NamedTuple):
    """One layer's features of all styles, (S, C, 1, 1) and (S, C, C)."""

    mean: Tensor
    spread: Tensor
    gram: Tensor


class _Band(NamedTuple):
    """Sorted responses of all styles in one band of the pyramid, (S, filters, shares or 1)."""

    sorted: Tensor
    spread: Tensor


class StyleLosses:
    """The losses of pictures in some styles.

    Args:
        see: The perceptual network.
        styles: (3, H, W) in [0, 1] each.
        photos: (N, 3, H, W) in [0, 1]: what is usual. A style in which a channel hardly varies would
            otherwise be all that counts.
        seed: Of the random filters.
    """

    def __init__(self, see: See, styles: Sequence[Tensor], photos: Tensor, seed: int) -> None:
        self._see = see
        shape = (_LEVELS, _FILTERS, 3, _FILTER_SIDE, _FILTER_SIDE)
        filters = Stream(seed, "make styles", "filters").normal(shape)
        filters /= np.sqrt((filters**2).sum((2, 3, 4), keepdims=True))
        self._filters = torch.from_numpy(filters.astype(np.float32)).to(photos.device)
        with torch.no_grad():
            self._layers = [self._layers_of(styles, photos, size) for size in _SIZES]
            usual = [
                each.transpose(0, 1).flatten(1).var(1)[:, None] for each in self._responses(photos)
            ]
            bands = [self._bands_of(style[None], usual) for style in styles]
            self._bands = [
                _Band(*(torch.cat(parts) for parts in zip(*of_styles, strict=True)))
                for of_styles in zip(*bands, strict=True)
            ]

    def of(
        self, made: Tensor, photos: Tensor, style: Tensor, *, turn: int, draws: Stream
    ) -> Losses:
        """Compares pictures with their styles and with the photos that they were made of.

        Args:
            made: (B, 3, H, W) in [0, 1].
            photos: Likewise.
            style: (B,), int64: the number of each one's style.
            turn: Number of the step. The perceptual network, which costs most, sees pictures in their
                size and in half of it by turns.
            draws: Choose filters and places.
        """
        size = turn % len(_SIZES)
        seen = self._seen(made, size)
        with torch.no_grad():
            wanted = self._seen(photos, size)
        content = _normed(seen[-1]) - _normed(wanted[-1])
        return Losses(
            features=self._feature_loss(seen, style, size),
            patches=self._patch_loss(made, style, draws),
            content=content.square().mean(),
            structure=_structure_loss(made, photos),
            variation=made.diff(dim=3).abs().mean() + made.diff(dim=2).abs().mean(),
        )

    def _seen(self, pictures: Tensor, size: int) -> Sequence[Tensor]:
        """Features of pictures that were halved ``size`` times."""
        for _ in range(size):
            pictures = _halved(pictures)
        return self._see(pictures)

    def _layers_of(self, styles: Sequence[Tensor], photos: Tensor, size: int) -> list[_Layer]:
        usual = [_variance(layer) for layer in self._seen(photos, size)]
        of_styles = [
            [
                _layer(layer, variance)
                for layer, variance in zip(self._seen(style[None], size), usual, strict=True)
            ]
            for style in styles
        ]
        return [
            _Layer(*(torch.cat(parts) for parts in zip(*layers, strict=True)))
            for layers in zip(*of_styles, strict=True)
        ]

    def _responses(self, pictures: Tensor) -> list[Tensor]:
        return [
            F.conv2d(band, filters).flatten(2)
            for band, filters in zip(_bands(pictures), self._filters, strict=True)
        ]

    def _bands_of(self, style: Tensor, usual: Sequence[Tensor]) -> list[_Band]:
        bands = []
        for responses, variance in zip(self._responses(style), usual, strict=True):
            spread = ((responses.var(2, keepdim=True) + variance) / 2).sqrt()
            bands.append(_Band(_shares(responses), spread))
        return bands

    def _feature_loss(self, seen: Sequence[Tensor], style: Tensor, size: int) -> Tensor:
        losses = []
        for layer, wanted in zip(seen, self._layers[size], strict=True):
            normed = (layer - wanted.mean[style]) / wanted.spread[style]
            difference = _gram(normed) - wanted.gram[style]
            # Channels are many and most pairs unrelated: a mean over pairs would hide the others.
            pairs = difference.square().sum((1, 2)) / difference.shape[1]
            losses.append(pairs.mean() + normed.mean((2, 3)).square().mean())
        return torch.stack(losses).mean()

    def _patch_loss(self, made: Tensor, style: Tensor, draws: Stream) -> Tensor:
        order = draws.uniform(0, 1, (_FILTERS,)).argsort(kind="stable")
        chosen = torch.from_numpy(order[:_FILTERS_A_STEP]).to(made.device)
        losses = []
        for band, filters, wanted in zip(_bands(made), self._filters, self._bands, strict=True):
            responses = F.conv2d(band, filters[chosen]).flatten(2)
            count = responses.shape[2]
            if count > _PLACES:
                places = torch.from_numpy(draws.integers(0, count - 1, (_PLACES,)))
                responses = responses[:, :, places.to(made.device)]
            difference = _shares(responses) - wanted.sorted[style][:, chosen]
            losses.append((difference / wanted.spread[style][:, chosen]).square().mean())
        return torch.stack(losses).mean()


def _layer(features: Tensor, usual: Tensor) -> _Layer:
    """What is wanted of one style, (1, C, h, w), in units between its own spread and the usual one."""
    mean = features.mean((2, 3), keepdim=True)
    spread = ((_variance(features) + usual) / 2).sqrt().clamp_min(_SMALLEST_SPREAD)
    return _Layer(mean, spread, _gram((features - mean) / spread))


def _structure_loss(made: Tensor, photos: Tensor) -> Tensor:
    """1 − correlation of luminance in windows, weighed by how much there is to see in the photo's."""
    luminance = torch.tensor(_LUMINANCE, device=made.device)[:, None, None]
    a, b = ((each * luminance).sum(1, keepdim=True) for each in (made, photos))
    losses = []
    for _ in range(_STRUCTURE_LEVELS):
        a, b = _halved(a), _halved(b)
        mean_a, mean_b, aa, bb, ab = (
            F.avg_pool2d(each, _WINDOW, 1) for each in (a, b, a * a, b * b, a * b)
        )
        of_a, of_b = (aa - mean_a**2).clamp_min(0), (bb - mean_b**2).clamp_min(0)
        covariance = ab - mean_a * mean_b
        correlation = (covariance + _FLAT) / ((of_a + _FLAT) * (of_b + _FLAT)).sqrt()
        weight = of_b.sqrt() + _FLAT
        losses.append(((1 - correlation) * weight).sum() / weight.sum())
    return torch.stack(losses).mean()


def _bands(pictures: Tensor) -> list[Tensor]:
    """A Laplacian pyramid (Burt and Adelson 1983): what each halving loses, and what is left."""
    bands = []
    for _ in range(_LEVELS - 1):
        small = _halved(pictures)
        bands.append(pictures - F.interpolate(small, pictures.shape[-2:], mode="bilinear"))
        pictures = small
    return [*bands, pictures]


def _halved(pictures: Tensor) -> Tensor:
    """Half the size, blurred by a binomial first."""
    weights = torch.tensor([1.0, 3.0, 3.0, 1.0], device=pictures.device) / 8
    channels = pictures.shape[1]
    kernel = (weights[:, None] * weights).expand(channels, 1, 4, 4)
    padded = F.pad(pictures, (1, 1, 1, 1), mode="replicate")
    return F.conv2d(padded, kernel, stride=2, groups=channels)


def _shares(responses: Tensor) -> Tensor:
    """Sorted, and the mean of each 64th of them, (..., 64)."""
    # Not adaptive pooling, which Apple's graphics have only for counts that 64 divides.
    count = responses.shape[2]
    place = torch.arange(count, device=responses.device)[:, None]
    share = torch.arange(_SHARES, device=responses.device)
    first, last = share * count // _SHARES, ((share + 1) * count - 1) // _SHARES
    belongs = ((place >= first) & (place <= last)).to(responses.dtype)
    return responses.sort(dim=2, stable=True)[0] @ (belongs / belongs.sum(0))


def _gram(features: Tensor) -> Tensor:
    flat = features.flatten(2)
    return flat @ flat.transpose(1, 2) / flat.shape[2]


def _variance(features: Tensor) -> Tensor:
    return features.var((0, 2, 3), keepdim=True)


def _normed(features: Tensor) -> Tensor:
    mean = features.mean((2, 3), keepdim=True)
    variance = (features - mean).square().mean((2, 3), keepdim=True)
    # Not torch.std, whose gradient is NaN where nothing varies.
    return (features - mean) / (variance + _SMALLEST_SPREAD**2).sqrt()
