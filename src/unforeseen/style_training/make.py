"""Making the network of a pack's styles: training it, and writing down how it was made."""

__all__ = [
    "CHECKPOINT_FILE",
    "RECIPE_FILE",
    "SHEET_FILE",
    "Limits",
    "MadeStyles",
    "make_styles",
]

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch

from unforeseen._version import __version__
from unforeseen.asset_making.checkpoint import (
    Checkpoint,
    fitting,
    read_checkpoint,
    refuse_fewer_steps,
    write_checkpoint,
)
from unforeseen.asset_making.curve import Curve
from unforeseen.data.dataset import Dataset
from unforeseen.files.json_file import write_json
from unforeseen.files.lock import sole_writer
from unforeseen.files.occupied import refuse_occupied
from unforeseen.style_training.curve import COLUMNS, write_curve
from unforeseen.style_training.features import (
    PERCEPTUAL_MODEL,
    PerceptualNetwork,
    early_features,
)
from unforeseen.style_training.made_pack import WEIGHTS_FILE, refuse_other_pack, write_style_pack
from unforeseen.style_training.photos import TrainingPhotos
from unforeseen.style_training.recipe import Recipe
from unforeseen.style_training.style_pictures import StylePicture
from unforeseen.style_training.style_sheet import draw_style_sheet
from unforeseen.style_training.training import Training
from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.network import StylizationNetwork
from unforeseen.stylization.weights import Stylization, stylization_bytes

CHECKPOINT_FILE = "training.pt"
RECIPE_FILE = "recipe.json"
SHEET_FILE = "styles.png"

_SCHEMA = 1
#: Of what trains networks, and of these: another one goes on with no training that this one began.
_ALGORITHM = 1
#: Steps between two lines of the curve.
_LINE = 20
#: Seconds between two checkpoints: what a killed process loses at most, but for a step.
_CHECKPOINT_SECONDS = 60.0
#: Of the photos on the sheet, in pixels.
_SHEET_SIDE, _SHEET_PHOTOS = 224, 3


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When training ends: at whichever comes first.

    Attributes:
        steps: Of all of it, what was done before it was stopped included.
        seconds: Likewise.
    """

    steps: int | None = None
    seconds: float | None = None

    def reached(self, steps: int, seconds: float) -> bool:
        """Whether it is over."""
        return (self.steps is not None and steps >= self.steps) or (
            self.seconds is not None and seconds >= self.seconds
        )

    def share(self, steps: int, seconds: float) -> float:
        """How much of it is done, from 0 to 1."""
        shares = [
            done / limit
            for done, limit in ((steps, self.steps), (seconds, self.seconds))
            if limit is not None
        ]
        return min(1.0, max(shares, default=0.0))


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
    report: Callable[[float, float], None] = lambda _share, _loss: None,
    note: Callable[[str], None] = lambda _text: None,
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
        report: Told how much is done and the loss, after every step.
        note: Told what the user should know.

    Raises:
        MissingExtraError: The perceptual network's package isn't installed.
        RunError: The folder can't be written, holds something else, or a training that was begun
            otherwise or had more steps.
        AssetError: The manifest there can't be used.
        DataError: The photos can't be read.
    """
    refuse_occupied(out, kind="folder of a training", marker=CHECKPOINT_FILE)
    perceptual = early_features(device)
    about = _about(dataset, styles, recipe, perceptual)
    path = out / CHECKPOINT_FILE
    identity = _identity(about, dataset)
    with sole_writer(out, note):
        refuse_other_pack(out, styles)
        found = read_checkpoint(path, of="training", identity=identity, columns=len(COLUMNS))
        if found is not None:
            refuse_fewer_steps(path, done=found.steps, asked=limits.steps)
        photos = TrainingPhotos(dataset, side=recipe.side, seed=recipe.seed)
        training = Training([each.image for each in styles], photos, perceptual.see, recipe, device)
        done = _Done(identity, Curve(_LINE, found), 0.0 if found is None else found.seconds)
        if found is not None:
            with fitting(path, "training"):
                training.go_on_from(found.state)
        _train(training, out, done, limits, report)
        if passed_over := training.guard.note(training.steps):
            note(passed_over)
        return _write(out, dataset, styles, training, done, about)


