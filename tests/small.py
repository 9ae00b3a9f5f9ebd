"""Small classifiers, pictures and a small benchmark: everything that a test can run in moments."""

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from data.in_memory import InMemory
from unforeseen.benchmarks import BENCHMARKS, AttackBenchmark, load_benchmark
from unforeseen.models.calls import PredictFunction
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.search import Search
from unforeseen.transforms.base import AnyAttack

SIDE = 32

#: Names of the built-in benchmarks of attacks.
ATTACK_BENCHMARKS = tuple(
    name for name in BENCHMARKS if isinstance(load_benchmark(name), AttackBenchmark)
)

#: A user's own benchmark, small enough that every test can afford a whole run.
BENCHMARK_FILE = """
schema = 1
name = "small"
title = "Three attacks on pictures of 32 px"
source = "made for tests"
classes = 4
image_size = 32
metric = "ua2"
default_edition = "published"

[editions.published]
geometry = "published"
judging = "last"
gradient_batch = 5

[editions.strict]
geometry = "centred"
judging = "any"

[attacks.pgd]
group = "baseline"
steps = 4
step_size = 0.01
radii = { low = 0.01, medium = 0.02, high = 0.04 }

[attacks.wood]
group = "core"
steps = 3
step_size = 0.02
radii = { low = 0.03, medium = 0.05, high = 0.1 }
parameters = { rings = 5, resolution = 16 }

[attacks.pixel]
group = "core"
steps = 3
step_size = 0.5
radii = { low = 1.0, medium = 2.0, high = 4.0 }
parameters = { block = 8 }
"""


def small_benchmark(**changes: Any) -> AttackBenchmark:
    """The benchmark of :data:`BENCHMARK_FILE`, with some fields changed."""
    benchmark = AttackBenchmark.from_record(tomllib.loads(BENCHMARK_FILE))
    return replace(benchmark, **changes)


class LinearModel(nn.Module):
    """f(x) = Wx + b on flattened pictures; W: (classes, 3·H·W)."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)
        self.bias = nn.Parameter(bias)

    def forward(self, x: Tensor) -> Tensor:
        return x.flatten(1) @ self.weight.T + self.bias


class SmallNet(nn.Module):
    """A smooth network; sums run within one picture, so that a batch cannot change its rounding.

    Args:
        classes: Number of outputs.
        sharpness: What logits are multiplied with: the larger, the more confident.
    """

    def __init__(self, classes: int = 4, *, sharpness: float = 30.0, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.first = nn.Parameter(torch.randn(6, 3, 8, 8, generator=generator))
        self.second = nn.Parameter(torch.randn(classes, 6, 4, 4, generator=generator))
        self.sharpness = sharpness

    def forward(self, x: Tensor) -> Tensor:
        small = nn.functional.avg_pool2d(x - 0.5, (x.shape[-2] // 8, x.shape[-1] // 8))
        small = small[..., :8, :8]
        hidden = torch.tanh((small[:, None] * self.first).sum(dim=2))
        hidden = nn.functional.avg_pool2d(hidden, 2)
        return self.sharpness * (hidden[:, None] * self.second).flatten(2).mean(dim=2)


class Watched(nn.Module):
    """Counts what a model is asked; may do something to pictures or scores.

    Args:
        model: The model.
        before: Called with every batch of pictures.
        after: Maps pictures and scores to scores.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        before: Callable[[Tensor], None] | None = None,
        after: Callable[[Tensor, Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__()
        self.model = model
        self._before = before
        self._after = after
        self._batches: list[int] = []

    def forward(self, x: Tensor) -> Tensor:
        self._batches.append(len(x))
        if self._before is not None:
            self._before(x)
        scores: Tensor = self.model(x)
        return scores if self._after is None else self._after(x, scores)

    @property
    def batches(self) -> list[int]:
        """Pictures in each forward pass."""
        return self._batches

    @property
    def pictures_seen(self) -> int:
        """Pictures in all forward passes, padding included."""
        return sum(self._batches)

    def forget(self) -> None:
        self._batches.clear()


def small_pictures(count: int, *, side: int = SIDE, seed: int = 0) -> Tensor:
    """Smooth colourful pictures well inside [0, 1], (count, 3, side, side), float64."""
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(count, 3, 8, 8, generator=generator, dtype=torch.float64)
    smooth = nn.functional.interpolate(coarse, (side, side), mode="bilinear", align_corners=False)
    return 0.15 + 0.7 * smooth


def small_dataset(count: int, *, model: nn.Module | None = None, seed: int = 0) -> InMemory:
    """8-bit pictures labelled as a model sees them (class 0 where there is none)."""
    contents = as_arrays(small_pictures(count, seed=seed))
    labels = [0] * count
    if model is not None:
        x = torch.from_numpy(np.stack(contents)).permute(0, 3, 1, 2).float() / 255
        with torch.no_grad():
            labels = model(x).argmax(dim=1).tolist()
    return InMemory(contents, labels)


def as_arrays(pictures: Tensor) -> list[NDArray[np.uint8]]:
    """(B, 3, H, W) in [0, 1] → B arrays (H, W, 3) of 8 bits."""
    eight_bits = (pictures * 255).round().to(torch.uint8).permute(0, 2, 3, 1)
    return [picture.contiguous().numpy() for picture in eight_bits]


def as_function(model: nn.Module) -> PredictFunction:
    """A module as a plain function: uint8 pictures (B, H, W, 3) → probabilities (B, classes)."""

    def predict(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        probabilities: NDArray[np.floating] = model(x).softmax(dim=1).numpy()
        return probabilities

    return predict


def examples_of(
    pictures: Tensor, labels: Iterable[int], radii: float | Iterable[float]
) -> list[Example]:
    """Numbered examples."""
    radius = [radii] * len(pictures) if isinstance(radii, float) else list(radii)
    return [
        Example(id=f"p{number}", image=image, label=label, radius=each)
        for number, (image, label, each) in enumerate(zip(pictures, labels, radius, strict=True))
    ]


def searched(
    search: Search,
    attack: AnyAttack,
    model: nn.Module,
    examples: Iterable[Example],
    *,
    batch_size: int = 8,
) -> dict[str, Outcome]:
    """Outcomes by id."""
    classifier = DifferentiableClassifier(model)
    with classifier.inference():
        outcomes = search.run(attack, classifier, examples, batch_size=batch_size)
        return {outcome.id: outcome for outcome in outcomes}
