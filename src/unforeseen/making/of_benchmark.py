"""What a benchmark of obfuscations says of the data that are made for it."""

__all__ = ["about_classes", "obfuscations_of", "scored_by"]

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.selection import select
from unforeseen.data.super_classes import super_classes
from unforeseen.errors import UserError
from unforeseen.label_space import LabelSpace
from unforeseen.making.settings import MakingOptions
from unforeseen.running.make_obfuscation import make_obfuscation
from unforeseen.transforms.obfuscation import AnyObfuscation


def obfuscations_of(
    benchmark: ObfuscationBenchmark, names: Sequence[str] | None, size: int
) -> dict[str, AnyObfuscation]:
    """The obfuscations of a benchmark, with its ranges.

    Args:
        benchmark: Whose.
        names: Which; None takes all.
        size: Side in pixels of the pictures to come.

    Returns:
        By name, in the order of ``names``.

    Raises:
        UnknownNameError: The benchmark has no such obfuscation.
        BenchmarkError: Its ranges can't be drawn from.
        UserError: Its runs judge other pictures than are made.
    """
    usual = replace(benchmark.preprocessing, resize=size, crop=(size, size))
    if (benchmark.image_size, benchmark.preprocessing) != (size, usual):
        raise UserError(
            f"{benchmark.name} is for pictures of {benchmark.image_size} px "
            f"({benchmark.preprocessing.in_words()}); expected {size} px, by the shorter side and a "
            "centre crop. Leave --size out, or obfuscate in the run: unforeseen run takes every "
            "benchmark."
        )
    wanted = benchmark.obfuscations if names is None else names
    return {name: make_obfuscation(benchmark.obfuscation(name)) for name in wanted}


def scored_by(label_space: LabelSpace | None) -> str:
    """The built-in benchmark that is of a data set's classes."""
    super_classed = label_space in ("imagenet", "imagenet16")
    return "image-obfuscation" if super_classed else "image-obfuscation-own"


def about_classes(dataset: Dataset, options: MakingOptions) -> str | None:
    """What to say of ImageNet's pictures, of which most are of no super-class."""
    if dataset.card.label_space != "imagenet":
        return None
    labels = dataset.labels[select(dataset, options.limit, options.seed)]
    members = [member for group in super_classes().values() for member in group]
    scored = int(np.isin(labels, members).sum())
    if scored == len(labels):
        return None
    return (
        f"{scored:,} of {counted(len(labels), 'picture')} {'is' if scored == 1 else 'are'} of the 16 "
        "super-classes that image-obfuscation judges; --benchmark image-obfuscation makes only such."
    )
