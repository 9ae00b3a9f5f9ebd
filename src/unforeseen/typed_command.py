"""Commands as a person types them into a shell: in messages that say what to do next."""

__all__ = ["as_typed"]

import os
import shlex
import subprocess
import sys


def as_typed(*command: str | os.PathLike[str]) -> str:
    """A command of this program, quoted for the shell of the system.

    Args:
        command: What stands after ``unforeseen``.
    """
    words = ["unforeseen", *(os.fspath(each) for each in command)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
