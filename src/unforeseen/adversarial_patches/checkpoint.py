"""What the making of a patch goes on from: one file for each, replaced as a whole."""

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]

import io
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A patch that is being made.

    Attributes:
        identity: Of what decides it; it goes on only as it was begun.
        seconds: That it took so far.
        losses: Of each step.
        state: Of the optimisation.
        effect: What was measured, as records; None until then.
    """

    identity: str
    seconds: float
    losses: list[float]
    state: dict[str, Any]
    effect: list[dict[str, Any]] | None = None


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Replaces a checkpoint; raises RunError."""
    content = io.BytesIO()
    torch.save(vars(checkpoint), content)
    save_file(path, content.getvalue())


def read_checkpoint(path: Path, identity: str) -> Checkpoint | None:
    """Reads a checkpoint, if there is one.

    Only tensors, numbers and texts are read from it; code in it isn't run.

    Args:
        path: Where it lies.
        identity: Of the patch that is to go on.

    Raises:
        RunError: It is damaged, or of a patch that was begun otherwise.
    """
    if not path.exists():
        return None
    try:
        found = Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except (
        pickle.UnpicklingError,
        RuntimeError,
        TypeError,
        ValueError,
        EOFError,
        OSError,
    ) as error:
        raise RunError(
            f"{path}: expected a patch to go on with; it is damaged or something else. Remove it to "
            "begin anew."
        ) from error
    if found.identity != identity:
        raise RunError(
            f"{path.parent}: patches were begun there with other models, pictures or settings. Use "
            "another --out, or the same options as then."
        )
    return found
