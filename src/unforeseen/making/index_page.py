"""``index.html``: some pictures, clean and under every obfuscation, with their parameters.

One file without scripts, which shows all it has when it is opened from a disk.
"""

__all__ = ["index_page"]

import base64
import io
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined
from PIL import Image

from unforeseen.files.decode import decode_rgb
from unforeseen.obfuscated_folder.layout import RECORD_FILE
from unforeseen.obfuscated_folder.reading import read_stored
from unforeseen.obfuscated_folder.record import MadeRecord
from unforeseen.obfuscated_folder.stored import StoredPicture

#: So many are shown of each obfuscation, in this size.
_SHOWN = 6
_SIDE = 160
_QUALITY = 80
_LONGEST_VALUE = 120


class _Thumbnail(NamedTuple):
    """One picture of the page.

    Attributes:
        address: Its own bytes, as an address.
        name: What its data set calls the picture that it was made of.
        label: The class, in words where there are any.
        parameters: Name and value of what was drawn.
    """

    address: str
    name: str
    label: str
    parameters: list[tuple[str, str]]


def index_page(
    folder: Path,
    record: MadeRecord,
    lines: Mapping[str, Sequence[StoredPicture]],
    *,
    assets: str,
) -> str:
    """The page.

    Args:
        folder: Where the pictures lie.
        record: How they were made.
        lines: Obfuscation, or ``Clean`` → its lines.
        assets: What was taken of which pack, in words; may be empty.

    Raises:
        OSError: A stored picture can't be read.
    """
    page = resources.files("unforeseen.making").joinpath("index.html.jinja")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    shown = {
        name: [line for line in each if line.unreadable is None][:_SHOWN]
        for name, each in lines.items()
    }
    return environment.from_string(page.read_text(encoding="utf-8")).render(
        record=record,
        record_file=RECORD_FILE,
        assets=assets,
        preprocessing=record.preprocessing.in_words(),
        side=_SIDE,
        rows={
            name: [_thumbnail(folder, record, name, line) for line in each]
            for name, each in shown.items()
        },
    )


def _thumbnail(folder: Path, record: MadeRecord, name: str, line: StoredPicture) -> _Thumbnail:
    picture = decode_rgb(read_stored(folder, record.format, name, line))
    picture.thumbnail((_SIDE, _SIDE), Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=_QUALITY)
    encoded = base64.b64encode(buffer.getvalue()).decode()
    drawn: dict[str, object] = {} if line.parameters is None else json.loads(line.parameters)
    return _Thumbnail(
        address=f"data:image/jpeg;base64,{encoded}",
        name=line.file_name,
        label=line.class_name or f"class {line.label}",
        parameters=[(key, _in_words(value)[:_LONGEST_VALUE]) for key, value in drawn.items()],
    )


def _in_words(value: object) -> str:
    """Numbers to four digits, which is more than can be seen; the records hold them all."""
    if isinstance(value, list):
        return f"[{', '.join(map(_in_words, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
