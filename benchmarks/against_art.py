r"""Compares Auto-PGD and autoattack-lite with the Auto-PGD of another library, on L∞ pixels.

    python benchmarks/against_art.py --model URI --data URI --radius 4/255 \
        [--limit 200] [--steps 100] [--batch-size 40] [--benchmark cifar10-ua] [--art DIR]

The other library is the adversarial-robustness-toolbox (ART). Its requirements differ from those here,
so install it elsewhere and say where:

    python -m venv art && art/bin/pip install adversarial-robustness-toolbox==1.20.1
    python benchmarks/against_art.py --art art/lib/python3.11/site-packages …

That folder comes last on the path, so that torch and numpy stay those of this environment.

Both get the same pictures, radius, steps and one random start. A picture counts as right if it is
classified right as it is and none was found that isn't. Per line: the accuracy that each leaves, the
pictures that only one of them breaks, gradients and forward passes per picture as the model is asked for
them (of ours with what fills its batches up), and the seconds of ours as a ratio to ART's: the median over
batches, between which they take turns, and the range.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from typing_extensions import override

from unforeseen import perturb
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.data import load_data
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.data.selection import select
from unforeseen.models import DifferentiableClassifier, load_model
from unforeseen.running.plan import preprocessing_of

#: How far float32 may carry a pixel out of its ball.
ROUNDING = 1e-6
#: What ART calls the losses.
ART_LOSSES = {"cross_entropy": "cross_entropy", "dlr": "difference_logits_ratio"}


class Counted(nn.Module):
    """Counts pictures that a classifier is asked about, and those of which gradients are wanted."""

    def __init__(self, classifier: DifferentiableClassifier) -> None:
        super().__init__()
        self._classifier = classifier
        self.module = classifier.module  # a part of this one, which tells the device
        self.passes = self.gradients = 0

    @override
    def forward(self, x: Tensor) -> Tensor:
        self.passes += len(x)
        self.gradients += len(x) * (torch.is_grad_enabled() and x.requires_grad)
        return self._classifier.logits(x)

    @override
    def train(self, mode: bool = True) -> "Counted":
        """Stays in evaluation mode; ART sets it all the time, and exported programs refuse."""
        return self


#: Takes pictures (B, 3, H, W) and classes (B,); says which are still classified right, (B,).
Attack = Callable[[Tensor, Tensor], Tensor]


class Line(NamedTuple):
    """What is compared: attacks on ART's losses, of which a picture must survive all, and one of ours."""

    name: str
    losses: tuple[str, ...]
    search: str
    loss: str | None


LINES = (
    *(Line(name=loss, losses=(loss,), search="apgd", loss=loss) for loss in ART_LOSSES),
    Line(
        name="autoattack-lite (ART: both losses, worst)",
        losses=tuple(ART_LOSSES),
        search="autoattack-lite",
        loss=None,
    ),
)


class Side(NamedTuple):
    """One of the two that are compared."""

    name: str
    model: Counted
    attack: Attack


