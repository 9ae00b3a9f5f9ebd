"""Obfuscations as a benchmark sets them."""

__all__ = ["make_obfuscation", "make_obfuscations"]

from collections.abc import Iterable
from dataclasses import fields

from unforeseen.benchmarks.obfuscation_setting import ObfuscationSetting
from unforeseen.errors import BenchmarkError, UnknownNameError
from unforeseen.transforms import obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation, Range


def make_obfuscations(
    settings: Iterable[ObfuscationSetting], assets: AssetPack
) -> dict[str, AnyObfuscation]:
    """Builds several, by name, as :func:`make_obfuscation` does, for a pack that has what they take.

    Raises:
        AssetError: The pack lacks what they take: all kinds that it lacks are named at once.
    """
    settings = tuple(settings)
    assets.require(kind for each in settings for kind in obfuscation_class(each.name).asset_kinds)
    return {each.name: make_obfuscation(each) for each in settings}


def make_obfuscation(setting: ObfuscationSetting) -> AnyObfuscation:
    """Builds an obfuscation with a benchmark's ranges.

    Args:
        setting: The benchmark's.

    Raises:
        UnknownNameError: There is no such obfuscation.
        BenchmarkError: It draws no such parameter, or not from such a range.
    """
    kind = obfuscation_class(setting.name)
    drawn = [field.name for field in fields(kind)]
    for name in setting.ranges:
        if name not in drawn:
            problem = UnknownNameError(f"range of {kind.name}", name, drawn)
            raise BenchmarkError(f"obfuscations.{setting.name}.ranges: {problem}")
    return kind(**{name: Range(*ends) for name, ends in setting.ranges.items()})
