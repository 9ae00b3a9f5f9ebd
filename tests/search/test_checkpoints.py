"""One trajectory tells what shorter searches would have found."""

from collections.abc import Iterable
from dataclasses import fields, replace

import pytest
import torch
from torch import nn

from small import SmallNet, Watched, examples_of, small_pictures
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.running.attack_plan import make_attack
from unforeseen.search.auto_step import AutoStep
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.fresh_draws import FreshDraws
from unforeseen.search.search import Search
from unforeseen.search.searches import make_search
from unforeseen.search.settings import SearchSettings
from unforeseen.transforms import ATTACKS
from unforeseen.transforms.base import AnyAttack

BENCHMARK = load_attack_benchmark("cifar10-ua-full")
EDITIONS = ("published", "strict")
#: With batches of 8 the second one is a tail, and in edition strict places are taken over.
COUNT, BATCH = 11, 8
STEPS, CHECKPOINTS = 7, (0, 1, 2, 5)

Found = dict[tuple[str, int], Outcome]


def the_search(name: str, edition: str, steps: int = STEPS) -> Search:
    setting, judged = BENCHMARK.attack(name), BENCHMARK.edition(edition)
    return make_search(
        SearchSettings(),
        steps=steps,
        step_size=setting.step_size,
        judging=judged.judging,
        gradient_batch=judged.gradient_batch,
        seed=3,
        eot=1,
    )


def the_attack(name: str, edition: str) -> AnyAttack:
    return make_attack(BENCHMARK.attack(name), BENCHMARK.edition(edition))


def examples(name: str) -> list[Example]:
    """Right as they are; radii from nothing much to three times the largest; black and white too."""
    x = small_pictures(COUNT)
    x[3] = (x[3] > x[3].mean()).double()
    labels = SmallNet().double()(x).argmax(dim=1).tolist()
    largest = BENCHMARK.attack(name).radii["high"]
    spread = examples_of(x, labels, [largest * (0.02 + 0.3 * number) for number in range(COUNT)])
    return [replace(example, donor=x[number - 1]) for number, example in enumerate(spread)]


def found(
    search: Search,
    attack: AnyAttack,
    pictures: Iterable[Example],
    *,
    model: nn.Module | None = None,
    batch_size: int = BATCH,
    full_batches: bool = False,
    checkpoints: tuple[int, ...] = (),
) -> Found:
    """Outcomes by example and steps; none twice."""
    classifier = DifferentiableClassifier(model or SmallNet().double())
    with classifier.inference():
        outcomes = list(
            search.run(
                attack,
                classifier,
                pictures,
                batch_size=batch_size,
                full_batches=full_batches,
                checkpoints=checkpoints,
            )
        )
    by_steps = {(outcome.id, outcome.search_steps): outcome for outcome in outcomes}
    assert len(by_steps) == len(outcomes)
    return by_steps


def found_apart(
    search: Search, attack: AnyAttack, pictures: list[Example], *, full_batches: bool = False
) -> Found:
    """The same from a search for each number of steps."""
    apart: Found = {}
    for steps in (*CHECKPOINTS, STEPS):
        shorter = replace(search, steps=steps)
        apart |= found(shorter, attack, pictures, full_batches=full_batches)
    return apart


def assert_same(ones: Found, others: Found, *, tolerance: float) -> None:
    """Verdicts, steps and counts exactly; numbers as closely as is said."""
    assert ones.keys() == others.keys()
    for key, one in ones.items():
        for field in fields(Outcome):
            ours, theirs = getattr(one, field.name), getattr(others[key], field.name)
            if field.name == "seconds":
                assert ours > 0
            elif isinstance(ours, float | torch.Tensor):
                torch.testing.assert_close(
                    ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True
                )
            else:
                assert ours == theirs, f"{key}: {field.name}"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", ATTACKS)
def test_every_outcome_is_that_of_a_search_of_so_many_steps(name: str, edition: str) -> None:
    """To the last bit where examples keep their places; in edition strict others sit beside them.

    (Vectorised exp rounds the tail of an array otherwise than its body.)
    """
    search, attack, pictures = the_search(name, edition), the_attack(name, edition), examples(name)
    together = found(search, attack, pictures, checkpoints=CHECKPOINTS)
    assert together.keys() == {(each.id, k) for each in pictures for k in (*CHECKPOINTS, STEPS)}
    tolerance = 0.0 if search.judging == "last" else 1e-12
    assert_same(together, found_apart(search, attack, pictures), tolerance=tolerance)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_cases_hold_success_at_the_start_on_the_way_and_never(edition: str) -> None:
    """Otherwise the test above would say little."""
    first = set()
    for name in ATTACKS:
        search, attack = the_search(name, edition), the_attack(name, edition)
        outcomes = found(search, attack, examples(name)).values()
        first |= {outcome.first_success_step for outcome in outcomes}
    assert {None, 0, 1, 2, 3, 6} <= first


