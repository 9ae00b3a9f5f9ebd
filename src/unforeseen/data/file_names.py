"""Names of files: which are pictures, and how they are written down and listed in messages."""

__all__ = [
    "PICTURE_SUFFIXES",
    "first_names",
    "is_picture_name",
    "keys_of_rows",
    "portable",
    "skipped_note",
]

import unicodedata
from collections.abc import Iterable, Sequence

#: Of the formats that :mod:`unforeseen.files.decode` opens.
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".ppm")

_NAMED_IN_A_MESSAGE = 3


def is_picture_name(name: str) -> bool:
    """Whether a name ends as pictures' do, in any case."""
    return name.lower().endswith(PICTURE_SUFFIXES)


def portable(name: str) -> str:
    """The same text on every file system: macOS decomposes accents; Linux allows any bytes."""
    return unicodedata.normalize("NFC", name).encode(errors="backslashreplace").decode()


def first_names(names: Sequence[str]) -> str:
    """The first three, and how many more: ``a, b, c and 7 more``."""
    shown = ", ".join(portable(name) for name in names[:_NAMED_IN_A_MESSAGE])
    rest = len(names) - _NAMED_IN_A_MESSAGE
    return f"{shown} and {rest} more" if rest > 0 else shown


def skipped_note(names: Sequence[str], what: str, noun: str = "file") -> tuple[str, ...]:
    """A note that some files were left out, or none.

    Args:
        names: Which.
        what: Why, as in "skipped, hidden or not pictures".
        noun: What one of them is called.
    """
    if not names:
        return ()
    nouns = noun if len(names) == 1 else f"{noun}s"
    return (f"skipped, {what}: {len(names)} {nouns} ({first_names(names)})",)


def keys_of_rows(paths: Iterable[str | None]) -> list[str]:
    """File names without folders, or row numbers where there is none or it came before."""
    keys: list[str] = []
    seen: set[str] = set()
    for row, path in enumerate(paths):
        name = (path or "").replace("\\", "/").rpartition("/")[2]
        keys.append(name if name and name not in seen else f"{name} row {row}".lstrip())
        seen.add(name)
    return keys
