"""Models that misbehave: NaN, no gradients, exceptions; and what a search leaves behind."""

import math

import pytest
import torch
from torch import Tensor, nn

from small import SmallNet, Watched, as_function, examples_of, searched, small_pictures
from unforeseen.errors import ModelError
from unforeseen.judging import Judging
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.function_predictor import FunctionPredictor
from unforeseen.search.examples import Example
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.pgd import Pgd
from unforeseen.transforms.attacks.pixel import Pixel

COUNT, STEPS, VICTIM = 6, 4, 2
JUDGINGS: list[Judging] = ["last", "any"]


def examples(*, count: int = COUNT) -> list[Example]:
    """float32 pictures that are right at the start; the victim is far brighter than the rest."""
    x = small_pictures(count).float()
    x[VICTIM] = 0.1 * x[VICTIM] + 0.85
    return examples_of(x, SmallNet()(x).argmax(dim=1).tolist(), 0.02)


def pgd(judging: Judging, *, restarts: int = 1) -> Search:
    return Search(
        steps=STEPS, movement=FixedStep(step_size=0.005), judging=judging, restarts=restarts
    )


def is_victim(x: Tensor) -> Tensor:
    return (x.mean(dim=(1, 2, 3)) > 0.8)[:, None]


def nan_for_the_victim(x: Tensor, scores: Tensor) -> Tensor:
    return torch.where(is_victim(x), math.nan, scores)


class NanGradient(torch.autograd.Function):
    """The identity; its gradient is NaN for the victim."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x: Tensor) -> Tensor:
        ctx.save_for_backward(is_victim(x)[..., None, None])
        return x.clone()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: Tensor) -> Tensor:
        (victim,) = ctx.saved_tensors  # type: ignore[attr-defined]  # missing from torch's stubs
        return torch.where(victim, math.nan, gradient)


class WithNanGradient(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = SmallNet()

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.model(NanGradient.apply(x))
        return scores


@pytest.mark.parametrize("judging", JUDGINGS)
def test_nan_logits_are_wrong_and_stay_where_they_are(judging: Judging) -> None:
    model = Watched(SmallNet(), after=nan_for_the_victim)
    spoilt = searched(pgd(judging, restarts=2), Pgd(), model, examples())
    healthy = searched(pgd(judging, restarts=2), Pgd(), SmallNet(), examples())
    victim = spoilt.pop(f"p{VICTIM}")
    assert not victim.finite
    assert {victim.correct, victim.correct_any, victim.correct_8bit} == {False}
    assert victim.first_success_step == 0
    assert victim.restart == 0, "a restart would look for something worse"
    for name, outcome in spoilt.items():
        assert outcome.finite
        assert torch.equal(outcome.picture, healthy[name].picture)
        assert torch.equal(outcome.logits, healthy[name].logits)
        assert (outcome.loss, outcome.correct) == (healthy[name].loss, healthy[name].correct)


@pytest.mark.parametrize("attack", [Pgd(), Pixel(block=8)], ids=["sign", "l2"])
@pytest.mark.parametrize("gradient_batch", [None, 5], ids=["exact", "published"])
def test_nan_gradients_are_counted_and_stay_where_they_are(
    attack: Pgd | Pixel, gradient_batch: int | None
) -> None:
    search = Search(
        steps=STEPS,
        movement=FixedStep(step_size=0.005, gradient_batch=gradient_batch),
        judging="last",
    )
    spoilt = searched(search, attack, WithNanGradient(), examples())
    healthy = searched(search, attack, SmallNet(), examples())
    start = searched(
        Search(steps=0, movement=FixedStep(step_size=1), judging="last"),
        attack,
        SmallNet(),
        examples(),
    )
    for name, outcome in spoilt.items():
        if name == f"p{VICTIM}":
            assert outcome.nonfinite_gradients == outcome.gradient_evaluations == STEPS
            assert torch.equal(outcome.picture, start[name].picture)
        else:
            assert outcome.nonfinite_gradients == 0
            assert torch.equal(outcome.picture, healthy[name].picture)


def test_a_model_with_zero_gradients_is_told_by_their_share() -> None:
    # Its logits depend on the picture, by a step function, whose gradient is 0 everywhere.
    class Stepped(SmallNet):
        def forward(self, x: Tensor) -> Tensor:
            return super().forward((x * 255).round() / 255)

    attack = Pgd()
    masked = searched(pgd("last"), attack, Stepped(), examples())
    start = searched(
        Search(steps=0, movement=FixedStep(step_size=1), judging="last"),
        attack,
        SmallNet(),
        examples(),
    )
    for name, outcome in masked.items():
        assert outcome.zero_gradient_share == 1
        assert outcome.nonfinite_gradients == 0
        assert torch.equal(outcome.picture, start[name].picture)


def test_a_model_without_a_gradient_path_is_refused_in_words() -> None:
    class Detached(SmallNet):
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x).detach()

    with pytest.raises(ModelError, match="gradient"):
        searched(pgd("last"), Pgd(), Detached(), examples())


@pytest.mark.parametrize("eot", [1, 2])
def test_outputs_whose_only_gradient_is_of_a_tensor_of_the_models_own_are_refused_in_words(
    eot: int,
) -> None:
    """A plain attribute is no parameter, so it isn't frozen."""

    class Detached(SmallNet):
        def __init__(self) -> None:
            super().__init__()
            self.temperature = torch.tensor(2.0, requires_grad=True)

        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x).detach() * self.temperature

    search = Search(steps=STEPS, movement=FixedStep(step_size=0.005), judging="last", eot=eot)
    with pytest.raises(ModelError, match="gradient with respect to the picture, got none"):
        searched(search, Pgd(), Detached(), examples())


