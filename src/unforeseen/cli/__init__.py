"""The command line: each command parses, calls and prints."""

__all__ = ["main"]

import errno
import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unforeseen.cli.stopping import INTERRUPTED, stopping_in_peace
from unforeseen.cli.torch_notice import noticing_torch
from unforeseen.errors import UserError, one_line

#: Exit code: what a shell expects of a usage error.
USER_ERROR = 2
#: And of a program whose output nobody reads any more: 128 + SIGPIPE.
CLOSED_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and exits.

    Args:
        arguments: Those after the program's name; None takes the process's.
    """
    _reopen_closed_output()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Pipes on Windows lack ε and others; a question mark is better than no table.
        sys.stdout.reconfigure(errors="replace")
    with stopping_in_peace() as stop, noticing_torch():
        try:
            code = _run(arguments)
        except KeyboardInterrupt:
            code = INTERRUPTED
        if code == INTERRUPTED:
            code = stop.exit_code
    sys.exit(code)


def _reopen_closed_output() -> None:
    """Leads what was closed before the program began (``>&-``, or no window) nowhere.

    The next file would get its number otherwise, and what libraries print would land in that.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 – until the end
            setattr(sys, name, nowhere)


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from unforeseen.cli.app import app

    # Newer releases of typer carry a click of their own and don't export this class by name.
    usage_error: Any = typer.BadParameter.__mro__[1]

    try:
        code = app(args=arguments, prog_name="unforeseen", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as ended:
        # Rich and click make a code 1 of a closed pipe, which means something else here.
        if isinstance(ended, SystemExit) and not isinstance(ended.__context__, BrokenPipeError):
            raise
        _end_output()
        return CLOSED_PIPE
    except UserError as error:
        return _say(_as_typed(str(error), sys.argv[1:] if arguments is None else arguments))
    except usage_error as error:
        where = f" See: {error.ctx.command_path} --help" if error.ctx is not None else ""
        return _say(f"{error.format_message()}{where}")
    except OSError as error:
        # Only where standard output leads onto a full disk; all other writing says more itself.
        if error.errno != errno.ENOSPC:
            raise
        return _say(error.strerror or str(error))
    except typer.Abort:
        # What older releases of typer make of Ctrl-C; newer ones return its code.
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _end_output() -> None:
    """Keeps the interpreter from writing the rest at its end, and from failing once more."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _as_typed(message: str, arguments: Sequence[str]) -> str:
    """An argument that an error begins with, as Python names it, under the option's name."""
    name = message.partition(":")[0]
    option = "--" + re.sub("[ _]", "-", name)
    typed = {each.partition("=")[0] for each in arguments}
    # A folder may be called as an option is: `--out out`.
    values = {name, f"{option}={name}"}
    if option not in typed or not values.isdisjoint(arguments):
        return message
    return option + message[len(name) :]


def _say(message: str) -> int:
    sys.stderr.write(f"error: {one_line(message)}\n")
    return USER_ERROR
