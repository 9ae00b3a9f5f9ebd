"""``open_clip:ARCH/PRETRAINED``: zero-shot classifiers of the OpenCLIP library.

Classes are ImageNet's with the 80 prompts of Radford et al. (2021), as the library ships both, or
those of a text file with the same prompts.
"""

__all__ = ["load_open_clip"]

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.extras import import_extra
from unforeseen.models.cards import ModelCard
from unforeseen.models.checkpoint import load_weights, read_checkpoint
from unforeseen.models.class_list import read_class_list
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.download import fetching
from unforeseen.models.embedding_cache import cached_embeddings
from unforeseen.models.files import quiet
from unforeseen.models.fingerprint import fingerprint_of, fingerprint_of_tensors
from unforeseen.models.normalise import Normalised
from unforeseen.models.zero_shot import ZeroShotClassifier, class_embeddings
from unforeseen.preprocessing import Interpolation, Preprocessing
from unforeseen.uri import Uri

#: What a set of published weights says of how pictures are prepared for it.
_PREPARATION = ("mean", "std", "interpolation", "resize_mode")

#: Numbers that checkpoints of OpenAI's own format hold beside the weights.
_NO_WEIGHTS = ("input_resolution", "context_length", "vocab_size")


class _Source(NamedTuple):
    """What is loaded.

    Attributes:
        architecture: The library's name.
        pretrained: Its name of published weights; None for a user's own.
        checkpoint: The file that holds the weights; None downloads the published ones.
    """

    architecture: str
    pretrained: str | None
    checkpoint: str | None


