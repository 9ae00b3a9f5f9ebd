"""Draws the patterns, icons and texts of the default pack: ``python -m drawing.flat --out DIR``."""

__all__ = ["main"]

import argparse
from pathlib import Path

from PIL import Image

from drawing.icons import ICONS, draw_icon
from drawing.patterns import PATTERNS, draw_pattern
from drawing.texts import TEXTS, draw_text


def main() -> None:
    """Writes every file, under the name that the pack's manifest gives it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the pack's folder")
    folder: Path = parser.parse_args().out
    for name in PATTERNS:
        _save(draw_pattern(name), folder / "patterns" / f"{name}.png")
    for name in ICONS:
        _save(draw_icon(name), folder / "icons" / f"{name}.png")
    for name in TEXTS:
        _save(draw_text(name), folder / "texts" / f"{name}.png")


def _save(picture: Image.Image, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.save(file, optimize=True)


if __name__ == "__main__":
    main()
