"""Small folders of obfuscated pictures, made as ``unforeseen obfuscate`` makes them."""

__all__ = ["OBFUSCATIONS_USED", "SIDE", "files_of", "made_folder", "pictures"]

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from data.in_memory import Content, InMemory, encoded, noise
from made_assets import made_assets
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.making.make import Made, make_obfuscated
from unforeseen.making.settings import MakingOptions
from unforeseen.preprocessing import Preprocessing
from unforeseen.stage_reporter import StageReporter
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation

SIDE = 32

#: One without assets, one with.
OBFUSCATIONS_USED = ("ColorNoiseBlocks", "ImageOverlay")


def pictures(count: int = 5, *, broken: Sequence[int] = (), classes: int = 3) -> InMemory:
    """Pictures of noise, some of them files that can't be decoded."""
    contents: list[Content] = [
        b"broken" if number in broken else encoded(noise(40, 50, seed=number))
        for number in range(count)
    ]
    names = ("cat", "dog", "owl", "pig", "cow")[:classes]
    dataset = InMemory(
        contents,
        [number % classes for number in range(count)],
        [f"{names[number % classes]}/{number}.png" for number in range(count)],
    )
    dataset.card = DataCard(uri="memory", label_space=None, class_names=names, images=count)
    return dataset


def made_folder(
    folder: Path,
    dataset: Dataset | None = None,
    *,
    workers: int = 0,
    reporter: StageReporter | None = None,
    obfuscations: Mapping[str, AnyObfuscation] | None = None,
    assets: AssetPack | None = None,
    **options: Any,
) -> Made:
    """Makes a folder; its pack of assets lies beside it."""
    chosen = {name: OBFUSCATIONS[name]() for name in OBFUSCATIONS_USED}
    return make_obfuscated(
        pictures() if dataset is None else dataset,
        folder,
        obfuscations=chosen if obfuscations is None else obfuscations,
        assets=assets or made_assets(folder.parent / "pack"),
        preprocessing=Preprocessing(),
        options=MakingOptions(**{"size": SIDE, "batch": 2, **options}),
        workers=workers,
        reporter=reporter,
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """All files but hidden ones, by their paths below the folder."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.startswith(".")
    }
