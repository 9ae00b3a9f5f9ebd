"""What becomes of an example doesn't depend on who else is in the batch."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
import torch

from small import SmallNet, Watched, examples_of, searched, small_pictures
from unforeseen.judging import Judging
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.elastic import Elastic
from unforeseen.transforms.attacks.gabor import Gabor
from unforeseen.transforms.attacks.kaleidoscope import Kaleidoscope
from unforeseen.transforms.attacks.pgd import Pgd
from unforeseen.transforms.attacks.pixel import Pixel
from unforeseen.transforms.base import AnyAttack

COUNT = 11

#: Attack, step size, and a radius that fools some pictures early, some late, some never.
CASES = [
    pytest.param(Pgd(), 0.002, 0.008, id="pgd"),
    pytest.param(Pixel(block=8), 0.3, 3.0, id="pixel"),
    pytest.param(Elastic(spacing=4), 0.01, 0.7, id="elastic"),
    pytest.param(Gabor(geometry="published", kernel_size=13), 0.01, 0.1, id="gabor redrawn"),
    pytest.param(Kaleidoscope(shapes=3, shape_size=4), 0.02, 0.1, id="kaleidoscope"),
]
JUDGINGS: list[Judging] = ["last", "any"]


def network() -> SmallNet:
    return SmallNet().double()


def mixed_examples(radius: float) -> list[Example]:
    """Radii from nothing much to three times as much; labels that are right at the start."""
    x = small_pictures(COUNT)
    labels = network()(x).argmax(dim=1).tolist()
    radii = [radius * (0.05 + 0.3 * number) for number in range(COUNT)]
    return examples_of(x, labels, radii)


def search(step_size: float, judging: Judging, *, restarts: int = 1) -> Search:
    return Search(
        steps=5, movement=FixedStep(step_size=step_size), judging=judging, restarts=restarts, seed=3
    )


def assert_same(one: Outcome, other: Outcome) -> None:
    """Verdicts, steps and counts exactly; numbers but for the last bits of exp and of sums.

    Vectorised exp rounds the tail of an array otherwise than its body.
    """
    for field in fields(Outcome):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name == "seconds":
            continue
        if isinstance(ours, float | torch.Tensor):
            torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
        else:
            assert ours == theirs, f"{one.id}: {field.name}"


@pytest.mark.parametrize("judging", JUDGINGS)
@pytest.mark.parametrize(("attack", "step_size", "radius"), CASES)
def test_an_outcome_is_the_same_alone_and_in_any_batch(
    attack: AnyAttack, step_size: float, radius: float, judging: Judging
) -> None:
    examples = mixed_examples(radius)
    pgd = search(step_size, judging, restarts=2)
    alone: dict[str, Outcome] = {}
    for example in examples:
        alone |= searched(pgd, attack, network(), [example], batch_size=1)
    assert 0 < sum(outcome.correct_any for outcome in alone.values()) < COUNT, "too easy to say"

    for batch_size in (2, 3, 8, 16):
        together = searched(pgd, attack, network(), examples, batch_size=batch_size)
        assert together.keys() == alone.keys()
        for name, outcome in together.items():
            assert_same(outcome, alone[name])
    for outcome in searched(pgd, attack, network(), examples[::-1], batch_size=4).values():
        assert_same(outcome, alone[outcome.id])


@pytest.mark.parametrize("judging", JUDGINGS)
def test_places_are_refilled_and_the_tail_runs_at_a_half_and_a_quarter(judging: Judging) -> None:
    model = Watched(network())
    examples = mixed_examples(0.04)
    searched(search(0.004, judging), Pgd(), model, examples, batch_size=8)
    assert set(model.batches) <= {8, 4, 2}
    assert sorted(model.batches, reverse=True) == model.batches
    assert model.batches[-1] < 8


def test_examples_are_read_only_when_there_is_room() -> None:
    read: list[str] = []

    def stream() -> Iterator[Example]:
        for example in mixed_examples(0.04):
            read.append(example.id)
            yield example

    classifier = DifferentiableClassifier(network())
    outcomes = search(0.004, "last").run(Pgd(), classifier, stream(), batch_size=4)
    for finished, _ in enumerate(outcomes):
        assert len(read) <= finished + 4
    assert len(read) == COUNT
