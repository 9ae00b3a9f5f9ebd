"""``py:path/to/file.py:CLASS`` and ``py:package.module:CLASS``: attacks from the user's own code.

This runs that code. Only what the user typed, or wrote into a file that they named, comes here:
what comes out of a run's record has no folder and is refused.
"""

__all__ = ["AttackCode", "code_of", "python_attack"]

from collections.abc import Mapping
from dataclasses import MISSING, fields
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from unforeseen.benchmarks.attack_setting import PYTHON
from unforeseen.errors import AttackError, BenchmarkError
from unforeseen.python_files import PythonName, taken_from
from unforeseen.transforms.base import AnyAttack, Attack
from unforeseen.transforms.faults import lineage_faults, made_faults, text_faults
from unforeseen.transforms.parameters import check_parameter


class AttackCode(NamedTuple):
    """The code of a user-made attack.

    Attributes:
        said: ``py:WHERE:CLASS``, as it can be typed in the current folder wherever it was named.
        source: The file; None where a module has none.
        sha256: Of the file's content, in hexadecimal.
    """

    said: str
    source: Path | None
    sha256: str


#: What Python says where an attack's dataclass isn't frozen.
_NOT_FROZEN = "cannot inherit non-frozen dataclass"
#: The code of each class that was loaded, as it was then.
_CODE: dict[type[AnyAttack], AttackCode] = {}


def python_attack(
    text: str, folder: Path | None, built_in: Mapping[str, type[AnyAttack]]
) -> type[AnyAttack]:
    """Runs the user's code, once for each content of a file, and takes the attack from it.

    Args:
        text: ``py:WHERE:CLASS``.
        folder: Where the benchmark file lies that names it, or the current folder where it was
            typed; None where nobody did.
        built_in: Attacks whose names are taken.

    Raises:
        AttackError: It may not be run, there is no such file, its code raises (the message names
            the line), or the object is no attack that can be used.
        UnknownNameError: The code defines no such name.
    """
    wanted = PythonName.parse(text.removeprefix(PYTHON))
    if wanted is None:
        raise AttackError(
            f"{text!r}: expected py:path/to/file.py:CLASS or py:package.module:CLASS."
        )
    if folder is None:
        raise AttackError(
            f"{text}: code is run only where a benchmark file that you name, or an argument, says "
            "so; this comes from a run's record. Give the benchmark file itself."
        )
    try:
        with taken_from(
            wanted, folder=folder, said=text, error=AttackError, meant=lambda _: False, anew=False
        ) as taken:
            kind = _class(taken.value, text)
            _check(kind, text, built_in)
    except AttackError as error:
        if _NOT_FROZEN not in str(error):
            raise
        raise AttackError(f"{error}: write @dataclass(frozen=True, kw_only=True)") from error
    file = wanted.file(folder)
    where = wanted.where if file is None else _from_here(file)
    _CODE[kind] = AttackCode(f"{PYTHON}{where}:{wanted.name}", taken.source, taken.sha256)
    return kind


def code_of(kind: type[AnyAttack]) -> AttackCode | None:
    """The code of an attack that was loaded by name; None for a built-in one."""
    return _CODE.get(kind)


def _from_here(file: Path) -> str:
    """A file's path, relative where it lies in the current folder."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def _class(value: object, text: str) -> type[AnyAttack]:
    if isinstance(value, type) and issubclass(value, Attack):
        return value
    got = f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"
    raise AttackError(
        f"{text}: expected a class derived from unforeseen.attacks.Attack or SceneFreeAttack, got "
        f"{got}."
    )


def _check(kind: type[AnyAttack], text: str, built_in: Mapping[str, type[AnyAttack]]) -> None:
    """Raises AttackError where a class can't be used as an attack, and says what to do."""
    for fault in chain(lineage_faults(kind), text_faults(kind, built_in)):
        raise AttackError(f"{text}: {fault}.")
    _check_parameters(kind, text)
    for fault in made_faults(kind(), kind):
        raise AttackError(f"{text}: {fault}.")


def _check_parameters(kind: type[AnyAttack], text: str) -> None:
    types = get_type_hints(kind)
    for field in fields(kind):
        where, hint = f"{text}: parameter {field.name}", types[field.name]
        if field.name == "geometry":
            continue
        if field.default is MISSING or not field.init:
            raise AttackError(
                f'{where}: expected a default, got none; write {field.name}: … = parameter(default, "meaning").'
            )
        if not _is_parameter(hint):
            raise AttackError(
                f"{where}: expected int, float or Literal[…] as its type, which a benchmark file "
                f"can set; got {getattr(hint, '__name__', hint)!s:.80}."
            )
        try:
            check_parameter(f"{kind.__name__}.{field.name}", field.default, hint, field.metadata)
        except BenchmarkError as error:
            raise AttackError(f"{where}: its default can't be used: {error}") from error


def _is_parameter(hint: Any) -> bool:
    words = get_args(hint) if get_origin(hint) is Literal else ()
    return hint in (int, float) or (bool(words) and all(isinstance(word, str) for word in words))
