"""The command of a folder of drawings: those that are named, or all, become JPEGs."""

__all__ = ["draw_by_name"]

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from PIL import Image

_QUALITY = 92


def draw_by_name(
    program: str, description: str | None, names: Iterable[str], draw: Callable[[str], Image.Image]
) -> None:
    """Reads the command line, and writes one JPEG for each name."""
    known = tuple(names)
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the pictures")
    options = parser.parse_args()
    for name in options.names:
        if name not in known:
            parser.error(f"expected names among {', '.join(known)}, got {name!r}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or known:
        began = time.monotonic()
        draw(name).save(options.out / f"{name}.jpg", quality=_QUALITY, optimize=True)
        print(f"{name}: {time.monotonic() - began:.0f} s")
