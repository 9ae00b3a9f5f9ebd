"""Lines where there is no terminal to draw bars on: what is being done, where nothing was said for a while."""

__all__ = ["QuietLines"]

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import ClassVar, final

from rich.console import Console

from unforeseen.errors import printable

#: Seconds of silence, after which somebody wonders; and the longest, of what takes hours.
SOON, SELDOM = 5.0, 30.0
#: How often it is looked.
_LOOK_SECONDS = 0.5


@final
class QuietLines:
    """Writes a line after a silence, which may be the longer the longer the work has lasted.

    Args:
        console: Where to.
    """

    #: When the last line was written, by any of them: a command has one after the other.
    _said: ClassVar[float] = time.monotonic()

    def __init__(self, console: Console) -> None:
        self._console = console
        self._text: Callable[[float], str] | None = None
        self._began = time.monotonic()
        self._ended = Event()
        self._thread: Thread | None = None

    def begin(self, text: Callable[[float], str]) -> None:
        """Something begins.

        Args:
            text: Says how far it is, given for how many seconds it has lasted; another thread asks it.
        """
        self._began, self._text = time.monotonic(), text
        if self._thread is None and not self._console.is_terminal:
            self._thread = Thread(target=self._watch, daemon=True)
            self._thread.start()

    def end(self) -> None:
        """What began last is over."""
        self._text = None

    def print(self, text: str, style: str | None = None) -> None:
        """Prints a line that is said in any case; on a terminal too."""
        QuietLines._said = time.monotonic()
        self._console.print(text, style=style, highlight=False, soft_wrap=True)

    def look(self) -> None:
        """Says what is being done, if it is time to.

        Raises:
            OSError: Nobody reads any more.
        """
        text = self._text
        now = time.monotonic()
        patience = min(max((self._said - self._began) / 4, SOON), SELDOM)
        if text is not None and now - self._said >= patience:
            QuietLines._said = now
            # Not by way of rich, which leads the process's output nowhere where nobody reads it any
            # more: that is the other thread's to find out, and to end by.
            self._console.file.write(f"{printable(text(now - self._began))}\n")
            self._console.file.flush()

    def close(self) -> None:
        """Nothing more is said by itself."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        with suppress(OSError, ValueError):
            while not self._ended.wait(_LOOK_SECONDS):
                self.look()
