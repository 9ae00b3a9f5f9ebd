"""From an encoded file to an RGB picture, or one line that says why not."""

__all__ = ["decode", "decode_rgb", "to_rgb", "upright"]

import io
import threading
import warnings

import numpy as np
from PIL import Image, UnidentifiedImageError
from PIL.TiffImagePlugin import (
    BITSPERSAMPLE,
    PHOTOMETRIC_INTERPRETATION,
    SAMPLEFORMAT,
    TiffImageFile,
)

from unforeseen.errors import DataError, first_line

# Named, because Pillow's other formats include some that start programs (EPS calls Ghostscript).
_FORMATS = ("JPEG", "PNG", "BMP", "GIF", "PPM", "TIFF", "WEBP")
# Values of a TIFF's tags.
_SIGNED, _FLOATING = 2, 3
_WHITE_IS_0 = 0
_ORIENTATION_TAG = 0x0112
# EXIF 2.3, table 6: what undoes each value of the tag.
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_warning_filters = threading.Lock()


def decode(payload: bytes, *, most_pixels: int | None = None) -> Image.Image:
    """Decodes the first frame; a file that ends too early is an error, never padded.

    Pictures that Pillow only warns of (very large, or with broken metadata) are decoded, also
    where the user has made warnings errors.

    Args:
        payload: JPEG, PNG, BMP, GIF, PPM, TIFF or WebP.
        most_pixels: A picture of more isn't decoded; None where Pillow's own limit will do, some 179
            million.

    Raises:
        DataError: It can't be decoded, or not right (pixels of a TIFF that are floats, signed, or of
            32 bits), or is too large; the message is one line and the same on every machine.
    """
    if not payload:
        raise DataError("the file is empty")
    try:
        try:
            return _open(payload, most_pixels)
        except Warning:
            # catch_warnings swaps filters of the whole process: only where it must, one by one.
            with _warning_filters, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _open(payload, most_pixels)
    except UnidentifiedImageError:
        # Pillow's message holds a memory address.
        raise DataError(
            f"not a picture in one of the formats {', '.join(_FORMATS)}; "
            f"it begins with {payload[:16]!r}"
        ) from None
    except Exception as error:  # Pillow's decoders raise nearly anything on broken files
        raise DataError(first_line(error)) from error


def decode_rgb(payload: bytes) -> Image.Image:
    """Decodes into mode RGB.

    Transparency is composited on white; grey-scale of 16 bits is scaled (65535 → 255), not
    clipped; CMYK, YCbCr, LAB and palettes are converted by Pillow.

    Raises:
        DataError: It can't be decoded, or its pixels have no agreed range (floats, 32 bits).
    """
    return to_rgb(decode(payload))


def to_rgb(image: Image.Image) -> Image.Image:
    """Converts a decoded picture into mode RGB; see :func:`decode_rgb`."""
    if image.mode == "F":
        raise DataError("floating-point pixels have no agreed range")
    if image.mode == "I" or image.mode.startswith("I;16"):
        return _eight_bits(image).convert("RGB")
    try:
        return _on_white(image) if image.has_transparency_data else image.convert("RGB")
    except ValueError as error:
        raise DataError(first_line(error)) from error


def upright(image: Image.Image) -> Image.Image:
    """Turns a decoded picture as its EXIF rotation tag says; one without a readable tag stays."""
    try:
        orientation = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # noqa: BLE001 - broken EXIF raises nearly anything; it then says nothing
        return image
    return image.transpose(_UPRIGHT[orientation]) if orientation in _UPRIGHT else image


def _open(payload: bytes, most_pixels: int | None) -> Image.Image:
    image = Image.open(io.BytesIO(payload), formats=_FORMATS)
    if most_pixels is not None and image.width * image.height > most_pixels:
        raise DataError(
            f"expected at most {most_pixels:,} pixels, got {image.width} × {image.height}"
        )
    if isinstance(image, TiffImageFile):
        _refuse_misread(image)
    image.load()
    return image


def _refuse_misread(image: TiffImageFile) -> None:
    """Refuses kinds of TIFF that Pillow opens as if they were another."""
    kinds, bits = image.tag_v2.get(SAMPLEFORMAT, ()), max(image.tag_v2.get(BITSPERSAMPLE, (1,)))
    if _FLOATING in kinds:
        raise DataError("floating-point pixels have no agreed range")
    if bits > 16:
        raise DataError(f"grey-scale of {bits} bits has no agreed range")
    if _SIGNED in kinds:
        raise DataError("pixels that may be negative have no agreed range")
    if bits == 16 and image.tag_v2.get(PHOTOMETRIC_INTERPRETATION) == _WHITE_IS_0:
        raise DataError(
            "grey-scale of 16 bits in which 0 is white isn't read, as it comes inverted"
        )


def _on_white(image: Image.Image) -> Image.Image:
    layers = image.convert("RGBA")
    white = Image.new("RGBA", layers.size, "white")
    return Image.alpha_composite(white, layers).convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scales grey-scale of 16 bits, which older Pillow releases open in the 32-bit mode ``I``."""
    grey = np.asarray(image).astype(np.int64)
    if grey.min() < 0 or grey.max() > 65535:
        raise DataError("grey-scale of 32 bits has no agreed range")
    return Image.fromarray(((grey * 255 + 32767) // 65535).astype(np.uint8))