@pytest.mark.parametrize("edition", EDITIONS)
def test_full_batches_change_nothing_but_the_last_bits(edition: str) -> None:
    search, attack, pictures = (
        the_search("wood", edition),
        the_attack("wood", edition),
        examples("wood"),
    )
    together = found(search, attack, pictures, checkpoints=CHECKPOINTS, full_batches=True)
    apart = found_apart(search, attack, pictures, full_batches=True)
    assert_same(together, apart, tolerance=0.0 if edition == "published" else 1e-12)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_mean_of_several_passes_is_climbed_and_judged(edition: str) -> None:
    search = replace(the_search("pgd", edition), eot=3)
    attack, pictures = the_attack("pgd", edition), examples("pgd")
    together = found(search, attack, pictures, checkpoints=CHECKPOINTS)
    assert_same(together, found_apart(search, attack, pictures), tolerance=1e-12)
    assert max(outcome.gradient_evaluations for outcome in together.values()) == 3 * STEPS


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_not_finite_counts_until_the_checkpoint(edition: str) -> None:
    """The model's gradient is NaN for bright pictures; its logits are NaN for the brightest."""

    def broken(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        light = x.flatten(1).mean(dim=1, keepdim=True)
        nan_slope = (light - light.detach()).clamp(min=0).sqrt() * 0
        scores = torch.where(light > 0.605, scores + nan_slope, scores)
        return torch.where(light > 0.64, scores * torch.nan, scores)

    def model() -> nn.Module:
        return Watched(SmallNet().double(), after=broken)

    search, attack, pictures = (
        the_search("snow", edition),
        the_attack("snow", edition),
        examples("snow"),
    )
    together = found(search, attack, pictures, model=model(), checkpoints=CHECKPOINTS)
    apart: Found = {}
    for steps in (*CHECKPOINTS, STEPS):
        apart |= found(replace(search, steps=steps), attack, pictures, model=model())
    assert_same(together, apart, tolerance=1e-12)
    assert {outcome.finite for outcome in together.values()} == {True, False}
    assert len({outcome.nonfinite_gradients for outcome in together.values()}) > 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_outcomes_of_an_example_come_by_rising_steps_as_soon_as_they_are_known(
    edition: str,
) -> None:
    """So that nothing of the shorter ones waits in memory for the longest."""
    model = Watched(SmallNet().double())
    classifier = DifferentiableClassifier(model)
    search, attack = the_search("pgd", edition), the_attack("pgd", edition)
    came: dict[str, list[int]] = {}
    passes = []
    with classifier.inference():
        outcomes = search.run(
            attack, classifier, examples("pgd")[:1], batch_size=1, checkpoints=CHECKPOINTS[::-1]
        )
        for outcome in outcomes:
            came.setdefault(outcome.id, []).append(outcome.search_steps)
            passes.append(len(model.batches))
            assert outcome.correct
    assert came == {"p0": [*CHECKPOINTS, STEPS]}
    # A pass for each update and two for the end; one more, or two, for each checkpoint passed.
    each = 2 if edition == "published" else 1
    assert passes == [
        *(steps + 1 + each * (1 + number) for number, steps in enumerate(CHECKPOINTS)),
        STEPS + 2 + each * len(CHECKPOINTS),
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_takes_the_gradients_of_the_longest_search_and_few_passes_more(edition: str) -> None:
    counted = {"gradients": 0}

    def count(x: torch.Tensor) -> None:
        if x.requires_grad:
            counted["gradients"] += len(x)

    search, attack, pictures = (
        the_search("pgd", edition),
        the_attack("pgd", edition),
        examples("pgd"),
    )
    model = Watched(SmallNet().double(), before=count)
    cost = {}
    for name, way, points in (
        ("together", search, CHECKPOINTS),
        *((str(steps), replace(search, steps=steps), ()) for steps in (*CHECKPOINTS, STEPS)),
    ):
        counted["gradients"] = 0
        model.forget()
        found(way, attack, pictures, model=model, checkpoints=points)
        cost[name] = (counted["gradients"], model.pictures_seen)
    assert cost["together"][0] == cost[str(STEPS)][0]
    longest = cost[str(STEPS)][1]
    each = 2 if edition == "published" else 1
    places = 12  # 11 examples, in batches of multiples of 4
    assert longest < cost["together"][1] <= longest + each * places * len(CHECKPOINTS)
    gradients, seen = (
        sum(cost[str(steps)][which] for steps in (*CHECKPOINTS, STEPS)) for which in (0, 1)
    )
    assert gradients > 1.5 * cost["together"][0]
    assert seen > cost["together"][1]


def test_a_search_that_looks_ahead_or_begins_again_has_no_shorter_ones_in_it() -> None:
    search, attack, pictures = (
        the_search("pgd", "strict"),
        the_attack("pgd", "strict"),
        examples("pgd"),
    )
    assert search.can_stop_at_checkpoints
    for other in (replace(search, restarts=2), replace(search, movement=AutoStep())):
        assert not other.can_stop_at_checkpoints
        found(other, attack, pictures)
        with pytest.raises(AssertionError, match="a shorter search is another one"):
            found(other, attack, pictures, checkpoints=(1,))
    with pytest.raises(AssertionError, match=f"up to {STEPS}"):
        found(search, attack, pictures, checkpoints=(STEPS + 1,))


def test_fewer_fresh_draws_are_the_beginning_of_more() -> None:
    search = replace(the_search("pgd", "strict"), movement=FreshDraws())
    attack, pictures = the_attack("pgd", "strict"), examples("pgd")
    together = found(search, attack, pictures, checkpoints=CHECKPOINTS)
    assert_same(together, found_apart(search, attack, pictures), tolerance=1e-12)