def main() -> None:
    """Attacks and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", required=True, metavar="URI")
    parser.add_argument("--data", required=True, metavar="URI")
    parser.add_argument("--radius", required=True, type=lambda text: float(Fraction(text)))
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch-size", type=int, default=40)
    parser.add_argument("--benchmark", default="cifar10-ua", help="whose preprocessing and PGD")
    parser.add_argument("--art", type=Path, metavar="DIR", help="site-packages that hold ART")
    arguments = parser.parse_args()
    if arguments.art is not None:
        sys.path.append(str(arguments.art))

    classifier = load_model(arguments.model)
    if not isinstance(classifier, DifferentiableClassifier):
        parser.error(f"--model: expected one with gradients, got {arguments.model}")
    x, y = pictures(arguments.data, arguments.benchmark, classifier, arguments.limit)
    with classifier.inference():
        with torch.no_grad():
            clean = classifier.logits(x).argmax(dim=1) == y
        print(
            f"{arguments.model}, {len(x)} pictures of {arguments.data}, radius "
            f"{255 * arguments.radius:g}/255, {arguments.steps} steps; clean {percent(clean)} %"
        )
        for line in LINES:
            compare(
                line.name,
                of_art(classifier, line, arguments.radius, arguments.steps, y),
                of_ours(classifier, line, arguments.radius, arguments.steps, arguments.benchmark),
                batches(x, y, arguments.batch_size),
            )


def pictures(
    data: str, benchmark: str, classifier: DifferentiableClassifier, count: int
) -> tuple[Tensor, Tensor]:
    """Pictures (N, 3, H, W) in [0, 1], spread over the classes, and their classes."""
    dataset = load_data(data)
    preprocessing = preprocessing_of(load_attack_benchmark(benchmark), classifier.card)
    read = (
        read_picture(dataset, index, str(index), preprocessing)
        for index in select(dataset, None, 0).tolist()
    )
    found = list(islice((each for each in read if isinstance(each, Picture)), count))
    x = torch.stack([each.image for each in found]).to(classifier.device).float() / 255
    return x, torch.tensor([each.label for each in found], device=classifier.device)


def batches(x: Tensor, y: Tensor, size: int) -> list[tuple[Tensor, Tensor]]:
    """Pairs of pictures and classes, the last perhaps smaller."""
    return list(zip(torch.split(x, size), torch.split(y, size), strict=True))


def of_art(
    classifier: DifferentiableClassifier, line: Line, radius: float, steps: int, y: Tensor
) -> Side:
    """ART's."""
    from art.attacks.evasion import AutoProjectedGradientDescent  # noqa: PLC0415 - found by --art
    from art.estimators.classification import PyTorchClassifier  # noqa: PLC0415 - likewise

    model = Counted(classifier)

    def attack(x: Tensor, labels: Tensor) -> Tensor:
        clean, truth = x.cpu().numpy(), labels.cpu().numpy()
        estimator = PyTorchClassifier(
            model,
            loss=nn.CrossEntropyLoss(),
            input_shape=tuple(x.shape[1:]),
            nb_classes=classifier.card.classes or int(y.max()) + 1,
            clip_values=(0, 1),
            device_type="gpu" if x.is_cuda else "cpu",
        )
        right = torch.ones(len(x), dtype=torch.bool)
        for loss in line.losses:
            found = AutoProjectedGradientDescent(
                estimator=estimator,
                norm=np.inf,
                eps=radius,
                eps_step=2 * radius,
                max_iter=steps,
                nb_random_init=1,
                batch_size=len(x),
                loss_type=ART_LOSSES[loss],
                verbose=False,
            ).generate(clean, truth)
            far = float(np.abs(found - clean).max()) - radius
            assert far < ROUNDING, f"ART left the ball by {far}"
            with torch.no_grad():
                said = classifier.logits(torch.from_numpy(found).to(x)).argmax(dim=1)
            right &= (said == labels).cpu()
        return right

    return Side("ART", model, attack)


def of_ours(
    classifier: DifferentiableClassifier, line: Line, radius: float, steps: int, benchmark: str
) -> Side:
    """Ours, in edition strict, in which a picture leaves the batch at its first success."""
    model = Counted(classifier)

    def attack(x: Tensor, labels: Tensor) -> Tensor:
        found = perturb(
            model,
            x,
            labels,
            "pgd",
            radius=radius,
            benchmark=benchmark,
            edition="strict",
            search=line.search,
            loss=line.loss,
            steps=steps,
        )
        return found.correct.cpu()

    return Side("ours", model, attack)


def compare(name: str, art: Side, ours: Side, parts: list[tuple[Tensor, Tensor]]) -> None:
    """Prints a line."""
    right: dict[str, list[Tensor]] = {art.name: [], ours.name: []}
    seconds: dict[str, list[float]] = {art.name: [], ours.name: []}
    for turn, (x, labels) in enumerate(parts):
        for side in (art, ours) if turn % 2 else (ours, art):
            began = time.perf_counter()
            right[side.name].append(side.attack(x, labels))
            seconds[side.name].append(time.perf_counter() - began)
    theirs, mine = (torch.cat(right[side.name]) for side in (art, ours))
    ratios = [one / other for one, other in zip(seconds["ours"], seconds["ART"], strict=True)]
    spent = "; ".join(
        f"{side.name} {side.model.gradients / len(mine):.0f} gradients, "
        f"{side.model.passes / len(mine):.0f} passes, {sum(seconds[side.name]):.0f} s"
        for side in (art, ours)
    )
    print(
        f"{name}: ART {percent(theirs)} %, ours {percent(mine)} %; broken by ART only "
        f"{int((mine & ~theirs).sum())}, by ours only {int((theirs & ~mine).sum())}; {spent}; seconds "
        f"ours/ART {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        flush=True,
    )


def percent(right: Tensor) -> str:
    """The share of ``right`` in percent."""
    return f"{100 * float(right.float().mean()):.1f}"


if __name__ == "__main__":
    main()
