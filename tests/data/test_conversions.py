"""Saying what was not RGB."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from data.in_memory import Content, InMemory, encoded, noise
from small import SIDE
from small_runs import Notes, run_small
from unforeseen.data.conversions import Conversions
from unforeseen.data.pictures import stream_pictures
from unforeseen.preprocessing import Preprocessing


def note_of(*contents: Content) -> str | None:
    conversions = Conversions()
    chosen = [(index, f"p{index}") for index in range(len(contents))]
    for _ in range(2):  # a batch that had to be halved comes again
        pictures = stream_pictures(InMemory(contents), chosen, Preprocessing())
        assert len(list(conversions.watch(pictures))) == len(contents)
    return conversions.note


@pytest.mark.parametrize(
    ("mode", "suffix", "kind"),
    [
        ("L", "JPEG", "grey-scale"),
        ("1", "PNG", "grey-scale"),
        ("I;16", "PNG", "grey-scale"),
        ("P", "PNG", "palette"),
        ("CMYK", "JPEG", "CMYK"),
        ("LA", "PNG", "transparent"),
        ("RGBA", "PNG", "transparent"),
    ],
)
def test_every_kind_that_becomes_rgb_is_counted_once(mode: str, suffix: str, kind: str) -> None:
    """Pitfall 9: converted to RGB at loading and said so."""
    other = (
        Image.fromarray(np.zeros((8, 8), np.uint16))
        if mode == "I;16"
        else Image.fromarray(noise()).convert(mode)
    )
    contents: list[Content] = [encoded(other, suffix), encoded(noise()), noise(), b"broken"]
    assert note_of(*contents, encoded(other, suffix)) == f"converted to RGB: 2 {kind}"


def test_rgb_needs_no_words() -> None:
    assert note_of(encoded(noise()), encoded(noise(), "JPEG"), noise(), b"") is None


def test_a_run_says_so_once_of_the_pictures_that_it_judges_for_the_first_time(
    tmp_path: Path,
) -> None:
    grey = [encoded(Image.fromarray(noise(SIDE, SIDE, seed=n)).convert("L")) for n in range(3)]
    data = InMemory([*grey, noise(SIDE, SIDE, seed=9)])
    for expected in (["converted to RGB: 3 grey-scale"], []):
        notes = Notes()
        run_small(tmp_path, data=data, reporter=notes)
        assert [note for note in notes.said if "RGB" in note] == expected
