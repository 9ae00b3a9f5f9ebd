"""What patches lead to: a class each, or just away from the truth."""

__all__ = ["UNTARGETED", "Target", "targets_of"]

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from unforeseen.asset_names import LONGEST_ASSET_NAME
from unforeseen.errors import UserError
from unforeseen.positive_class import class_number

#: What a patch without a target is called.
UNTARGETED = "untargeted"

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
        UserError: One was asked for twice, or a name is that of several.
    """
    if not asked:
        return [Target(UNTARGETED)]
    names = class_names if len(class_names) == classes else [str(each) for each in range(classes)]
    numbers = [class_number(each, names, of="the models") for each in asked]
    repeated = [names[each] for each, times in Counter(numbers).items() if times > 1]
    if repeated:
        raise UserError(f"--target: expected every class once, got {repeated[0]!r} several times.")
    patches = _patch_names(names)
    return [Target(patches[each], each, names[each]) for each in numbers]


def _patch_names(class_names: Sequence[str]) -> list[str]:
    """Such as ``electric-guitar``; the number keeps apart what would be called alike, as ``crane-134``."""
    names = []
    words = [_NOT_OF_A_NAME.sub("-", each.lower()).strip("-") for each in class_names]
    times = Counter([UNTARGETED, *(each[:LONGEST_ASSET_NAME] for each in words)])
    for number, each in enumerate(words):
        name, end = each[:LONGEST_ASSET_NAME], f"-{number}"
        if not name or name.isdecimal():
            name = f"class{end}"
        elif times[name] > 1:
            name = f"{name[: LONGEST_ASSET_NAME - len(end)]}{end}"
        names.append(name)
    return names
