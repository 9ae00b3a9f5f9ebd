"""Measuring costs: what is timed, in which order, on which pictures, and what it is divided by."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from data.in_memory import InMemory
from small import LinearModel, SmallNet, Watched, as_function, small_benchmark, small_dataset
from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.data import Dataset, from_arrays
from unforeseen.errors import DataError, ModelError, UserError
from unforeseen.experiment_folder.cost_times import CostTimes
from unforeseen.experiments.cost import cost_plan, made_pictures, measure_cost
from unforeseen.models import as_classifier
from unforeseen.models.classifier import Predictor
from unforeseen.report.cost_figures import costs_of
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.wood import Wood

WOOD_COSTS = 3.0


class Clock:
    """Goes on only when something is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def measured(
    classifier: Predictor,
    benchmark: AttackBenchmark | None = None,
    dataset: Dataset | None = None,
    *,
    edition: str | None = None,
    batch_size: int = 4,
    steps: int = 2,
    rounds: int = 2,
    clock: Clock | None = None,
) -> CostTimes:
    plan = cost_plan(benchmark or small_benchmark(), classifier.card, edition=edition)
    options: dict[str, Any] = {} if clock is None else {"clock": clock}
    *_, last = measure_cost(
        plan, classifier, dataset, batch_size=batch_size, steps=steps, rounds=rounds, **options
    )
    return last


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_costs_are_what_was_put_in(monkeypatch: pytest.MonkeyPatch, edition: str) -> None:
    """A clock by which a forward pass takes 1 s, painting wood 3 s, and all else nothing.

    So a step of PGD takes 1 s and one of wood 4 s. What comes once is two evaluations, those of
    the judged picture and of the rounded one. Wood makes 3 steps and PGD 4.
    """
    clock = Clock()
    paint = Wood.paint

    def slow_paint(self: Wood, x: Tensor, latents: Any, scene: Any) -> Tensor:
        clock.now += WOOD_COSTS
        return paint(self, x, latents, scene)

    def forward(_: Tensor) -> None:
        clock.now += 1

    monkeypatch.setattr(Wood, "paint", slow_paint)
    classifier = as_classifier(Watched(SmallNet(), before=forward))
    times = measured(classifier, edition=edition, rounds=3, clock=clock)
    costs = {cost.attack: cost for cost in costs_of(times)}
    assert list(costs) == ["pgd", "pixel", "wood"]
    wood = costs["wood"]
    assert wood.ratio == (4.0, 4.0, 4.0)
    assert wood.seconds == (1.0, 1.0, 1.0)  # 4 s for 4 pictures
    assert wood.once == 2.0
    assert wood.whole == pytest.approx([(2 * 4 + 3 * 4) / (2 + 4)] * 3)
    assert wood.rounds == 3
    assert costs["pixel"].ratio == costs["pgd"].ratio == (1.0, 1.0, 1.0)
    assert costs["pixel"].whole == pytest.approx([(2 + 3) / (2 + 4)] * 3)


def test_each_attack_is_timed_beside_pgd_in_turns_and_rounds_begin_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[str, int]] = []
    run = Search.run

    def watched(self: Search, attack: Any, *args: Any, **options: Any) -> Iterator[Any]:
        calls.append((attack.name, self.steps))
        return run(self, attack, *args, **options)

    monkeypatch.setattr(Search, "run", watched)
    measured(as_classifier(SmallNet()), steps=5, rounds=4)

    def pair(*names: str, order: tuple[int, int]) -> list[tuple[str, int]]:
        return [(name, steps) for name in names for steps in order]

    warm_up = [("pgd", 5), ("wood", 5), ("pixel", 5)]
    rounds = [
        pair("pgd", "pgd", "pgd", "wood", "pgd", "pixel", order=(0, 5)),
        pair("wood", "pgd", "pixel", "pgd", "pgd", "pgd", order=(0, 5)),
        pair("pgd", "pixel", "pgd", "pgd", "pgd", "wood", order=(5, 0)),
        pair("pgd", "pgd", "wood", "pgd", "pixel", "pgd", order=(5, 0)),
    ]
    assert calls == [*warm_up, *(call for each in rounds for call in each)]


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_all_steps_are_made_by_all_pictures_though_the_model_is_always_wrong(edition: str) -> None:
    """Fbm's last update comes too late to be judged and isn't made; nobody leaves early."""
    full = load_attack_benchmark("cifar10-ua-full")
    benchmark = replace(full, attacks={name: full.attacks[name] for name in ("pgd", "jpeg", "fbm")})
    always_0 = LinearModel(torch.zeros(10, 3072), torch.eye(10)[0])
    data = from_arrays(np.zeros((4, 32, 32, 3), dtype=np.uint8), np.array([1, 2, 3, 4]))
    model = Watched(always_0)
    classifier = as_classifier(model)
    for _ in measure_cost(
        cost_plan(benchmark, classifier.card, edition=edition),
        classifier,
        data,
        batch_size=4,
        steps=5,
        rounds=1,
    ):
        pass
    batches = [count for count in model.batches if count > 1]
    assert set(batches) == {4}
    # A warm-up each, then pairs of searches of 0 and 5 steps; two evaluations at the end.
    assert len(batches) == 3 * (5 + 2) + 3 * 2 * (2 + 5 + 2)


