"""Making patches: one after the other, measuring each, and writing down how it was made."""

__all__ = ["SHEET_FILE", "MadePatch", "make_patches"]

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from unforeseen.asset_making.going_on import GoingOn, Limits
from unforeseen.asset_making.pack_writing import refuse_other_files
from unforeseen.asset_making.patches.effect import Effect, Measurement
from unforeseen.asset_making.patches.made_pack import patch_asset, patch_bytes, write_patch
from unforeseen.asset_making.patches.networks import Network
from unforeseen.asset_making.patches.optimisation import Optimisation
from unforeseen.asset_making.patches.pictures import PicturePool, split
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.recipe_file import (
    RECIPE_FILE,
    Settings,
    read_patches,
    write_recipe,
)
from unforeseen.asset_making.patches.sheet import draw_patch_sheet
from unforeseen.asset_making.patches.targets import Target
from unforeseen.data.dataset import Dataset
from unforeseen.errors import DataError, UserError
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one
from unforeseen.transforms.assets.pack import AssetPack

SHEET_FILE = "sheet.png"

#: More pictures make intervals narrower than anybody needs.
_MOST_MEASURED = 1000
#: Steps whose mean loss is one line of the curve.
_LINE = 10
#: Patches of fewer are far from what they become.
_FEW_STEPS = 100


class MadePatch(NamedTuple):
    """What was made.

    Attributes:
        target: Says what it is called and what it leads to.
        effect: On every network, in all conditions.
    """

    target: Target
    effect: list[Effect]


def make_patches(
    networks: Sequence[Network],
    dataset: Dataset,
    targets: Sequence[Target],
    out: Path,
    *,
    recipe: PatchRecipe,
    device: torch.device,
    reporter: StageReporter | None = None,
) -> list[MadePatch]:
    """Optimises a patch for every target and measures it, or goes on where that was stopped.

    The same networks, pictures, target and recipe give the same patch on a CPU with one number of threads,
    however often it was stopped. A folder may get further targets, or more steps, later.

    Args:
        networks: At least one of them not held out.
        dataset: One half of its pictures, drawn by the seed, is optimised on, others are measured on.
        targets: At least one.
        out: Folder that is written: PNGs, ``assets.toml``, the recipe with what was measured, a sheet.
        recipe: How.
        device: Where the networks are.
        reporter: Told what happens.

    Raises:
        UserError: All networks are held out, or two targets have one name.
        RunError: The folder can't be written, holds something else, or patches made otherwise.
        AssetError: The manifest there can't be used.
        DataError: There are too few pictures, or they can't be read.
        ModelError: A network fails.
    """
    names = [each.patch for each in targets]
    if len({*names}) < len(names):
        raise UserError(f"expected a name of its own for every patch, got {', '.join(names)}.")
    if all(each.held_out for each in networks):
        raise UserError("expected at least one model to optimise against; all are held out.")
    reporter = reporter or SilentStages()
    to_optimise, others = split(dataset, recipe.seed)
    if not to_optimise:
        raise DataError(
            f"{dataset.card.uri}: expected at least two pictures, to optimise on one half and measure on "
            f"the other; got {dataset.card.images}."
        )
    settings = Settings(
        networks=networks,
        dataset=dataset,
        optimised_on=to_optimise,
        measured_on=others[:_MOST_MEASURED],
        recipe=recipe,
    )
    is_begun = partial(refuse_occupied, out, kind="folder of patches", marker=RECIPE_FILE)
    is_begun()
    with sole_writer(out, reporter.note):
        patches = read_patches(out, settings) if is_begun() else {}
        refuse_other_files(out, [patch_asset(each) for each in (*patches, *names)])
        made = [_made(each, settings, out, patches, device, reporter) for each in targets]
        with in_one(reporter, "drawing the sheet"):
            draw_patch_sheet(
                out / SHEET_FILE, AssetPack(out), [*patches], dataset, settings.measured_on, recipe
            )
    return made


def _made(
    target: Target,
    settings: Settings,
    out: Path,
    patches: dict[str, dict[str, Any]],
    device: torch.device,
    reporter: StageReporter,
) -> MadePatch:
    """Makes one, or goes on with it, and takes it up among the patches of the recipe."""
    name, recipe = target.patch, settings.recipe
    optimisation = Optimisation(
        [each.differentiable for each in settings.networks if not each.held_out],
        PicturePool(settings.dataset, settings.optimised_on, recipe),
        recipe,
        target,
        device,
    )
    going_on = GoingOn(
        out / f"{name}.checkpoint",
        of="patch",
        deciding=settings.deciding() | {"target": target.number},
        curve=out / f"{name}.losses.csv",
        columns=[optimisation.loss_column],
        every=_LINE,
        limits=Limits(steps=recipe.steps),
        few=_FEW_STEPS,
        until_then=f"the patch is far from what it does after {PatchRecipe.steps}.",
    )
    begin = partial(write_recipe, out, settings, patches)
    going_on.optimise(optimisation, device, reporter, stage=f"optimising {name}", begin=begin)
    content = patch_bytes(optimisation.patch)
    sha256 = hashlib.sha256(content).hexdigest()
    if name in patches and patches[name]["sha256"] != sha256:
        # What the recipe says is of the file that is replaced now.
        del patches[name]
        write_recipe(out, settings, patches)
    pack = write_patch(out, name, content, beside=[*patches])
    measurement = Measurement(
        target,
        pack,
        settings.networks,
        settings.dataset,
        settings.measured_on,
        recipe,
        report=partial(reporter.advance, f"measuring {name}"),
    )
    going_on.measure(optimisation, measurement)
    effect = measurement.effects()
    patches[name] = {
        "name": name,
        "file": patch_asset(name).file,
        "sha256": sha256,
        "target": target.number,
        "target_class": target.class_name or None,
        **going_on.record(optimisation),
        "effect": [each.to_record() for each in effect],
    }
    write_recipe(out, settings, patches)
    return MadePatch(target, effect)
