"""One process at a time writes into a folder that we make.

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

from filelock import BaseFileLock, FileLock, Timeout

from unforeseen.errors import RunError
from unforeseen.files.atomic import replace_file

LOCK_FILE = ".lock"
HOLDER_FILE = ".lock-holder"

#: What file systems without locks answer.
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)
_LONGEST_SHOWN = 200


@contextmanager
def sole_writer(folder: Path, note: Callable[[str], None], *, shown_by: str = "") -> Iterator[None]:
    """Keeps all others from writing into a folder while the block lasts.

    A folder that wasn't there before and into which nothing was written is gone afterwards.

    Args:
        folder: Made where needed.
        note: Told if the file system has no locks, so that nothing keeps others out.
        shown_by: Command that shows, also meanwhile, what there is; for messages.

    Raises:
        RunError: Another process or thread writes there, or the folder can't be written.
    """
    lock = FileLock(folder / LOCK_FILE, timeout=0)
    new: list[Path] = []
    # Around all, as Ctrl-C may come at any time.
    try:
        _acquire(lock, folder, new, note, shown_by)
        yield
    finally:
        if lock.is_locked:
            with suppress(OSError):
                (folder / HOLDER_FILE).unlink(missing_ok=True)
            if sys.platform != "win32":
                # While it is held: it might be another holder's afterwards.
                _forget_lock(folder, new)
            lock.release()
            if sys.platform == "win32":  # where nobody can remove a file that is open
                _forget_lock(folder, new)
        with suppress(OSError):
            for each in new:
                each.rmdir()


def _acquire(
    lock: BaseFileLock, folder: Path, new: list[Path], note: Callable[[str], None], shown_by: str
) -> None:
    """Makes the folder and locks it; ``new`` takes the folders that weren't there, the innermost first."""
    try:
        new += [each for each in (folder, *folder.parents) if not each.exists()]
        with warnings.catch_warnings():
            # Where it would go on with a mere marker file, which outlives a killed process.
            warnings.simplefilter("error", UserWarning)
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
            # Another process may have removed it, and its folder, after it was opened here.
            while not os.path.lexists(folder / LOCK_FILE):
                lock.release()
                folder.mkdir(parents=True, exist_ok=True)
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


def _forget_lock(folder: Path, new: Sequence[Path]) -> None:
    """Removes the lock of a new folder in which there is nothing else."""
    with suppress(OSError):
        if new and {each.name for each in folder.iterdir()} <= {LOCK_FILE}:
            (folder / LOCK_FILE).unlink(missing_ok=True)


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
