"""Training: what a step depends on, and that it goes on as it would have."""

import copy

import numpy as np
import pytest
import torch

from asset_making.styles.small_training import SIDE, photos, see, styles
from data.in_memory import InMemory
from unforeseen.asset_making.styles.photos import TrainingPhotos
from unforeseen.asset_making.styles.recipe import Recipe
from unforeseen.asset_making.styles.training import Training
from unforeseen.errors import DataError

RECIPE = Recipe(side=SIDE, batch=2)


def training(recipe: Recipe = RECIPE) -> Training:
    source = TrainingPhotos(photos(), side=SIDE, seed=recipe.seed)
    return Training(styles(), source, see, recipe, torch.device("cpu"))


def weights(of: Training) -> list[torch.Tensor]:
    return [*of.network.state_dict().values(), *of.averaged.state_dict().values()]


def test_a_training_that_stops_and_goes_on_ends_with_the_same_weights() -> None:
    whole = training()
    for _ in range(5):
        whole.step()
    first = training()
    for _ in range(2):
        first.step()
    state = copy.deepcopy(first.state())
    first.step()
    second = training()
    second.go_on_from(state)
    for _ in range(3):
        second.step()
    assert second.steps == whole.steps == 5
    for one, other in zip(weights(whole), weights(second), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("seed", [1, -3, 2**64])
def test_another_seed_ends_with_other_weights(seed: int) -> None:
    """Also one that torch's generators don't take."""
    one, other = training(), training(Recipe(side=SIDE, batch=2, seed=seed))
    one.step()
    other.step()
    assert any(not torch.equal(*pair) for pair in zip(weights(one), weights(other), strict=True))


def test_nobody_elses_random_numbers_are_touched() -> None:
    """Pitfall 10: no global state."""
    before = torch.get_rng_state()
    training().step()
    assert torch.equal(torch.get_rng_state(), before)


def test_styles_come_in_rounds_each_once_a_round() -> None:
    seen = training()
    rows = []
    for step in range(9):
        seen.steps = step
        rows += seen._styles_of_step().tolist()
    rounds = [rows[start : start + 3] for start in range(0, 18, 3)]
    assert all(sorted(each) == [0, 1, 2] for each in rounds)
    assert len({tuple(each) for each in rounds}) > 1


def test_losses_go_down() -> None:
    seen = training()
    totals = [seen.step()[0] for _ in range(40)]
    assert sum(totals[-10:]) < 0.8 * sum(totals[:10])


def test_the_running_mean_begins_with_the_weights_and_lags_behind_them() -> None:
    seen = training()
    first = [value.clone() for value in seen.network.parameters()]
    seen.step()
    # After one step it keeps 1/11 of the first weights: min(0.998, 1 / (1 + 10)).
    for mean, begun, now in zip(
        seen.averaged.parameters(), first, seen.network.parameters(), strict=True
    ):
        torch.testing.assert_close(mean, begun / 11 + now.detach() * 10 / 11)


def test_cuts_depend_on_seed_and_step_alone() -> None:
    one, same = (TrainingPhotos(photos(), side=SIDE, seed=0) for _ in range(2))
    one.batch(3, 2)
    assert torch.equal(one.batch(7, 2), same.batch(7, 2))
    assert not torch.equal(one.batch(7, 2), one.batch(8, 2))
    assert not torch.equal(one.batch(7, 2), TrainingPhotos(photos(), side=SIDE, seed=1).batch(7, 2))
    assert one.batch(0, 3).shape == (3, 3, SIDE, SIDE)
    assert 0 <= float(one.batch(0, 3).min()) <= float(one.batch(0, 3).max()) <= 1


def test_unreadable_photos_are_passed_over_and_too_many_are_an_error() -> None:
    readable = photos(2)
    mixed = InMemory([OSError("no"), readable.read(0), b"<html>", readable.read(1)])
    assert TrainingPhotos(mixed, side=SIDE, seed=0).batch(0, 8).shape[0] == 8
    broken = TrainingPhotos(InMemory([OSError("no disk")]), side=SIDE, seed=0)
    with pytest.raises(DataError, match=r"memory: expected photos to train on; 20 in a row"):
        broken.batch(0, 1)
    with pytest.raises(DataError, match="found none"):
        TrainingPhotos(InMemory([]), side=SIDE, seed=0)


def test_photos_of_one_colour_are_passed_over() -> None:
    """Normalised, their rounding errors would be the picture."""
    white = np.full((90, 130, 3), 255, dtype=np.uint8)
    mixed = TrainingPhotos(InMemory([white, photos(1).read(0)]), side=SIDE, seed=0)
    assert float(mixed.batch(0, 8).std((2, 3)).min()) > 0.1
    with pytest.raises(DataError, match="no use, the last because: pictures of one colour"):
        TrainingPhotos(InMemory([white]), side=SIDE, seed=0).batch(0, 1)


def test_a_gradient_that_overflows_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One NaN would stay in the weights and in Adam's means for ever."""
    seen = training()
    seen.step()
    before = [value.clone() for value in weights(seen)]
    network = seen.network

    def overflowing(x: torch.Tensor, style: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = network(x, style) * (network.to_colour.weight.sum() * 1e38 * 1e38)
        return made

    with monkeypatch.context() as patch:
        patch.setattr(seen, "network", torch.nn.Module())
        patch.setattr(seen.network, "styles", network.styles, raising=False)
        patch.setattr(seen.network, "parameters", network.parameters)
        patch.setattr(seen.network, "forward", overflowing)
        seen.step()
    assert seen.steps == 2
    for one, other in zip(before, weights(seen), strict=True):
        assert torch.equal(one, other)
    seen.step()
    assert all(bool(value.isfinite().all()) for value in weights(seen))
