"""When an example is wrong, what it costs, and what is written down about it."""

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from small import SmallNet, Watched, examples_of, searched, small_pictures
from unforeseen.judging import Judging
from unforeseen.rng import ExampleKey, Stream
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.elastic import Elastic
from unforeseen.transforms.attacks.kaleidoscope import Kaleidoscope
from unforeseen.transforms.attacks.pgd import Pgd, PgdLatents
from unforeseen.transforms.attacks.pixel import Pixel

COUNT, STEPS = 10, 6
SEED = 5


def network() -> SmallNet:
    return SmallNet().double()


def examples() -> list[Example]:
    """Right at the start; some can be fooled and some can't."""
    x = small_pictures(COUNT, seed=2)
    labels = network()(x).argmax(dim=1).tolist()
    return examples_of(x, labels, [0.003 + 0.006 * number for number in range(COUNT)])


def pgd(judging: Judging, *, restarts: int = 1, steps: int = STEPS) -> Search:
    return Search(
        steps=steps,
        movement=FixedStep(step_size=0.006),
        judging=judging,
        restarts=restarts,
        seed=SEED,
    )


def sign_trajectory(example: Example) -> list[Tensor]:
    """Every picture that L∞ descent visits, written again from the definition."""
    stream = Stream(SEED, "pgd", example.id, "start", 0, 0)
    start = torch.from_numpy(stream.uniform(-1, 1, (3, 32, 32))).double()
    delta, label = start * example.radius, torch.tensor([example.label])
    visited: list[Tensor] = []
    for _ in range(STEPS + 1):
        delta = delta.detach().requires_grad_()
        picture = (example.image + delta).clamp(0, 1)
        visited.append(picture.detach())
        (gradient,) = torch.autograd.grad(F.cross_entropy(network()(picture[None]), label), delta)
        delta = (delta + 0.006 * gradient.sign()).clamp(-example.radius, example.radius)
    return visited


def loss_of(example: Example, picture: Tensor) -> float:
    with torch.no_grad():
        return float(F.cross_entropy(network()(picture[None]), torch.tensor([example.label])))


def is_right(example: Example, picture: Tensor) -> bool:
    return bool(network()(picture[None]).argmax() == example.label)


def test_the_last_judged_picture_and_first_success_are_those_of_the_definition() -> None:
    outcomes = searched(pgd("last"), Pgd(), network(), examples(), batch_size=4)
    verdicts = set()
    for example in examples():
        outcome, visited = outcomes[example.id], sign_trajectory(example)
        torch.testing.assert_close(outcome.picture, visited[-1], rtol=0, atol=1e-6)
        wrong = [step for step, picture in enumerate(visited) if not is_right(example, picture)]
        assert outcome.first_success_step == (wrong[0] if wrong else None)
        assert outcome.correct_any == (not wrong)
        assert outcome.correct == is_right(example, visited[-1])
        assert outcome.steps == outcome.gradient_evaluations == STEPS
        verdicts.add(outcome.correct)
    assert verdicts == {True, False}


def test_any_success_ends_the_search_at_the_first_picture_that_fools() -> None:
    outcomes = searched(pgd("any"), Pgd(), network(), examples(), batch_size=4)
    for example in examples():
        outcome, visited = outcomes[example.id], sign_trajectory(example)
        wrong = [step for step, picture in enumerate(visited) if not is_right(example, picture)]
        assert outcome.correct == outcome.correct_any == (not wrong)
        if wrong:
            assert outcome.steps == outcome.first_success_step == wrong[0]
            assert outcome.gradient_evaluations == wrong[0]
            torch.testing.assert_close(outcome.picture, visited[wrong[0]], rtol=0, atol=1e-6)
        else:
            assert outcome.gradient_evaluations == STEPS
            losses = [loss_of(example, picture) for picture in visited]
            assert outcome.steps == int(np.argmax(losses)), "the worst visited picture is kept"
            assert outcome.loss == pytest.approx(max(losses))


