"""What attacks cost: time per step as a ratio to PGD's (paper, appendix C, figure 5).

A step is what the search does in one: paint, forward, backward, project. It is timed through the
search itself, as (T(s steps) − T(0 steps)) / s on one full batch that nobody leaves early. Each time
PGD is timed right before or right after the attack, in turns, and the ratio is taken between these
two, so that a machine that is busier for a while is so for both. All attacks are timed in every
round, in an order that rotates. Which of T(s) and T(0) comes first changes every two rounds, as the
first search after another attack's may be slower than the second.
"""

__all__ = ["cost_plan", "made_pictures", "measure_cost"]

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.counted import counted
from unforeseen.data.arrays import from_arrays
from unforeseen.data.dataset import Dataset
from unforeseen.data.donors import Donors
from unforeseen.data.pictures import Picture, Unreadable, read_picture
from unforeseen.data.selection import select
from unforeseen.errors import DataError, ModelError, UserError
from unforeseen.experiment_folder.cost_times import BASELINE, AttackTimes, CostTimes, Pair
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.memory import is_out_of_memory
from unforeseen.rng import Stream
from unforeseen.running.attack_plan import AttackPlan, make_attack_plan
from unforeseen.running.cell_kinds import AttackedCell
from unforeseen.running.compatibility import check_compatibility, of_the_benchmarks_size
from unforeseen.running.environment import environment_of
from unforeseen.search.examples import Example
from unforeseen.whole import whole_number

#: Blotches along each side of a made picture.
_BLOTCHES = 7


def cost_plan(
    benchmark: AttackBenchmark,
    card: ModelCard,
    *,
    edition: str | None = None,
    attacks: Sequence[str] | None = None,
    level: str = "medium",
    seed: int = 0,
) -> AttackPlan:
    """Lays a measurement out: the attacks, and PGD where it isn't one of them.

    Args:
        benchmark: Whose attacks and steps. Where it has no PGD, ImageNet-UA's stands in.
        card: The model's.
        edition: Whose geometry; None takes the benchmark's default.
        attacks: Which; None takes all but the optional ones.
        level: Of their radii.
        seed: Of every draw.

    Raises:
        UnknownNameError: The benchmark has no such edition, attack or level.
        UserError: The benchmark calls another attack ``pgd``.
    """
    if BASELINE not in benchmark.attacks:
        stand_in = replace(load_attack_benchmark("imagenet-ua").attack(BASELINE), group="optional")
        benchmark = replace(benchmark, attacks={BASELINE: stand_in, **benchmark.attacks})
    kind = benchmark.attack(BASELINE).attack
    if kind != BASELINE:
        raise UserError(
            f"{benchmark.name}: costs are ratios to {BASELINE}, and {benchmark.name} calls {kind} "
            "by that name. Give that attack another name."
        )
    wanted = benchmark.usual if attacks is None else attacks
    return make_attack_plan(
        benchmark,
        card,
        edition=edition,
        attacks=wanted if BASELINE in wanted else (BASELINE, *wanted),
        levels=[level],
        seed=seed,
    )


def made_pictures(size: tuple[int, int], count: int, *, seed: int = 0) -> Dataset:
    """Soft blotches of colour, for measurements where content matters little.

    Args:
        size: Height and width in pixels.
        count: How many; at least two, of classes 0 and 1 in turn.
        seed: Of every draw.
    """
    shape = (3, _BLOTCHES, _BLOTCHES)
    blotches = np.stack(
        [
            Stream("made pictures", seed, number).uniform(0, 1, shape)
            for number in range(max(count, 2))
        ]
    )
    smooth = F.interpolate(torch.from_numpy(blotches), size, mode="bilinear", align_corners=False)
    labels = np.arange(len(blotches), dtype=np.int64) % 2
    return from_arrays((255 * smooth).round().to(torch.uint8), labels)


