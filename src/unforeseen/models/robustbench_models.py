"""``robustbench:NAME?threat=Linf&dataset=cifar10``: adversarially trained models of RobustBench.

Architectures and addresses come from the library's table (Croce et al., *RobustBench: a
standardized adversarial robustness benchmark*, 2021). Checkpoints are read by this package, which
reads weights only. The models take pictures in [0, 1] and normalise themselves.
"""

__all__ = ["load_robustbench"]

import importlib.util
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Literal, NamedTuple, get_args

import timm
import torch
from timm.models import SwinTransformer, get_pretrained_cfg
from timm.models.swin_transformer import checkpoint_filter_fn
from torch import Tensor, nn

from unforeseen.cache_folder import cache_folder
from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_class_names
from unforeseen.errors import ModelError, UnknownNameError, UserError, first_line
from unforeseen.extras import import_extra
from unforeseen.models.cards import ModelCard
from unforeseen.models.checkpoint import load_weights, read_checkpoint
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.download import download, fetching
from unforeseen.models.files import check_model_file
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.timm_models import preprocessing_of
from unforeseen.preprocessing import Preprocessing
from unforeseen.uri import Uri

_Threat = Literal["Linf", "L2", "corruptions"]
_Dataset = Literal["cifar10", "cifar100", "imagenet"]

_CLASSES: Mapping[_Dataset, int] = {"cifar10": 10, "cifar100": 100, "imagenet": 1000}

#: The library's names of preprocessings of ImageNet's pictures; torchvision resizes bilinearly.
_PREPROCESSINGS: Mapping[str, Preprocessing] = MappingProxyType(
    {
        "Res256Crop224": Preprocessing(resize=256, crop=(224, 224), interpolation="bilinear"),
        "BicubicRes256Crop224": Preprocessing(resize=256, crop=(224, 224), interpolation="bicubic"),
        "Res224": Preprocessing(resize=(224, 224), crop=(224, 224), interpolation="bilinear"),
        "Crop288": Preprocessing(crop=(288, 288)),
    }
)

#: Buffers of the normalisation, which the architectures fill in and early checkpoints lack.
_NORMALISATION = ("mu", "sigma", "mean", "std")

#: What checkpoints hold beside the network: scores of pruned weights, and a head for training.
_TRAINING_ONLY = (".scores", "model_preact_hl1.1.weight")


class _Entry(NamedTuple):
    """One model of the library's table.

    Attributes:
        name: The library's.
        dataset: What it was trained on.
        threat: What against.
        content: The library's own entry: ``model`` makes the architecture, ``gdrive_id`` is the
            address of its checkpoint, ``preprocessing`` is there for ImageNet.
        registered: timm's name of it, where the library added it to timm; else empty.
    """

    name: str
    dataset: _Dataset
    threat: _Threat
    content: Mapping[str, Any]
    registered: str

    @property
    def where(self) -> str:
        """The options that name the table."""
        return f"threat={self.threat}&dataset={self.dataset}"


