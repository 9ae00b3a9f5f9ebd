"""What a training or a patch that was stopped goes on from: one file, replaced as a whole.

The folder may be a stranger's. So nothing in the file is run, no more than so much of it is read, and
what is read is believed only if it is what would have been written.
"""

__all__ = [
    "Checkpoint",
    "Made",
    "fitting",
    "read_checkpoint",
    "refuse_fewer_steps",
    "write_checkpoint",
]

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from zipfile import ZipFile

import torch

from unforeseen.asset_making.deciding import refuse_other
from unforeseen.asset_making.record import is_environment
from unforeseen.asset_making.soundness import expect_sound
from unforeseen.errors import RunError
from unforeseen.files.atomic import save_file
from unforeseen.files.regular_files import read_regular_file

#: What is made, in messages.
Made = Literal["patch", "training"]

#: Bytes, also unpacked: many times what the largest patch or a month of training needs.
_LARGEST = 256 << 20
#: Of that, what isn't tensors, of which a byte may take a microsecond.
_LARGEST_PICKLE = 32 << 20
#: Floats tell whole numbers apart up to here.
_MOST_STEPS = 1 << 53
#: What to do about a damaged one. A training leaves files by which its folder isn't known.
_TO_BEGIN_ANEW: dict[Made, str] = {
    "patch": "Use that one, or remove it to begin anew.",
    "training": "Use that one, or begin anew in another --out.",
}


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Something in the making.

    Attributes:
        deciding: What decides it, as JSON would give it back; it goes on only as it was begun.
        seconds: That it took so far.
        made_on: All that differs of what :func:`~unforeseen.asset_making.record.environment` said.
        lines: Of the curve: step, and means of the losses since the line before.
        waiting: Steps and losses of which there is no line yet.
        state: Of the optimisation: ``steps``, and what else it gave; numbers and finite tensors.
        measured: How far measuring it has come since it ended, in numbers; None until then.
    """

    deciding: dict[str, Any]
    seconds: float
    made_on: list[dict[str, Any]]
    lines: list[list[float]]
    waiting: list[list[float]]
    state: dict[str, Any]
    measured: dict[str, Any] | None = None

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


def read_checkpoint(
    path: Path, *, of: Made, deciding: Mapping[str, Any], columns: int, every: int
) -> Checkpoint | None:
    """Reads a checkpoint, if there is one.

    Args:
        path: Where it lies.
        of: What goes on from it.
        deciding: What is to decide it.
        columns: Of the curve's lines.
        every: So many steps there is one.

    Raises:
        RunError: It is damaged, too large, or of what was begun otherwise.
    """
    with fitting(path, of):
        try:
            content = read_regular_file(path, at_most=_LARGEST + 1)
        except FileNotFoundError:
            return None
        found = _checked(_unpacked(content), columns, every)
    refuse_other(path.parent, found.deciding, deciding, begun=f"a {of} was begun")
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
            f"{path}: expected a {of} to go on with; it is damaged, or of another release. "
            f"{_TO_BEGIN_ANEW[of]}"
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


def _unpacked(content: bytes) -> object:
    """Reads numbers, texts and tensors; raises many types."""
    with ZipFile(io.BytesIO(content)) as parts:
        files = parts.infolist()
    size = sum(each.file_size for each in files)
    pickled = sum(each.file_size for each in files if each.filename.endswith(".pkl"))
    if max(size, len(content)) > _LARGEST or pickled > _LARGEST_PICKLE:
        raise ValueError("too large")
    return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)


def _checked(content: Any, columns: int, every: int) -> Checkpoint:
    """Believes what would have been written; raises many types for what wouldn't."""
    expect_sound(content, at_most=_LARGEST)
    found = Checkpoint(**content)
    if not (
        isinstance(found.deciding, dict)
        and json.loads(json.dumps(found.deciding)) == found.deciding
        and type(found.seconds) is float
        and found.seconds >= 0
        and isinstance(found.made_on, list)
        and all(map(is_environment, found.made_on))
        and all(_is_curve(each, columns) for each in (found.lines, found.waiting))
        and len(found.waiting) <= every
        and type(found.steps) is int
        and 0 <= found.steps <= _MOST_STEPS
        and _is_rising([0.0, *(line[0] for line in (*found.lines, *found.waiting))], found.steps)
        and (found.measured is None or isinstance(found.measured, dict))
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


def _is_rising(steps: Sequence[float], last: int) -> bool:
    """Whether each is after the one before, and none after the last."""
    return all(one < other for one, other in pairwise(steps)) and steps[-1] <= last