def measure_cost(
    plan: AttackPlan,
    classifier: Predictor,
    dataset: Dataset | None,
    *,
    batch_size: int,
    steps: int = 5,
    rounds: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[CostTimes]:
    """Times every attack of a plan in every round.

    Args:
        plan: As :func:`cost_plan` lays it out. Whatever its edition, the last picture is judged,
            so that nobody leaves early.
        classifier: Whom the attacks are against.
        dataset: Pictures; fewer than a batch are repeated. None makes some.
        batch_size: Pictures at once.
        steps: s, of the searches with steps.
        rounds: How often each is timed. A search of each with all steps before them warms up.
        clock: Seconds since whenever.

    Yields:
        All that is known, after each attack of each round (of the warm-up too).

    Raises:
        UserError: A number is out of range.
        ModelError: The model has no gradients, or fails.
        DataError: The pictures don't fit.
    """
    steps = whole_number("steps", steps, minimum=1)
    rounds = whole_number("rounds", rounds, minimum=1)
    if not isinstance(classifier, DifferentiableClassifier):
        raise ModelError(
            f"{classifier.card.uri} is a plain function without gradients, without which attacks "
            "make no steps whose time could be measured. Give an nn.Module."
        )
    made = dataset is None
    pictures = made_pictures(plan.picture_size, batch_size) if dataset is None else dataset
    check_compatibility(plan, classifier, pictures)
    cells = plan.attacked
    batch = _batch(pictures, plan, batch_size)
    donors = Donors(pictures, plan.preprocessing, plan.seed)
    times = CostTimes(
        benchmark=plan.benchmark.name,
        edition=plan.edition.name,
        level=cells[0].level,
        model=classifier.card.uri,
        data=None if made else pictures.card.uri,
        picture_size=(int(batch[0].image.shape[-2]), int(batch[0].image.shape[-1])),
        batch_size=batch_size,
        timed_steps=steps,
        rounds=rounds,
        environment=environment_of(classifier.device),
        attacks=tuple(_nothing_yet(cell) for cell in cells),
    )
    searches = [_Timed(cell, _examples(cell, batch, donors), classifier, clock) for cell in cells]
    (baseline,) = (each for each in searches if each.name == BASELINE)
    with classifier.inference():
        for each in searches:
            each.seconds(steps)
            yield times
        for number in range(rounds):
            first = number % len(searches)
            for each in searches[first:] + searches[:first]:
                times = _with(times, each.name, _pair(each, baseline, steps, round_number=number))
                yield times


class _Timed(NamedTuple):
    """A search of one full batch whose last picture is judged."""

    cell: AttackedCell
    examples: Sequence[Example]
    classifier: Predictor
    clock: Callable[[], float]

    @property
    def name(self) -> str:
        return self.cell.transform

    def seconds(self, updates: int) -> float:
        """How long it takes with so many updates."""
        attack, search = self.cell.attack, self.cell.search
        # Updates that come after the judged picture was made are never computed.
        steps = updates + attack.unseen_updates if updates else 0
        search = replace(search, steps=steps, judging="last")
        _wait_for(self.classifier.device)
        began = self.clock()
        try:
            for _ in search.run(
                attack, self.classifier, self.examples, batch_size=len(self.examples)
            ):
                pass
            _wait_for(self.classifier.device)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            raise UserError(
                f"{self.name}: out of memory with {counted(len(self.examples), 'picture')} at once. "
                "Give a smaller --batch-size."
            ) from error
        return self.clock() - began


def _pair(attack: _Timed, baseline: _Timed, steps: int, *, round_number: int) -> Pair:
    """Times both. In four rounds each of the two is first with each of T(0) and T(s) first."""
    pgd_first, without_first = round_number % 2 == 0, round_number // 2 % 2 == 0

    def both(search: _Timed) -> tuple[float, float]:
        if without_first:
            return search.seconds(0), search.seconds(steps)
        with_steps = search.seconds(steps)
        return search.seconds(0), with_steps

    order = (baseline, attack) if pgd_first else (attack, baseline)
    found = [both(each) for each in order]
    pgd, own = found if pgd_first else found[::-1]
    return Pair(*own, *pgd)


def _nothing_yet(cell: AttackedCell) -> AttackTimes:
    updates = max(0, cell.search.steps - cell.attack.unseen_updates)
    return AttackTimes(attack=cell.transform, updates=updates)


def _with(times: CostTimes, attack: str, pair: Pair) -> CostTimes:
    """One pair more."""
    attacks = tuple(
        replace(each, rounds=(*each.rounds, pair)) if each.attack == attack else each
        for each in times.attacks
    )
    return replace(times, attacks=attacks)


def _batch(dataset: Dataset, plan: AttackPlan, count: int) -> list[Picture]:
    """``count`` pictures; where there are fewer readable ones, some of them again."""

    def read() -> Iterator[Picture | Unreadable]:
        for index in select(dataset, None, plan.seed).tolist():
            yield read_picture(dataset, index, str(index), plan.preprocessing)

    sized = of_the_benchmarks_size(read(), plan, dataset.card)
    readable = list(islice((each for each in sized if isinstance(each, Picture)), count))
    if not readable:
        raise DataError(f"{dataset.card.uri}: expected pictures, found none that can be read.")
    if len({each.image.shape for each in readable}) > 1:
        raise DataError(
            f"{dataset.card.uri}: expected pictures of one size for one batch, got several. Leave "
            "--data out to measure on pictures that are made."
        )
    return list(islice(cycle(readable), count))


def _examples(cell: AttackedCell, batch: Sequence[Picture], donors: Donors) -> list[Example]:
    def donor(picture: Picture) -> Tensor | None:
        if not cell.attack.needs_donor:
            return None
        return donors.of(picture.example_id, picture.label).image.float() / 255

    return [
        Example(
            id=str(number),
            image=picture.image.float() / 255,
            label=picture.label,
            radius=cell.radius,
            donor=donor(picture),
        )
        for number, picture in enumerate(batch)
    ]


def _wait_for(device: torch.device) -> None:
    """Until all is computed that was asked for."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