def load_robustbench(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads a model of RobustBench's table; ``?checkpoint=FILE`` takes its weights from a file.

    ``threat`` (``Linf``, ``L2`` or ``corruptions``; by default ``Linf``) and ``dataset``
    (``cifar10``, ``cifar100`` or ``imagenet``; by default ``cifar10``) say which table.

    Raises:
        MissingExtraError: The library isn't installed.
        UnknownNameError: It has no such table, or no such model in it.
        ModelError: The checkpoint can't be had, holds more than weights, or doesn't fit.
        UserError: The library can't be imported; the model is made of several networks, or is
            torchvision's own; or another option.
    """
    uri.expect_options(["checkpoint", "dataset", "threat"])
    entry = _entry(uri)
    module = _architecture(entry, uri.text)
    checkpoint = uri.options.get("checkpoint")
    if checkpoint is None:
        with fetching(uri.text, f"robustbench:{entry.name}?{entry.where}&checkpoint=FILE"):
            checkpoint = str(_downloaded(entry, uri.text))
    load_weights(module, _fitted(read_checkpoint(checkpoint), module), uri.text)
    names: Mapping[_Dataset, tuple[str, ...]] = {
        "cifar10": CIFAR10_CLASSES,
        "imagenet": imagenet_class_names(),
    }
    card = ModelCard(
        uri=uri.text,
        fingerprint=fingerprint_of(module),
        preprocessing=_preprocessing(entry, module),
        classes=_CLASSES[entry.dataset],
        class_names=names.get(entry.dataset, ()),
    )
    return DifferentiableClassifier(module, card, device)


def _entry(uri: Uri) -> _Entry:
    dataset: _Dataset = _choice(uri, "dataset", get_args(_Dataset), "cifar10")
    threat: _Threat = _choice(uri, "threat", get_args(_Threat), "Linf")
    tables = {
        (of_dataset.value, of_threat.value): models
        for of_dataset, by_threat in _library(uri.text).model_dicts.items()
        for of_threat, models in by_threat.items()
    }
    models = tables.get((dataset, threat), {})
    if uri.path not in models:
        kind = f"model of RobustBench (threat={threat}, dataset={dataset})"
        elsewhere = [
            f"threat={of_threat}&dataset={of_dataset}"
            for (of_dataset, of_threat), others in tables.items()
            if uri.path in others
        ]
        hint = f"There is one of that name for {' and '.join(elsewhere)}." if elsewhere else ""
        raise UnknownNameError(kind, uri.path, models, hint)
    registered = f"{uri.path}_{dataset}_{threat}".lower().replace("-", "_")
    return _Entry(
        name=uri.path,
        dataset=dataset,
        threat=threat,
        content=models[uri.path],
        registered=registered if timm.is_model(registered) else "",
    )


def _choice(uri: Uri, option: str, known: tuple[str, ...], default: str) -> Any:
    chosen = uri.options.get(option, default)
    if chosen not in known:
        raise UnknownNameError(f"RobustBench {option}", chosen, known)
    return chosen


def _library(needed_by: str) -> ModuleType:
    """The library's table, without the rest of the library.

    The package itself imports its evaluation and, with it, packages that neither its architectures
    need nor its requirements bring.
    """
    package = "robustbench"
    specification = None if package in sys.modules else importlib.util.find_spec(package)
    if specification is not None:
        stand_in = ModuleType(package)
        stand_in.__path__ = list(specification.submodule_search_locations or ())
        sys.modules[package] = stand_in
    try:
        with warnings.catch_warnings():
            # Of timm's old names, which it uses; the category depends on timm's release.
            warnings.simplefilter("ignore", FutureWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return import_extra(
                "robustbench.model_zoo.models",
                needed_by=needed_by,
                package=package,
                extra="robustbench",
            )
    finally:
        if specification is not None:
            del sys.modules[package]


def _architecture(entry: _Entry, uri: str) -> nn.Module:
    address = entry.content["gdrive_id"]
    if isinstance(address, list):
        raise UserError(
            f"{uri}: this model is made of several networks ({len(address)} checkpoints), which "
            "only RobustBench's own loader puts together. Load it in your own code (py:…)."
        )
    if not address and not entry.registered:
        raise UserError(
            f"{uri}: RobustBench takes this network from torchvision; write "
            "torchvision:resnet50?weights=IMAGENET1K_V1."
        )
    try:
        module: nn.Module = (
            timm.create_model(entry.registered, num_classes=_CLASSES[entry.dataset])
            if entry.registered
            else entry.content["model"]()
        )
    except Exception as error:  # code of many authors
        raise ModelError(
            f"{uri}: RobustBench can't make this architecture here: {type(error).__name__}: "
            f"{first_line(error)}"
        ) from error
    return module


def _downloaded(entry: _Entry, uri: str) -> Path:
    if entry.registered:
        configuration: Any = get_pretrained_cfg(entry.registered)
        return download(configuration.url)
    path = cache_folder() / "robustbench" / entry.dataset / entry.threat / f"{entry.name}.pt"
    if not path.exists():
        gdown = import_extra("gdown", needed_by=uri, package="gdown", extra="robustbench")
        path.parent.mkdir(parents=True, exist_ok=True)
        arriving = path.with_suffix(".part")
        gdown.download(id=entry.content["gdrive_id"], output=str(arriving))
        # A page that asks for patience would otherwise be kept as the checkpoint.
        check_model_file(str(arriving), "a checkpoint")
        arriving.replace(path)
    return path


def _fitted(weights: Mapping[str, Tensor], module: nn.Module) -> dict[str, Tensor]:
    """Weights under the module's names, whichever wrapper they were saved in."""
    own = module.state_dict()
    inner = getattr(module, "model", module)
    bare = {name.removeprefix("module."): value for name, value in weights.items()}
    inside = {name.removeprefix("model."): value for name, value in bare.items()}
    if isinstance(inner, SwinTransformer):
        # timm has changed its names since.
        inside = checkpoint_filter_fn(inside, inner)
    wrapped = {f"model.{name}": value for name, value in inside.items()}
    named = max((bare, inside, wrapped), key=lambda each: len(each.keys() & own.keys()))
    known = {
        name: value
        for name, value in named.items()
        if name in own or not name.endswith(_TRAINING_ONLY)
    }
    filled_in = {
        name: value for name, value in own.items() if name.rpartition(".")[2] in _NORMALISATION
    }
    return filled_in | known


def _preprocessing(entry: _Entry, module: nn.Module) -> Preprocessing | None:
    """The library's for ImageNet; CIFAR's pictures stay as they are."""
    if entry.dataset != "imagenet":
        return None
    if entry.registered:
        return preprocessing_of(getattr(module, "model", module))
    return _PREPROCESSINGS[entry.content["preprocessing"]]
