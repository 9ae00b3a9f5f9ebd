"""``scheme:path?option=value``: how models and data are named on the command line."""

__all__ = ["Uri", "expect_utf8", "path_of", "path_to_write"]

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from unforeseen.errors import UserError

#: One letter alone would be a drive. Python makes one slash of two.
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+:[/\\]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Uri:
    r"""A parsed ``scheme:path?option=value&option=value``.

    Attributes:
        text: The whole, as the user typed it.
        scheme: Lower case; empty where there is none (also for a Windows drive, ``C:\…``).
        path: What stands between scheme and options, untouched.
        options: What stands behind ``?``.
    """

    text: str
    scheme: str
    path: str
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Uri":
        """Parses; raises UserError where an option isn't ``name=value``, both of them said.

        So it does for what isn't UTF-8, which a run's record couldn't hold.
        """
        expect_utf8(text)
        scheme, colon, rest = text.partition(":")
        if not colon or len(scheme) == 1 or not scheme.replace("_", "").isalnum():
            scheme, rest = "", text
        path, mark, query = rest.partition("?")
        options: dict[str, str] = {}
        for part in query.split("&") if mark else ():
            name, equals, value = part.partition("=")
            if not (name and equals and value) or name in options:
                raise UserError(
                    f"{text!r}: after '?' expected distinct name=value pairs joined by '&', got {part!r}."
                )
            options[name] = value
        return cls(text=text, scheme=scheme.lower(), path=path, options=MappingProxyType(options))

    def expect_options(self, known: Iterable[str]) -> None:
        """Raises UserError if an option was given that ``known`` doesn't list."""
        known = sorted(known)
        for name in self.options:
            if name not in known:
                accepted = ", ".join(known) if known else "none"
                raise UserError(
                    f"{self.text!r}: unknown option {name!r}; this scheme accepts: {accepted}."
                )


def path_of(text: str) -> Path:
    """A path as users type it: ``~`` is the home folder, which shells don't see behind a scheme.

    Raises:
        UserError: No file can have such a name: a NUL in it, or half of a character.
    """
    try:
        encoded = os.fsencode(text)
    except UnicodeEncodeError as error:
        raise UserError(f"{text!r:.200} can't be a path: half of a character in it.") from error
    if b"\0" in encoded:
        raise UserError(f"{text!r:.200} can't be a path: a NUL in it.")
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path's own raises on unknown users


def path_to_write(option: str, path: Path) -> Path:
    """As :func:`path_of`, for what is written, which lies on this machine.

    Args:
        option: That named it, for messages.
        path: As it was typed.

    Raises:
        UserError: No file can have such a name; or it is an address, as ``s3://…``.
    """
    text = str(path)
    if _REMOTE.match(text):
        raise UserError(
            f"{option}: expected a path on this machine, got the address {text!r:.200}. Write to a path here, "
            "then copy it there."
        )
    return path_of(text)


def expect_utf8(text: str) -> None:
    """Raises UserError where a record couldn't hold what the user typed."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        encoding = sys.getfilesystemencoding()
        what_to_do = (
            "rename it"
            if encoding == "utf-8"
            else f"this locale makes Python read names as {encoding}: set LC_ALL=C.UTF-8, or PYTHONUTF8=1"
        )
        raise UserError(
            f"{text!r:.200}: expected UTF-8, which the record holds, got other bytes; {what_to_do}."
        ) from error
