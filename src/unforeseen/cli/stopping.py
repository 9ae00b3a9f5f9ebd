"""Ctrl-C, and SIGTERM as clusters send it: the run ends, and its last rows are written first."""

__all__ = ["INTERRUPTED", "TERMINATED", "Stop", "stopping_in_peace"]

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

#: What a shell expects of a process that a signal ended: 128 + the signal's number.
INTERRUPTED = 130
TERMINATED = 143

_PATIENCE = b"Writing what is finished; Ctrl-C once more ends at once.\n"


class Stop:
    """Handles signals: the first and the third raise KeyboardInterrupt.

    Attributes:
        exit_code: What the process is to end with when it was stopped.
    """

    def __init__(self) -> None:
        self.exit_code = INTERRUPTED
        self._signals = 0

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Called by the interpreter, between any two of its steps."""
        self._signals += 1
        if self._signals == 2:
            # Not through sys.stderr, which may be in the middle of a line.
            with suppress(OSError):
                os.write(2, _PATIENCE)
            return
        if number != signal.SIGINT:
            self.exit_code = TERMINATED
        raise KeyboardInterrupt


@contextmanager
def stopping_in_peace() -> Iterator[Stop]:
    """Makes the first signal end what runs inside, and the second leave the ending alone.

    A hasty second Ctrl-C would otherwise interrupt the writing of the last rows. A third one does.
    Handlers that were there come back afterwards; nothing changes outside the main thread, where
    signals can't be handled.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    numbers = [signal.SIGINT]
    if sys.platform != "win32":
        # Windows ends a process at once and calls no handler.
        numbers.append(signal.SIGTERM)
    before = [(number, signal.signal(number, stop)) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in before:
            signal.signal(number, handler)
