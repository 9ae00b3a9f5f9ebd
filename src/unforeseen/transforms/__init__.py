"""The attacks and the obfuscations, in two plain tables, and the user's own attacks."""

__all__ = ["ATTACKS", "OBFUSCATIONS", "attack_class", "obfuscation_class"]

from pathlib import Path

from unforeseen.benchmarks.attack_setting import PYTHON
from unforeseen.errors import UnknownNameError
from unforeseen.transforms.attacks.blur import Blur
from unforeseen.transforms.attacks.edge import Edge
from unforeseen.transforms.attacks.elastic import Elastic
from unforeseen.transforms.attacks.fbm import Fbm
from unforeseen.transforms.attacks.fog import Fog
from unforeseen.transforms.attacks.gabor import Gabor
from unforeseen.transforms.attacks.glitch import Glitch
from unforeseen.transforms.attacks.hsv import Hsv
from unforeseen.transforms.attacks.jpeg import Jpeg
from unforeseen.transforms.attacks.kaleidoscope import Kaleidoscope
from unforeseen.transforms.attacks.klotski import Klotski
from unforeseen.transforms.attacks.mix import Mix
from unforeseen.transforms.attacks.pgd import Pgd
from unforeseen.transforms.attacks.pixel import Pixel
from unforeseen.transforms.attacks.polkadot import Polkadot
from unforeseen.transforms.attacks.prison import Prison
from unforeseen.transforms.attacks.snow import Snow
from unforeseen.transforms.attacks.texture import Texture
from unforeseen.transforms.attacks.whirlpool import Whirlpool
from unforeseen.transforms.attacks.wood import Wood
from unforeseen.transforms.base import AnyAttack
from unforeseen.transforms.obfuscation import AnyObfuscation
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
from unforeseen.transforms.python_attacks import python_attack

#: Every attack by its name.
ATTACKS: dict[str, type[AnyAttack]] = {
    attack.name: attack
    for attack in (
        Pgd,
        Jpeg,
        Elastic,
        Wood,
        Glitch,
        Kaleidoscope,
        Pixel,
        Snow,
        Gabor,
        Prison,
        Blur,
        Hsv,
        Texture,
        Edge,
        Klotski,
        Whirlpool,
        Polkadot,
        Fog,
        Mix,
        Fbm,
    )
}


#: Every obfuscation by its name, in the order of reports: category by category.
OBFUSCATIONS: dict[str, type[AnyObfuscation]] = {
    obfuscation.name: obfuscation
    for obfuscation in (
        ColorNoiseBlocks,
        Halftoning,
        InvertLines,
        LowContrastTriangles,
        LineShift,
        PerspectiveTransform,
        RotateBlocks,
        RotateImage,
        SwirlWarp,
        WavyColorWarp,
        BackgroundBlurComposition,
        HighContrastBorder,
        PerspectiveComposition,
        PhotoComposition,
        ColorPatternOverlay,
        IconOverlay,
        ImageOverlay,
        Interleave,
        TextOverlay,
        AdversarialPatches,
        StyleTransfer,
        Texturize,
    )
}


def attack_class(name: str, *, folder: Path | None = None) -> type[AnyAttack]:
    """Looks an attack up.

    Args:
        name: A built-in attack's, or ``py:WHERE:CLASS``, which runs the user's code.
        folder: What a relative path is relative to; None where no code may be run.

    Raises:
        UnknownNameError: There is no such attack; lists near matches.
        AttackError: The user's code can't be used.
    """
    if name.startswith(PYTHON):
        return python_attack(name, folder, ATTACKS)
    if name not in ATTACKS:
        raise UnknownNameError(
            "attack", name, ATTACKS, "Or name a class of your own: py:path/to/file.py:CLASS."
        )
    return ATTACKS[name]


def obfuscation_class(name: str) -> type[AnyObfuscation]:
    """Looks an obfuscation up, whatever the case of its letters.

    Raises:
        UnknownNameError: There is no such obfuscation; lists near matches.
    """
    by_lower_case = {known.lower(): known for known in OBFUSCATIONS}
    known = by_lower_case.get(name.lower())
    if known is None:
        raise UnknownNameError("obfuscation", name, OBFUSCATIONS)
    return OBFUSCATIONS[known]
