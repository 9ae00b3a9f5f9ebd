"""Draws the textures that are asked for, or all."""

import argparse
import time
from pathlib import Path

from drawing.textures import TEXTURES, draw_texture

_QUALITY = 92


def main() -> None:
    """Writes one JPEG for each name."""
    parser = argparse.ArgumentParser(prog="python -m drawing.textures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TEXTURES))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the pictures")
    options = parser.parse_args()
    for name in options.names:
        if name not in TEXTURES:
            parser.error(f"expected names among {', '.join(TEXTURES)}, got {name!r}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or TEXTURES:
        began = time.monotonic()
        draw_texture(name).save(options.out / f"{name}.jpg", quality=_QUALITY, optimize=True)
        print(f"{name}: {time.monotonic() - began:.0f} s")


main()
