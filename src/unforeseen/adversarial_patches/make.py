"""Making patches: one after the other, measuring each, and writing down how it was made."""

__all__ = ["SHEET_FILE", "MadePatch", "make_patches"]

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import torch

from unforeseen.adversarial_patches.effect import Effect, measure
from unforeseen.adversarial_patches.made_pack import patch_asset, write_patch
from unforeseen.adversarial_patches.networks import Network
from unforeseen.adversarial_patches.one_patch import PatchInMaking
from unforeseen.adversarial_patches.optimisation import Optimisation
from unforeseen.adversarial_patches.patch_sheet import draw_patch_sheet
from unforeseen.adversarial_patches.pictures import PicturePool, split
from unforeseen.adversarial_patches.recipe import PatchRecipe
from unforeseen.adversarial_patches.recipe_file import (
    RECIPE_FILE,
    Settings,
    read_patches,
    write_recipe,
)
from unforeseen.adversarial_patches.targets import Target
from unforeseen.asset_making.going_on import few_steps_note
from unforeseen.asset_making.pack_writing import refuse_other_files
from unforeseen.data.dataset import Dataset
from unforeseen.errors import DataError, UserError
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one

SHEET_FILE = "sheet.png"

#: More pictures make intervals narrower than anybody needs.
_MOST_MEASURED = 1000
#: Patches of fewer do little.
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
    against = [each.differentiable for each in networks if not each.held_out]
    if not against:
        raise UserError("expected at least one model to optimise against; all are held out.")
    reporter = reporter or SilentStages()
    to_optimise, others = split(dataset, recipe.seed)
    to_measure = others[:_MOST_MEASURED]
    if not to_optimise:
        raise DataError(
            f"{dataset.card.uri}: expected at least two pictures, to optimise on one half and measure on "
            f"the other; got {dataset.card.images}."
        )
    settings = Settings(
        networks=networks,
        dataset=dataset,
        optimised_on=len(to_optimise),
        measured_on=len(to_measure),
        recipe=recipe,
    )
    begun = refuse_occupied(out, kind="folder of patches", marker=RECIPE_FILE)
    made = []
    with sole_writer(out, reporter.note):
        patches = read_patches(out, settings) if begun else {}
        refuse_other_files(out, [patch_asset(each) for each in (*patches, *names)])
        for target in targets:
            pool = PicturePool(dataset, to_optimise, recipe)
            optimisation = Optimisation(against, pool, recipe, target, device)
            making = PatchInMaking(optimisation, out, settings.identity_for(target.number))
            making.optimise(reporter, partial(write_recipe, out, settings, patches))
            pack = write_patch(out, target.patch, optimisation.patch, beside=list(patches))
            watch = partial(reporter.advance, f"measuring {target.patch}")
            effect = making.effect(
                partial(measure, target, pack, networks, dataset, to_measure, recipe, report=watch)
            )
            patches[target.patch] = making.record(_sha256(out / f"{target.patch}.png"))
            write_recipe(out, settings, patches)
            made.append(MadePatch(target, effect))
        with in_one(reporter, "drawing the sheet"):
            draw_patch_sheet(out / SHEET_FILE, pack, list(patches), dataset, to_measure, recipe)
    if note := few_steps_note(
        recipe.steps, few=_FEW_STEPS, usual=PatchRecipe.steps, made="patches"
    ):
        reporter.note(note)
    return made


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
