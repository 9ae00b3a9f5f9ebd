"""Every kind of file that turns up among pictures."""

import io
import re
import struct
import warnings
from typing import Literal

import numpy as np
import pytest
from PIL import Image

from data.in_memory import encoded, noise
from false_pictures import png_header
from unforeseen.errors import DataError
from unforeseen.files.decode import decode, decode_rgb


def rgb(payload: bytes) -> np.ndarray:
    return np.asarray(decode_rgb(payload))


@pytest.mark.parametrize("suffix", ["PNG", "BMP", "PPM", "TIFF"])
def test_lossless_rgb_comes_back_as_it_was(suffix: str) -> None:
    assert np.array_equal(rgb(encoded(noise(5, 9), suffix)), noise(5, 9))


@pytest.mark.parametrize("suffix", ["PNG", "BMP", "JPEG", "WEBP"])
def test_one_pixel_is_a_picture(suffix: str) -> None:
    assert rgb(encoded(noise(1, 1), suffix)).shape == (1, 1, 3)


@pytest.mark.parametrize("suffix", ["PNG", "JPEG", "TIFF"])
def test_grey_scale_has_three_equal_channels(suffix: str) -> None:
    grey = Image.fromarray(np.full((188, 128), 77, np.uint8))
    assert np.array_equal(rgb(encoded(grey, suffix)), np.full((188, 128, 3), 77))


def test_grey_scale_of_16_bits_is_scaled_and_not_clipped() -> None:
    levels = np.array([[0, 128, 129, 257, 1000, 32768, 65278, 65535]], np.uint16)
    expected = np.round(levels / 257).astype(np.uint8)
    for suffix in ("PNG", "TIFF"):
        assert np.array_equal(rgb(encoded(Image.fromarray(levels), suffix))[..., 0], expected)


def tiff(pixels: np.ndarray, *, order: Literal["<", ">"] = "<", white_is_0: bool = False) -> bytes:
    """Grey-scale of any type, not compressed; Pillow writes few of them."""
    height, width = pixels.shape
    content = pixels.astype(pixels.dtype.newbyteorder(order)).tobytes()
    tags = {
        256: width,
        257: height,
        258: 8 * pixels.itemsize,
        259: 1,
        262: 0 if white_is_0 else 1,
        273: 8,
        277: 1,
        278: height,
        279: len(content),
        339: {"u": 1, "i": 2, "f": 3}[pixels.dtype.kind],
    }
    entries = b"".join(
        struct.pack(f"{order}HHIHH", tag, 3, 1, value, 0) for tag, value in tags.items()
    )
    header = {"<": b"II*\0", ">": b"MM\0*"}[order] + struct.pack(f"{order}I", 8 + len(content))
    return header + content + struct.pack(f"{order}H", len(tags)) + entries + bytes(4)


RAMP = np.arange(16).reshape(4, 4)


@pytest.mark.parametrize("order", ["<", ">"])
def test_unsigned_grey_scale_of_every_kind_of_tiff_is_read(order: Literal["<", ">"]) -> None:
    """That what is refused below is refused for its kind."""
    expected = (17 * RAMP).astype(np.uint8)
    assert np.array_equal(rgb(tiff(expected, order=order))[..., 0], expected)
    assert np.array_equal(rgb(tiff((4369 * RAMP).astype(np.uint16), order=order))[..., 0], expected)
    inverted = tiff(255 - expected, order=order, white_is_0=True)
    assert np.array_equal(rgb(inverted)[..., 0], expected)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.uint32, np.float32, np.float64])
def test_pixels_of_a_tiff_without_an_agreed_range_are_refused(
    kind: type[np.number], order: Literal["<", ">"]
) -> None:
    """Pillow opens some of them as if they were others: 0 … 255 in 32 bits became nearly black."""
    with pytest.raises(DataError, match=r"no agreed range|not a picture"):
        decode_rgb(tiff(RAMP.astype(kind), order=order))


def test_grey_scale_of_16_bits_that_pillow_would_leave_inverted_is_refused() -> None:
    with pytest.raises(DataError, match="0 is white"):
        decode_rgb(tiff(RAMP.astype(np.uint16), white_is_0=True))


@pytest.mark.parametrize("value", [-1, 0, 255, 65536])
def test_grey_scale_of_32_bits_is_refused(value: int) -> None:
    image = Image.fromarray(np.full((2, 2), value, np.int32))
    with pytest.raises(DataError, match="32 bits has no agreed range"):
        decode_rgb(encoded(image, "TIFF"))


@pytest.mark.parametrize("value", [0.5, np.nan, np.inf])
def test_floating_point_pixels_are_refused(value: float) -> None:
    pixels = np.full((2, 2), value, np.float32)
    for payload in (
        encoded(Image.fromarray(pixels), "TIFF"),
        b"Pf\n2 2\n-1.0\n" + pixels.tobytes(),
    ):
        with pytest.raises(
            DataError, match=r"floating-point pixels have no agreed range|not a picture"
        ):
            decode_rgb(payload)


