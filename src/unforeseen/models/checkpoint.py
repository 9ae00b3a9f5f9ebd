"""Checkpoints: weights read from a file, without running any of its code."""

__all__ = ["load_weights", "read_checkpoint"]

import pickle
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError, first_line
from unforeseen.models.files import check_model_file

#: Where training scripts put the weights; the averaged ones first, as timm does. Some keep those of
#: the last epoch beside the best.
_NESTS = ("state_dict_ema", "model_ema", "state_dict", "model_state_dict", "model", "last")

#: What wrappers (data parallel, compile) put before every name.
_PREFIXES = ("module.", "_orig_mod.")

#: What torch says of a file that is whole but names functions or classes to be called.
_NEEDS_CODE = ("GLOBAL", "unrecognized function", "unrecognized class", "Can only build")

#: A count that only training needs; old checkpoints lack it.
_COUNTER = "num_batches_tracked"


def read_checkpoint(text: str) -> dict[str, Tensor]:
    """Reads the weights in a file.

    Args:
        text: Path of a ``.safetensors`` file, or of one that ``torch.save`` wrote: a state dict,
            or a dictionary that holds one under ``state_dict_ema``, ``model_ema``,
            ``state_dict``, ``model_state_dict``, ``model`` or ``last`` (the first of these that is
            there).
            The prefixes ``module.`` and ``_orig_mod.`` are taken off.

    Raises:
        ModelError: The file is missing, damaged, something else, or needs code to be run.
    """
    path = check_model_file(text, "a checkpoint")
    content = _read_safetensors(path) if path.suffix == ".safetensors" else _read_torch(path)
    weights = _weights_in(content, path)
    for prefix in _PREFIXES:
        if all(name.startswith(prefix) for name in weights):
            weights = {name.removeprefix(prefix): value for name, value in weights.items()}
    return weights


def load_weights(module: nn.Module, weights: Mapping[str, Tensor], source: str) -> None:
    """Puts weights into a module that must fit them exactly.

    Args:
        module: Changed in place.
        weights: As :func:`read_checkpoint` returns them.
        source: How to name the checkpoint in errors.

    Raises:
        ModelError: Names or shapes differ.
    """
    own = {name: value for name, value in module.state_dict().items() if _COUNTER not in name}
    given = {name: value for name, value in weights.items() if _COUNTER not in name}
    missing = own.keys() - given.keys()
    unexpected = given.keys() - own.keys()
    misshapen = [
        f"{name} {tuple(given[name].shape)} instead of {tuple(own[name].shape)}"
        for name in own.keys() & given.keys()
        if given[name].shape != own[name].shape
    ]
    if not (missing or unexpected or misshapen):
        module.load_state_dict(dict(weights), strict=False)
        return
    if len(missing) == len(own):
        cause = "it is of another architecture, or its names were changed"
    elif missing or unexpected:
        cause = "it is of another architecture or variant"
    else:
        cause = "it is of another size of this architecture, or made for another picture size"
    raise ModelError(
        f"{source}: the checkpoint doesn't fit the architecture: {_some('missing', missing)}; "
        f"{_some('unexpected', unexpected)}; {_some('of another shape', misshapen)}. Probably "
        f"{cause}; name the architecture that it was trained with."
    )


def _some(what: str, names: Iterable[str]) -> str:
    names = sorted(names)
    dots = ", …" if len(names) > 3 else ""
    return f"{len(names)} {what}" + (f" ({', '.join(names[:3])}{dots})" if names else "")


def _read_safetensors(path: Path) -> object:
    from safetensors import SafetensorError  # noqa: PLC0415 – only where a checkpoint is read
    from safetensors.torch import load_file  # noqa: PLC0415 – likewise

    try:
        return load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise ModelError(
            f"{path}: expected a safetensors file; it is damaged or something else: "
            f"{first_line(error)}. Download it again."
        ) from error


def _read_torch(path: Path) -> object:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of files that are refused below in any case
            return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        if not any(words in str(error) for words in _NEEDS_CODE):
            raise _damaged(path, error) from error
        raise ModelError(
            f"{path}: this checkpoint holds more than weights, and reading it would run code; only "
            "weights are read. If you trust it, convert it once in Python: "
            "m = torch.load(FILE, weights_only=False); m is a model or holds one: "
            "safetensors.torch.save_file(m.state_dict(), 'weights.safetensors')."
        ) from error
    except Exception as error:  # torch raises many types for the many ways to be damaged
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> ModelError:
    return ModelError(
        f"{path}: expected a checkpoint that torch.save wrote; it is damaged or something else: "
        f"{type(error).__name__}: {first_line(error).partition('. ')[0]}. Download it again, or "
        "name a file of weights."
    )


def _weights_in(content: object, path: Path) -> dict[str, Tensor]:
    if isinstance(content, Mapping):
        nest = next((content[n] for n in _NESTS if isinstance(content.get(n), Mapping)), content)
        weights = {str(n): value for n, value in nest.items() if isinstance(value, Tensor)}
        if weights:
            return weights
        got = f"a dictionary with {_some('entries', map(str, content))}"
    else:
        got = type(content).__name__
    raise ModelError(
        f"{path}: expected a state dict (names and tensors), or a dictionary with one under "
        f"{', '.join(map(repr, _NESTS))}; got {got}."
    )
