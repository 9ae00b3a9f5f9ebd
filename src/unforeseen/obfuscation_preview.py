"""What obfuscations do to pictures: each picture as it is, and under each obfuscation."""

__all__ = ["ORIGINAL", "ObfuscationPreview", "preview_obfuscations"]

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, stream_pictures
from unforeseen.data.selection import select
from unforeseen.errors import DataError
from unforeseen.fitting import fit_data
from unforeseen.models.cards import ModelCard
from unforeseen.pixels import pixels_of
from unforeseen.report.gallery import class_in_words
from unforeseen.running.cell_kinds import ObfuscatedCell, ReadyMadeCell
from unforeseen.running.compatibility import of_the_benchmarks_size
from unforeseen.running.obfuscated_pictures import Obfuscated, obfuscated_pictures
from unforeseen.running.obfuscation_plan import ObfuscationPlan, make_obfuscation_plan
from unforeseen.running.ready_made import ReadyMade
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one

ORIGINAL = "original"

#: Obfuscations never see a model.
_NO_MODEL = ModelCard(uri="", fingerprint="")
_AHEAD = 8
_LIGHT_GREY = 224
_STAGE = "obfuscating"


@dataclass(frozen=True, kw_only=True)
class ObfuscationPreview:
    """Pictures for :func:`unforeseen.report.contact_sheet.draw_contact_sheet`.

    Attributes:
        columns: The class of each picture, in words; of one picture, which draw it is.
        rows: The original (once, then white) and each obfuscation: its name, and the pictures, each (H, W, 3), uint8. A
            grey one stands where ready-made data lack one.
        drawn: For each picture of each row what of it has a name, such as the painting, the photo or the
            colour; may be empty.
        unreadable: How many pictures couldn't be read; they are left out.
        seed: Of every draw.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[NDArray[np.uint8], ...]], ...]
    drawn: tuple[tuple[str, ...], ...]
    unreadable: int
    seed: int


def preview_obfuscations(
    benchmark: Benchmark,
    dataset: Dataset,
    *,
    obfuscations: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
    draws: int = 1,
    assets: str | Path | None = None,
    reporter: StageReporter | None = None,
) -> ObfuscationPreview:
    """Obfuscates pictures as a run with the same limit and seed does; without a model.

    Args:
        benchmark: Whose obfuscations, ranges and preprocessing.
        dataset: Pictures; those that were obfuscated before are shown as they are.
        obfuscations: Which of the benchmark's; None takes all.
        limit: How many pictures; None takes all.
        seed: Seed of every draw and of the choice of pictures; None as in :func:`unforeseen.evaluate`.
        draws: How often each obfuscation is drawn for each picture; each draw has a column.
        assets: Folder of a pack; None takes the one that ships.
        reporter: Who watches; None is silent.

    Raises:
        BenchmarkError: The benchmark isn't one of obfuscations, or its ranges can't be drawn from.
        UnknownNameError: The benchmark has no such obfuscation.
        AssetError: The pack can't be used.
        DataError: No picture can be read, or they aren't of the benchmark's size.
        UserError: A number is out of range.
    """
    plan = make_obfuscation_plan(
        benchmark,
        _NO_MODEL,
        obfuscations=obfuscations,
        seed=seed,
        worst_of=draws,
        assets=assets,
        ready_made=ReadyMade.of(dataset),
    )
    dataset = fit_data(dataset, benchmark)
    watching = reporter or SilentStages()
    with in_one(watching, "reading pictures"):
        pictures, unreadable = _pictures(plan, dataset, limit)
    words = dataset.card.class_names
    headings = [class_in_words(picture.label, words) for picture in pictures]
    shown = [pixels_of(picture.image) for picture in pictures]
    made = _made(plan, dataset, pictures, watching)
    originals = tuple(_once(shown, draws))
    return ObfuscationPreview(
        columns=tuple(_per_draw(headings, draws)),
        rows=(
            (ORIGINAL, originals),
            *(
                (name, tuple(_pixels(each, shown[0].shape) for each in row))
                for name, row in made.items()
            ),
        ),
        drawn=(
            ("",) * len(originals),
            *(tuple(_names_of(each.parameters) for each in row) for row in made.values()),
        ),
        unreadable=unreadable,
        seed=plan.seed,
    )


def _pictures(
    plan: ObfuscationPlan, dataset: Dataset, limit: int | None
) -> tuple[list[Picture], int]:
    """Those that a run takes, and how many of them can't be read."""
    chosen = select(dataset, limit, plan.seed).tolist()
    items = list(zip(chosen, identify(dataset, chosen), strict=True))
    with closing(stream_pictures(dataset, items, plan.preprocessing, ahead=_AHEAD)) as stream:
        read = list(of_the_benchmarks_size(stream, plan, dataset.card))
    pictures = [each for each in read if isinstance(each, Picture)]
    if not pictures:
        reason = f": {read[0].reason}" if read and not isinstance(read[0], Picture) else ""
        raise DataError(
            f"{dataset.card.uri}: expected pictures, got none that can be read{reason}."
        )
    return pictures, len(read) - len(pictures)


def _made(
    plan: ObfuscationPlan, dataset: Dataset, pictures: Sequence[Picture], reporter: StageReporter
) -> dict[str, list[Obfuscated]]:
    """By obfuscation, the pictures."""
    items = [(picture.index, picture.example_id) for picture in pictures]
    cells = [cell for cell in plan.cells if isinstance(cell, ObfuscatedCell | ReadyMadeCell)]
    total = len(cells) * len(items) * plan.worst_of
    reporter.advance(_STAGE, 0, total)
    found: dict[str, list[Obfuscated]] = {}
    done = 0
    for cell in cells:
        of_cell = found[cell.transform] = []
        with closing(obfuscated_pictures(plan, cell, dataset, items, ahead=_AHEAD)) as made:
            for each in made:
                of_cell.append(each)
                done += 1
                reporter.advance(_STAGE, done, total)
    return found


def _pixels(obfuscated: Obfuscated, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    if isinstance(obfuscated.picture, Picture):
        return pixels_of(obfuscated.picture.image)
    return np.full(shape, _LIGHT_GREY, dtype=np.uint8)


def _names_of(parameters: str | None) -> str:
    """The words in a record; none where it isn't one, as of published pictures anything may be."""
    try:
        record = json.loads(parameters or "{}")
    except (ValueError, RecursionError):
        return ""
    values = record.values() if isinstance(record, dict) else ()
    return ", ".join(value for value in values if isinstance(value, str))


def _once(shown: Sequence[NDArray[np.uint8]], draws: int) -> Iterator[NDArray[np.uint8]]:
    """Each picture above its first draw, and nothing but white above the others."""
    for each in shown:
        yield each
        yield from repeat(np.full_like(each, 255), draws - 1)


def _per_draw(headings: Sequence[str], draws: int) -> list[str]:
    if draws == 1:
        return list(headings)
    if len(headings) == 1:
        return [f"draw {draw + 1}" for draw in range(draws)]
    return [f"{heading}, draw {draw + 1}" for heading in headings for draw in range(draws)]
