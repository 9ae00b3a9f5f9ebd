"""From a data URI to a data set: the table of schemes."""

__all__ = ["DATA_SCHEMES", "DataScheme", "load_data"]

import os
from collections.abc import Callable
from typing import NamedTuple

from unforeseen.data.cifar10 import load_cifar10
from unforeseen.data.dataset import Dataset
from unforeseen.data.huggingface import load_huggingface
from unforeseen.data.imagefolder import load_imagefolder
from unforeseen.data.imagenet import load_imagenet
from unforeseen.data.obfuscated import load_obfuscated
from unforeseen.data.parquet import load_parquet
from unforeseen.data.samples import load_samples
from unforeseen.data.table import TABLE_SUFFIXES, load_table
from unforeseen.data.webdataset import load_webdataset
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
    "cifar10": DataScheme(
        "the folder of CIFAR-10's original batches, python or binary version",
        ("cifar10:cifar-10-batches-py", "cifar10:cifar-10-batches-bin?split=train"),
        load_cifar10,
    ),
    "hf": DataScheme(
        "a data set of the Hugging Face hub, or a folder, through the package datasets",
        ("hf:uoft-cs/cifar10?split=test", "hf:saved?split=test&image=img&label=fine_label"),
        load_huggingface,
    ),
    "imagefolder": DataScheme(
        "a folder with one subfolder per class, named by WNIDs (ImageNet's labels) or by words",
        ("imagefolder:imagenet/val",),
        load_imagefolder,
    ),
    "imagenet": DataScheme(
        "ImageNet's validation pictures in one folder, with the file that holds their labels",
        ("imagenet:ILSVRC2012/val", "imagenet:val?truth=LOC_val_solution.csv"),
        load_imagenet,
    ),
    "obfuscated": DataScheme(
        "pictures obfuscated before: by unforeseen obfuscate, or the published ones of TensorFlow "
        "Datasets",
        ("obfuscated:made", "obfuscated:obfuscated_imagenet/1.0.0?split=validation"),
        load_obfuscated,
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
    "table": DataScheme(
        "a CSV, TSV, JSONL or parquet table of paths and labels (numbers, WNIDs or names)",
        ("table:labels.csv", "table:labels.csv?image=file&label=wnid&root=pictures"),
        load_table,
    ),
    "webdataset": DataScheme(
        "uncompressed tar files in the format of WebDataset",
        ("webdataset:val-{000000..000003}.tar", "webdataset:val-*.tar?image=jpg&label=cls"),
        load_webdataset,
    ),
}

#: What a bare path ends in → its scheme.
_SCHEME_OF_SUFFIX = {
    **dict.fromkeys(TABLE_SUFFIXES, "table"),
    ".parquet": "parquet",
    ".tar": "webdataset",
}
_SUFFIXES = " or ".join((", ".join([*_SCHEME_OF_SUFFIX][:-1]), [*_SCHEME_OF_SUFFIX][-1]))


def load_data(uri: str | os.PathLike[str]) -> Dataset:
    """Opens labelled pictures.

    Args:
        uri: ``scheme:path`` with a scheme of :data:`DATA_SCHEMES`; or the bare path of a folder
            (an image folder) or of a ``.csv``, ``.tsv``, ``.jsonl``, ``.ndjson``, ``.parquet`` or
            ``.tar`` file.

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
            f"A bare path to a folder or to a {_SUFFIXES} file is accepted too.",
        )
    return DATA_SCHEMES[scheme].load(parsed)


def _scheme_of_path(uri: Uri) -> str:
    for suffix, scheme in _SCHEME_OF_SUFFIX.items():
        if uri.path.lower().endswith(suffix):
            return scheme
    if uri.path and path_of(uri.path).is_dir():
        return "imagefolder"
    raise DataError(
        f"data {uri.text!r}: expected a folder, a {_SUFFIXES} file, or a URI such as "
        f"{DATA_SCHEMES['imagefolder'].examples[0]} ('unforeseen list data' shows all kinds); there "
        "is no such folder."
    )
