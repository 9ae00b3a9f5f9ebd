"""What patches lead to: a class each, or just away from the truth."""

__all__ = ["UNTARGETED", "Target", "targets_of"]

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from unforeseen.asset_names import LONGEST_ASSET_NAME
from unforeseen.errors import UserError
from unforeseen.positive_class import class_number
from unforeseen.windows_names import is_device_name

#: What a patch without a target is called.
UNTARGETED = "untargeted"

#: What a class without a name is called, with its number.
_NAMELESS = "class"
#: Of which no class's patch is called: other files of the folder are.
_TAKEN = (UNTARGETED, _NAMELESS, "assets", "recipe", "sheet")

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
    """Such as ``electric-guitar``; the number keeps apart what would be called alike, as ``crane-134``.

    No two names that end in numbers are alike. So whatever is like another one without, gets its own.
    """
    words = [_NOT_OF_A_NAME.sub("-", each.lower()).strip("-") for each in class_names]
    words = [_NAMELESS if not each or each.isdecimal() else each for each in words]
    plain = [each[:LONGEST_ASSET_NAME] for each in words]
    names = [
        _numbered(each, number) if each in _TAKEN or is_device_name(each) else each
        for number, each in enumerate(plain)
    ]
    while len({*names}) < len(names):
        times = Counter(names)
        names = [
            _numbered(plain[number], number) if times[name] > 1 else name
            for number, name in enumerate(names)
        ]
    return names


def _numbered(word: str, number: int) -> str:
    end = f"-{number}"
    return f"{word[: LONGEST_ASSET_NAME - len(end)]}{end}"
