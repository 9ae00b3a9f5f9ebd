"""Attacks on a batch in memory."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest
import torch
from torch import Tensor, nn
from typing_extensions import override

from small import SmallNet, as_function, small_benchmark, small_pictures
from small_runs import labelled_dataset, rows_of, run_small
from unforeseen import Perturbed, perturb
from unforeseen.constraints import Ball, StepRule
from unforeseen.data.identity import identify
from unforeseen.errors import ImageError, ModelError, UnknownNameError, UserError
from unforeseen.models import as_classifier
from unforeseen.rng import ExampleKey
from unforeseen.search.examples import Outcome
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.pgd import Pgd, PgdLatents
from unforeseen.transforms.base import NoScene, SceneFreeAttack

COUNT = 6


def batch(*, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """Pictures, and what SmallNet takes them for, wrong for the last one."""
    x = small_pictures(COUNT).to(dtype)
    y = SmallNet().to(dtype)(x).argmax(dim=1)
    y[-1] = (y[-1] + 1) % 4
    return x, y


def perturbed(x: Tensor, y: Tensor, attack: Any = "pgd", **options: Any) -> Perturbed:
    model = SmallNet().to(x.dtype) if x.is_floating_point() else SmallNet()
    return perturb(model, x, y, attack, **{"benchmark": small_benchmark(), **options})


class Unlisted(SceneFreeAttack[PgdLatents]):
    """Noise on the pixels, under a name that no table and no benchmark has."""

    name = "unlisted"

    @property
    @override
    def balls(self) -> dict[str, Ball]:
        return {"delta": Ball(norm="linf")}

    @property
    @override
    def step_rule(self) -> StepRule:
        return "sign"

    @override
    def start(
        self, x: Tensor, scene: NoScene, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> PgdLatents:
        return PgdLatents(delta=torch.zeros_like(x))

    @override
    def paint(self, x: Tensor, latents: PgdLatents, scene: NoScene) -> Tensor:
        return (x + latents.delta).clamp(0, 1)


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize("attack", ["pgd", "wood", "pixel"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_pictures_come_back_in_order_in_range_and_as_they_were_typed(
    attack: str, edition: str, dtype: torch.dtype
) -> None:
    x, y = batch(dtype=dtype)
    result = perturbed(x, y, attack, edition=edition)
    assert result.images.shape == x.shape
    assert (result.images.dtype, result.images.device) == (x.dtype, x.device)
    assert result.images.min() >= 0
    assert result.images.max() <= 1
    logits = SmallNet().to(dtype)(result.images)
    assert torch.equal(result.prediction, logits.argmax(dim=1))
    assert torch.equal(result.correct, result.prediction == y)
    # Each picture is nearest to the one that it was made from.
    distances = torch.cdist(result.images.flatten(1), x.flatten(1))
    assert torch.equal(distances.argmin(dim=1), torch.arange(COUNT))


def test_what_came_of_a_batch_is_said_in_a_line() -> None:
    result = perturbed(*batch())
    right = int(result.correct.sum())
    assert repr(result) == f"Perturbed({COUNT} pictures, {right} still right)"


def test_a_picture_that_is_left_alone_is_its_own_outcome() -> None:
    logits = torch.tensor([1.0, 3.0])
    left = Outcome.unattacked("p", torch.rand(3, 32, 32), logits, loss=2.0)
    assert (left.id, left.loss, left.finite) == ("p", 2.0, True)
    assert (left.correct, left.correct_any, left.correct_8bit) == (False, False, False)
    assert (left.steps, left.gradient_evaluations, left.first_success_step) == (0, 0, None)
    assert not Outcome.unattacked("p", left.picture, logits * math.nan, loss=math.nan).finite


@pytest.mark.parametrize(
    ("judging", "correct", "attacked"),
    [("any", True, True), ("any", False, False), ("any", None, False)]
    + [("last", correct, True) for correct in (True, False, None)],
)
def test_only_where_any_point_counts_is_what_is_wrong_left_alone(
    judging: Literal["any", "last"], correct: bool | None, attacked: bool
) -> None:
    search = Search(steps=1, movement=FixedStep(step_size=0.1), judging=judging)
    assert search.attacks(correct=correct) is attacked


def test_edition_strict_leaves_wrong_pictures_alone() -> None:
    x, y = batch()
    result = perturbed(x, y, edition="strict")
    assert torch.equal(result.images[-1], x[-1])
    assert result.gradient_evaluations[-1] == result.steps[-1] == 0
    assert not (result.correct | result.correct_any | result.correct_8bit)[-1]
    assert not torch.equal(result.images[0], x[0])


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_pictures_draws_depend_on_its_pixels_or_id_and_not_on_the_batch(edition: str) -> None:
    x, y = batch(dtype=torch.float64)
    whole = perturbed(x, y, edition=edition)
    assert torch.equal(perturbed(x, y, edition=edition).images, whole.images)
    shuffled = perturbed(x.flip(0), y.flip(0), edition=edition, batch_size=4)
    torch.testing.assert_close(shuffled.images.flip(0), whole.images, rtol=0, atol=1e-12)
    alone = perturbed(x[2:3], y[2:3], edition=edition)
    torch.testing.assert_close(alone.images[0], whole.images[2], rtol=0, atol=1e-12)
    assert not torch.equal(perturbed(x, y, edition=edition, seed=1).images, whole.images)
    named = perturbed(x, y, edition=edition, ids=[f"p{n}" for n in range(COUNT)])
    assert not torch.equal(named.images, whole.images)


def test_the_same_picture_twice_is_attacked_from_two_starts() -> None:
    x, y = batch()
    result = perturbed(x[[0, 0]], y[[0, 0]], steps=0)
    assert not torch.equal(result.images[0], result.images[1])


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_perturbations_agree_with_a_run_on_the_same_pictures(tmp_path: Path, edition: str) -> None:
    data = labelled_dataset(COUNT)
    run_small(tmp_path, data=data, attacks=["wood"], edition=edition, batch_size=COUNT)
    ids = identify(data, range(COUNT))
    pixels = np.stack([np.asarray(data.read(index)) for index in range(COUNT)])
    x = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    result = perturbed(x, torch.from_numpy(data.labels), "wood", edition=edition, ids=ids)
    rows = {
        row["example_id"]: row
        for row in rows_of(tmp_path).filter(pl.col("transform") == "wood").iter_rows(named=True)
    }
    for number, name in enumerate(ids):
        row = rows[name]
        assert bool(result.correct[number]) == row["correct"]
        assert bool(result.correct_any[number]) == row["correct_any"]
        assert bool(result.correct_8bit[number]) == row["correct_8bit"]
        assert int(result.steps[number]) == row["steps"]
        assert int(result.gradient_evaluations[number]) == row["gradient_evaluations"]
        assert float(result.loss[number]) == pytest.approx(row["loss"], rel=1e-3, abs=1e-5)


def test_levels_and_radii_are_two_names_of_one_thing() -> None:
    x, y = batch()
    assert torch.equal(perturbed(x, y, level="high").images, perturbed(x, y, radius=0.04).images)
    assert torch.equal(perturbed(x, y).images, perturbed(x, y, level="medium").images)
    radii = torch.linspace(0.01, 0.06, COUNT)
    each = perturbed(x, y, radius=radii, steps=0).images
    change = (each - x).abs().amax(dim=(1, 2, 3))
    assert (change <= radii + 1e-6).all()
    assert (change > 0.9 * radii).all()


def test_an_attack_with_parameters_of_ones_own_is_used() -> None:
    x, y = batch()
    result = perturbed(x, y, Pgd(norm="l2"), radius=0.5)
    lengths = (result.images - x).flatten(1).norm(dim=1)
    assert (lengths <= 0.5 + 1e-5).all()


def test_an_attack_that_no_table_lists_runs_with_numbers_of_ones_own() -> None:
    x, y = batch()
    with pytest.raises(UserError, match="give radius, steps and step_size"):
        perturbed(x, y, Unlisted(), radius=0.1)
    result = perturbed(x, y, Unlisted(), radius=0.1, steps=2, step_size=0.05)
    assert (result.images - x).abs().max() <= 0.1 + 1e-6
    assert result.gradient_evaluations.tolist() == [2] * COUNT


def test_an_answer_that_is_not_finite_is_no_class() -> None:
    class Nowhere(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.mean(dim=(2, 3)) * math.nan

    x, _ = batch()
    result = perturb(Nowhere(), x, torch.zeros(COUNT, dtype=torch.int64), "pgd", steps=0)
    assert result.prediction.tolist() == [-1] * COUNT
    assert not result.correct.any()


@pytest.mark.parametrize("value", [-2.98e-8, -3e-8, 1 + 1e-7])
def test_what_rounding_carried_over_the_edge_is_clamped(value: float) -> None:
    x, y = batch(dtype=torch.float64)
    x[0, 0, 0, 0] = value
    assert perturbed(x, y, steps=0).images.min() >= 0


def nan_inside() -> Tensor:
    x = batch()[0]
    x[0, 0, 0, 0] = math.nan
    return x


IMAGE_ERRORS: list[Any] = [
    pytest.param(torch.rand(2, 1, 32, 32), "x.expand", id="grey"),
    pytest.param(torch.rand(2, 32, 32, 3), "x.permute", id="channels last"),
    pytest.param(torch.rand(3, 32, 32), r"x\[None\]", id="no batch"),
    pytest.param(torch.zeros(2, 3, 32, 32, dtype=torch.uint8), "x / 255", id="8 bits"),
    pytest.param(torch.rand(0, 3, 32, 32), "got", id="empty"),
    pytest.param(torch.rand(2, 3, 31, 40), "at least 32 × 32", id="small"),
    pytest.param(torch.rand(2, 3, 32, 32) - 1e-3, "unnormalised", id="below 0"),
    pytest.param(torch.rand(2, 3, 32, 32) * 255, "unnormalised", id="above 1"),
    pytest.param(nan_inside(), "nan", id="nan"),
    pytest.param(np.zeros((2, 3, 32, 32)), "ndarray", id="not a tensor"),
]


@pytest.mark.parametrize(("x", "words"), IMAGE_ERRORS)
def test_what_is_no_batch_of_pictures_is_refused_with_a_remedy(x: Any, words: str) -> None:
    with pytest.raises(ImageError, match=words):
        perturb(SmallNet(), x, torch.zeros(len(x), dtype=torch.long), "pgd")


OPTION_ERRORS: list[Any] = [
    pytest.param({"level": "low", "radius": 0.1}, UserError, "one of them", id="both"),
    pytest.param({"level": "middle"}, UnknownNameError, "medium", id="level"),
    pytest.param({"radius": 0.0}, UserError, "above 0", id="radius 0"),
    pytest.param({"radius": math.nan}, UserError, "above 0", id="radius nan"),
    pytest.param({"radius": torch.ones(COUNT + 1)}, UserError, "radius: expected", id="radii"),
    pytest.param({"ids": ["a"]}, UserError, "distinct names", id="too few ids"),
    pytest.param({"ids": ["a"] * COUNT}, UserError, "distinct names", id="equal ids"),
    pytest.param({"steps": -1}, UserError, "steps: expected", id="steps"),
    pytest.param({"step_size": 0.0}, UserError, "step_size: expected", id="step size"),
    pytest.param({"restarts": 0}, UserError, "restarts: expected", id="restarts"),
    pytest.param({"batch_size": 0}, UserError, "batch_size: expected", id="batch size"),
    pytest.param({"seed": -1}, UserError, "seed: expected", id="seed"),
    pytest.param({"edition": "strictest"}, UnknownNameError, "strict", id="edition"),
    pytest.param({"attack": "woood"}, UnknownNameError, "wood", id="attack"),
]


@pytest.mark.parametrize(("options", "kind", "words"), OPTION_ERRORS)
def test_options_that_do_not_fit_are_refused(
    options: dict[str, Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        perturbed(*batch(), **options)


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize(
    ("y", "words"),
    [
        (torch.full((COUNT,), 4), "below 4"),
        (torch.full((COUNT,), -1), "from 0"),
        (torch.zeros(COUNT), "whole numbers"),
        (torch.zeros(COUNT + 1, dtype=torch.long), "whole numbers"),
        ([0] * COUNT, "whole numbers"),
    ],
)
def test_labels_that_do_not_fit_are_refused(y: Any, words: str, edition: str) -> None:
    with pytest.raises(UserError, match=f"y: expected .*{words}"):
        perturbed(batch()[0], y, edition=edition)


def test_a_plain_function_can_be_asked_but_not_optimised() -> None:
    x, y = batch()
    model = as_classifier(as_function(SmallNet()))
    assert len(perturb(model, x, y, "pgd", benchmark=small_benchmark(), steps=0).images) == COUNT
    with pytest.raises(ModelError, match="no gradients"):
        perturb(model, x, y, "pgd", benchmark=small_benchmark())


def test_the_model_and_the_pictures_are_left_as_they_were() -> None:
    model = nn.Sequential(nn.BatchNorm2d(3), SmallNet()).train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    x, y = batch()
    copy = x.clone()
    perturb(model, x, y, "pgd", benchmark=small_benchmark())
    assert model.training
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert torch.equal(x, copy)


def test_pictures_that_carry_a_gradient_are_taken_without_a_word() -> None:
    x, y = batch()
    plain, carrying = perturbed(x, y), perturbed(x.clone().requires_grad_(), y)
    assert torch.equal(plain.images, carrying.images)
    assert not carrying.images.requires_grad
