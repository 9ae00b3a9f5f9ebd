"""An obfuscation as a benchmark sets it."""

__all__ = ["make_obfuscation"]

from dataclasses import fields, replace

import torch

from unforeseen.benchmarks.obfuscation_setting import ObfuscationSetting
from unforeseen.errors import BenchmarkError, UnknownNameError, first_line
from unforeseen.rng import Stream
from unforeseen.transforms import obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation, ImageSize, Range


def make_obfuscation(
    setting: ObfuscationSetting, assets: AssetPack, size: ImageSize
) -> AnyObfuscation:
    """Builds an obfuscation with a benchmark's ranges.

    Args:
        setting: The benchmark's.
        assets: What it will take photos, icons … from.
        size: Height and width in pixels of the pictures to come.

    Raises:
        UnknownNameError: There is no such obfuscation.
        DataError: The pack lacks a kind of assets that it takes.
        BenchmarkError: It draws no such parameter, or not from such a range.
    """
    kind = obfuscation_class(setting.name)
    for each in kind.asset_kinds:
        assets.names(each)
    usual = kind()
    drawn = [field.name for field in fields(usual) if isinstance(getattr(usual, field.name), Range)]
    for name in setting.ranges:
        if name not in drawn:
            problem = UnknownNameError(f"range of {kind.name}", name, drawn)
            raise BenchmarkError(f"obfuscations.{setting.name}.ranges: {problem}")
    # At both ends: what a stranger's file says must not end a run in its middle.
    for name, ends in setting.ranges.items():
        for end in ends:
            _try(setting, replace(usual, **{name: Range(end, end)}), name, assets, size)
    return replace(usual, **{name: Range(*ends) for name, ends in setting.ranges.items()})


def _try(
    setting: ObfuscationSetting,
    obfuscation: AnyObfuscation,
    name: str,
    assets: AssetPack,
    size: ImageSize,
) -> None:
    grey = torch.full((3, *size), 0.5)
    try:
        picture, _ = obfuscation.obfuscate(grey, Stream("trial"), assets)
        broken = "" if torch.isfinite(picture).all() else "a picture that isn't finite"
    except Exception as error:  # noqa: BLE001 – a range that makes no sense raises nearly anything
        broken = first_line(error)
    if broken:
        low, high = setting.ranges[name]
        raise BenchmarkError(
            f"obfuscations.{setting.name}.ranges.{name}: expected a range that {setting.name} can "
            f"draw from, got [{low:g}, {high:g}]: {broken}"
        )
