"""From a data URI to a data set: the table of schemes."""

__all__ = ["DATA_SCHEMES", "DataScheme", "load_data"]

import os
from collections.abc import Callable
from typing import NamedTuple

from unforeseen.data.dataset import Dataset
from unforeseen.data.imagefolder import load_imagefolder
from unforeseen.data.parquet import load_parquet
from unforeseen.data.samples import load_samples
from unforeseen.errors import DataError, UnknownNameError
from unforeseen.uri import Uri, path_of


class DataScheme(NamedTuple):
    """One way to name data.

    Attributes:
        description: One line.
        examples: URIs as a user would type them.
        load: Makes the data set.
    """

    description: str
    examples: tuple[str, ...]
    load: Callable[[Uri], Dataset]


DATA_SCHEMES = {
    "imagefolder": DataScheme(
        "a folder with one subfolder per class, named by WNIDs (ImageNet's labels) or by words",
        ("imagefolder:imagenet/val",),
        load_imagefolder,
    ),
    "parquet": DataScheme(
        "parquet files as on the Hugging Face hub: an image column and a label column",
        ("parquet:cifar10/test.parquet", "parquet:data/test-*.parquet?image=img&label=label"),
        load_parquet,
    ),
    "samples": DataScheme(
        "20 real pictures each of ImageNet and CIFAR-10, from the package foolbox",
        ("samples:imagenet", "samples:cifar10"),
        load_samples,
    ),
}


def load_data(uri: str | os.PathLike[str]) -> Dataset:
    """Opens labelled pictures.

    Args:
        uri: ``scheme:path`` with a scheme of :data:`DATA_SCHEMES`; or the bare path of a folder
            (an image folder) or of a ``.parquet`` file.

    Raises:
        UnknownNameError: A scheme that isn't in the table.
        DataError: There is nothing there, or not what the scheme expects.
        MissingExtraError: The scheme needs a package that isn't installed.
    """
    parsed = Uri.parse(os.fspath(uri))
    try:
        return _load(parsed)
    except OSError as error:
        raise DataError(
            f"data {parsed.text[:80]!r} can't be opened: {error.strerror or error}."
        ) from error


def _load(parsed: Uri) -> Dataset:
    scheme = parsed.scheme or _scheme_of_path(parsed)
    if scheme not in DATA_SCHEMES:
        raise UnknownNameError(
            "data scheme",
            scheme,
            DATA_SCHEMES,
            "A bare path to a folder or to a .parquet file is accepted too.",
        )
    return DATA_SCHEMES[scheme].load(parsed)


def _scheme_of_path(uri: Uri) -> str:
    if uri.path.lower().endswith(".parquet"):
        return "parquet"
    if uri.path and path_of(uri.path).is_dir():
        return "imagefolder"
    examples = ", ".join(scheme.examples[0] for scheme in DATA_SCHEMES.values())
    raise DataError(
        f"data {uri.text!r}: expected a folder, a .parquet file, or a URI such as {examples}; "
        "there is no such folder."
    )
