"""JSON objects that this package wrote, which may come back from strangers."""

__all__ = ["CHANGED", "read_json", "write_json"]

import json
from pathlib import Path
from typing import Any

from unforeseen.errors import DataError, RunError, one_line, shown
from unforeseen.files.atomic import save_file
from unforeseen.files.regular_files import read_regular_file

_USE_THAT_ONE = "Use that one, or begin anew in another folder."
#: The end of what is said of a file that has this release's schema, but not what it writes.
CHANGED = f"It was changed, or written by another release. {_USE_THAT_ONE}"
#: A record has some 10 KiB. A stranger's could fill the memory.
_LARGEST_FILE = 2**26


class _RepeatedKeyError(ValueError):
    """An object has two values of one key."""


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Writes an object as UTF-8, by :func:`unforeseen.files.atomic.save_file`.

    Raises:
        RunError: It can't be written; what was there is as it was.
        ValueError: A number is not finite.
        TypeError: JSON can't hold it.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    save_file(path, text.encode())


def read_json(
    path: Path,
    *,
    written_by: str,
    schema: int,
    expected: str = "",
    error: type[RunError | DataError] = RunError,
) -> dict[str, Any]:
    """Reads an object. Its content is data and is never executed.

    Args:
        path: The file.
        written_by: Which command writes it, for messages.
        schema: The layout that this release reads, which stands under ``schema``.
        expected: How messages begin, where a JSON object at that path says too little.
        error: What every complaint is raised as.

    Raises:
        RunError | DataError: It is missing, isn't JSON, or was written by a release with another layout.
    """
    expected = f"{expected or f'{path}: expected a JSON object'}, written by {written_by}"
    try:
        content = read_regular_file(path, at_most=_LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise error(f"{expected}, got a file of more than {_LARGEST_FILE >> 20} MiB.")
        record = json.loads(content, object_pairs_hook=_each_once)
        # Lone surrogates, NaN and infinities get past the reader but not into a report.
        json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
    except FileNotFoundError as reason:
        raise error(f"{expected}, found none.") from reason
    except OSError as reason:
        raise error(f"{path} can't be read: {reason.strerror or reason}.") from reason
    except _RepeatedKeyError as reason:
        raise error(f"{expected}, got a file in which a key stands twice.") from reason
    except (ValueError, RecursionError) as reason:
        raise error(f"{expected}, got a file that is not valid JSON.") from reason
    if not isinstance(record, dict):
        raise error(f"{expected}, got JSON that is not an object.")
    found = record.get("schema")
    if found != schema or isinstance(found, bool):
        release = record.get("unforeseen", record.get("version"))
        which = f" ({one_line(release, longest=40)})" if isinstance(release, str) else ""
        raise error(
            f"{path}: written by another release{which}: expected schema {schema}, got "
            f"{shown(found) if 'schema' in record else 'none'}. {_USE_THAT_ONE}"
        )
    return record


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands twice, others might read the first value and we the last."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _RepeatedKeyError
    return content
