"""Opens what a user names, and brings model and data to the benchmark's classes."""

__all__ = ["Data", "Fitted", "Model", "fit", "fit_data", "fit_model", "opened_data", "opened_model"]

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import torch
from torch import nn

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.data import Dataset, from_arrays, load_data
from unforeseen.data.arrays import Images, WholeNumbers
from unforeseen.data.subset import imagenet16_of, imagenet100_of
from unforeseen.errors import UserError
from unforeseen.label_space import LABEL_SPACES, LabelSpace
from unforeseen.models import PredictFunction, Predictor, as_classifier, load_model
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Head
from unforeseen.running.plan import picture_size as usual_size
from unforeseen.running.plan import preprocessing_of
from unforeseen.stage_reporter import SilentStages, StageReporter, in_one

#: What a user may call a model, and data.
Model = str | os.PathLike[str] | nn.Module | Predictor | PredictFunction
Data = str | os.PathLike[str] | Dataset | tuple[Images, WholeNumbers]

# Label spaces that are a part of ImageNet's: their data are made of its pictures, and the head of the
# same name makes their classes of a model's 1,000.
_PARTS_OF_IMAGENET: Mapping[LabelSpace, Callable[[Dataset], Dataset]] = MappingProxyType(
    {"imagenet100": imagenet100_of, "imagenet16": imagenet16_of}
)


class Fitted(NamedTuple):
    """Benchmark, model and data that belong together."""

    benchmark: Benchmark
    classifier: Predictor
    dataset: Dataset


def fit(
    model: Model,
    data: Data,
    benchmark: str | Benchmark | Callable[[Dataset], str],
    *,
    head: str | Head | Sequence[str | Head] = (),
    device: str | torch.device | None = None,
    reporter: StageReporter | None = None,
) -> Fitted:
    """Opens benchmark, data and model, the quickest to fail first, and fits them together.

    Args:
        model: A URI or path, an nn.Module, a function or a classifier.
        data: A URI or path, a data set, or a pair of pictures and labels.
        benchmark: Name, file or object, or what names one for the data.
        head: As in :func:`fit_model`.
        device: Where a model named by URI goes; None chooses.
        reporter: Who watches; None is silent.

    Raises:
        UserError: One of them can't be opened, or they don't fit.
    """
    source = load_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    watching = reporter or SilentStages()
    with in_one(watching, "loading the data"):
        dataset = opened_data(data)
        if not isinstance(source, Benchmark):
            source = load_benchmark(source(dataset))
        dataset = fit_data(dataset, source)
    with in_one(watching, "loading the model"):
        classifier = fit_model(opened_model(model, device=device), source, head)
    return Fitted(source, classifier, dataset)


def opened_model(model: Model, *, device: str | torch.device | None = None) -> Predictor:
    """Opens a model, as yet without a head.

    Args:
        model: As in :func:`fit`.
        device: Where a model named by URI goes; None chooses.

    Raises:
        UserError: It can't be opened.
    """
    if isinstance(model, str | os.PathLike):
        return load_model(model, device=device)
    return as_classifier(model)


def opened_data(data: Data) -> Dataset:
    """Opens data, as yet with their own labels; takes and raises what :func:`fit` does."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, tuple):
        if len(data) != 2:
            raise UserError(f"data: expected a pair (pictures, labels), got {len(data)} things.")
        return from_arrays(*data)
    if isinstance(data, str | os.PathLike):
        return load_data(data)
    raise UserError(
        "data: expected a URI, a path, a data set or a pair (pictures, labels) as a tuple, got "
        f"{type(data).__name__}."
    )


def fit_model(
    classifier: Predictor,
    benchmark: Benchmark,
    head: str | Head | Sequence[str | Head] = (),
    *,
    picture_size: tuple[int, int] | None = None,
) -> Predictor:
    """Puts the heads that were asked for on a model, and the one that the benchmark implies.

    A model of ImageNet's 1,000 classes is asked about the 100 of ImageNet100 only, or about its 16
    super-classes.

    Args:
        classifier: The model.
        benchmark: What it is to be measured on.
        head: As in :func:`unforeseen.models.headed.with_head`; none where empty.
        picture_size: Height and width in pixels of what it will see; None takes what its own
            preprocessing makes.

    Raises:
        UnknownNameError: There is no such head.
        ModelError: A head doesn't fit, or the model fails.
        UserError: An option of a head is malformed.
    """
    size = picture_size or usual_size(benchmark, preprocessing_of(benchmark, classifier.card))
    classifier = with_head(classifier, head, image_size=size)
    part = benchmark.label_space
    if part is not None and part in _PARTS_OF_IMAGENET:
        outputs = classifier.card.classes or classifier.count_classes(size)
        if outputs == LABEL_SPACES["imagenet"]:
            classifier = with_head(classifier, part, image_size=size)
    return classifier


def fit_data(dataset: Dataset, benchmark: Benchmark) -> Dataset:
    """Selects and relabels ImageNet's pictures for a part of its classes; other data stay as they are.

    Raises:
        DataError: Nothing is left.
    """
    part = benchmark.label_space
    if part is not None and part in _PARTS_OF_IMAGENET and dataset.card.label_space == "imagenet":
        return _PARTS_OF_IMAGENET[part](dataset)
    return dataset
