"""Whether something goes on as it was begun: of the same models and pictures, with the same settings."""

__all__ = ["refuse_other"]

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unforeseen.errors import RunError, shown

#: What records say for people: places, which may be typed otherwise or have moved.
_FOR_PEOPLE = ("uri", "head")
_WORDS = {
    "algorithm": "it was begun by a release that does it otherwise",
    "fingerprint": "the model is another one",
    "mapping": "the head maps to other classes",
    "keys": "the pictures are others",
    "labels": "the pictures have other labels",
    "sha256": "the picture of a style is another one",
}


def refuse_other(
    folder: Path, there: Mapping[str, Any], asked: Mapping[str, Any], *, begun: str
) -> None:
    """Refuses to go on with what was begun otherwise.

    Args:
        folder: Where.
        there: What decided it, as a file there says; it may be a stranger's.
        asked: What is to decide it, as JSON would give it back.
        begun: For messages: ``a patch was begun``.

    Raises:
        RunError: Says the first difference.
    """
    if difference := _difference("it", there, asked):
        raise RunError(
            f"{folder}: {begun} there with other models, pictures or settings: {difference}. Use another "
            "--out, or the same options as then."
        )


def _difference(name: str, there: object, asked: object) -> str:
    """The first one, in words; empty where there is none."""
    if isinstance(asked, Mapping) and isinstance(there, Mapping):
        deciding = (each for each in asked if each not in _FOR_PEOPLE)
        said = (_difference(each, there.get(each), asked[each]) for each in deciding)
        first = next(filter(None, said), "")
        return f"{asked['uri']}: {first}" if first and "uri" in asked else first
    if isinstance(asked, list) and isinstance(there, list) and len(there) == len(asked):
        return next(
            filter(None, (_difference(name, *each) for each in zip(there, asked, strict=True))), ""
        )
    if there == asked:
        return ""
    if isinstance(asked, list) and isinstance(there, list):
        return f"{name} were {len(there):,}, asked for are {len(asked):,}"
    return _WORDS.get(name) or f"{name} is {shown(there)}, asked for is {shown(asked)}"