def test_published_l2_steps_are_those_of_the_published_formula() -> None:
    """δ + α·ḡ/(‖ḡ‖₂ + 1e-8), ḡ = g/N; then the ball, then the box; in float64 by hand."""
    attack, batch, size, radius = Pixel(block=8), 200, 0.5, 2.0
    one = examples()[0]
    example = Example(id=one.id, image=one.image, label=one.label, radius=radius)
    search = Search(
        steps=STEPS,
        movement=FixedStep(step_size=size, gradient_batch=batch),
        judging="last",
        seed=SEED,
    )
    outcome = searched(search, attack, network(), [example])[example.id]

    drawn = Stream(SEED, "pixel", example.id, "start", 0, 0).uniform(0, 1, (49,)).astype(float)
    mix = (radius * drawn[0] * drawn[1:] / np.sqrt((drawn[1:] ** 2).sum())).reshape(3, 4, 4)
    blocks = example.image.reshape(3, 4, 8, 4, 8)
    mean = blocks.mean(dim=(2, 4), keepdim=True)
    for _ in range(STEPS):
        latent = torch.from_numpy(mix).requires_grad_()
        picture = blocks + latent[:, :, None, :, None] * (mean - blocks)
        logits = network()(picture.reshape(1, 3, 32, 32))
        loss = F.cross_entropy(logits, torch.tensor([example.label]))
        gradient = torch.autograd.grad(loss, latent)[0].numpy() / batch
        mix = mix + size * gradient / (np.sqrt((gradient**2).sum()) + 1e-8)
        mix = np.clip(mix * min(1, radius / np.sqrt((mix**2).sum())), 0, 1)
    expected = blocks + torch.from_numpy(mix)[:, :, None, :, None] * (mean - blocks)
    torch.testing.assert_close(outcome.picture, expected.reshape(3, 32, 32), rtol=0, atol=1e-6)


def test_elastic_steps_by_sign_inside_an_l2_ball() -> None:
    attack, size = Elastic(spacing=8), 0.05
    one = examples()[1]
    example = Example(id=one.id, image=one.image, label=one.label, radius=0.3)
    search = Search(steps=STEPS, movement=FixedStep(step_size=size), judging="last", seed=SEED)
    outcome = searched(search, attack, network(), [example])[example.id]

    x, radius = example.image[None], torch.tensor([example.radius])
    key = ExampleKey(seed=SEED, transform="elastic", example_id=example.id)
    scene = attack.draw_scene(x, [key])
    flow = attack.start(x, scene, radius, [key])
    values = flow.flow * min(1.0, 0.3 / float(flow.flow.norm()))
    for _ in range(STEPS):
        values = values.detach().requires_grad_()
        logits = network()(attack.render(x, type(flow)(flow=values), scene))
        loss = F.cross_entropy(logits, torch.tensor([example.label]))
        values = (values + size * torch.autograd.grad(loss, values)[0].sign()).detach()
        values = values * min(1.0, 0.3 / float(values.norm()))
    expected = attack.render(x, type(flow)(flow=values), scene)[0]
    torch.testing.assert_close(outcome.picture, expected, rtol=0, atol=1e-6)


def test_a_success_at_the_start_costs_no_gradient_and_two_forward_passes() -> None:
    model = Watched(network())
    x = small_pictures(4, seed=2)
    wrong = ((network()(x).argmax(dim=1) + 1) % 4).tolist()
    outcomes = searched(pgd("any"), Pgd(), model, examples_of(x, wrong, 0.001), batch_size=4)
    for outcome in outcomes.values():
        assert outcome.gradient_evaluations == outcome.first_success_step == outcome.steps == 0
        assert outcome.zero_gradient_share is None
    # The start, and the same picture in 8 bits.
    assert model.batches == [4, 4]


def test_finished_examples_leave_so_that_any_success_costs_less() -> None:
    model = Watched(network())
    outcomes = searched(pgd("any"), Pgd(), model, examples(), batch_size=2)
    spent = sum(outcome.gradient_evaluations for outcome in outcomes.values())
    assert spent < COUNT * STEPS
    # Each example is seen at each point of its path and once in 8 bits; the rest is padding.
    assert model.pictures_seen <= spent + 2 * COUNT + STEPS + 2


