"""Renders the photos that are asked for, or all.

Those of the default pack took 12 to 40 rays per pixel; more only lessen the noise.
"""

import argparse
import time
from pathlib import Path

from drawing.photos import PHOTOS
from drawing.studio import render

_QUALITY = 92


def main() -> None:
    """Writes one JPEG for each name."""
    parser = argparse.ArgumentParser(prog="python -m drawing.photos", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PHOTOS))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the pictures")
    parser.add_argument("--side", type=int, default=512, help="pixels (512)")
    parser.add_argument("--samples", type=int, default=18, help="rays per pixel at most (18)")
    options = parser.parse_args()
    for name in options.names:
        if name not in PHOTOS:
            parser.error(f"expected names among {', '.join(PHOTOS)}, got {name!r}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or PHOTOS:
        began = time.monotonic()
        PHOTOS[name]()
        picture = render(options.side, samples=options.samples)
        picture.save(options.out / f"{name}.jpg", quality=_QUALITY)
        print(f"{name}: {time.monotonic() - began:.0f} s")


main()
