"""Pictures of surfaces: a map of heights and one of colours, lit by the sun and the sky."""

__all__ = ["Light", "blended", "blurred", "covered", "linear", "lit", "painted"]

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drawing.canvas import Colour

Array = NDArray[np.float64]

# In points.
_OCCLUSION_SCALES = (1.5, 4.0, 10.0)
_LONGEST_SHADOW = 48


@dataclass(frozen=True, kw_only=True)
class Light:
    """The sun and the sky over a surface that is seen from straight above.

    Attributes:
        azimuth: Where the sun stands, in degrees: 0 is right, 90 above the picture.
        elevation: Of the sun above the surface, in degrees.
        sun: Light of the sun upon a surface that faces it.
        sky: Light of the sky upon an open surface.
        occlusion: How much hollows lose of the sky.
        gloss: Share of the sun that a surface mirrors.
        sharpness: Of the mirrored sun; larger is smaller.
        softness: Of shadows' edges, in points of height.
    """

    azimuth: float = 135
    elevation: float = 45
    sun: float = 0.9
    sky: float = 0.35
    occlusion: float = 1.0
    gloss: float = 0.0
    sharpness: float = 20.0
    softness: float = 1.5


def linear(colour: Colour | NDArray[np.uint8]) -> Array:
    """Light of colours of a screen (IEC 61966-2-1), 0 to 1."""
    share = np.asarray(colour) / 255
    result: Array = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return result


def painted(light: Array) -> NDArray[np.uint8]:
    """The colours of a screen for light from 0 to 1; brighter light runs gently into white."""
    # A film's shoulder: straight up to 0.7, then bent so that nothing is cut off at white.
    over = np.maximum(light - 0.7, 0)
    soft = np.minimum(light, 0.7) + 0.3 * (1 - np.exp(-over / 0.3))
    soft = np.clip(soft, 0, 1)
    share = np.where(soft <= 0.0031308, soft * 12.92, 1.055 * soft ** (1 / 2.4) - 0.055)
    return np.round(share * 255).astype(np.uint8)


def blended(share: Array, *colours: Colour) -> Array:
    """Light of a colour between several, equally far apart: the first at 0, the last at 1; (..., 3)."""
    stops = np.linspace(0, 1, len(colours))
    lights = np.array([linear(colour) for colour in colours])
    return np.stack([np.interp(share, stops, lights[:, each]) for each in range(3)], axis=-1)


def covered(below: Array, above: Array, share: Array | float) -> Array:
    """Light of one surface, (..., 3), where another covers this share of it, (...)."""
    cover = np.asarray(share)[..., None]
    result: Array = below * (1 - cover) + above * cover
    return result


def blurred(field: Array, sigma: float) -> Array:
    """A Gaussian filter of this standard deviation in points; opposite edges meet."""
    rows, columns = (np.fft.fftfreq(field.shape[0]), np.fft.rfftfreq(field.shape[1]))
    gain = np.exp(-2 * (np.pi * sigma) ** 2 * (rows[:, None] ** 2 + columns[None] ** 2))
    result: Array = np.fft.irfft2(np.fft.rfft2(field) * gain, field.shape)
    return result


def lit(colours: Array, height: Array, light: Light) -> Array:
    """What a camera sees: (rows, columns, 3) in light.

    Args:
        colours: Shares of light that the surface gives back, (rows, columns, 3).
        height: Of the surface, in points.
        light: Of sun and sky.
    """
    towards = _towards_sun(light)
    down, right = np.gradient(height)
    length = np.sqrt(1 + down**2 + right**2)
    facing = (towards[2] - right * towards[0] - down * towards[1]) / length
    direct = np.maximum(facing, 0) * (1 - _shadow(height, towards, light.softness))
    hollow = sum(
        (np.maximum(blurred(height, sigma) - height, 0) / sigma for sigma in _OCCLUSION_SCALES),
        start=np.zeros_like(height),
    )
    ambient = light.sky * np.exp(-light.occlusion * hollow) * (0.6 + 0.4 / length)
    # The sky is bluer than the sun.
    sun, sky = np.array([1.04, 1.0, 0.93]), np.array([0.92, 1.0, 1.12])
    seen = colours * (light.sun * direct[..., None] * sun + ambient[..., None] * sky)
    if light.gloss:
        # Blinn (1977): the normal against the half-way vector between sun and camera.
        half = towards + np.array([0, 0, 1])
        half /= np.linalg.norm(half)
        mirrored = np.maximum((half[2] - right * half[0] - down * half[1]) / length, 0)
        glint = light.gloss * mirrored**light.sharpness * (direct > 0)
        seen = seen + glint[..., None] * sun
    result: Array = seen
    return result


def _towards_sun(light: Light) -> Array:
    """Right, down and towards the camera; of length 1."""
    azimuth, elevation = np.radians(light.azimuth), np.radians(light.elevation)
    flat = np.cos(elevation)
    return np.array([np.cos(azimuth) * flat, -np.sin(azimuth) * flat, np.sin(elevation)])


def _shadow(height: Array, towards: Array, softness: float) -> Array:
    """Share of the sun that higher points between a point and it take away."""
    slope = towards[2] / np.hypot(towards[0], towards[1])
    ahead = towards[:2] / np.hypot(towards[0], towards[1])
    reach = int(min(_LONGEST_SHADOW, (height.max() - height.min()) / max(slope, 1e-6) + 1))
    over = np.zeros_like(height)
    for distance in range(1, reach + 1):
        right, down = np.round(ahead * distance).astype(int)
        between = np.roll(height, (-down, -right), (0, 1)) - slope * distance
        np.maximum(over, between - height, out=over)
    result: Array = np.clip(over / softness, 0, 1)
    return result
