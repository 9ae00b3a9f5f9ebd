"""Loading classifiers: by URI for the command line, from objects for Python."""

__all__ = [
    "MODEL_SCHEMES",
    "DifferentiableClassifier",
    "FunctionPredictor",
    "ModelCard",
    "ModelScheme",
    "PredictFunction",
    "Predictor",
    "as_classifier",
    "black_box",
    "load_model",
]

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import nn

from unforeseen.errors import ModelError, UnknownNameError
from unforeseen.models.bare_names import scheme_of_bare
from unforeseen.models.calls import PredictFunction
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.device import choose_device
from unforeseen.models.exported import load_exported
from unforeseen.models.function_predictor import FunctionPredictor, black_box, function_card
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Head
from unforeseen.models.python_objects import load_python
from unforeseen.uri import Uri


@dataclass(frozen=True, kw_only=True)
class ModelScheme:
    """One way of naming a model.

    Attributes:
        load: Takes the parsed URI and the device.
        description: One line for lists.
        example: A whole URI.
    """

    load: Callable[[Uri, torch.device], Predictor]
    description: str
    example: str


def _when_asked(module: str, function: str) -> Callable[[Uri, torch.device], Predictor]:
    """A loader whose module, and with it a library that takes seconds, is imported when called."""

    def load(uri: Uri, device: torch.device) -> Predictor:
        loader: Callable[[Uri, torch.device], Predictor] = getattr(
            importlib.import_module(f"unforeseen.models.{module}"), function
        )
        return loader(uri, device)

    return load


MODEL_SCHEMES: Mapping[str, ModelScheme] = MappingProxyType(
    {
        "demo": ModelScheme(
            load=_when_asked("demo", "load_demo"),
            description="a real ImageNet network that comes with a package; no download",
            example="demo:efficientnet-lite0",
        ),
        "open_clip": ModelScheme(
            load=_when_asked("open_clip_models", "load_open_clip"),
            description="a zero-shot classifier of OpenCLIP: ImageNet's classes or ?classes=FILE",
            example="open_clip:ViT-B-32/openai",
        ),
        "pt2": ModelScheme(
            load=load_exported,
            description="a torch.export program, [0, 1] → logits (runs it); its pt2: may be left out",
            example="model.pt2",
        ),
        "py": ModelScheme(
            load=load_python,
            description="an nn.Module on [0, 1], or FUNCTION?version=…, from your code (runs it)",
            example="py:path/to/file.py:make_model",
        ),
        "robustbench": ModelScheme(
            load=_when_asked("robustbench_models", "load_robustbench"),
            description="a model of RobustBench, ?threat=Linf&dataset=cifar10 or ?checkpoint=FILE",
            example="robustbench:Carmon2019Unlabeled?threat=Linf",
        ),
        "timm": ModelScheme(
            load=_when_asked("timm_models", "load_timm"),
            description="an architecture of timm, published weights or ?checkpoint=FILE",
            example="timm:resnet50?checkpoint=weights.safetensors",
        ),
        "torchvision": ModelScheme(
            load=_when_asked("torchvision_models", "load_torchvision"),
            description="a classifier of torchvision, ?weights=NAME or ?checkpoint=FILE",
            example="torchvision:resnet50?weights=IMAGENET1K_V1",
        ),
        "transformers": ModelScheme(
            load=_when_asked("transformers_models", "load_transformers"),
            description="an image classifier of the Hugging Face hub, or a folder of that format",
            example="transformers:google/vit-base-patch16-224",
        ),
    }
)


def load_model(
    uri: str | os.PathLike[str],
    *,
    device: str | torch.device | None = None,
    head: str | Head | Sequence[str | Head] = (),
) -> Predictor:
    """Loads a classifier, a module in evaluation mode.

    ``py:`` and ``.pt2`` run the code that they name. A checkpoint runs nothing.

    Args:
        uri: One of :data:`MODEL_SCHEMES`, e.g. ``timm:resnet50``, or a path that ends in ``.pt2``.
        device: None takes cuda if there is one, else mps, else the CPU. A plain function stays
            where it is.
        head: What maps the model's outputs to other classes; see
            :func:`unforeseen.models.headed.with_head`.

    Raises:
        UnknownNameError: An unknown scheme, an unknown name in it, or an unknown head.
        MissingExtraError: The model needs a package that isn't installed.
        ModelError: The model can't be loaded, or a head doesn't fit it.
        UserError: The URI or the device is malformed.
    """
    parsed = Uri.parse(os.fspath(uri))
    scheme = parsed.scheme or scheme_of_bare(parsed)
    if scheme not in MODEL_SCHEMES:
        raise UnknownNameError(
            "model scheme",
            scheme,
            MODEL_SCHEMES,
            "Expected for example timm:resnet50 or model.pt2.",
        )
    loaded = with_head(MODEL_SCHEMES[scheme].load(parsed, choose_device(device)), head)
    if isinstance(loaded, DifferentiableClassifier):
        loaded.leave_training()
    return loaded


def as_classifier(
    model: nn.Module | Predictor | PredictFunction,
) -> Predictor:
    """Makes a classifier of what a Python user has.

    Args:
        model: A torch module, pictures (B, 3, H, W) in [0, 1] → logits, which stays on its device
            and is evaluated in evaluation mode, its flags restored after; a function, uint8
            pictures (B, H, W, 3) → probabilities (B, classes), of which no results
            can be kept (for that, see :func:`black_box`); or a classifier, returned as it is.

    Raises:
        ModelError: It is none of these.
    """
    if isinstance(model, Predictor):
        return model
    if isinstance(model, nn.Module):
        return DifferentiableClassifier(model)
    if callable(model) and not isinstance(model, type):
        return FunctionPredictor(model, function_card(model))
    got = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
    raise ModelError(
        f"expected an nn.Module on pictures in [0, 1], a function or a classifier; got {got}. "
        "Load a model by its URI with load_model; of a class, pass an instance."
    )