@pytest.mark.parametrize("judging", ["last", "any"])
def test_restarts_keep_the_worst_and_never_help_the_classifier(judging: Judging) -> None:
    # One step only: descents of many steps arrive at the same place from any start.
    attack, model, steps = Pgd(), network(), 1
    once = searched(pgd(judging, steps=steps), attack, model, examples(), batch_size=3)
    search = pgd(judging, steps=steps, restarts=3)
    thrice = searched(search, attack, model, examples(), batch_size=3)
    assert {outcome.restart for outcome in thrice.values()} > {0}
    for name, outcome in thrice.items():
        assert outcome.correct <= once[name].correct
        assert outcome.correct_any <= once[name].correct_any
        if outcome.correct:
            assert outcome.loss >= once[name].loss
            assert outcome.gradient_evaluations == 3 * steps
        else:
            spent = outcome.restart * steps + outcome.steps
            assert outcome.gradient_evaluations == spent, "the first success is the last start"
        if outcome.restart == 0:
            assert torch.equal(outcome.picture, once[name].picture)


def test_restarts_draw_new_starts_in_the_same_scene() -> None:
    """Unoptimised Kaleidoscope: shapes stay where they are, their colours move by at most 2ε."""
    attack, radius = Kaleidoscope(shapes=3, shape_size=4), 0.02
    x = small_pictures(3)
    labels = network()(x).argmax(dim=1).tolist()
    search = Search(
        steps=0, movement=FixedStep(step_size=1.0), judging="last", restarts=8, seed=SEED
    )
    kept: list[Outcome] = list(
        searched(search, attack, network(), examples_of(x, labels, radius)).values()
    )
    first = searched(
        Search(steps=0, movement=FixedStep(step_size=1.0), judging="last", seed=SEED),
        attack,
        network(),
        examples_of(x, labels, radius),
    )
    moved = [outcome for outcome in kept if outcome.restart > 0]
    assert moved
    for outcome in moved:
        change = (outcome.picture - first[outcome.id].picture).abs().max()
        assert 0 < change <= 3 * 2 * radius


@pytest.mark.parametrize("judging", ["last", "any"])
def test_norms_stay_in_the_ball_and_8_bit_verdicts_are_those_of_rounded_pictures(
    judging: Judging,
) -> None:
    for attack in (Pgd(), Pgd(norm="l2"), Elastic(spacing=4), Pixel(block=8)):
        model = SmallNet()
        single = [
            Example(id=each.id, image=each.image.float(), label=each.label, radius=each.radius)
            for each in examples()
        ]
        for outcome in searched(pgd(judging), attack, model, single, batch_size=4).values():
            assert 0 < outcome.norm <= 1 + 1e-6
            label = next(each.label for each in single if each.id == outcome.id)
            rounded = (255 * outcome.picture).round() / 255
            assert outcome.correct_8bit == bool(model(rounded[None]).argmax() == label)
            assert (outcome.logits.argmax() == label) == outcome.correct
            torch.testing.assert_close(outcome.logits, model(outcome.picture[None])[0])


def found(search: Search) -> dict[str, Outcome]:
    return searched(search, Pgd(), network(), examples())


def test_updates_that_the_judged_picture_does_not_show_are_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = found(pgd("last", steps=STEPS - 2))
    monkeypatch.setattr(Pgd, "unseen_updates", 2)
    for name, outcome in found(pgd("last")).items():
        assert torch.equal(outcome.picture, usual[name].picture)
        assert outcome.steps == outcome.gradient_evaluations == STEPS - 2
    assert {outcome.steps for outcome in found(pgd("last", steps=1)).values()} == {0}


def test_a_start_that_is_not_projected_lies_outside_until_the_first_update(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Pgd.start

    def twice_as_far(self: Pgd, x: Tensor, *others: Any) -> PgdLatents:
        return whole(self, x, *others).map(lambda value: 2 * value)

    monkeypatch.setattr(Pgd, "start", twice_as_far)
    inside = found(pgd("last", steps=0)).values()
    assert max(outcome.norm for outcome in inside) <= 1 + 1e-6
    monkeypatch.setattr(Pgd, "start_is_projected", False)
    outside = found(pgd("last", steps=0)).values()
    assert min(outcome.norm for outcome in outside) > 1.9
    moved = found(pgd("last", steps=1))
    for example in examples():
        change = moved[example.id].picture - example.image
        assert change.abs().max() <= example.radius * (1 + 1e-6)
