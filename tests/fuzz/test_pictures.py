"""Any bytes are a picture, or unreadable for a reason in one line."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from data.in_memory import InMemory, encoded
from fuzzing import a_result_or_one_line, check_line, damaged, fuzz
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.files.decode import decode_rgb
from unforeseen.preprocessing import Preprocessing

SMOOTH = Image.fromarray(
    np.add.outer(np.arange(0, 240, 20), np.arange(0, 240, 20)).astype(np.uint8) // 2
)


def animated(suffix: str) -> bytes:
    buffer = io.BytesIO()
    frames = [SMOOTH.convert("P"), SMOOTH.rotate(90).convert("P")]
    frames[0].save(buffer, suffix, save_all=True, append_images=frames[1:])
    return buffer.getvalue()


def with_rotation_tag() -> bytes:
    buffer = io.BytesIO()
    tags = Image.Exif()
    tags[0x0112] = 6
    SMOOTH.convert("RGB").save(buffer, "JPEG", exif=tags)
    return buffer.getvalue()


WHOLE = {
    "JPEG": encoded(SMOOTH.convert("RGB"), "JPEG"),
    "JPEG with EXIF": with_rotation_tag(),
    "JPEG in CMYK": encoded(SMOOTH.convert("CMYK"), "JPEG"),
    "PNG": encoded(SMOOTH.convert("RGBA")),
    "PNG with a palette": encoded(SMOOTH.convert("P")),
    "PNG of 16 bits": encoded(Image.fromarray(np.asarray(SMOOTH).astype(np.uint16) * 257)),
    "GIF": animated("GIF"),
    "WebP": encoded(SMOOTH.convert("RGB"), "WEBP"),
    "TIFF": encoded(SMOOTH.convert("RGB"), "TIFF"),
    "BMP": encoded(SMOOTH.convert("RGB"), "BMP"),
    "PPM": encoded(SMOOTH.convert("RGB"), "PPM"),
}


@pytest.mark.parametrize("kind", WHOLE)
@fuzz(60)
@given(draw=st.data())
def test_damaged_pictures_decode_or_are_unreadable(kind: str, draw: st.DataObject) -> None:
    payload = draw.draw(damaged(WHOLE[kind]))
    with a_result_or_one_line(longest=200):
        assert decode_rgb(payload).mode == "RGB"

    data = InMemory([payload])
    (name,) = identify(data, [0])
    rule = Preprocessing(resize=16, crop=(12, 12), exif_rotation=True)
    picture = read_picture(data, 0, name, rule)
    if isinstance(picture, Picture):
        assert picture.image.shape == (3, 12, 12)
    else:
        check_line(picture.reason)


@fuzz()
@given(payload=st.binary(max_size=300))
def test_any_bytes_decode_or_are_unreadable(payload: bytes) -> None:
    with a_result_or_one_line(longest=200):
        decode_rgb(payload)
