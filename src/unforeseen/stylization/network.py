"""One image transformer for many styles (*A Learned Representation For Artistic Style*, 2017).

As Dumoulin, Shlens and Kudlur describe it there: all styles share every convolution. A style is what follows each of them: a scale and a shift per
channel, after the channel was normalised over the picture (section 2.2). From Johnson et al.
(2016) comes the shape: down, a few residual blocks, and up again. Different from both: the
picture is rearranged to half its size before anything else, channels are few, and what the way down
saw is added on the way up, so that a core does ten pictures a second and contours stay.
"""

__all__ = ["SMALLEST_SIDE", "ConditionalInstanceNorm", "StylizationNetwork"]

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from typing_extensions import override

#: Smaller pictures leave nothing to normalise over.
SMALLEST_SIDE = 32

#: Channels at a half, a quarter and an eighth of the picture's size, and at its full size.
_HALF, _QUARTER, _EIGHTH, _FULL = 16, 32, 64, 12
_BLOCKS = 4
#: Sides are padded to a multiple of what the network divides them by.
_STEP = 8
_EPSILON = 1e-5
#: In units of a channel's spread. Without a bound networks learn to hide a spot so bright that nothing
#: else counts when its channel is normalised (Karras et al. 2020), which shows as a stain.
_HIGHEST = 6.0


class ConditionalInstanceNorm(nn.Module):
    """Each channel of each picture to mean 0 and variance 1, then scale γ and shift β of its style.

    Args:
        styles: How many there are.
        channels: Of the input.
    """

    def __init__(self, styles: int, channels: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(styles, channels))
        self.shift = nn.Parameter(torch.zeros(styles, channels))

    @override
    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        """Takes (B, C, H, W) and the row of each picture's style, (B,) int64."""
        mean = x.mean((2, 3), keepdim=True)
        # Means of squares are ten times quicker than torch.var on a CPU. What comes here has no bias,
        # so its mean is small, and little is lost in the difference.
        variance = (x * x).mean((2, 3), keepdim=True) - mean * mean
        scale = self.scale[style][:, :, None, None] * (variance.clamp_min(0) + _EPSILON).rsqrt()
        return torch.addcmul(self.shift[style][:, :, None, None] - mean * scale, x, scale)


class StylizationNetwork(nn.Module):
    """Pictures in, the same pictures in another style out.

    Args:
        styles: How many it has.
    """

    def __init__(self, styles: int) -> None:
        super().__init__()
        self.styles = styles
        self.to_half = _Layer(styles, 4 * 3, _HALF)
        self.to_quarter = _Layer(styles, _HALF, _QUARTER, stride=2)
        self.to_eighth = _Layer(styles, _QUARTER, _EIGHTH, stride=2)
        self.blocks = nn.ModuleList(_Block(styles, _EIGHTH) for _ in range(_BLOCKS))
        self.from_eighth = _Layer(styles, _EIGHTH, _QUARTER)
        self.block_at_quarter = _Block(styles, _QUARTER)
        self.from_quarter = _Layer(styles, _QUARTER, _HALF)
        self.from_half = _Layer(styles, _HALF, _FULL)
        self.to_colour = _convolution(_FULL, 3, bias=True)

    @override
    def forward(self, images: Tensor, style: Tensor) -> Tensor:
        """Stylises pictures.

        Args:
            images: (B, 3, H, W) in [0, 1], at least 32 × 32 pixels.
            style: (B,), int64: the number of the style of each, from 0.

        Returns:
            (B, 3, H, W) in [0, 1].
        """
        height, width = images.shape[-2:]
        padded = F.pad(images, (0, -width % _STEP, 0, -height % _STEP), mode="replicate")
        # Convolutions on a CPU are quicker with channels last.
        x = F.pixel_unshuffle(padded - 0.5, 2).contiguous(memory_format=torch.channels_last)
        half = F.relu6(self.to_half(x, style))
        quarter = F.relu6(self.to_quarter(half, style))
        x = F.relu6(self.to_eighth(quarter, style))
        for block in self.blocks:
            x = block(x, style)
        x = F.relu6(self.from_eighth(_enlarged(x), style) + quarter)
        x = self.block_at_quarter(x, style)
        x = F.relu6(self.from_quarter(_enlarged(x), style) + half)
        x = F.relu6(self.from_half(_enlarged(x), style))
        return torch.sigmoid(self.to_colour(x))[..., :height, :width].contiguous()


class _Layer(nn.Module):
    """A convolution and the normalisation of a style."""

    def __init__(self, styles: int, inputs: int, outputs: int, *, stride: int = 1) -> None:
        super().__init__()
        self.convolution = _convolution(inputs, outputs, stride=stride)
        self.norm = ConditionalInstanceNorm(styles, outputs)

    @override
    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        normed: Tensor = self.norm(self.convolution(x), style)
        return normed


class _Block(nn.Module):
    """x plus two layers of x, bounded."""

    def __init__(self, styles: int, channels: int) -> None:
        super().__init__()
        self.first = _Layer(styles, channels, channels)
        self.second = _Layer(styles, channels, channels)

    @override
    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        changed = x + self.second(F.relu6(self.first(x, style)), style)
        return F.hardtanh(changed, -_HIGHEST, _HIGHEST)


def _convolution(inputs: int, outputs: int, *, stride: int = 1, bias: bool = False) -> nn.Conv2d:
    """3 × 3, with edges repeated: black ones would show as a frame."""
    return nn.Conv2d(inputs, outputs, 3, stride, padding=1, padding_mode="replicate", bias=bias)


def _enlarged(x: Tensor) -> Tensor:
    """Twice the size by repeating pixels: transposed convolutions leave a chequerboard."""
    return F.interpolate(x, scale_factor=2, mode="nearest")
