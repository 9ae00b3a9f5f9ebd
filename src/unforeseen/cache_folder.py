"""Where this package keeps what it would otherwise download or compute again."""

__all__ = ["cache_folder"]

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's cache folder of this package; it need not exist yet.

    Args:
        environment: ``UNFORESEEN_CACHE`` names the folder itself. Else it is ``unforeseen`` in
            ``%LOCALAPPDATA%`` on Windows, ``~/Library/Caches`` on macOS, and ``$XDG_CACHE_HOME``
            or ``~/.cache`` elsewhere.
        platform: As :data:`sys.platform`.
    """
    if environment.get("UNFORESEEN_CACHE"):
        return Path(environment["UNFORESEEN_CACHE"])
    home = Path.home()
    if platform == "win32":
        caches = environment.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif platform == "darwin":
        caches = home / "Library" / "Caches"
    else:
        caches = environment.get("XDG_CACHE_HOME") or home / ".cache"
    return Path(caches) / "unforeseen"
