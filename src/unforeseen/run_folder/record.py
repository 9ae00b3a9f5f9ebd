"""``run.json``: everything that makes a run again, beside its rows."""

__all__ = ["RECORD_FILE", "read_json", "read_record", "write_json", "write_record"]

import json
import os.path
from pathlib import Path
from typing import Any

from unforeseen.atomic import save_file
from unforeseen.errors import RunError, shown
from unforeseen.regular_files import read_regular_file
from unforeseen.rows import SCHEMA_VERSION

RECORD_FILE = "run.json"

#: A record has some 10 KiB. A stranger's could fill the memory.
_LARGEST_FILE = 2**26


class _RepeatedKeyError(ValueError):
    """An object has two values of one key."""


def write_record(folder: Path | str, record: dict[str, Any]) -> None:
    """Writes ``run.json`` into a run folder, making the folder where needed.

    Raises:
        RunError: It can't be written; what was there is as it was.
    """
    write_json(Path(folder) / RECORD_FILE, record)


def read_record(folder: Path | str) -> dict[str, Any]:
    """Reads ``run.json`` of a run folder. Its content is data and is never executed.

    Raises:
        RunError: It is missing, isn't JSON, or was written by a release with another layout.
    """
    path = Path(folder) / RECORD_FILE
    if not os.path.lexists(folder):
        raise RunError(f"{folder}: there is no such folder.")
    return _read(
        path,
        expected=f"{folder} is not a run folder: expected {RECORD_FILE}, written by unforeseen run",
    )


def read_json(path: Path, *, written_by: str, schema: int = SCHEMA_VERSION) -> dict[str, Any]:
    """Reads another file that this package wrote, such as ``summary.json``.

    Args:
        path: The file.
        written_by: Which command writes it, for messages.
        schema: The layout that this release reads.

    Raises:
        RunError: As in :func:`read_record`.
    """
    return _read(
        path, expected=f"{path}: expected a JSON object, written by {written_by}", schema=schema
    )


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Writes an object as UTF-8, by :func:`unforeseen.atomic.save_file`.

    Raises:
        RunError: It can't be written; what was there is as it was.
        ValueError: A number is not finite.
        TypeError: JSON can't hold it.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    save_file(path, text.encode())


def _read(path: Path, *, expected: str, schema: int = SCHEMA_VERSION) -> dict[str, Any]:
    try:
        content = read_regular_file(path, at_most=_LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise RunError(f"{expected}, got a file of more than {_LARGEST_FILE >> 20} MiB.")
        record = json.loads(content, object_pairs_hook=_each_once)
        # Lone surrogates, NaN and infinities get past the reader but not into a report.
        json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
    except FileNotFoundError as error:
        raise RunError(f"{expected}, found none.") from error
    except OSError as error:
        raise RunError(f"{path} can't be read: {error.strerror or error}.") from error
    except _RepeatedKeyError as error:
        raise RunError(f"{expected}, got a file in which a key stands twice.") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{expected}, got a file that is not valid JSON.") from error
    if not isinstance(record, dict):
        raise RunError(f"{expected}, got JSON that is not an object.")
    if record.get("schema") != schema:
        raise RunError(
            f"{path}: expected schema {schema}, got {shown(record.get('schema'))}; "
            "read it with the release that wrote it."
        )
    return record


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands twice, others might read the first value and we the last."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _RepeatedKeyError
    return content
