"""The mean over several passes of a classifier that answers differently each time."""

import math
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from small import SmallNet, small_dataset, small_pictures
from small_runs import rows_of, run_small
from unforeseen import perturb
from unforeseen.errors import RunError
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.search.expectation import expected
from unforeseen.search.losses import cross_entropy


class Alternating(nn.Module):
    """Answers as one module, then as the other."""

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        self.members = nn.ModuleList(modules)
        self.passes = 0

    def forward(self, x: Tensor) -> Tensor:
        self.passes += 1
        scores: Tensor = self.members[(self.passes - 1) % len(self.members)](x)
        return scores


class Fixed(nn.Module):
    """The same probabilities for every picture."""

    def __init__(self, *probabilities: float) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.tensor(probabilities).log())

    def forward(self, x: Tensor) -> Tensor:
        return self.scores.expand(len(x), -1) + 0 * x.sum(dim=(1, 2, 3))[:, None]


def test_the_verdict_is_that_of_the_mean_probabilities() -> None:
    x, label = small_pictures(3).float(), torch.tensor([0, 1, 0])
    classifier = DifferentiableClassifier(Alternating(Fixed(0.9, 0.1), Fixed(0.3, 0.7)))
    asked = expected(classifier, x, label, passes=2)
    torch.testing.assert_close(asked.logits.exp(), torch.tensor([[0.6, 0.4]] * 3))
    right, wrong = -math.log(0.9 * 0.3) / 2, -math.log(0.1 * 0.7) / 2
    torch.testing.assert_close(asked.loss, torch.tensor([right, wrong, right]))


def test_the_objectives_gradient_is_that_of_the_mean_loss() -> None:
    one, other = SmallNet(seed=1), SmallNet(seed=2)
    label = torch.tensor([0, 1])
    latent = small_pictures(2).float().requires_grad_()
    asked = expected(
        DifferentiableClassifier(Alternating(one, other)),
        latent**2,
        label,
        passes=4,
    )
    (ours,) = torch.autograd.grad(asked.objective, latent)
    mean = (cross_entropy(one(latent**2), label) + cross_entropy(other(latent**2), label)) / 2
    (direct,) = torch.autograd.grad(mean.sum(), latent)
    torch.testing.assert_close(ours, direct)
    assert not asked.logits.requires_grad


def test_a_pass_that_isnt_finite_is_counted_and_stays_with_its_picture() -> None:
    class Sometimes(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            scores: Tensor = self.net(x)
            return scores * torch.tensor([[1.0], [math.nan], [1.0]])

        def __init__(self) -> None:
            super().__init__()
            self.net = SmallNet()

    x, label = small_pictures(3).float(), torch.tensor([0, 0, 0])
    net = SmallNet()
    asked = expected(
        DifferentiableClassifier(Alternating(net, Sometimes())),
        x,
        label,
        passes=2,
    )
    assert asked.logits.isfinite().all(dim=1).tolist() == [True, False, True]


def test_each_pass_is_a_gradient_evaluation_and_the_clean_picture_has_as_many(
    tmp_path: Path,
) -> None:
    model = Alternating(SmallNet(seed=1), SmallNet(seed=2))
    run_small(tmp_path, model, data=small_dataset(4), attacks=["pgd"], eot=3, batch_size=4)
    rows = rows_of(tmp_path)
    assert rows["gradient_evaluations"].to_list() == [0] * 4 + [3 * 4] * 4
    assert set(rows["zero_gradient_share"].drop_nulls()) == {0.0}
    # Confidence of a mean of two networks, and not of either.
    confidence = rows.filter(transform="clean")["confidence"]
    x = (small_pictures(4).float() * 255).round() / 255
    with torch.no_grad():
        one, other = (SmallNet(seed=seed)(x).softmax(dim=1) for seed in (1, 2))
    means = [(2 * one + other) / 3, (one + 2 * other) / 3]
    found = torch.tensor(sorted(confidence))
    assert any(
        torch.allclose(found, mean.max(dim=1).values.sort().values, atol=1e-5) for mean in means
    )


def test_passes_are_part_of_a_runs_identity(tmp_path: Path) -> None:
    run_small(tmp_path, attacks=["pgd"], limit=2)
    with pytest.raises(RunError, match="has eot 1; asked for was 2"):
        run_small(tmp_path, attacks=["pgd"], limit=2, eot=2)


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_model_that_doesnt_draw_answers_alike_however_often_it_is_asked(edition: str) -> None:
    x = small_pictures(4).float()
    y = SmallNet()(x).argmax(dim=1)
    once, thrice = (
        perturb(SmallNet(), x, y, "pgd", benchmark="cifar10-ua", edition=edition, steps=3, eot=eot)
        for eot in (1, 3)
    )
    torch.testing.assert_close(once.images, thrice.images)
    assert torch.equal(once.prediction, thrice.prediction)
    assert torch.equal(3 * once.gradient_evaluations, thrice.gradient_evaluations)
