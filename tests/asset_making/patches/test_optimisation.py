"""Optimised patches against networks whose best patch is known."""

import math
from collections.abc import Sequence

import pytest
import torch

from asset_making.patches.small_patches import colour_networks, pictures_of_colours
from unforeseen.asset_making.patches.optimisation import Optimisation, _towards
from unforeseen.asset_making.patches.pictures import PicturePool
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.targets import Target
from unforeseen.errors import ModelError

CPU = torch.device("cpu")
RECIPE = PatchRecipe(size=16, picture_size=32, steps=40, learning_rate=0.2)


def optimisation(
    target: int | None,
    *,
    labels: Sequence[int] = (0, 1, 2) * 4,
    recipe: PatchRecipe = RECIPE,
    networks: int = 1,
) -> Optimisation:
    pool = PicturePool(pictures_of_colours(labels), range(len(labels)), recipe)
    classifiers = [each.differentiable for each in colour_networks(networks)]
    return Optimisation(classifiers, pool, recipe, Target("patch", target), CPU)


def after(steps: int, made: Optimisation) -> Optimisation:
    for _ in range(steps):
        made.step()
    return made


def test_a_patch_towards_a_colour_takes_it_on_and_gives_up_that_of_the_pictures() -> None:
    """The optimum of a linear network in closed form: 1 where the weights lead to the target, else 0."""
    patch = after(40, optimisation(2, labels=[0] * 8)).patch
    assert patch[2].mean() > 0.95
    assert patch[0].mean() < 0.05
    # Of green, which is neither target nor truth, nothing depends.
    assert (patch[1].mean() - 0.5).abs() < 0.1


def test_a_network_that_passes_no_gradient_on_is_refused_by_name_even_beside_one_that_does() -> (
    None
):
    made = optimisation(2, networks=2)
    module = made._classifiers[1].module
    module.register_forward_hook(lambda _module, _pictures, scores: scores.detach())
    with pytest.raises(ModelError, match=r"^colours:1: expected gradients .* --held-out-model"):
        made.step()


def test_an_untargeted_patch_gives_up_the_truth() -> None:
    patch = after(40, optimisation(None, labels=[0] * 8)).patch
    assert patch[0].mean() < 0.05
    assert min(patch[1].mean(), patch[2].mean()) > 0.6


def test_the_loss_goes_down() -> None:
    made = optimisation(2)
    losses = [made.step()[0] for _ in range(40)]
    assert sum(losses[-5:]) < sum(losses[:5])


def test_the_targeted_loss_is_the_lead_of_the_strongest_other_class_in_logits() -> None:
    recipe = PatchRecipe(size=16, picture_size=32, batch=1, corners=1.0)
    made = optimisation(2, labels=[0], recipe=recipe)
    grey = made.patch.mean(dim=(1, 2))
    # In the corners nothing but the picture and the patch is seen: the lead lies between theirs.
    lead = 20 * 60 / 255
    assert 0 < made.step()[0] < lead + 20 * float((grey[0] - grey[2]).abs())


def test_the_plot_names_the_loss_after_what_it_is() -> None:
    targeted, untargeted = (optimisation(each).loss_column for each in (2, None))
    assert targeted.axis == "lead of the strongest other class, in logits"
    assert untargeted.axis == "minus cross-entropy of the true class"
    assert targeted.name == untargeted.name == "loss"


def test_a_patch_that_makes_a_third_class_win_has_not_reached_its_target() -> None:
    """The truth is 0 and the target 1; 2 leads by 7, wherever the truth is."""
    logits = torch.tensor([[1.0, 2.0, 9.0], [9.0, 2.0, 1.0], [1.0, 9.0, 2.0]])
    assert _towards(logits, 1).tolist() == [7.0, 7.0, -7.0]


def test_a_step_without_a_finite_gradient_changes_nothing_and_is_counted() -> None:
    made = optimisation(2)
    sharpness = made._classifiers[0].module.sharpness
    assert isinstance(sharpness, torch.Tensor)
    made.step()
    before = made.patch
    for value in (float("nan"), float("inf")):
        good = sharpness.detach().clone()
        sharpness.data.fill_(value)
        assert not math.isfinite(made.step()[0])
        sharpness.data.copy_(good)
    assert torch.equal(made.patch, before)
    assert (made.steps, made.guard.skipped) == (3, 2)
    made.step()
    assert made.patch.isfinite().all()
    assert not torch.equal(made.patch, before)


def test_several_networks_count_alike() -> None:
    alone = optimisation(1, networks=1).step()[0]
    both = optimisation(1, networks=2).step()[0]
    # Logits of the second are 21/20 times those of the first: so is the loss.
    assert both == pytest.approx(alone * (1 + 21 / 20) / 2, rel=1e-4)


def test_going_on_from_a_state_gives_the_same_patch_bit_for_bit() -> None:
    """Pitfall: optimisers' moments and draws that are lost where a process ends."""
    through = after(12, optimisation(1)).patch
    stopped = after(5, optimisation(1))
    resumed = optimisation(1)
    resumed.go_on_from(stopped.state())
    assert torch.equal(after(7, resumed).patch, through)


def test_the_same_seed_gives_the_same_patch_and_another_another() -> None:
    ours, again = (after(3, optimisation(1)).patch for _ in range(2))
    assert torch.equal(ours, again)
    other = PatchRecipe(size=16, picture_size=32, seed=1, learning_rate=0.2)
    assert not torch.equal(after(3, optimisation(1, recipe=other)).patch, ours)


def test_networks_are_left_as_they_were() -> None:
    """Pitfall: frozen parameters and evaluation mode that stay."""
    networks = colour_networks()
    module = networks[0].differentiable.module.train()
    pool = PicturePool(pictures_of_colours([0, 1]), [0, 1], RECIPE)
    after(2, Optimisation([networks[0].differentiable], pool, RECIPE, Target("p", 1), CPU))
    assert module.training
    assert all(each.requires_grad and each.grad is None for each in module.parameters())
