"""Making the network of a pack's styles: training it, and writing down how it was made."""

__all__ = [
    "CHECKPOINT_FILE",
    "CURVE_FILE",
    "RECIPE_FILE",
    "SHEET_FILE",
    "MadeStyles",
    "curve_columns",
    "make_styles",
]

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from unforeseen.asset_making.curve import Column
from unforeseen.asset_making.going_on import GoingOn, Limits
from unforeseen.asset_making.pack_writing import refuse_other_files
from unforeseen.asset_making.record import data_record
from unforeseen.asset_making.styles.features import (
    PERCEPTUAL_MODEL,
    PerceptualNetwork,
    early_features,
)
from unforeseen.asset_making.styles.folder_check import refuse_unfit
from unforeseen.asset_making.styles.losses import Losses, LossWeights
from unforeseen.asset_making.styles.made_pack import NETWORK, WEIGHTS_FILE, write_style_pack
from unforeseen.asset_making.styles.photos import TrainingPhotos
from unforeseen.asset_making.styles.recipe import Recipe
from unforeseen.asset_making.styles.sheet import draw_style_sheet
from unforeseen.asset_making.styles.style_pictures import StylePicture
from unforeseen.asset_making.styles.training import Training
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.files.json_file import write_json
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one
from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.network import StylizationNetwork
from unforeseen.stylization.weights import Stylization, stylization_bytes

CHECKPOINT_FILE = "training.pt"
CURVE_FILE = "losses.csv"
RECIPE_FILE = "recipe.json"
SHEET_FILE = "styles.png"

_SCHEMA = 1
#: Of what trains networks, and of these: another one goes on with no training that this one began.
_ALGORITHM = 1
#: Steps between two lines of the curve.
_LINE = 20
#: Styles of fewer don't look like their pictures, of so many they do; and so many has the network that ships.
_FEW_STEPS, _CLEAR_STEPS, _USUAL_STEPS = 500, 1000, 8000
#: Networks fail under a network that has learnt nothing too, even more often: that measures no style.
_UNTIL_THEN = (
    "styles don't look like their pictures yet, and figures under them are of artefacts; "
    f"{_CLEAR_STEPS:,} steps give clear ones, {_USUAL_STEPS:,} are usual."
)
#: Fewer photos than these a network sees so often that it learns them, not what photos are like.
_FEW_PHOTOS = 100
#: Of the photos on the sheet, in pixels.
_SHEET_SIDE, _SHEET_PHOTOS = 224, 3


class MadeStyles(NamedTuple):
    """What was made.

    Attributes:
        weights: The file.
        steps: That it was trained for.
        seconds: That this took.
    """

    weights: Path
    steps: int
    seconds: float


def make_styles(
    dataset: Dataset,
    styles: Sequence[StylePicture],
    out: Path,
    *,
    recipe: Recipe,
    limits: Limits,
    device: torch.device,
    reporter: StageReporter | None = None,
) -> MadeStyles:
    """Trains a network for styles, or goes on with a training that was stopped.

    The same photos, styles, recipe and number of steps give the same weights on a CPU with one number of
    threads, however often it was stopped.

    Args:
        dataset: Photos; labels aren't looked at.
        styles: At least one.
        out: Folder that is written, a pack in the end: pictures of the styles, the network, a manifest, the
            recipe, losses as a table and as a plot, a sheet.
        recipe: How.
        limits: How long.
        device: Where.
        reporter: Told what happens.

    Raises:
        MissingExtraError: The perceptual network's package isn't installed.
        RunError: The folder can't be written, holds something else or styles that aren't trained, or a training
            that was begun otherwise or had more steps.
        AssetError: The manifest there can't be used.
        DataError: The photos can't be read.
        ModelError: No step could be done.
    """
    reporter = reporter or SilentStages()
    refuse_foreign = partial(
        refuse_occupied, out, kind="folder of a training", marker=CHECKPOINT_FILE
    )
    refuse_foreign()
    with in_one(reporter, "loading the perceptual network"):
        perceptual = early_features(device)
    deciding = _deciding(dataset, styles, recipe, perceptual)
    with sole_writer(out, reporter.note):
        refuse_foreign()
        refuse_other_files(out, [each.asset for each in styles], NETWORK)
        refuse_unfit(out, styles)
        going_on = GoingOn(
            out / CHECKPOINT_FILE,
            of="training",
            deciding=deciding,
            curve=out / CURVE_FILE,
            columns=curve_columns(recipe.weights),
            every=_LINE,
            limits=limits,
            few=_FEW_STEPS,
            until_then=_UNTIL_THEN,
        )
        photos = TrainingPhotos(dataset, side=recipe.side, seed=recipe.seed)
        if dataset.card.images < _FEW_PHOTOS:
            reporter.note(
                f"{counted(dataset.card.images, 'photo')} to train on: styles may look worse on others. Some "
                "hundred are usual."
            )
        images = [each.image for each in styles]
        with in_one(reporter, f"looking at {counted(len(styles), 'style')}"):
            training = Training(images, photos, perceptual.see, recipe, device)
        going_on.optimise(training, device, reporter, stage="training")
        about = deciding | going_on.record(training)
        with in_one(reporter, "drawing the sheet"):
            weights = _write(out, dataset, styles, training, about)
    return MadeStyles(weights, training.steps, going_on.seconds)


def curve_columns(weights: LossWeights) -> list[Column]:
    """The losses of a step: the total, and all that it is of."""
    parts = [Column(name, weight=getattr(weights, name)) for name in Losses._fields]
    return [Column("total"), *parts]


def _write(
    out: Path,
    dataset: Dataset,
    styles: Sequence[StylePicture],
    training: Training,
    about: dict[str, Any],
) -> Path:
    """Writes what training is for; returns the file of the weights."""
    network = StylizationNetwork(len(styles))
    network.load_state_dict(training.averaged.state_dict())
    made = Stylization(
        names=_names(styles),
        network=network.eval(),
        files=tuple(each.sha256 for each in styles),
    )
    # Weights are given away: where somebody's photos lie stays in the folder.
    public = about | {"data": {"pictures": dataset.card.images}}
    weights = stylization_bytes(made, public)
    write_style_pack(out, styles, weights)
    file = {"file": WEIGHTS_FILE, "sha256": hashlib.sha256(weights).hexdigest()}
    write_json(out / RECIPE_FILE, {"schema": _SCHEMA, **about, **file})
    sample = TrainingPhotos(dataset, side=_SHEET_SIDE, seed=training.recipe.seed)
    draw_style_sheet(out / SHEET_FILE, made, styles, sample.batch(-2, _SHEET_PHOTOS))
    return out / WEIGHTS_FILE


def _names(styles: Sequence[StylePicture]) -> StyleNames:
    return StyleNames(
        paintings=tuple(each.name for each in styles if each.kind == "painting"),
        textures=tuple(each.name for each in styles if each.kind == "texture"),
    )


def _deciding(
    dataset: Dataset,
    styles: Sequence[StylePicture],
    recipe: Recipe,
    perceptual: PerceptualNetwork,
) -> dict[str, Any]:
    """What decides the weights, besides the number of steps."""
    return {
        "algorithm": _ALGORITHM,
        "networks": [{"uri": PERCEPTUAL_MODEL, "fingerprint": perceptual.fingerprint}],
        "data": data_record(dataset, labels=False),
        "styles": [
            {"kind": each.kind, "name": each.name, "sha256": each.sha256} for each in styles
        ],
        **asdict(recipe),
    }
