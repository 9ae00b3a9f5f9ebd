"""What can be told about a model's file before it is loaded."""

__all__ = ["check_model_file", "quiet"]

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unforeseen.errors import ModelError, first_line
from unforeseen.uri import path_of


def check_model_file(text: str, what: str) -> Path:
    """Finds the file and looks at its first bytes.

    Args:
        text: The path as the user typed it; ``~`` is the home folder.
        what: What was expected, e.g. ``"a checkpoint"``.

    Raises:
        ModelError: There is no such file, it is empty, or it is a web page or a pointer to a
            file that was never downloaded.
    """
    path = path_of(text)
    try:
        with path.open("rb") as file:
            head = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    except FileNotFoundError as error:
        raise ModelError(
            f"{path}: expected {what}, but there is no such file (looked in {Path.cwd()})."
        ) from error
    except OSError as error:
        raise ModelError(
            f"{path}: expected {what}, but it can't be read: {first_line(error)}"
        ) from error
    if not head:
        raise ModelError(f"{path}: expected {what}, got an empty file. Download it again.")
    if head.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        raise ModelError(
            f"{path}: expected {what}, got a web page (HTML), probably an error or a log-in page "
            "saved by a failed download. Open the address in a browser and download it again."
        )
    if head.startswith(b"version https://git-lfs"):
        raise ModelError(
            f"{path}: expected {what}, got a Git LFS pointer. Fetch the file itself with: "
            "git lfs pull"
        )
    return path


@contextmanager
def quiet(*loggers: str) -> Iterator[None]:
    """Silences what libraries log of failures that we report ourselves."""
    levels = [(logger, logger.level) for logger in map(logging.getLogger, loggers)]
    try:
        for logger, _ in levels:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in levels:
            logger.setLevel(level)
