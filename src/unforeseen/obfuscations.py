"""The obfuscations, what their parameters are drawn from, and what they take; see docs/training-transforms.md.

How a picture is made again from a record, docs/obfuscations.md says.

from unforeseen import ObfuscationTransform
from unforeseen.obfuscations import Range, SwirlWarp

stronger = ObfuscationTransform(SwirlWarp(strength=Range(4, 6)))
"""

__all__ = [
    "AdversarialPatches",
    "AssetPack",
    "BackgroundBlurComposition",
    "ColorNoiseBlocks",
    "ColorPatternOverlay",
    "Halftoning",
    "HighContrastBorder",
    "IconOverlay",
    "ImageOverlay",
    "Interleave",
    "InvertLines",
    "LineShift",
    "LowContrastTriangles",
    "PerspectiveComposition",
    "PerspectiveTransform",
    "PhotoComposition",
    "Range",
    "RotateBlocks",
    "RotateImage",
    "StyleTransfer",
    "SwirlWarp",
    "TextOverlay",
    "Texturize",
    "WavyColorWarp",
    "default_assets",
    "load_picture",
    "obfuscation_class",
]

from unforeseen.judged_picture import load_picture
from unforeseen.transforms import obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.adversarial_patches import AdversarialPatches
from unforeseen.transforms.obfuscations.background_blur_composition import BackgroundBlurComposition
from unforeseen.transforms.obfuscations.color_noise_blocks import ColorNoiseBlocks
from unforeseen.transforms.obfuscations.color_pattern_overlay import ColorPatternOverlay
from unforeseen.transforms.obfuscations.halftoning import Halftoning
from unforeseen.transforms.obfuscations.high_contrast_border import HighContrastBorder
from unforeseen.transforms.obfuscations.icon_overlay import IconOverlay
from unforeseen.transforms.obfuscations.image_overlay import ImageOverlay
from unforeseen.transforms.obfuscations.interleave import Interleave
from unforeseen.transforms.obfuscations.invert_lines import InvertLines
from unforeseen.transforms.obfuscations.line_shift import LineShift
from unforeseen.transforms.obfuscations.low_contrast_triangles import LowContrastTriangles
from unforeseen.transforms.obfuscations.perspective_composition import PerspectiveComposition
from unforeseen.transforms.obfuscations.perspective_transform import PerspectiveTransform
from unforeseen.transforms.obfuscations.photo_composition import PhotoComposition
from unforeseen.transforms.obfuscations.rotate_blocks import RotateBlocks
from unforeseen.transforms.obfuscations.rotate_image import RotateImage
from unforeseen.transforms.obfuscations.style_transfer import StyleTransfer
from unforeseen.transforms.obfuscations.swirl_warp import SwirlWarp
from unforeseen.transforms.obfuscations.text_overlay import TextOverlay
from unforeseen.transforms.obfuscations.texturize import Texturize
from unforeseen.transforms.obfuscations.wavy_color_warp import WavyColorWarp
