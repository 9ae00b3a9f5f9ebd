"""Auto-PGD against its algorithm, written again for one example at a time."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from small import SmallNet, examples_of, searched, small_pictures
from unforeseen.constraints import Norm
from unforeseen.rng import ExampleKey
from unforeseen.search.auto_step import AutoStep, halving_places
from unforeseen.search.examples import Example
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.pgd import Pgd

COUNT, STEPS, SEED = 6, 30, 3


def network() -> SmallNet:
    return SmallNet().double()


def examples(scale: float) -> list[Example]:
    x = small_pictures(COUNT, seed=4)
    labels = network()(x).argmax(dim=1).tolist()
    return examples_of(x, labels, [scale * (1 + number) for number in range(COUNT)])


def loss_of(example: Example, delta: Tensor) -> Tensor:
    picture = (example.image + delta).clamp(0, 1)
    return F.cross_entropy(network()(picture[None]), torch.tensor([example.label]))


def projected(delta: Tensor, radius: float, norm: Norm) -> Tensor:
    if norm == "linf":
        return delta.clamp(-radius, radius)
    return delta * min(1.0, radius / float(delta.norm()))


def algorithm_1(example: Example, start: Tensor, norm: Norm) -> tuple[float, list[Tensor]]:
    """As printed: losses and points one by one, checkpoints as a set."""
    points = [start]
    losses: list[float] = []
    size, sizes = 2 * example.radius, [2 * example.radius]
    best, best_loss, best_losses = start, -math.inf, [-math.inf]
    marks = [0, *places(STEPS)]
    before = start
    for k in range(STEPS + 1):
        here = points[-1].clone().requires_grad_()
        loss = loss_of(example, here)
        losses.append(loss.item())
        if losses[-1] > best_loss:
            best, best_loss = points[-1], losses[-1]
        if k == 0:
            best_losses = [best_loss]
        x = points[-1]
        if k in marks[1:]:
            j = marks.index(k)
            rises = sum(losses[i + 1] > losses[i] for i in range(marks[j - 1], k))
            few = rises < 0.75 * (k - marks[j - 1])
            stuck = len(sizes) < 2 or sizes[-1] == sizes[-2]
            if few or (stuck and best_losses[-1] == best_loss):
                size, x = size / 2, best
            sizes.append(size)
            best_losses.append(best_loss)
        if k == STEPS:
            break
        slope = x.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(loss_of(example, slope), slope)
        way = gradient.sign() if norm == "linf" else gradient / gradient.norm()
        ahead = projected(x + size * way, example.radius, norm)
        if k == 0:
            following = ahead
        else:
            following = projected(
                x + 0.75 * (ahead - x) + 0.25 * (x - before), example.radius, norm
            )
        before = x
        points.append(following)
    return best_loss, points


def places(steps: int) -> list[int]:
    """Croce & Hein 2020, section 3."""
    shares = [0.0, 0.22]
    while shares[-1] < 1:
        shares.append(shares[-1] + max(shares[-1] - shares[-2] - 0.03, 0.06))
    return sorted({math.ceil(round(p * steps, 9)) for p in shares if p <= 1} - {0})


def test_halving_places_of_a_hundred_steps_are_the_papers() -> None:
    """0.22, 0.41, 0.57, 0.70, 0.80, 0.87, 0.93, 0.99 of them."""
    assert halving_places(100) == (22, 41, 57, 70, 80, 87, 93, 99)
    assert halving_places(50) == (11, 21, 29, 35, 40, 44, 47, 50)


@pytest.mark.parametrize("steps", [1, 2, 3, 7, 1000])
def test_halving_places_rise_within_the_steps(steps: int) -> None:
    found = halving_places(steps)
    assert list(found) == sorted(set(found))
    assert all(1 <= place <= steps for place in found)


@pytest.mark.parametrize(("norm", "scale"), [("linf", 0.0004), ("l2", 0.01)])
def test_the_best_point_of_each_example_is_algorithm_1s(norm: Norm, scale: float) -> None:
    attack = Pgd(norm=norm)
    search = Search(steps=STEPS, movement=AutoStep(), judging="any", seed=SEED)
    found = searched(search, attack, network(), examples(scale), batch_size=4)
    survivors = 0
    for example in examples(scale):
        key = ExampleKey(seed=SEED, transform="pgd", example_id=example.id)
        x, radius = example.image[None], torch.tensor([example.radius]).double()
        start = attack.begin(x, attack.draw_scene(x, [key]), radius, [key]).delta[0]
        best_loss, _ = algorithm_1(example, start, norm)
        outcome = found[example.id]
        if outcome.correct:
            survivors += 1
            assert outcome.loss == pytest.approx(best_loss, rel=1e-9)
            assert outcome.gradient_evaluations == STEPS
    assert survivors >= 3


def test_batches_and_their_order_change_nothing() -> None:
    search = Search(steps=12, movement=AutoStep(), judging="any", restarts=2, seed=SEED)
    whole = searched(search, Pgd(), network(), examples(0.002), batch_size=8)
    single = searched(search, Pgd(), network(), reversed(examples(0.002)), batch_size=1)
    for name, outcome in whole.items():
        other = single[name]
        torch.testing.assert_close(outcome.picture, other.picture, atol=1e-12, rtol=0)
        assert (outcome.correct, outcome.steps, outcome.restart) == (
            *(other.correct, other.steps),
            other.restart,
        )


def test_it_finds_the_optimum_of_a_linear_classifier() -> None:
    """Whose largest loss over a cube is that of its corner against the gradient."""
    generator = np.random.default_rng(0)
    weight = torch.from_numpy(generator.standard_normal((1, 3 * 32 * 32))) * 0.01

    class Linear(torch.nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            score = x.flatten(1) @ weight.T
            return torch.cat([score, -score], dim=1)

    x = 0.4 + 0.2 * small_pictures(3, seed=1)
    labels = Linear()(x).argmax(dim=1).tolist()
    radius = 1e-4
    search = Search(steps=20, movement=AutoStep(), judging="any", seed=SEED)
    for example in examples_of(x, labels, radius):
        outcome = searched(search, Pgd(), Linear(), [example])[example.id]
        side = 1.0 if example.label == 0 else -1.0
        corner = example.image - radius * side * weight.reshape(3, 32, 32).sign()
        best = F.cross_entropy(Linear()(corner[None]), torch.tensor([example.label]))
        assert outcome.loss == pytest.approx(best.item(), rel=1e-9)
