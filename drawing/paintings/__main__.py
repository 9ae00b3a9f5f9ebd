"""Draws the paintings that are asked for, or all: each takes a few seconds."""

import argparse
import time
from pathlib import Path

from drawing.paintings import PAINTINGS, draw_painting

_QUALITY = 92


def main() -> None:
    """Writes one JPEG for each name."""
    parser = argparse.ArgumentParser(prog="python -m drawing.paintings", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PAINTINGS))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the pictures")
    options = parser.parse_args()
    for name in options.names:
        if name not in PAINTINGS:
            parser.error(f"expected names among {', '.join(PAINTINGS)}, got {name!r}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or PAINTINGS:
        began = time.monotonic()
        draw_painting(name).save(options.out / f"{name}.jpg", quality=_QUALITY, optimize=True)
        print(f"{name}: {time.monotonic() - began:.0f} s")


main()
