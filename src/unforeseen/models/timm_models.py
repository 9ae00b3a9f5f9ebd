"""``timm:NAME`` and ``timm:NAME?checkpoint=FILE``: architectures of the timm library."""

__all__ = ["load_timm", "preprocessing_of", "timm_classifier"]

import math
from collections.abc import Mapping
from typing import NamedTuple

import timm
import torch
from timm.data.config import resolve_model_data_config
from timm.data.imagenet_info import infer_imagenet_subset
from timm.models import get_pretrained_cfg
from torch import Tensor, nn

from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.errors import ModelError, UnknownNameError
from unforeseen.models.cards import ModelCard
from unforeseen.models.checkpoint import load_weights, read_checkpoint
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.download import fetching
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.normalise import Normalised
from unforeseen.preprocessing import Interpolation, Preprocessing
from unforeseen.uri import Uri

_INTERPOLATIONS: Mapping[str, Interpolation] = {
    "bilinear": "bilinear",
    "bicubic": "bicubic",
    "nearest": "nearest",
    "lanczos": "lanczos",
}

#: The benchmark's own rule for ResNet-50 at 224 pixels, whatever timm says of its weights.
_RESNET50 = Preprocessing(resize=256, crop=(224, 224), interpolation="bilinear")


def load_timm(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads an architecture of timm with its published weights, or with those of a file.

    Only weights are read from the file. The number of classes is that of the file's last layer.

    Raises:
        UnknownNameError: timm has no such architecture or no such weights of it.
        ModelError: The weights can't be had, or don't fit.
        UserError: An option other than ``checkpoint``.
    """
    uri.expect_options(["checkpoint"])
    _check_name(uri.path)
    checkpoint = uri.options.get("checkpoint")
    if checkpoint is not None:
        return timm_classifier(_from_file(uri, checkpoint), uri.text, device)
    module = _published(uri)
    return timm_classifier(module, uri.text, device, class_names=_published_names(module))


def timm_classifier(
    module: nn.Module,
    uri: str,
    device: torch.device,
    *,
    accuracy: float | None = None,
    class_names: tuple[str, ...] = (),
) -> DifferentiableClassifier:
    """Wraps a timm model with the normalisation and preprocessing of its own configuration.

    Args:
        module: As :func:`timm.create_model` makes it.
        uri: How the user named it.
        device: Where it is put.
        accuracy: For its card.
        class_names: For its card.

    Raises:
        ModelError: The model has no classes: it is a feature extractor.
    """
    configuration = _configuration(module)
    classes = getattr(module, "num_classes", None)
    if classes == 0:
        raise ModelError(
            f"{uri}: expected a classifier, got a model without classes (timm publishes these "
            "weights for features only). Name a fine-tuned one, or a checkpoint with a classifier."
        )
    normalised = Normalised(module, configuration.mean, configuration.std)
    card = ModelCard(
        uri=uri,
        fingerprint=fingerprint_of(normalised),
        preprocessing=preprocessing_of(module),
        classes=classes if isinstance(classes, int) else None,
        mean=configuration.mean,
        std=configuration.std,
        accuracy=accuracy,
        class_names=class_names,
    )
    return DifferentiableClassifier(normalised, card, device)


def preprocessing_of(module: nn.Module) -> Preprocessing:
    """What timm does to pictures for this model in evaluation, as far as it can be expressed.

    The crop is the model's input size; the shorter side is resized to ⌊input size / crop_pct⌋,
    for inputs that aren't square the longer of both sides, so that the crop is always covered.
    The same for crop_mode "squash" and "border", which in timm stretch and pad the picture
    instead (9 % of the published weights); where crop_pct is 1, that is all they differ in.
    ResNet-50 at 224 pixels follows the benchmark (bilinear, 256, 224) instead of timm.
    """
    configuration = _configuration(module)
    height, width = configuration.size
    architecture = (getattr(module, "pretrained_cfg", None) or {}).get("architecture")
    if architecture == "resnet50" and (height, width) == (224, 224):
        return _RESNET50
    return Preprocessing(
        resize=max(math.floor(side / configuration.crop_share) for side in (height, width)),
        crop=(height, width),
        interpolation=_INTERPOLATIONS.get(configuration.interpolation, "bicubic"),
    )


class _Configuration(NamedTuple):
    """What is used here of timm's configuration of a model."""

    mean: tuple[float, ...]
    std: tuple[float, ...]
    size: tuple[int, int]
    crop_share: float
    interpolation: str


def _configuration(module: nn.Module) -> _Configuration:
    found = resolve_model_data_config(module)  # type: ignore[no-untyped-call]  # timm's
    return _Configuration(
        mean=tuple(found["mean"]),
        std=tuple(found["std"]),
        size=(found["input_size"][1], found["input_size"][2]),
        crop_share=found["crop_pct"],
        interpolation=found["interpolation"],
    )


def _check_name(name: str) -> None:
    architecture, dot, _ = name.partition(".")
    if not timm.is_model(architecture):
        raise UnknownNameError(
            "timm architecture",
            architecture,
            timm.list_models(),
            "Search them with: python -c \"import timm; print(timm.list_models('*resnet*'))\".",
        )
    published = timm.list_models(f"{architecture}.*", pretrained=True) if dot else []
    if dot and name not in published:
        raise UnknownNameError("weights", name, published)


def _published(uri: Uri) -> nn.Module:
    with fetching(uri.text, f"timm:{uri.path}?checkpoint=FILE"):
        module: nn.Module = timm.create_model(uri.path, pretrained=True)
    return module


def _published_names(module: nn.Module) -> tuple[str, ...]:
    """ImageNet's classes where timm's weights end in them, as those with 1,000 outputs do."""
    is_imagenet = infer_imagenet_subset(module) == "imagenet-1k"
    return imagenet_class_names() if is_imagenet else ()


def _from_file(uri: Uri, checkpoint: str) -> nn.Module:
    weights = read_checkpoint(checkpoint)
    classes = _count_classes(uri.path, weights)
    module: nn.Module = (
        timm.create_model(uri.path, pretrained=False)
        if classes is None
        else timm.create_model(uri.path, pretrained=False, num_classes=classes)
    )
    load_weights(module, weights, uri.text)
    return module


def _count_classes(name: str, weights: Mapping[str, Tensor]) -> int | None:
    """Outputs of the layer that timm calls this architecture's classifier; None if not found."""
    configuration = get_pretrained_cfg(name)
    layers = configuration.classifier if configuration else None
    layer = layers if isinstance(layers, str) else next(iter(layers or ()), None)
    weight = weights.get(f"{layer}.weight")
    return None if weight is None or weight.ndim < 2 else weight.shape[0]
