"""``run.json``: everything that makes a run again, beside its rows."""

__all__ = ["RECORD_FILE", "read_record", "write_record"]

import os.path
from pathlib import Path
from typing import Any

from unforeseen.errors import RunError
from unforeseen.files.json_file import read_json, write_json
from unforeseen.rows import SCHEMA_VERSION

RECORD_FILE = "run.json"


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
    return read_json(
        path,
        schema=SCHEMA_VERSION,
        written_by="unforeseen run",
        expected=f"{folder} is not a run folder: expected {RECORD_FILE}",
    )
