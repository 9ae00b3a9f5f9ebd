"""What a network that knows ImageNet sees of a picture in its first layers (Gatys et al. 2016).

EfficientNets' *deep* features carry a style badly, and ReLU6 gives no gradient beyond its ends. So only
the layers down to an eighth of the picture's size are taken, and GELU stands for ReLU6. The wide
layers inside of the blocks, after their depthwise convolutions, say more than the narrow ones between them.
"""

__all__ = ["PERCEPTUAL_MODEL", "EarlyFeatures", "PerceptualNetwork", "early_features"]

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from typing_extensions import override

from unforeseen.asset_making.styles.losses import See
from unforeseen.models import load_model
from unforeseen.models.classifier import DifferentiableClassifier

#: Its package comes with the extra ``demo``.
PERCEPTUAL_MODEL = "demo:efficientnet-lite0"

#: Blocks of EfficientNet-Lite0 down to an eighth of the picture's size.
_BLOCKS = 5


class EarlyFeatures(nn.Module):
    """The first layers of an EfficientNet, smoothed and frozen.

    Args:
        module: Takes pictures in [0, 1] and has an EfficientNet of timm inside. It is changed.
    """

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        network = next(each for each in module.modules() if hasattr(each, "conv_stem"))
        stem = (network.get_submodule(name) for name in ("conv_stem", "bn1"))
        self.stem = nn.Sequential(*stem)
        stages = cast("nn.Sequential", network.get_submodule("blocks"))
        blocks = [block for stage in stages for block in cast("nn.Sequential", stage)]
        self.blocks = nn.ModuleList(blocks[:_BLOCKS])
        self._wide: list[Tensor] = []
        for block in self.blocks:
            # The first kind of block has no wide layer inside.
            if hasattr(block, "conv_pwl"):
                block.get_submodule("bn2").register_forward_hook(self._keep)
        _smooth(self)
        self.eval().requires_grad_(requires_grad=False)
        self.to(memory_format=torch.channels_last)

    @override
    def forward(self, pictures: Tensor) -> list[Tensor]:
        """Sees pictures (B, 3, H, W) in [0, 1]; returns features (B, C, h, w), the finest first."""
        x = self.stem((pictures * 2 - 1).contiguous(memory_format=torch.channels_last))
        seen = [x]
        for block in self.blocks:
            x = block(x)
            seen += [*self._wide, x]
            self._wide.clear()
        return seen

    def _keep(self, _module: nn.Module, _seen: object, wide: Tensor) -> None:
        self._wide.append(wide)


class PerceptualNetwork(NamedTuple):
    """What sees pictures for the losses.

    Attributes:
        see: Gives the features.
        fingerprint: Of the model that it was taken from.
    """

    see: See
    fingerprint: str


def early_features(device: torch.device) -> PerceptualNetwork:
    """Loads :data:`PERCEPTUAL_MODEL`; raises MissingExtraError where its package isn't installed."""
    model = load_model(PERCEPTUAL_MODEL, device=device)
    assert isinstance(model, DifferentiableClassifier)
    return PerceptualNetwork(EarlyFeatures(model.module), model.card.fingerprint)


def _smooth(module: nn.Module) -> None:
    for name, child in module.named_children():
        if isinstance(child, nn.ReLU6):
            setattr(module, name, nn.GELU())
        else:
            _smooth(child)