def test_the_benchmarks_steps_are_those_that_are_made() -> None:
    full = load_attack_benchmark("cifar10-ua-full")
    benchmark = replace(full, attacks={name: full.attacks[name] for name in ("pgd", "jpeg", "fbm")})
    times = measured(as_classifier(SmallNet(10)), benchmark, rounds=1)
    published = {attack.attack: attack.updates for attack in times.attacks}
    assert published["pgd"] == full.attack("pgd").steps
    assert published["fbm"] == full.attack("fbm").steps - 1


def test_a_benchmark_without_pgd_is_compared_with_that_of_imagenet_ua() -> None:
    own = small_benchmark()
    without = replace(own, attacks={"wood": own.attacks["wood"]})
    times = measured(as_classifier(SmallNet()), without, rounds=1)
    assert [attack.attack for attack in times.attacks] == ["pgd", "wood"]
    assert times.attacks[0].updates == load_attack_benchmark("imagenet-ua").attack("pgd").steps


def test_pgd_is_measured_also_where_only_others_are_asked_for() -> None:
    plan = cost_plan(small_benchmark(), as_classifier(SmallNet()).card, attacks=["wood"])
    assert [cell.transform for cell in plan.cells] == ["clean", "pgd", "wood"]


def test_another_attack_called_pgd_is_refused() -> None:
    own = small_benchmark()
    renamed = replace(own.attacks["wood"], name="pgd", attack="wood")
    benchmark = replace(own, attacks={**own.attacks, "pgd": renamed})
    with pytest.raises(UserError, match="calls wood by that name"):
        cost_plan(benchmark, as_classifier(SmallNet()).card)


def test_a_function_without_gradients_is_refused() -> None:
    classifier = as_classifier(as_function(SmallNet()))
    with pytest.raises(ModelError, match=r"make no steps.*Give an nn\.Module"):
        measured(classifier)


@pytest.mark.parametrize(("steps", "rounds"), [(0, 1), (1, 0)])
def test_numbers_out_of_range_are_refused(steps: int, rounds: int) -> None:
    with pytest.raises(UserError, match="expected"):
        measured(as_classifier(SmallNet()), steps=steps, rounds=rounds)


def test_few_pictures_are_repeated_until_the_batch_is_full() -> None:
    model = Watched(SmallNet())
    times = measured(as_classifier(model), dataset=small_dataset(3), batch_size=8, rounds=1)
    assert {count for count in model.batches if count > 1} == {8}
    assert times.data == small_dataset(3).card.uri
    assert times.picture_size == (32, 32)


def test_pictures_of_another_size_than_the_benchmarks_are_refused() -> None:
    data = from_arrays(np.zeros((4, 40, 32, 3), dtype=np.uint8), np.array([0, 1, 2, 3]))
    with pytest.raises(DataError, match="32×32"):
        measured(as_classifier(SmallNet()), dataset=data)


def test_pictures_that_come_in_several_sizes_are_no_batch() -> None:
    own = small_benchmark()
    benchmark = replace(own, preprocessing=replace(own.preprocessing, resize=32))
    sides = ((32, 48, 3), (32, 64, 3))
    data = InMemory([np.zeros(sides[number % 2], dtype=np.uint8) for number in range(4)], [0] * 4)
    with pytest.raises(DataError, match="one size"):
        measured(as_classifier(SmallNet()), benchmark, data)


def test_a_batch_that_does_not_fit_is_refused_in_one_line() -> None:
    def exhausted(x: Tensor) -> None:
        if len(x) > 1:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")

    with pytest.raises(UserError, match="pgd: out of memory with 4 pictures"):
        measured(as_classifier(Watched(SmallNet(), before=exhausted)))


def test_made_pictures_are_8_bit_colourful_and_of_two_classes() -> None:
    data = made_pictures((48, 40), 5)
    assert data.labels.tolist() == [0, 1, 0, 1, 0]
    pictures = [data.read(index) for index in range(5)]
    for picture in pictures:
        assert isinstance(picture, np.ndarray)
        assert picture.shape == (48, 40, 3)
        assert picture.std() > 20
    assert len({np.asarray(picture).tobytes() for picture in pictures}) == 5
    assert made_pictures((32, 32), 1).card.images == 2  # so that there is a donor of another class
