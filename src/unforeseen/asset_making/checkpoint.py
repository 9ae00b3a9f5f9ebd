"""What a training or a patch that was stopped goes on from: one file, replaced as a whole.

The folder may be a stranger's. So nothing in the file is run, no more than so much of it is read, and
what is read is believed only if it is what would have been written.
"""

__all__ = [
    "Checkpoint",
    "Made",
    "fitting",
    "load_adam",
    "read_checkpoint",
    "refuse_fewer_steps",
    "write_checkpoint",
]

import io
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from zipfile import ZipFile

import torch
from torch import Tensor

from unforeseen.asset_making.record import MOST_ENVIRONMENTS, is_environment
from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.regular_files import read_regular_file

#: What is made, in messages.
Made = Literal["patch", "training"]

#: Bytes, also unpacked: many times what the largest patch or a month of training needs.
_LARGEST = 256 << 20
#: Floats tell whole numbers apart up to here.
_MOST_STEPS = 1 << 53
_DTYPES = (torch.float32, torch.float64)


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Something in the making.

    Attributes:
        identity: Of what decides it; it goes on only as it was begun.
        seconds: That it took so far.
        made_on: All that differs of what :func:`~unforeseen.asset_making.record.environment` said.
        lines: Of the curve: step, and means of the losses since the line before.
        waiting: Steps and losses of which there is no line yet.
        state: Of the optimisation: ``steps``, and what else it gave; numbers and finite tensors.
        extra: What was measured when it had ended, as records; None until then.
    """

    identity: str
    seconds: float
    made_on: list[dict[str, Any]]
    lines: list[list[float]]
    waiting: list[list[float]]
    state: dict[str, Any]
    extra: list[dict[str, Any]] | None = None

    @property
    def steps(self) -> int:
        """That were done."""
        steps: int = self.state["steps"]
        return steps


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Replaces a checkpoint; raises RunError."""
    content = io.BytesIO()
    torch.save(vars(checkpoint), content)
    save_file(path, content.getvalue())


def read_checkpoint(path: Path, *, of: Made, identity: str, columns: int) -> Checkpoint | None:
    """Reads a checkpoint, if there is one.

    Args:
        path: Where it lies.
        of: What goes on from it.
        identity: Of what is to go on.
        columns: Of the curve's lines.

    Raises:
        RunError: It is damaged, too large, or of what was begun otherwise.
    """
    with fitting(path, of):
        try:
            content = read_regular_file(path, at_most=_LARGEST + 1)
        except FileNotFoundError:
            return None
        found = _checked(_unpacked(content), columns)
    if found.identity != identity:
        raise RunError(
            f"{path.parent}: a {of} was begun there with other models, pictures or settings. Use "
            "another --out, or the same options as then."
        )
    return found


@contextmanager
def fitting(path: Path, of: Made) -> Iterator[None]:
    """Turns whatever goes wrong while a checkpoint is read or taken back into a RunError.

    Args:
        path: Where it lies.
        of: What goes on from it.
    """
    try:
        yield
    except Exception as error:  # torch raises many types for the many ways to be damaged
        raise RunError(
            f"{path}: expected a {of} to go on with; it is damaged or something else. Remove it to "
            "begin anew."
        ) from error


def refuse_fewer_steps(path: Path, *, done: int, asked: int | None) -> None:
    """Refuses to go on to an end that was passed.

    Args:
        path: Of the checkpoint.
        done: Steps that were done.
        asked: Steps that are to be done; None where time counts.

    Raises:
        RunError: More were done than are to be done.
    """
    if asked is not None and done > asked:
        raise RunError(
            f"{path}: {done:,} steps were done already, more than the {asked:,} that are asked for. Give "
            f"--steps {done} or more, or use another --out."
        )


def load_adam(optimizer: torch.optim.Adam, state: Mapping[str, Any]) -> None:
    """Takes moments back. Learning rates and the like stay as the recipe says.

    Args:
        optimizer: As it is at the beginning.
        state: What ``state_dict`` of one like it gave.

    Raises:
        ValueError: The moments are of other parameters.
    """
    own = optimizer.state_dict()
    parameters = dict(
        enumerate(each for group in optimizer.param_groups for each in group["params"])
    )
    for number, moments in state["state"].items():
        shape = parameters[number].shape
        shapes = {name: value.shape for name, value in moments.items()}
        if shapes != {"step": (), "exp_avg": shape, "exp_avg_sq": shape}:
            raise ValueError("moments of other parameters")
        if moments["step"] < 1 or (moments["exp_avg_sq"] < 0).any():
            raise ValueError("moments that no optimiser has")
    optimizer.load_state_dict({**own, "state": state["state"]})


def _unpacked(content: bytes) -> object:
    """Reads numbers, texts and tensors; raises many types."""
    with ZipFile(io.BytesIO(content)) as parts:
        size = sum(each.file_size for each in parts.infolist())
    if max(size, len(content)) > _LARGEST:
        raise ValueError("too large")
    return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)


def _checked(content: Any, columns: int) -> Checkpoint:
    """Believes what would have been written; raises many types for what wouldn't."""
    found = Checkpoint(**content)
    if not (
        isinstance(found.identity, str)
        and type(found.seconds) is float
        and found.seconds >= 0
        and isinstance(found.made_on, list)
        and len(found.made_on) <= MOST_ENVIRONMENTS
        and all(map(is_environment, found.made_on))
        and all(_is_curve(each, columns) for each in (found.lines, found.waiting))
        and type(found.steps) is int
        and 0 <= found.steps <= _MOST_STEPS
        and (found.extra is None or _is_records(found.extra))
        and _is_sound(vars(found))
    ):
        raise ValueError("not what a checkpoint holds")
    return found


def _is_curve(lines: object, columns: int) -> bool:
    return isinstance(lines, list) and all(
        isinstance(line, list)
        and len(line) == columns
        and all(type(each) is float for each in line)
        for line in lines
    )


def _is_records(extra: object) -> bool:
    return isinstance(extra, list) and all(isinstance(each, dict) for each in extra)


def _is_sound(value: object) -> bool:
    """Whether it holds nothing but texts, finite numbers and finite tensors."""
    if isinstance(value, Tensor):
        return (
            value.dtype in _DTYPES
            # One number may stand for a million of a tensor, which would fill memory.
            and value.nbytes <= value.untyped_storage().nbytes()
            and bool(value.isfinite().all())
        )
    if isinstance(value, dict):
        return all(isinstance(key, str | int) and _is_sound(value[key]) for key in value)
    if isinstance(value, list | tuple):
        return all(map(_is_sound, value))
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, int | float) and math.isfinite(value))
    )
