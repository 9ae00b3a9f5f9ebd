"""What a model's name without a scheme most likely stands for."""

__all__ = ["is_hub_name", "scheme_of_bare"]

import os.path
import re
from pathlib import PurePath

from unforeseen.errors import UserError
from unforeseen.uri import Uri, path_of

_CHECKPOINTS = (".pth", ".pt", ".bin", ".ckpt", ".safetensors", ".tar")

_HUB_NAME = re.compile(r"(\w[\w.-]*/)?\w[\w.-]*")


def is_hub_name(text: str) -> bool:
    """Whether the Hugging Face hub could have a model of this name: ``OWNER/NAME`` or ``NAME``."""
    return _HUB_NAME.fullmatch(text) is not None


def scheme_of_bare(uri: Uri) -> str:
    """The scheme of a bare ``FILE.pt2``; of what nothing is known, the text itself.

    Raises:
        UserError: It is clear or likely what was meant; the message says which URI to write.
    """
    path = uri.path
    suffix = PurePath(path).suffix.lower()
    if suffix == ".pt2":
        return "pt2"
    if suffix == ".py" or suffix.startswith(".py:"):
        named = f"{path}:NAME" if suffix == ".py" else path
        raise UserError(
            f"{uri.text!r}: expected SCHEME:…; for a model from your own code write py:{named}, "
            "where NAME is a model, a function that makes one, or a function that predicts."
        )
    if suffix in _CHECKPOINTS:
        raise UserError(
            f"{uri.text!r}: a checkpoint holds weights without their architecture; write "
            f"timm:ARCHITECTURE?checkpoint={path}, or load it in your own code (py:…)."
        )
    if path and os.path.isfile(path_of(path) / "config.json"):  # noqa: PTH113 – Path's raises on overlong names
        raise UserError(
            f"{uri.text!r}: expected SCHEME:…; for a folder that save_pretrained wrote, write "
            f"transformers:{path}."
        )
    if "/" in path and is_hub_name(path):
        raise UserError(
            f"{uri.text!r}: expected SCHEME:…; for a model of the Hugging Face hub write "
            f"transformers:{path}."
        )
    libraries = _libraries_with(path)
    if libraries:
        options = " or ".join(f"{library}:{path}" for library in libraries)
        raise UserError(f"{uri.text!r}: expected SCHEME:…; write {options}.")
    return path


def _libraries_with(name: str) -> list[str]:
    """Those that have an architecture of this name."""
    import timm  # noqa: PLC0415 – takes seconds
    from torchvision import models  # noqa: PLC0415 – likewise

    from unforeseen.models.demo import DEMO_MODELS  # noqa: PLC0415 – imports timm

    has = {
        "demo": name in DEMO_MODELS,
        "timm": timm.is_model(name.partition(".")[0]),
        "torchvision": name in models.list_models(module=models),
    }
    return [library for library, found in has.items() if found]
