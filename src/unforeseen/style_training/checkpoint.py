"""What a training that was stopped goes on from: one file, replaced as a whole."""

__all__ = ["CHECKPOINT_FILE", "Checkpoint", "read_checkpoint", "write_checkpoint"]

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file

CHECKPOINT_FILE = "training.pt"


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A training, stopped.

    Attributes:
        identity: Of what decides its weights; a training goes on only from its own.
        seconds: That it took so far.
        curve: Step, and means of the losses since the line before; one line per interval.
        state: Of the training.
    """

    identity: str
    seconds: float
    curve: list[list[float]]
    state: dict[str, Any]


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Replaces the folder's checkpoint; raises RunError."""
    content = io.BytesIO()
    torch.save(vars(checkpoint), content)
    save_file(folder / CHECKPOINT_FILE, content.getvalue())


def read_checkpoint(folder: Path, identity: str) -> Checkpoint | None:
    """Reads the folder's checkpoint, if it has one.

    Only tensors, numbers and texts are read from it; code in it isn't run.

    Args:
        folder: Of the training.
        identity: Of the training that is to go on.

    Raises:
        RunError: It is damaged, or of another training.
    """
    path = folder / CHECKPOINT_FILE
    if not path.exists():
        return None
    try:
        found = Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch raises many types for the many ways to be damaged
        raise RunError(
            f"{path}: expected a training to go on with; it is damaged or something else. Remove it to "
            "begin anew."
        ) from error
    if found.identity != identity:
        raise RunError(
            f"{folder}: a training with other photos, styles, seed or settings was begun there. Use "
            "another --out, or the same options as then."
        )
    return found
