"""The paper's own figures, to show beside runs of edition published and nowhere else."""

__all__ = ["PAPER_ORDER", "PublishedResult", "published_results"]

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

#: The core attacks in the order of the paper's tables.
PAPER_ORDER = ("jpeg", "elastic", "wood", "glitch", "kaleidoscope", "pixel", "snow", "gabor")


@dataclass(frozen=True, kw_only=True)
class PublishedResult:
    """One row of the paper's table 2: edition published, level medium, shares in [0, 1].

    Attributes:
        model: As printed.
        clean_accuracy: On the unattacked pictures.
        pgd: Under PGD, L∞ 4/255.
        ua2: Mean over the core attacks, as printed.
        attacks: Accuracy by core attack.
    """

    model: str
    clean_accuracy: float
    pgd: float
    ua2: float
    attacks: Mapping[str, float]


def published_results(benchmark: str) -> tuple[PublishedResult, ...]:
    """The paper's rows for a benchmark, in its order; empty where it prints none."""
    folder = resources.files("unforeseen.benchmarks").joinpath("published")
    files = {file.name: file for file in folder.iterdir()}
    if f"{benchmark}.csv" not in files:
        return ()
    lines = files[f"{benchmark}.csv"].read_text(encoding="utf-8").splitlines()
    return tuple(
        PublishedResult(
            model=line["model"],
            clean_accuracy=_share(line["clean_accuracy"]),
            pgd=_share(line["pgd_linf_4_255"]),
            ua2=_share(line["ua2"]),
            attacks={attack: _share(line[attack]) for attack in PAPER_ORDER},
        )
        for line in csv.DictReader(lines)
    )


def _share(percent: str) -> float:
    # Rounded, so that 27.7 is the number that 0.277 is.
    return round(float(percent) / 100, 6)
