"""``transformers:NAME_OR_DIR``: image classifiers in the Hugging Face library's format.

Only configurations (JSON) and safetensors are read. Code that a model brings along is never run,
and a local folder never touches the network.
"""

__all__ = ["load_transformers"]

import os.path
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError, UserError, first_line
from unforeseen.extras import import_extra
from unforeseen.models.bare_names import is_hub_name
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.download import fetching
from unforeseen.models.files import check_model_file, quiet
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.image_processor import ImageProcessor, read_image_processor
from unforeseen.models.normalise import Normalised
from unforeseen.uri import Uri, path_of

#: What of a configuration says nothing about the function that a model computes.
_IMMATERIAL = ("_name_or_path", "architectures", "dtype", "torch_dtype", "transformers_version")


def load_transformers(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads an image classifier from a folder that ``save_pretrained`` wrote, or from the hub.

    Weights of half precision are computed with in single precision.

    Raises:
        MissingExtraError: The library isn't installed.
        ModelError: The files can't be had or are damaged; they are of another kind of model, or
            of one without a trained classifier; they hold pickles or need code to be run; or its
            image processor does more than to resize, crop and normalise.
        UserError: Any option.
    """
    uri.expect_options([])
    library = import_extra(
        "transformers", needed_by=uri.text, package="transformers", extra="transformers"
    )
    folder = path_of(uri.path)
    is_local = os.path.isdir(folder)  # noqa: PTH112 – Path's raises on overlong names
    if is_local:
        _check_folder(folder, uri.text)
        with _blaming(uri.text), _silent(library):
            module, processor = _load(library, str(folder), uri.text, is_local=True)
    elif not is_hub_name(uri.path):
        raise ModelError(
            f"{uri.text}: expected a folder that save_pretrained wrote, but there is none; or the "
            "name of a model on the Hugging Face hub, OWNER/NAME."
        )
    else:
        with fetching(uri.text, "transformers:FOLDER"), _silent(library):
            module, processor = _load(library, uri.path, uri.text, is_local=False)
    normalised = Normalised(_LogitsOnly(module), processor.mean, processor.std)
    configuration: Any = module.config
    material = {k: v for k, v in configuration.to_dict().items() if k not in _IMMATERIAL}
    card = ModelCard(
        uri=uri.text,
        fingerprint=fingerprint_of(normalised, sorted(material.items())),
        preprocessing=processor.preprocessing,
        classes=configuration.num_labels,
        mean=processor.mean,
        std=processor.std,
        class_names=_names(configuration),
    )
    return DifferentiableClassifier(normalised, card, device)


class _LogitsOnly(nn.Module):
    """The library's models return several things by name."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.model(pixel_values=x).logits
        return scores


def _check_folder(folder: Path, uri: str) -> None:
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"{uri}: expected a folder that save_pretrained wrote, with a config.json; {folder} "
            "has none."
        )
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise ModelError(
            f"{uri}: expected weights in safetensors in {folder}, found none; pickled ones aren't "
            "read, because they can run code. If you trust yours, convert them once in Python: "
            "AutoModelForImageClassification.from_pretrained(FOLDER).save_pretrained(FOLDER)."
        )
    for file in weights:
        check_model_file(str(file), "a safetensors file")


def _load(
    library: ModuleType, name: str, uri: str, *, is_local: bool
) -> tuple[nn.Module, ImageProcessor]:
    configuration = library.AutoConfig.from_pretrained(
        name, local_files_only=is_local, trust_remote_code=False
    )
    if configuration.model_type == "timm_wrapper":
        raise UserError(f"{uri}: this is a model of timm; write timm:NAME with timm's name.")
    module = _classifier(library, name, configuration, uri, is_local=is_local)
    processor = library.AutoImageProcessor.from_pretrained(
        name, local_files_only=is_local, trust_remote_code=False
    )
    return module, read_image_processor(processor, uri)


def _classifier(
    library: ModuleType, name: str, configuration: Any, uri: str, *, is_local: bool
) -> nn.Module:
    try:
        module, loading = library.AutoModelForImageClassification.from_pretrained(
            name,
            config=configuration,
            local_files_only=is_local,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    except ValueError as error:
        if "nrecognized configuration class" not in str(error):
            raise
        raise ModelError(
            f"{uri}: expected an image classifier, got a model of kind "
            f"{configuration.model_type!r}, of which the library knows none that classifies "
            "images. Name another model, or load it in your own code "
            "(py:…)."
        ) from error
    missing = sorted(loading["missing_keys"])
    if missing:
        raise ModelError(
            f"{uri}: the files lack {len(missing)} of the weights of "
            f"{type(module).__name__} ({', '.join(missing[:3])}{', …' if missing[3:] else ''}), "
            "which would be random: the model was trained without a classifier, or is of another "
            "architecture than its config.json says. Name a fine-tuned one; of CLIP-like models, "
            "write open_clip:…."
        )
    classifier: nn.Module = module.float()
    for part in classifier.modules():
        # Where the files lay; as a plain attribute it would become part of the fingerprint.
        if "name_or_path" in vars(part):
            vars(part)["name_or_path"] = ""
    return classifier


def _names(configuration: Any) -> tuple[str, ...]:
    """Labels in order; none where they are the library's placeholders."""
    names = tuple(str(configuration.id2label[index]) for index in range(configuration.num_labels))
    placeholders = tuple(f"LABEL_{index}" for index in range(configuration.num_labels))
    return () if names == placeholders else names


@contextmanager
def _blaming(uri: str) -> Iterator[None]:
    """Turns whatever the library raises about a local folder into one line."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # it, tokenizers and safetensors have trees of their own
        raise ModelError(
            f"{uri}: the library transformers can't load this folder: {type(error).__name__}: "
            f"{first_line(error)}"
        ) from error


@contextmanager
def _silent(library: ModuleType) -> Iterator[None]:
    """Without progress bars and warnings of what is refused anyway."""
    logging = library.utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        with quiet("transformers"):
            yield
    finally:
        if shown:
            logging.enable_progress_bar()
