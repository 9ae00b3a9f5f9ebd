"""User-made attacks in a search: a mistake in their code is one line that names the place.

Built-in attacks pass through here untouched: what they do is tested.
"""

__all__ = ["blaming_attack", "check_drawn", "check_painted"]

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Never

from torch import Tensor

from unforeseen.batched import Batched
from unforeseen.errors import AttackError, UserError, first_line
from unforeseen.models.memory import is_out_of_memory
from unforeseen.python_files import place_of
from unforeseen.transforms.base import AnyAttack, DonorScene, Latents, Scene
from unforeseen.transforms.python_attacks import code_of


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
    """Raises AttackError where a user-made attack's first scene and latents can't be searched.

    Args:
        attack: Who drew them.
        x: Pictures, (B, 3, H, W).
        scene: As drawn.
        latents: Likewise.
    """
    if code_of(type(attack)) is None:
        return
    if not isinstance(scene, Scene):
        _reject(attack, "draw_scene", "a Scene", f"a {type(scene).__name__}")
    if attack.needs_donor != isinstance(scene, DonorScene):
        _reject(attack, "needs_donor", "true where the scene is a DonorScene", attack.needs_donor)
    if not isinstance(latents, Latents):
        _reject(attack, "start", "Latents", f"a {type(latents).__name__}")
    names, balls = list(latents.tensors()), list(attack.balls)
    if sorted(names) != sorted(balls):
        _reject(attack, "balls", f"one for each of {', '.join(names)}", ", ".join(balls))
    for drawn in (scene, latents):
        _check_rows(attack, drawn, len(x))
    for name, value in latents.tensors().items():
        if value.dtype != x.dtype or value.device != x.device:
            expected = f"{name} as {x.dtype} on {x.device}, as the pictures are"
            _reject(attack, "start", expected, f"{value.dtype} on {value.device}")


def check_painted(
    attack: AnyAttack, x: Tensor, painted: Tensor, final: Tensor, *, differentiable: bool
) -> None:
    """Raises AttackError where what a user-made attack paints is no batch of pictures.

    Args:
        attack: Who painted.
        x: Pictures, (B, 3, H, W).
        painted: What came of them.
        final: What is judged of that.
        differentiable: Whether a gradient with respect to the latents is needed.
    """
    if code_of(type(attack)) is None:
        return
    for where, picture in (("paint", painted), ("finish", final)):
        _check_picture(attack, where, x, picture)
    if differentiable and not painted.requires_grad:
        _reject(
            attack,
            "paint",
            "a picture with a gradient with respect to the latents",
            "one without: it is detached, rounded or made without torch",
        )


def _check_picture(attack: AnyAttack, where: str, x: Tensor, picture: object) -> None:
    if not isinstance(picture, Tensor):
        _reject(attack, where, "a tensor", f"a {type(picture).__name__}")
    if picture.shape != x.shape or picture.dtype != x.dtype:
        expected = f"pictures as those that came, {tuple(x.shape)} of {x.dtype}"
        _reject(attack, where, expected, f"{tuple(picture.shape)} of {picture.dtype}")
    seen = picture.detach()
    if not bool(seen.isfinite().all()) or seen.min() < 0 or seen.max() > 1:
        extremes = f"values from {float(seen.min()):.4g} to {float(seen.max()):.4g}"
        _reject(attack, where, "finite pictures in [0, 1], so clamp them", extremes)


def _check_rows(attack: AnyAttack, drawn: Batched, batch: int) -> None:
    for name, value in drawn.tensors().items():
        if not isinstance(value, Tensor) or value.ndim == 0 or len(value) != batch:
            got = tuple(value.shape) if isinstance(value, Tensor) else type(value).__name__
            where = f"{type(drawn).__name__}.{name}"
            _reject(attack, where, f"a tensor with a row for each of {batch} pictures", got)


def _reject(attack: AnyAttack, where: str, expected: str, got: object) -> Never:
    code = code_of(type(attack))
    assert code is not None
    raise AttackError(
        f"{code.said}: {where}: expected {expected}; got {got}. More of this: unforeseen contract "
        f"{code.said}"
    )
