"""``torchvision:NAME``: classifiers of torchvision, published weights or those of a file.

Each set of published weights says how pictures are prepared for it, what its classes are called
and how accurate it is on ImageNet.
"""

__all__ = ["load_torchvision"]

import re
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torchvision import models
from torchvision.models import WeightsEnum

from unforeseen.errors import UnknownNameError
from unforeseen.models.cards import ModelCard
from unforeseen.models.checkpoint import load_weights, read_checkpoint
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.download import download, fetching
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.normalise import Normalised
from unforeseen.preprocessing import Interpolation, Preprocessing
from unforeseen.uri import Uri

_INTERPOLATIONS: Mapping[str, Interpolation] = {
    "nearest": "nearest",
    "bilinear": "bilinear",
    "bicubic": "bicubic",
    "lanczos": "lanczos",
}

#: Their published weights expect the normalisation of the TensorFlow models that they come from;
#: they convert from torchvision's usual one where ``transform_input`` is set.
_CONVERTING = ("googlenet", "inception_v3")

_IMAGENET_CLASSES = 1000

#: Published DenseNets call ``norm1`` of a layer ``norm.1``, which names of parameters can't.
_OLD_DENSENET = re.compile(r"(denselayer\d+\.(?:norm|relu|conv))\.([12])\.")


def load_torchvision(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads a classifier of torchvision.

    ``?weights=NAME`` chooses among its published weights, by default those that torchvision calls
    its best. ``?checkpoint=FILE`` takes the weights from a file, of which only weights are read;
    the number of classes is that of the file's last layer, and pictures are prepared as for the
    published weights. With both, the file holds the published weights of that name.

    Raises:
        UnknownNameError: torchvision has no such classifier or no such weights of it.
        ModelError: The weights can't be had, or don't fit.
        UserError: Another option.
    """
    uri.expect_options(["checkpoint", "weights"])
    name = uri.path
    known = models.list_models(module=models)
    if name not in known:
        raise UnknownNameError("torchvision classifier", name, known)
    published = _published(name, uri.options.get("weights"))
    checkpoint = uri.options.get("checkpoint")
    if checkpoint is None:
        with fetching(uri.text, f"torchvision:{name}?weights={published.name}&checkpoint=FILE"):
            checkpoint = str(download(published.url))
    tensors = read_checkpoint(checkpoint)
    is_published = "weights" in uri.options or "checkpoint" not in uri.options
    module = _with_weights(name, published if is_published else None, tensors, uri.text)
    return _classifier(module, published, uri.text, device, is_published=is_published)


def _published(name: str, wanted: str | None) -> WeightsEnum:
    there_are = models.get_model_weights(name)
    if wanted is None:
        best: WeightsEnum = there_are.DEFAULT
        return best
    # A few sets are for features only and have no classes.
    classifying = {each.name: each for each in there_are if each.meta["categories"]}
    if wanted not in classifying:
        raise UnknownNameError(f"weights of {name}", wanted, classifying)
    return classifying[wanted]


def _with_weights(
    name: str, published: WeightsEnum | None, tensors: Mapping[str, Tensor], source: str
) -> nn.Module:
    """The network that the tensors are of.

    Args:
        name: torchvision's.
        published: Which of its published weights they are; None for a user's own.
        tensors: By name.
        source: For errors.
    """
    tensors = {_OLD_DENSENET.sub(r"\1\2.", key): value for key, value in tensors.items()}
    module = _built(name, published, _IMAGENET_CLASSES)
    *_, last = module.state_dict()
    classes = len(tensors[last]) if last in tensors and tensors[last].ndim else _IMAGENET_CLASSES
    if classes != _IMAGENET_CLASSES:
        module = _built(name, published, classes)
    load_weights(module, tensors, source)
    return module


def _built(name: str, published: WeightsEnum | None, classes: int) -> nn.Module:
    """As torchvision's own builder makes it for these weights, untrained."""
    build = models.get_model_builder(name)
    if name in _CONVERTING:
        converts = published is not None
        module: nn.Module = build(num_classes=classes, transform_input=converts, init_weights=False)
    elif name.startswith("vit_") and published is not None:
        module = build(num_classes=classes, image_size=published.meta["min_size"][0])
    else:
        module = build(num_classes=classes)
    return module


def _classifier(
    module: nn.Module,
    published: WeightsEnum,
    uri: str,
    device: torch.device,
    *,
    is_published: bool,
) -> DifferentiableClassifier:
    prepare = published.transforms()
    (side,) = prepare.crop_size
    normalised = Normalised(module, prepare.mean, prepare.std)
    categories = tuple(published.meta["categories"]) if is_published else ()
    percent = published.meta["_metrics"]["ImageNet-1K"]["acc@1"] if is_published else None
    card = ModelCard(
        uri=uri,
        fingerprint=fingerprint_of(normalised),
        preprocessing=Preprocessing(
            resize=prepare.resize_size[0],
            crop=(side, side),
            interpolation=_INTERPOLATIONS[prepare.interpolation.value],
        ),
        classes=len(list(module.state_dict().values())[-1]),
        mean=tuple(prepare.mean),
        std=tuple(prepare.std),
        accuracy=None if percent is None else percent / 100,
        class_names=categories,
    )
    return DifferentiableClassifier(normalised, card, device)