def test_nan_never_wins_over_a_visited_picture_that_is_right() -> None:
    """Infinite logits at every second evaluation: wrong, so it counts; and never as a loss."""
    calls = []

    def every_second(x: Tensor, scores: Tensor) -> Tensor:
        calls.append(len(x))
        return scores if len(calls) % 2 else torch.full_like(scores, math.inf)

    model = Watched(SmallNet(), after=every_second)
    outcomes = searched(pgd("any"), Pgd(), model, examples(), batch_size=COUNT)
    for outcome in outcomes.values():
        assert not outcome.correct
        assert not outcome.finite
        assert outcome.steps == outcome.first_success_step == 1


@pytest.mark.parametrize("judging", JUDGINGS)
def test_unoptimised_attacks_need_no_gradients(judging: Judging) -> None:
    card = ModelCard(uri="function", fingerprint="f")
    classifier = FunctionPredictor(as_function(SmallNet()), card)
    search = Search(steps=0, movement=FixedStep(step_size=1.0), judging=judging)
    outcomes = list(search.run(Pgd(), classifier, examples(), batch_size=4))
    assert {outcome.id for outcome in outcomes} == {example.id for example in examples()}
    for outcome in outcomes:
        assert outcome.gradient_evaluations == outcome.steps == 0
        # What such a classifier sees has 8 bits already.
        assert outcome.correct == outcome.correct_8bit


@pytest.mark.parametrize("raises", [False, True])
def test_flags_and_buffers_are_as_they_were_even_if_the_model_raises(*, raises: bool) -> None:
    def fail(x: Tensor) -> None:
        if raises and len(calls) > 2:
            raise ValueError("enough")
        calls.append(len(x))

    calls: list[int] = []
    net = nn.Sequential(nn.BatchNorm2d(3), SmallNet(), nn.Dropout(0.5))
    net.train()
    net[0].eval()
    net[0].weight.requires_grad_(False)
    model = Watched(net, before=fail)
    flags = [module.training for module in model.modules()]
    frozen = [parameter.requires_grad for parameter in model.parameters()]
    before = {name: value.clone() for name, value in model.state_dict().items()}

    classifier = DifferentiableClassifier(model)
    with classifier.inference():
        outcomes = pgd("last").run(Pgd(), classifier, examples(), batch_size=4)
        if raises:
            with pytest.raises(ModelError, match="enough"):
                list(outcomes)
        else:
            assert len(list(outcomes)) == COUNT
    assert [module.training for module in model.modules()] == flags
    assert [parameter.requires_grad for parameter in model.parameters()] == frozen
    assert all(parameter.grad is None for parameter in model.parameters())
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name]), name
