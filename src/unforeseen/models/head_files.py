"""Files that say which of a model's classes make up which group.

``FILE.csv`` has the columns ``class`` and ``group``; ``FILE.json`` is an object, group → list of
classes. A class is an index from 0 or a name; ``*`` stands for all that no group names.
"""

__all__ = ["REST", "ClassGroups", "read_groups"]

import csv
import io
import json
from collections.abc import Mapping, Sequence

from unforeseen.errors import ModelError, first_line
from unforeseen.uri import path_of

#: Stands for all classes that no group names.
REST = "*"

#: Group → its classes, each an index or a name; or :data:`REST`.
ClassGroups = Mapping[str, Sequence[int | str]]

_LARGEST_FILE = 2**22
_LONGEST_INDEX = 18
_COLUMNS = ("class", "group")


def read_groups(name: str) -> ClassGroups:
    """Reads a file of groups, which come in the order of their first mention.

    Args:
        name: Path of a ``.csv`` or ``.json`` file.

    Raises:
        ModelError: It can't be read, or holds something else.
    """
    text = _read(name)
    groups = _from_json(name, text) if name.lower().endswith(".json") else _from_csv(name, text)
    if len(groups) < 2:
        raise ModelError(f"{name}: expected at least 2 groups of classes, got {len(groups)}.")
    return groups


def _read(name: str) -> str:
    try:
        with path_of(name).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"head {name!r} can't be read: {reason}.") from error
    if len(content) > _LARGEST_FILE:
        raise ModelError(f"{name}: expected a head of at most 4 MiB, got a larger file.")
    try:
        # Editors on Windows write a byte order mark.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(
            f"{name}: expected UTF-8 text, got other bytes at offset {error.start}; save it as UTF-8."
        ) from error


def _from_csv(name: str, text: str) -> dict[str, list[int | str]]:
    groups: dict[str, list[int | str]] = {}
    try:
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        columns = [cell.strip() for cell in next(lines, [])]
        if sorted(columns) != sorted(_COLUMNS):
            raise ModelError(
                f"{name}: expected the columns class,group in the first line, got "
                f"{','.join(columns)[:80]!r}."
            )
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(columns):
                raise ModelError(
                    f"{name}, line {lines.line_num}: expected a class and a group, got "
                    f"{len(cells)} cells. Quote names that hold a comma."
                )
            found = dict(zip(columns, (cell.strip() for cell in cells), strict=True))
            member = found["class"]
            index = _index(name, member) if member.isascii() and member.isdigit() else member
            groups.setdefault(_checked(name, found["group"]), []).append(index)
    except (csv.Error, ValueError) as error:
        raise ModelError(f"{name}: expected CSV; {first_line(error)}.") from error
    return groups


def _from_json(name: str, text: str) -> dict[str, list[int | str]]:
    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ModelError(f"{name}: expected each group once, got one of them twice.")
        return found

    try:
        content = json.loads(
            text, object_pairs_hook=distinct, parse_int=lambda digits: _index(name, digits)
        )
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name}: expected JSON; {first_line(error)}.") from error
    if not isinstance(content, dict):
        raise ModelError(f"{name}: expected an object, group → list of classes.")
    groups: dict[str, list[int | str]] = {}
    for group, members in content.items():
        listed = [REST] if members == REST else members
        if not (
            isinstance(listed, list)
            and listed
            and all(isinstance(m, int | str) and not isinstance(m, bool) for m in listed)
        ):
            raise ModelError(
                f"{name}: group {group[:60]!r}: expected a list of class indices or names, or "
                f'"{REST}" for all that no group names.'
            )
        groups[_checked(name, group)] = listed
    return groups


def _index(name: str, digits: str) -> int:
    """Python refuses to read very long numbers, in words that no user of a head could use."""
    if len(digits) > _LONGEST_INDEX:
        raise ModelError(
            f"{name}: expected class indices from 0, got a number of {len(digits):,} digits."
        )
    return int(digits)


def _checked(name: str, group: str) -> str:
    if not group or len(group) > 200 or not group.isprintable():
        raise ModelError(
            f"{name}: expected names of groups of 1 to 200 printable characters, got {ascii(group)[:80]}."
        )
    return group
