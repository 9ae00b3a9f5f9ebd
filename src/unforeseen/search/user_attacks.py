"""User-made attacks in a search: a mistake in their code is one line that names the place.

Built-in attacks pass through here untouched: what they do is tested.
"""

__all__ = ["begun", "blaming_attack", "built_attack", "check_painted"]

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from torch import Tensor

from unforeseen.benchmarks.attack_setting import Parameter
from unforeseen.benchmarks.edition import Geometry
from unforeseen.errors import AttackError, AttackMemoryError, UserError, first_line
from unforeseen.models.memory import is_out_of_memory
from unforeseen.python_files import place_of
from unforeseen.rng import ExampleKey
from unforeseen.transforms.base import AnyAttack, Latents, Scene
from unforeseen.transforms.faults import (
    ball_faults,
    made_faults,
    picture_faults,
    row_faults,
    shape_faults,
    type_faults,
)
from unforeseen.transforms.python_attacks import AttackCode, code_of

_DETACHED = "no gradient with respect to the latents: detached, rounded or made without torch"


@contextmanager
def blaming_attack(kind: type[AnyAttack], *, whole: bool = False) -> Iterator[None]:
    """Turns what a user-made attack's code raises into an AttackError.

    Args:
        kind: Whose code may raise.
        whole: Whether it is to blame for everything that raises inside; otherwise for what arose
            in its file. A lack of memory stays one, that a smaller batch may mend.
    """
    code = code_of(kind)
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        place = "" if code is None else place_of(error, code.source)
        if code is None or not (place or whole):
            raise
        line = f"{code.said}: {place}{type(error).__name__}: {first_line(error)}"
        if isinstance(error, Exception) and is_out_of_memory(error):
            raise AttackMemoryError(line) from error
        raise AttackError(f"{line}. Rows that were finished are kept. {_tried_by(code)}") from error


def built_attack(
    kind: type[AnyAttack], parameters: Mapping[str, Parameter], *, geometry: Geometry
) -> AnyAttack:
    """Builds an attack.

    Args:
        kind: Its class.
        parameters: By the names of the class's fields.
        geometry: Of the edition.

    Raises:
        BenchmarkError: No such parameter, or a value of the wrong type or out of its range.
        AttackError: It is the user's, and with these can't be used.
    """
    with blaming_attack(kind, whole=True):
        attack = kind.from_parameters(parameters, geometry=geometry)
        _refuse(kind, made_faults(attack, kind))
    return attack


def begun(
    attack: AnyAttack, x: Tensor, scene: Scene, radius: Tensor, keys: Sequence[ExampleKey]
) -> Latents:
    """The first latents that are evaluated, as :meth:`Attack.begin` makes them; arguments as there.

    Raises:
        AttackError: It is the user's, its code raises, or scene or latents can't be searched.
    """
    with blaming_attack(type(attack), whole=True):
        latents: Latents = attack.start(x, scene, radius, keys)
        _check_drawn(attack, x, scene, latents)
        if attack.start_is_projected:
            latents = attack.project(latents, radius)
            _check_drawn(attack, x, scene, latents)
    return latents


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
    kind = type(attack)
    _refuse(kind, shape_faults(painted, x), where="paint(): ")
    if differentiable and not painted.requires_grad:
        _refuse(kind, iter([_DETACHED]), where="paint(): ")
    where = "paint(): " if final is painted else "finish(): "
    _refuse(kind, picture_faults(final, x), where=where)


def _check_drawn(attack: AnyAttack, x: Tensor, scene: Scene, latents: Latents) -> None:
    """Raises AttackError where a user-made attack's scene and first latents can't be searched."""
    kind = type(attack)
    _refuse(kind, row_faults(attack, scene, latents, len(x)))
    _refuse(kind, ball_faults(attack, latents))
    for drawn in (scene, latents):
        _refuse(kind, type_faults(drawn, x))


def _refuse(kind: type[AnyAttack], faults: Iterator[str], *, where: str = "") -> None:
    """Raises AttackError at the first fault of a user-made attack."""
    code = code_of(kind)
    if code is None:
        return
    for fault in faults:
        raise AttackError(f"{code.said}: {where}{fault}. {_tried_by(code)}")


def _tried_by(code: AttackCode) -> str:
    return (
        f"What an attack must do is tried by: unforeseen contract {code.said} (--benchmark FILE "
        "takes that file's parameters and radii)"
    )
