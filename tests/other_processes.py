"""What comes from outside of a process: it is killed, or another one is quicker."""

__all__ = ["killed_once", "overtaken"]

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PATIENCE_SECONDS = 120


def killed_once(there: Path, *command: str, **environment: str) -> None:
    """Runs ``unforeseen`` and kills it, by a signal that no handler sees, once a file is there.

    It computes with one thread, as the tests do: the same sum over several has other digits.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "unforeseen", *command],
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not there.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert there.exists()


@contextmanager
def overtaken(folder: Path, _note: object) -> Iterator[None]:
    """In place of ``sole_writer``: another process makes the folder just before it is locked."""
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    yield
