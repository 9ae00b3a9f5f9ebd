"""What patches lead to: a class each, or just away from the truth."""

__all__ = ["UNTARGETED", "Target", "targets_of"]

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from unforeseen.errors import UserError
from unforeseen.positive_class import class_number

#: What a patch without a target is called.
UNTARGETED = "untargeted"

_LONGEST_NAME = 64
_NOT_OF_A_NAME = re.compile(r"[^a-z0-9]+")


class Target(NamedTuple):
    """What one patch leads to.

    Attributes:
        patch: Name of the patch, of its file and in a pack.
        number: Of the class; None leads away from the truth.
        class_name: What the class is called; empty without one.
    """

    patch: str
    number: int | None = None
    class_name: str = ""


def targets_of(asked: Sequence[str], class_names: Sequence[str], classes: int) -> list[Target]:
    """Looks targets up.

    Args:
        asked: Names of classes, in any case, or their numbers; with none there is one target, which is
            none.
        class_names: By label, may be empty.
        classes: How many there are.

    Raises:
        UnknownNameError: There is no such class.
        UserError: One was asked for twice.
    """
    if not asked:
        return [Target(UNTARGETED)]
    names = class_names if len(class_names) == classes else [str(each) for each in range(classes)]
    numbers = [class_number(each, names, of="the models") for each in asked]
    repeated = [names[each] for each, times in Counter(numbers).items() if times > 1]
    if repeated:
        raise UserError(f"--target: expected every class once, got {repeated[0]!r} several times.")
    return [Target(_patch_name(names[each], each), each, names[each]) for each in numbers]


def _patch_name(class_name: str, number: int) -> str:
    """Such as ``electric-guitar``; the number keeps classes of one name apart."""
    words = _NOT_OF_A_NAME.sub("-", class_name.lower()).strip("-")
    return words[:_LONGEST_NAME] if words and not words.isdecimal() else f"class-{number}"
