"""One process at a time writes into a run folder.

The lock is the operating system's, on the file ``.lock`` of the folder. It ends with the process
that holds it, however that ends, so that a file that is left behind locks nobody out. Who holds it
stands in a file beside it: on Windows nobody else can read a locked one. Readers take no lock.
"""

__all__ = ["HOLDER_FILE", "LOCK_FILE", "sole_writer"]

import errno
import os
import platform
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from unforeseen.errors import RunError
from unforeseen.files.atomic import replace_file

LOCK_FILE = ".lock"
HOLDER_FILE = ".lock-holder"

#: What file systems without locks answer.
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)
_LONGEST_SHOWN = 200


@contextmanager
def sole_writer(folder: Path, note: Callable[[str], None], *, shown_by: str = "") -> Iterator[None]:
    """Keeps all others from writing into a run folder while the block lasts.

    A folder that wasn't there before and into which nothing was written is gone afterwards.

    Args:
        folder: The run's; made where needed.
        note: Told if the file system has no locks, so that nothing keeps others out.
        shown_by: Command that shows, also meanwhile, what there is; for messages.

    Raises:
        RunError: Another process or thread writes there, or the folder can't be written.
    """
    lock = FileLock(folder / LOCK_FILE, timeout=0)
    new: list[Path] = []
    try:
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            # Where it would go on with a mere marker file, which outlives a killed process.
            warnings.simplefilter("error", UserWarning)
            lock.acquire()
    except Timeout as error:
        meanwhile = f"; {shown_by} shows at any time what there is" if shown_by else ""
        raise RunError(
            f"{folder} is being written by {_holder(folder)}. Wait until it has ended, stop it, or "
            f"use another --out{meanwhile}."
        ) from error
    except (NotImplementedError, UserWarning, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LOCKS:
            raise RunError(_cannot_be_written(folder, error)) from error
        note(
            f"the file system of {folder} has no locks; see to it that no other process writes "
            "there at the same time."
        )
    else:
        _sign(folder)
    try:
        yield
    finally:
        if lock.is_locked:
            with suppress(OSError):
                (folder / HOLDER_FILE).unlink(missing_ok=True)
            if sys.platform != "win32":
                _remove_if_empty(folder, new)
            lock.release()
        if sys.platform == "win32":  # where nobody can remove a file that is open
            _remove_if_empty(folder, new)


def _remove_if_empty(folder: Path, new: Sequence[Path]) -> None:
    """Removes folders in which there is nothing but the lock, the innermost first."""
    with suppress(OSError):
        if new and {each.name for each in folder.iterdir()} <= {LOCK_FILE}:
            (folder / LOCK_FILE).unlink(missing_ok=True)
            for each in new:
                each.rmdir()


def _cannot_be_written(folder: Path, error: OSError) -> str:
    with suppress(OSError):
        if (folder / LOCK_FILE).is_symlink():
            return f"{folder} can't be written: its {LOCK_FILE} is a link. Remove it."
    return f"{folder} can't be written: {error.strerror or error}."


def _sign(folder: Path) -> None:
    """Says who holds the lock; it holds without that too, so that a full disk speaks elsewhere."""
    since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    holder = f"process {os.getpid()} on {platform.node() or 'this machine'} since {since}"
    with suppress(OSError):
        replace_file(folder / HOLDER_FILE, holder.encode())


def _holder(folder: Path) -> str:
    """Who holds it, as far as is known; the folder may be a stranger's."""
    try:
        with (folder / HOLDER_FILE).open("rb") as file:
            said = file.read(_LONGEST_SHOWN)
    except OSError:
        return "another process"
    return said.decode(errors="replace") or "another process"