@dataclass
class _Done:
    """What a training has come to."""

    identity: str
    curve: Curve
    seconds: float


def _train(
    training: Training,
    out: Path,
    done: _Done,
    limits: Limits,
    report: Callable[[float, float], None],
) -> None:
    """Trains until the limits are reached; a checkpoint now and then, and one at the end."""
    saved = time.monotonic()
    begun = saved - done.seconds
    while not limits.reached(training.steps, done.seconds):
        losses = training.step()
        total = float(losses.total(training.recipe.weights))
        done.curve.add(training.steps, [total, *map(float, losses)])
        done.seconds = time.monotonic() - begun
        report(limits.share(training.steps, done.seconds), total)
        if time.monotonic() - saved > _CHECKPOINT_SECONDS:
            _save(training, out, done)
            saved = time.monotonic()
    _save(training, out, done)


def _save(training: Training, out: Path, done: _Done) -> None:
    checkpoint = Checkpoint(
        identity=done.identity,
        seconds=done.seconds,
        lines=done.curve.lines,
        waiting=done.curve.waiting,
        state=training.state(),
    )
    write_checkpoint(out / CHECKPOINT_FILE, checkpoint)
    write_curve(out, done.curve.all_lines)


def _write(
    out: Path,
    dataset: Dataset,
    styles: Sequence[StylePicture],
    training: Training,
    done: _Done,
    about: dict[str, Any],
) -> MadeStyles:
    """Writes what training is for."""
    about = about | {
        "styles": [
            each_about | {"sha256": each.sha256}
            for each_about, each in zip(about["styles"], styles, strict=True)
        ],
        "steps": training.steps,
        "skipped": training.guard.skipped,
        "seconds": round(done.seconds),
        "device": training.device.type,
        "threads": torch.get_num_threads(),
        "unforeseen": __version__,
        "torch": torch.__version__,
    }
    network = StylizationNetwork(len(styles))
    network.load_state_dict(training.averaged.state_dict())
    made = Stylization(
        names=_names(styles),
        network=network.eval(),
        files=tuple(each.sha256 for each in styles),
    )
    # Weights are given away: where somebody's photos lie stays in the folder.
    public = about | {"photos": {"pictures": dataset.card.images}}
    weights = stylization_bytes(made, public)
    write_style_pack(out, styles, weights)
    file = {"file": WEIGHTS_FILE, "sha256": hashlib.sha256(weights).hexdigest()}
    write_json(out / RECIPE_FILE, {"schema": _SCHEMA, **about, **file})
    sample = TrainingPhotos(dataset, side=_SHEET_SIDE, seed=training.recipe.seed)
    draw_style_sheet(out / SHEET_FILE, made, styles, sample.batch(-2, _SHEET_PHOTOS))
    return MadeStyles(out / WEIGHTS_FILE, training.steps, done.seconds)


def _names(styles: Sequence[StylePicture]) -> StyleNames:
    return StyleNames(
        paintings=tuple(each.name for each in styles if each.kind == "painting"),
        textures=tuple(each.name for each in styles if each.kind == "texture"),
    )


def _about(
    dataset: Dataset,
    styles: Sequence[StylePicture],
    recipe: Recipe,
    perceptual: PerceptualNetwork,
) -> dict[str, Any]:
    """What decides the weights, besides the number of steps."""
    return {
        "algorithm": _ALGORITHM,
        "photos": {"uri": dataset.card.uri, "pictures": dataset.card.images},
        "styles": [
            {"kind": each.kind, "name": each.name, "pixels": _hash(each.image.numpy().tobytes())}
            for each in styles
        ],
        "perceptual_network": {"uri": PERCEPTUAL_MODEL, "fingerprint": perceptual.fingerprint},
        **asdict(recipe),
    }


def _identity(about: dict[str, Any], dataset: Dataset) -> str:
    keys = _hash("\0".join(dataset.keys).encode())
    return _hash(json.dumps([about, keys]).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
