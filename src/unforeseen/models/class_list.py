"""Class names in a text file, one per line."""

__all__ = ["read_class_list"]

from collections import Counter

from unforeseen.errors import ModelError, first_line
from unforeseen.uri import path_of


def read_class_list(text: str) -> tuple[str, ...]:
    """Reads the names; empty lines are left out.

    Args:
        text: Path of the file (UTF-8), as the user typed it.

    Raises:
        ModelError: It can't be read, or holds fewer than two names or one twice.
    """
    path = path_of(text)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{path}: expected a text file (UTF-8) with the name of a class on each line: "
            f"{first_line(error)}"
        ) from error
    names = tuple(line.strip() for line in lines if line.strip())
    if len(names) < 2:
        raise ModelError(
            f"{path}: expected the names of at least two classes, one on each line; got "
            f"{len(names)}."
        )
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise ModelError(f"{path}: expected distinct names of classes; {twice!r} stands twice.")
    return names
