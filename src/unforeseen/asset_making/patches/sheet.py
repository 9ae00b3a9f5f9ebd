"""A sheet of patches, each also on pictures that it wasn't optimised on."""

__all__ = ["draw_patch_sheet"]

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from unforeseen.asset_making.patches.conditions import Condition, pictures_in
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.data.dataset import Dataset
from unforeseen.data.pictures import Picture, stream_pictures
from unforeseen.pixels import pixels_of
from unforeseen.report.sheet import Section, SheetPicture, draw_sheet
from unforeseen.transforms.assets.pack import AssetPack

_IN_A_ROW = 7
#: Pictures in each condition.
_EXAMPLES = 3
_CONDITIONS: tuple[Condition, ...] = ("corners", "anywhere")


def draw_patch_sheet(
    path: Path,
    pack: AssetPack,
    patches: Sequence[str],
    dataset: Dataset,
    indices: Sequence[int],
    recipe: PatchRecipe,
) -> None:
    """Draws a row for each patch: itself, under AdversarialPatches, and anywhere.

    Args:
        path: A PNG.
        pack: Where they lie.
        patches: Names, at least one.
        dataset: Whose pictures to lay them on.
        indices: Which of them, the first that can be read.
        recipe: Of the patches.

    Raises:
        RunError: It can't be written.
    """
    readable = (
        each
        for each in stream_pictures(
            dataset, [(index, str(index)) for index in indices], recipe.preprocessing
        )
        if isinstance(each, Picture)
    )
    examples = list(islice(readable, _EXAMPLES))
    draw_sheet(path, [_section(pack, each, examples, recipe) for each in patches])


def _section(
    pack: AssetPack, patch: str, examples: Sequence[Picture], recipe: PatchRecipe
) -> Section:
    whole = pixels_of(pack.patch(patch, recipe.picture_size))
    shown = [SheetPicture("the patch", whole)]
    for condition in _CONDITIONS:
        made = pictures_in(condition, examples, patch, pack, recipe)
        shown += [SheetPicture(condition, pixels_of(each)) for each in made]
    return Section(patch, _IN_A_ROW, shown)
