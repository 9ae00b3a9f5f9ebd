"""What labels can count: the spaces that benchmarks and data share."""

__all__ = ["LABEL_SPACES", "OF_IMAGENET", "LabelSpace"]

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

LabelSpace = Literal["imagenet", "imagenet100", "imagenet16", "cifar10"]

#: Number of classes of each.
LABEL_SPACES: Mapping[LabelSpace, int] = MappingProxyType(
    {"imagenet": 1000, "imagenet100": 100, "imagenet16": 16, "cifar10": 10}
)

#: Those that a model of ImageNet's 1,000 outputs can answer.
OF_IMAGENET: frozenset[LabelSpace] = frozenset({"imagenet", "imagenet100", "imagenet16"})
