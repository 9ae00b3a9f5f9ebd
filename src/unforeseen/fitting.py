"""Brings a model and data to a benchmark's classes, where they have others beside them."""

__all__ = ["fit_data", "fit_model"]

from collections.abc import Sequence

from unforeseen.benchmarks.benchmark import LABEL_SPACES, Benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.data.subset import imagenet100_of
from unforeseen.models.classifier import Predictor
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Head
from unforeseen.plan import picture_size, preprocessing_of


def fit_model(
    classifier: Predictor, benchmark: Benchmark, head: str | Head | Sequence[str | Head] = ()
) -> Predictor:
    """Puts the heads that were asked for on a model, and the one that the benchmark implies.

    On ImageNet100 a model of ImageNet's 1,000 classes is asked about the 100 only.

    Args:
        classifier: The model.
        benchmark: What it is to be measured on.
        head: As in :func:`unforeseen.models.headed.with_head`; none where empty.

    Raises:
        UnknownNameError: There is no such head.
        ModelError: A head doesn't fit, or the model fails.
        UserError: An option of a head is malformed.
    """
    size = picture_size(benchmark, preprocessing_of(benchmark, classifier.card))
    classifier = with_head(classifier, head, image_size=size)
    if benchmark.label_space == "imagenet100":
        outputs = classifier.card.classes or classifier.count_classes(size)
        if outputs == LABEL_SPACES["imagenet"]:
            classifier = with_head(classifier, "imagenet100", image_size=size)
    return classifier


def fit_data(dataset: Dataset, benchmark: Benchmark) -> Dataset:
    """Selects and relabels ImageNet's pictures for ImageNet100; other data stay as they are.

    Raises:
        DataError: Nothing is left.
    """
    if benchmark.label_space == "imagenet100" and dataset.card.label_space == "imagenet":
        return imagenet100_of(dataset)
    return dataset
