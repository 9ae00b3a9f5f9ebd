"""Thirteen lines of letters, in fonts that come with Matplotlib."""

__all__ = ["HEIGHT", "TEXTS", "Line", "draw_text"]

from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFont

from drawing.canvas import SUPERSAMPLING

#: Of a line in pixels.
HEIGHT = 128

#: Above and below the letters, and between the end of a line and its next repetition.
_MARGIN = 6
_GAP = 30
_TRIAL_SIZE = 400


class Line(NamedTuple):
    """What is written, and in which font."""

    letters: str
    font: str


#: Words in several scripts and styles, digits and signs.
TEXTS: dict[str, Line] = {
    "unforeseen": Line("Unforeseen", "DejaVuSans-Bold"),
    "sample": Line("SAMPLE", "DejaVuSansMono-Bold"),
    "lorem-ipsum": Line("Lorem ipsum dolor", "DejaVuSerif-Bold"),
    "look-away": Line("look away!", "DejaVuSans-BoldOblique"),
    "do-not-copy": Line("DO NOT COPY", "DejaVuSans-Bold"),
    "good-morning": Line("Good morning", "STIXGeneralBolIta"),
    "digits": Line("0123456789", "DejaVuSansMono-Bold"),
    "signs": Line("#&@%?!§+", "DejaVuSerif-Bold"),
    "hello-hello": Line("hello·hello", "DejaVuSansMono-BoldOblique"),
    "greek": Line("Καλημέρα", "DejaVuSerif-Bold"),
    "cyrillic": Line("Привет всем", "DejaVuSans-Bold"),
    "georgian": Line("გამარჯობა", "DejaVuSans-Bold"),
    "armenian": Line("Բարեւ բոլորին", "DejaVuSerif-Bold"),
}


def draw_text(name: str) -> Image.Image:
    """A line in grey, white inside its letters, which fill its height; it ends in a gap."""
    line = TEXTS[name]
    room = (HEIGHT - 2 * _MARGIN) * SUPERSAMPLING
    _, top, _, bottom = _font(line.font, _TRIAL_SIZE).getbbox(line.letters)
    font = _font(line.font, int(_TRIAL_SIZE * room / (bottom - top)))
    left, top, right, bottom = font.getbbox(line.letters)
    width = -(-int(right - left) // SUPERSAMPLING) + _GAP
    large = Image.new("L", (width * SUPERSAMPLING, HEIGHT * SUPERSAMPLING))
    middle = (HEIGHT * SUPERSAMPLING - (bottom - top)) // 2
    start = _GAP * SUPERSAMPLING // 2 - left
    ImageDraw.Draw(large).text((start, middle - top), line.letters, fill=255, font=font)
    return large.resize((width, HEIGHT), Image.Resampling.BOX)


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Laid out without Raqm, which isn't there on every machine."""
    file = Path(mpl.get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
