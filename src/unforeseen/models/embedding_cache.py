"""Class embeddings kept in the user's cache folder, because making them takes minutes."""

__all__ = ["cached_embeddings"]

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from unforeseen.cache_folder import cache_folder
from unforeseen.files.atomic import replace_file

_NAME = "embeddings"


def cached_embeddings(key: str, classes: int, make: Callable[[], Tensor]) -> Tensor:
    """Reads embeddings, or makes and keeps them.

    A file that is damaged or holds something else is made again. Where nothing can be written,
    they are made each time.

    Args:
        key: A hash of all that they depend on.
        classes: Number of rows.
        make: Makes them, (classes, D).

    Returns:
        (classes, D), float32, on the CPU.
    """
    path = cache_folder() / "class-embeddings" / f"{key}.safetensors"
    kept = _read(path, classes)
    if kept is not None:
        return kept
    made = make().float().cpu().contiguous()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, save({_NAME: made}))
    return made


def _read(path: Path, classes: int) -> Tensor | None:
    try:
        embeddings = load_file(path).get(_NAME)
    except (OSError, SafetensorError):
        return None
    if embeddings is None or embeddings.ndim != 2 or len(embeddings) != classes:
        return None
    sound = embeddings.dtype == torch.float32 and bool(torch.isfinite(embeddings).all())
    return embeddings if sound else None
