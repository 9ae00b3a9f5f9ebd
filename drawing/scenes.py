"""The scenes of the default pack: ``python -m drawing.scenes [NAME…] --out DIR``.

Each is a photograph with a flat place into which somebody's picture is put in perspective. Needs ``bpy`` 4.2 and Pillow.
"""

__all__ = ["SCENES", "main"]

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from drawing.place import Place
from drawing.scenes_held import phone, polaroid
from drawing.scenes_road import billboard
from drawing.scenes_rooms import easel, gallery, window
from drawing.scenes_screens import cinema, monitor, television
from drawing.scenes_street import poster, shop
from drawing.scenes_table import book, glasses, tablet
from drawing.studio import picture_shares, render, visibility

SCENES: dict[str, Callable[[], Place]] = {
    "billboard": billboard,
    "book": book,
    "cinema": cinema,
    "easel": easel,
    "gallery": gallery,
    "glasses": glasses,
    "monitor": monitor,
    "phone": phone,
    "polaroid": polaroid,
    "poster": poster,
    "shop": shop,
    "tablet": tablet,
    "television": television,
    "window": window,
}


def main() -> None:
    """Renders scenes, and prints their tables of ``assets.toml``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SCENES)}")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--samples", type=int, default=24)
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(SCENES)):
        parser.error(f"expected names of {', '.join(SCENES)}, got {', '.join(unknown)}.")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or SCENES:
        table = draw(name, arguments.out, side=arguments.side, samples=arguments.samples)
        (arguments.out / f"{name}.toml").write_text(table, encoding="utf-8")
        print(table)


def draw(name: str, folder: Path, *, side: int, samples: int) -> str:
    """Renders one scene into a folder; returns its table of ``assets.toml``."""
    scene = SCENES[name]
    place = scene()
    render(side, samples=samples).save(folder / f"{name}.jpg", quality=92, subsampling=0)
    corners = ", ".join(f"[{x:.4f}, {y:.4f}]" for x, y in picture_shares(place.corners))
    seen = visibility(place.panel, place.outline(), side)
    over = np.round(255 * (1 - seen * (1 - place.gloss))).astype(np.uint8)
    Image.fromarray(over).save(folder / f"{name}-foreground.png", optimize=True)
    return (
        f"[scene.{name}]\n"
        f'file = "scenes/{name}.jpg"\n'
        f'foreground = "scenes/{name}-foreground.png"\n'
        f"corners = [{corners}]\n"
        'licence = "Apache-2.0"\n'
        f'source = "rendered for this project: {scene.__module__.replace(".", "/")}.py"\n'
    )


if __name__ == "__main__":
    main()
