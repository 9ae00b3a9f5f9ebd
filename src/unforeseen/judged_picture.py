"""A picture of a data set as models are shown it, to obfuscate it outside of a run."""

__all__ = ["load_picture"]

from torch import Tensor

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Unreadable, read_picture
from unforeseen.errors import DataError, shown
from unforeseen.fitting import Data, opened_data
from unforeseen.preprocessing import Preprocessing


def load_picture(data: Data, file: str, benchmark: str | Benchmark = "image-obfuscation") -> Tensor:
    """Reads a picture, resizes it and cuts out its middle, as a benchmark of obfuscations has it.

    Args:
        data: A URI, path, data set or arrays, as :func:`unforeseen.evaluate` takes them; for many
            pictures a data set, which is opened once.
        file: Where the data set has it, as a run's ``pictures.parquet``, lists of evasions and data
            that were made say.
        benchmark: Name, file or object. Data that were made are as they are judged already.

    Returns:
        (3, H, W), uint8.

    Raises:
        DataError: There is no such picture, or it can't be read.
        BenchmarkError: It isn't a benchmark of obfuscations.
    """
    if isinstance(benchmark, str):
        benchmark = load_benchmark(benchmark)
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
