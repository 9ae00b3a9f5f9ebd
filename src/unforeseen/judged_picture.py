"""A picture of a data set as models are shown it, to obfuscate it outside of a run."""

__all__ = ["load_picture"]

import os
from pathlib import Path

import torch
from torch import Tensor

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Unreadable, read_picture
from unforeseen.errors import DataError, UserError, shown
from unforeseen.fitting import Data, opened_data
from unforeseen.preprocessing import Preprocessing
from unforeseen.run_folder.picture_list import PICTURES_FILE, read_picture_list
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.run_folder.record import RECORD_FILE
from unforeseen.running.made_again import WantedPicture, open_again
from unforeseen.uri import path_of

_USUAL = "image-obfuscation"


def load_picture(data: Data, file: str, benchmark: str | Benchmark | None = None) -> Tensor:
    """Reads a picture, resizes it and cuts out its middle, as a benchmark of obfuscations has it.

    Args:
        data: A run folder, or a URI, path, data set or arrays, as :func:`unforeseen.evaluate` takes
            them; for many pictures a data set, which is opened once. Of a run, its record says where
            the data lie, a path as seen from here; nothing there is executed.
        file: Where the data set has it, as a run's ``pictures.parquet``, lists of evasions and data
            that were made say; of a run also a row's ``example_id``.
        benchmark: Name, file or object; None takes the run's, else ``image-obfuscation``. Data that
            were made are as they are judged already.

    Returns:
        (3, H, W), uint8.

    Raises:
        DataError: There is no such picture, it can't be read, or it isn't the one that the run judged.
        BenchmarkError: It isn't a benchmark of obfuscations.
        UserError: The run can't be read, or is given with a benchmark.
    """
    if isinstance(data, str | os.PathLike):
        folder = path_of(os.fspath(data))
        if os.path.lexists(folder / RECORD_FILE):
            if benchmark is not None:
                raise UserError("benchmark: expected none, as the run's own holds. Leave it out.")
            return _of_run(folder, file)
    if not isinstance(benchmark, Benchmark):
        benchmark = load_benchmark(benchmark or _USUAL)
    preprocessing = expect_obfuscations(benchmark).preprocessing
    dataset = opened_data(data)
    if isinstance(dataset, ObfuscatedDataset):
        preprocessing = Preprocessing()
    keys = list(dataset.keys)
    if file not in keys:
        raise DataError(f"{dataset.card.uri}: expected a picture {shown(file)}, found none.")
    picture = read_picture(dataset, keys.index(file), file, preprocessing)
    if isinstance(picture, Unreadable):
        raise DataError(f"{file}: expected a picture; it can't be read ({picture.reason}).")
    return picture.image


def _of_run(folder: Path, name: str) -> Tensor:
    """The picture of a file or of an example id, as a run judged it."""
    run = read_planned_run(folder).planned
    expect_obfuscations(run.benchmark)
    assert isinstance(run, PlannedObfuscationRun)
    listed = read_picture_list(folder) or ()
    wanted = next((each for each in listed if name in (each.example_id, each.file)), None)
    if wanted is None or wanted.example_id is None:
        raise DataError(f"{folder / PICTURES_FILE}: expected a picture {shown(name)}, found none.")
    again = open_again(run, ())
    found = again.find([WantedPicture(wanted.example_id, wanted.file)])
    if not found:
        raise DataError(
            f"{run.data}: expected the picture {shown(name)} as the run judged it, found none such. Where "
            "the data have moved, give them instead of the run."
        )
    pixels = again.clean(found[wanted.example_id], wanted.example_id)
    if pixels is None:
        raise DataError(f"{shown(name)}: expected a picture; it can't be read.")
    return torch.from_numpy(pixels).movedim(-1, 0).contiguous()