def load_open_clip(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads a model of images and texts, and makes a classifier of it.

    ``ARCH/PRETRAINED`` downloads published weights; ``ARCH?checkpoint=FILE`` takes a user's own
    from a file; with both, the file holds the published weights of that name. Only weights are
    read. ``?classes=FILE`` names other classes than ImageNet's, one on each line.

    Embedding 1,000 classes takes minutes on a GPU and up to an hour on a CPU; the embeddings are
    kept in the user's cache folder.

    Raises:
        MissingExtraError: The library isn't installed.
        UnknownNameError: It has no such architecture or no such weights of it.
        ModelError: The weights can't be had or don't fit, or the classes can't be read.
        UserError: Neither weights nor a file are named; or another option.
    """
    uri.expect_options(["checkpoint", "classes"])
    library = import_extra(
        "open_clip", needed_by=uri.text, package="open-clip-torch", extra="open-clip"
    )
    source = _source(library, uri)
    classes = (
        read_class_list(uri.options["classes"])
        if "classes" in uri.options
        else tuple(library.IMAGENET_CLASSNAMES)
    )
    instead = f"open_clip:{uri.path}?checkpoint=FILE"
    with fetching(uri.text, instead):
        model: Any = _model(library, source, uri.text)
    model = model.to(device).eval()
    key = _text_key(library, source, model, classes)

    def embed() -> Tensor:
        # A few architectures have a tokenizer that is downloaded.
        with fetching(uri.text, instead):
            tokenize = library.get_tokenizer(source.architecture)
        return class_embeddings(
            lambda texts: model.encode_text(tokenize(list(texts)).to(device)),
            classes,
            library.OPENAI_IMAGENET_TEMPLATES,
        )

    embeddings = cached_embeddings(key, len(classes), embed)
    return _classifier(model, embeddings, key, classes, uri.text, device)


def _source(library: ModuleType, uri: Uri) -> _Source:
    architecture, slash, pretrained = uri.path.partition("/")
    checkpoint = uri.options.get("checkpoint")
    known = library.list_models()
    if architecture not in known:
        raise UnknownNameError("OpenCLIP architecture", architecture, known)
    published = library.list_pretrained_tags_by_model(architecture)
    if slash and pretrained not in published:
        raise UnknownNameError(f"weights of {architecture}", pretrained, published)
    if not slash and checkpoint is None:
        there_are = f" There are: {', '.join(published)}." if published else ""
        raise UserError(
            f"{uri.text!r}: expected open_clip:{architecture}/PRETRAINED or "
            f"open_clip:{architecture}?checkpoint=FILE.{there_are}"
        )
    return _Source(architecture, pretrained if slash else None, checkpoint)


def _model(library: ModuleType, source: _Source, uri: str) -> nn.Module:
    published = (
        library.get_pretrained_cfg(source.architecture, source.pretrained)
        if source.pretrained
        else {}
    )
    file = source.checkpoint or library.download_pretrained(published)
    weights = read_checkpoint(file)
    with quiet("root"):
        model: nn.Module = library.create_model(
            source.architecture,
            # Else OpenAI's weights, and others, meet a GELU that they weren't trained with.
            force_quick_gelu=published.get("quick_gelu", False),
            force_preprocess_cfg=_preparation(library, source),
            pretrained_hf=False,
        )
    load_weights(model, _renamed(library, weights, model), uri)
    return model


def _preparation(library: ModuleType, source: _Source) -> dict[str, Any]:
    """As the published weights say; for a user's own as all published ones say, if they agree."""
    names = (
        [source.pretrained]
        if source.pretrained
        else library.list_pretrained_tags_by_model(source.architecture)
    )
    said = [library.get_pretrained_cfg(source.architecture, name) for name in names]
    said = [{key: each[key] for key in _PREPARATION if key in each} for each in said]
    return said[0] if said and all(each == said[0] for each in said) else {}


def _renamed(
    library: ModuleType, weights: Mapping[str, Tensor], model: nn.Module
) -> dict[str, Tensor]:
    """Weights under this release's names, whichever release or maker they come from."""
    own = model.state_dict()
    named: dict[str, Tensor] = dict(library.convert.convert_state_dict(model, dict(weights)))
    if "positional_embedding" in named and "positional_embedding" not in own:
        named = library.model.convert_to_custom_text_state_dict(named)
    for name in ("logit_scale", "logit_bias"):
        if name in named and name in own:
            named[name] = named[name].reshape(own[name].shape)
    if "logit_bias" in own:
        # Models that were trained with a softmax have none.
        named.setdefault("logit_bias", torch.zeros_like(own["logit_bias"]))
    aside = (*_NO_WEIGHTS, "text.transformer.embeddings.position_ids")
    return {name: value for name, value in named.items() if name in own or name not in aside}


def _text_key(
    library: ModuleType, source: _Source, model: nn.Module, classes: Sequence[str]
) -> str:
    """A hash of all that class embeddings depend on."""
    tensors = {
        name: value
        for name, value in model.state_dict().items()
        if not name.startswith(("visual.", "logit_"))
    }
    prompts = [prompt("{}") for prompt in library.OPENAI_IMAGENET_TEMPLATES]
    text = library.get_model_config(source.architecture)["text_cfg"]
    structure = repr(model)  # with the kind of GELU, which the weights may have changed
    return fingerprint_of_tensors(
        tensors, library.__version__, structure, sorted(text.items()), tuple(classes), prompts
    )


def _classifier(
    model: Any,
    embeddings: Tensor,
    key: str,
    classes: tuple[str, ...],
    uri: str,
    device: torch.device,
) -> DifferentiableClassifier:
    settings = model.visual.preprocess_cfg
    scale = model.logit_scale.exp().item()
    bias = 0.0 if model.logit_bias is None else model.logit_bias.item()
    mean, std = tuple(settings["mean"]), tuple(settings["std"])
    zero_shot = ZeroShotClassifier(model.visual, embeddings, scale=scale, bias=bias)
    card = ModelCard(
        uri=uri,
        # Not of the embeddings: their last digits depend on the device that made them.
        fingerprint=fingerprint_of(model.visual, key, scale, bias, mean, std),
        preprocessing=_preprocessing(settings, uri),
        classes=len(classes),
        mean=mean,
        std=std,
        class_names=classes,
    )
    return DifferentiableClassifier(Normalised(zero_shot, mean, std), card, device)


def _preprocessing(settings: Mapping[str, Any], uri: str) -> Preprocessing:
    size = settings["size"]
    height, width = (size, size) if isinstance(size, int) else size
    mode = settings["resize_mode"]
    if mode not in ("shortest", "squash"):
        raise ModelError(
            f"{uri}: expected a model whose pictures are resized by their shorter side or "
            f"stretched; the mode of this one is {mode!r}."
        )
    # As the library: whatever isn't bilinear is bicubic.
    interpolation: Interpolation = (
        "bilinear" if settings["interpolation"] == "bilinear" else "bicubic"
    )
    return Preprocessing(
        resize=(height, width) if mode == "squash" else max(height, width),
        crop=(height, width),
        interpolation=interpolation,
    )
