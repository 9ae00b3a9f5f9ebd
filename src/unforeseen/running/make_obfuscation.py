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

#: Side in pixels of the picture that a benchmark's ranges are tried on.
_LARGEST_TRIED = 224
#: How many times as large as usual a length may be; beyond that it fills the memory.
_MOST_TIMES = 20


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
        largest = _MOST_TIMES * max(map(abs, getattr(usual, name)))
        if max(map(abs, ends)) > largest:
            raise _no_range(setting, name, f"numbers beyond {largest:g} are surely mistaken.")
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
    height, width = (min(side, _LARGEST_TRIED) for side in size)
    grey = torch.full((3, height, width), 0.5)
    try:
        picture, _ = obfuscation.obfuscate(grey, Stream("trial"), assets)
        broken = "" if torch.isfinite(picture).all() else "a picture that isn't finite"
    except Exception as error:  # noqa: BLE001 – a range that makes no sense raises nearly anything
        broken = first_line(error)
    if broken:
        raise _no_range(setting, name, broken)


def _no_range(setting: ObfuscationSetting, name: str, why: str) -> BenchmarkError:
    low, high = setting.ranges[name]
    return BenchmarkError(
        f"obfuscations.{setting.name}.ranges.{name}: expected a range that {setting.name} can draw "
        f"from, got [{low:g}, {high:g}]: {why}"
    )