def test_cmyk_is_converted_as_pillow_does() -> None:
    payload = encoded(Image.fromarray(noise(16, 16)).convert("CMYK"), "JPEG")
    assert Image.open(io.BytesIO(payload)).mode == "CMYK"
    assert np.array_equal(rgb(payload), np.asarray(Image.open(io.BytesIO(payload)).convert("RGB")))


def test_the_inverted_inks_of_adobes_jpegs_come_out_as_the_colours_they_stand_for() -> None:
    """255 means no ink in them, and full ink in CMYK itself; taken for the other, red is cyan."""
    colours = np.zeros((16, 48, 3), np.uint8)
    for place, colour in enumerate([(255, 0, 0), (255, 255, 255), (0, 0, 0)]):
        colours[:, 16 * place : 16 * (place + 1)] = colour
    payload = encoded(Image.fromarray(colours).convert("CMYK"), "JPEG")
    assert b"Adobe" in payload
    decoded = rgb(payload).astype(int)
    assert np.abs(decoded - colours)[:, 4:12].max() < 16
    assert np.abs(decoded - colours)[:, 20:28].max() < 16
    assert np.abs(decoded - colours)[:, 36:44].max() < 16


def test_a_palette_gives_its_colours() -> None:
    image = Image.fromarray(noise(4, 4)).quantize(8)
    assert np.array_equal(rgb(encoded(image, "PNG")), np.asarray(image.convert("RGB")))


def test_transparency_is_composited_on_white() -> None:
    picture = np.zeros((1, 3, 4), np.uint8)
    picture[0, :, 3] = [0, 51, 255]
    expected = [255, 204, 0]  # 255 · (1 − alpha / 255) for black
    assert rgb(encoded(Image.fromarray(picture)))[0, :, 0].tolist() == expected
    grey_alpha = Image.fromarray(picture).convert("LA")
    assert rgb(encoded(grey_alpha))[0, :, 1].tolist() == expected


def test_a_transparent_palette_entry_is_white() -> None:
    image = Image.new("P", (1, 2))
    image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((0, 1), 1)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", transparency=0)
    assert rgb(buffer.getvalue())[:, 0].tolist() == [[255, 255, 255], [40, 50, 60]]


@pytest.mark.parametrize("suffix", ["GIF", "WEBP", "PNG", "TIFF"])
def test_an_animation_is_its_first_frame(suffix: str) -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "lime")]
    buffer = io.BytesIO()
    options = {"lossless": True} if suffix == "WEBP" else {}
    frames[0].save(buffer, suffix, save_all=True, append_images=frames[1:], **options)
    assert np.array_equal(rgb(buffer.getvalue()), np.asarray(frames[0]))


@pytest.mark.parametrize("suffix", ["JPEG", "PNG", "BMP", "GIF", "WEBP", "TIFF"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_refused_and_never_padded(suffix: str, share: float) -> None:
    payload = encoded(noise(64, 64), suffix)
    with pytest.raises(DataError) as caught:
        decode(payload[: int(share * len(payload))])
    assert "\n" not in str(caught.value)


def test_an_empty_file_is_said_to_be_empty() -> None:
    with pytest.raises(DataError, match=r"^the file is empty$"):
        decode(b"")


def test_zero_bytes_of_any_number_are_no_picture() -> None:
    with pytest.raises(DataError, match="not a picture"):
        decode(bytes(5000))


def test_a_web_page_is_not_a_picture() -> None:
    with pytest.raises(DataError, match=re.escape("begins with b'<!DOCTYPE html>\\n'")):
        decode(b"<!DOCTYPE html>\n<title>404 Not Found</title>" * 50)


def test_formats_that_start_programs_are_not_opened() -> None:
    with pytest.raises(DataError, match="not a picture"):
        decode(encoded(noise(), "EPS"))


def test_metadata_that_is_not_text_does_not_matter() -> None:
    plain = encoded(noise(16, 16), "JPEG")
    xmp = b"http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>\xff\xfe\x80\x81</x:xmpmeta>"
    exif = b"Exif\x00\x00II*\x00\xff\xff\xff\x7f\xde\xad"
    for block in (xmp, exif):
        segment = b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block
        assert np.array_equal(rgb(plain[:2] + segment + plain[2:]), rgb(plain))


def test_a_picture_that_pillow_warns_of_is_decoded_though_warnings_are_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    payload = encoded(noise(10, 15))
    with pytest.raises(Image.DecompressionBombWarning):
        Image.open(io.BytesIO(payload))
    filters = list(warnings.filters)
    assert np.array_equal(rgb(payload), noise(10, 15))
    assert warnings.filters == filters


def test_a_decompression_bomb_is_refused() -> None:
    with pytest.raises(DataError, match="decompression bomb"):
        decode(png_header(100_000, 100_000))


def test_reasons_are_the_same_at_every_try() -> None:
    reasons = set()
    for _ in range(3):
        with pytest.raises(DataError) as caught:
            decode(b"GIF89a")
        reasons.add(str(caught.value))
    assert len(reasons) == 1
