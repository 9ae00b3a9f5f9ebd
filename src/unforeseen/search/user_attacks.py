"""User-made attacks in a search: a mistake in their code is one line that names the place.

Built-in attacks pass through here untouched: what they do is tested.
"""

__all__ = ["blaming_attack", "check_drawn", "check_painted"]

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from unforeseen.errors import AttackError, UserError, first_line
from unforeseen.models.memory import is_out_of_memory
from unforeseen.python_files import place_of
from unforeseen.transforms.base import AnyAttack, Latents, Scene
from unforeseen.transforms.faults import (
    ball_faults,
    picture_faults,
    row_faults,
    shape_faults,
    type_faults,
)
from unforeseen.transforms.python_attacks import code_of

_DETACHED = "no gradient with respect to the latents: detached, rounded or made without torch"


@contextmanager
def blaming_attack(kind: type[AnyAttack], *, whole: bool = False) -> Iterator[None]:
    """Turns what a user-made attack's code raises into an AttackError.

    Args:
        kind: Whose code may raise.
        whole: Whether it is to blame for everything that raises inside; otherwise for what arose
            in its file. A lack of memory passes in both cases.
    """
    code = code_of(kind)
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        place = "" if code is None else place_of(error, code.source)
        out_of_memory = isinstance(error, Exception) and is_out_of_memory(error)
        if code is None or not (place or whole) or out_of_memory:
            raise
        line = f"{place}{type(error).__name__}: {first_line(error)}"
        raise AttackError(
            f"{code.said}: {line}. Rows that were finished are kept. What an attack must do is "
            f"tried by: unforeseen contract {code.said}"
        ) from error


def check_drawn(attack: AnyAttack, x: Tensor, scene: Scene, latents: Latents) -> None:
    """Raises AttackError where a user-made attack's scene and first latents can't be searched.

    Args:
        attack: Who drew them.
        x: Pictures, (B, 3, H, W).
        scene: As drawn.
        latents: Likewise.
    """
    _refuse(attack, row_faults(attack, scene, latents, len(x)))
    _refuse(attack, ball_faults(attack, latents))
    for drawn in (scene, latents):
        _refuse(attack, type_faults(drawn, x))


def check_painted(
    attack: AnyAttack, x: Tensor, painted: Tensor, final: Tensor, *, differentiable: bool
) -> None:
    """Raises AttackError where what a user-made attack paints is no batch of pictures.

    Args:
        attack: Who painted.
        x: Pictures, (B, 3, H, W).
        painted: What came of them.
        final: What is judged of that; only this must lie in [0, 1].
        differentiable: Whether a gradient with respect to the latents is needed.
    """
    _refuse(attack, shape_faults(painted, x), where="paint(): ")
    if differentiable and not painted.requires_grad:
        _refuse(attack, iter([_DETACHED]), where="paint(): ")
    where = "paint(): " if final is painted else "finish(): "
    _refuse(attack, picture_faults(final, x), where=where)


def _refuse(attack: AnyAttack, faults: Iterator[str], *, where: str = "") -> None:
    """Raises AttackError at the first fault of a user-made attack."""
    code = code_of(type(attack))
    if code is None:
        return
    for fault in faults:
        raise AttackError(
            f"{code.said}: {where}{fault}. What an attack must do is tried by: unforeseen contract "
            f"{code.said}"
        )
