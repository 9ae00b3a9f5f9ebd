"""Every error that this package raises on purpose.

UnforeseenError
└── UserError               something the user can mend; the program prints it and exits with 2
    ├── UnknownNameError    a name that isn't in a table; lists near matches
    ├── MissingExtraError   an optional dependency isn't installed; says the command
    ├── BenchmarkError      a benchmark file that can't be used
    ├── AttackError         an attack of the user's that can't be used, or whose code raises
    │   └── AttackMemoryError   its code ran out of memory, which a smaller batch may mend
    ├── ModelError          a model that can't be loaded or used
    │   ├── QueryError          a black box that gave no answer
    │   └── QueryBudgetError    a black box that may not be asked any more
    ├── DataError           pictures or labels that can't be read or don't fit
    ├── AssetError          a pack of assets that can't be used
    ├── ImageError          a tensor that isn't a batch of RGB images in [0, 1]
    └── RunError            a run folder that can't be written, continued or read
"""

__all__ = [
    "AssetError",
    "AttackError",
    "AttackMemoryError",
    "BenchmarkError",
    "DataError",
    "ImageError",
    "MissingExtraError",
    "ModelError",
    "QueryBudgetError",
    "QueryError",
    "RunError",
    "UnforeseenError",
    "UnknownNameError",
    "UserError",
    "first_line",
    "one_line",
    "printable",
    "shown",
]

import difflib
import re
from collections.abc import Iterable, Sequence
from unicodedata import category

from unforeseen.counted import counted

#: A longer table would bury the message.
_LISTED = 40
#: More near matches would be a list again.
_SUGGESTED = 3
#: A longer name or message is cut in its middle: what to do about it stands at its end.
_LONGEST_NAME = 200
_LONGEST_MESSAGE = 2000


class UnforeseenError(Exception):
    """The root of the tree."""


class UserError(UnforeseenError):
    """Something the user can mend. The message says what was expected, what came, what to do.

    Args:
        message: Becomes one printable line of at most 2,000 characters, as names and texts in it
            may come from a stranger's files: see :func:`one_line`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class UnknownNameError(UserError, LookupError):
    """A name that is not in a table.

    Args:
        kind: What the name stands for, e.g. ``"attack"``.
        name: What came.
        known: The names there are; more than 40 are counted instead of listed, or left to the hint.
        hint: What else would have been accepted, as a sentence.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        known = sorted(known)
        near = _near(name[:_LONGEST_NAME], known)
        did_you_mean = f" Did you mean {' or '.join(near)}?" if near else ""
        there_are = ""
        if 0 < len(known) <= _LISTED:
            there_are = f" There are: {', '.join(known)}."
        elif known and not hint:
            there_are = f" There are {len(known):,}."
        shown = one_line(repr(name), longest=_LONGEST_NAME)
        super().__init__(f"unknown {kind} {shown}.{did_you_mean}{there_are} {hint}".rstrip())


class MissingExtraError(UserError, ImportError):
    """An optional dependency is not installed.

    Args:
        what: What needs it, e.g. ``"samples:imagenet"``.
        package: The distribution that is missing.
        extra: The extra of this package that brings it.
    """

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the package {package}, which is not installed. "
            f'Install it with: pip install "unforeseen[{extra}]" (or: pip install {package})'
        )


class BenchmarkError(UserError, ValueError):
    """A benchmark file that can't be used."""


class AttackError(UserError):
    """An attack of the user's that can't be used, or whose code raises."""


class AttackMemoryError(AttackError, MemoryError):
    """Memory ran out in a user-made attack's code."""


class ModelError(UserError):
    """A model that can't be loaded or used."""


class QueryError(ModelError):
    """A black box that gave no answer, however often it was asked."""


class QueryBudgetError(ModelError):
    """A black box that may not be asked about so many pictures any more; it wasn't asked.

    Args:
        uri: How the user named it.
        budget: How many pictures it may be asked about in all.
        left: How many of these are left, fewer than are needed.
    """

    def __init__(self, uri: str, *, budget: int, left: int) -> None:
        self.left = left
        super().__init__(
            f"{uri}: the budget of {counted(budget, 'picture')} is used up"
            + (f" but for {left:,}, fewer than are asked for at once" if left else "")
            + ". In a run, every finished row is on disk: the same command goes on with as many again."
        )


class DataError(UserError):
    """Pictures or labels that can't be read, or don't fit the benchmark."""


class AssetError(UserError):
    """A pack of assets that can't be used: never one picture's fault."""


class ImageError(UserError, ValueError):
    """A tensor that isn't a batch of RGB images in [0, 1]."""


class RunError(UserError):
    """A run folder that can't be written, continued or read."""


def first_line(error: BaseException) -> str:
    """An exception's message cut to its first line, or its type where it says nothing."""
    try:
        lines = str(error).strip().splitlines()
    except (Exception, SystemExit):  # noqa: BLE001 - others' exceptions are others' code too
        lines = []
    return lines[0].strip() if lines else type(error).__name__


def one_line(text: str, *, longest: int = _LONGEST_MESSAGE) -> str:
    r"""A text as one printable line, safe for a terminal and for a log.

    Args:
        text: Of any kind and length.
        longest: What is longer is cut in its middle.

    Returns:
        Runs of white space are single spaces; control characters, lone surrogates and others that
        can't be printed are escaped as Python does (``\x1b``).
    """
    line = printable(" ".join(text.split()))
    if len(line) <= longest:
        return line
    end = longest // 3
    return f"{line[: longest - end - 3].rstrip()} … {line[-end:].lstrip()}"


def printable(text: str) -> str:
    r"""A text, maybe a stranger's, that a terminal shows and doesn't obey.

    Args:
        text: Of any kind and length.

    Returns:
        Control characters (but for the ends of lines), lone surrogates and others that can't be printed
        are escaped as Python does (``\x1b``); spaces of any width are kept.
    """
    return "".join(
        each if each.isprintable() or each == "\n" or category(each) == "Zs" else ascii(each)[1:-1]
        for each in text
    )


def shown(value: object, *, longest: int = 80) -> str:
    """A value as a message shows it, whatever it is: as Python writes it, in one line of this length.

    Args:
        value: Anything, also a stranger's.
        longest: What is longer is cut in its middle.
    """
    return one_line(repr(value), longest=longest)


def _near(name: str, known: Sequence[str]) -> list[str]:
    """A few names that hold this one, as a word first; where none does, those that are spelt alike."""
    wanted = name.strip().casefold()
    holding = [each for each in known if wanted in each.casefold()] if len(wanted) > 2 else []
    near = holding or difflib.get_close_matches(name, known, n=len(known) or 1, cutoff=0.5)

    def rank(each: str) -> tuple[bool, float, str]:
        whole = (
            bool(holding) and re.search(rf"\b{re.escape(wanted)}\b", each.casefold()) is not None
        )
        return not whole, -difflib.SequenceMatcher(None, each, name).ratio(), each

    return sorted(near, key=rank)[:_SUGGESTED]
