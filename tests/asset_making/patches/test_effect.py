"""What is measured, against networks whose answers follow from the pictures."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from asset_making.patches.small_patches import COLOURS, colour_networks, pictures_of_colours
from data.in_memory import InMemory
from unforeseen.asset_making.patches import effect
from unforeseen.asset_making.patches.conditions import CONDITIONS, pictures_in
from unforeseen.asset_making.patches.effect import Effect, Measurement
from unforeseen.asset_making.patches.made_pack import patch_bytes, write_patch
from unforeseen.asset_making.patches.networks import Network
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.targets import Target
from unforeseen.data.pictures import Picture, stream_pictures
from unforeseen.data.super_classes import super_classes
from unforeseen.errors import DataError
from unforeseen.metrics.wilson import wilson
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.transforms.assets.pack import AssetPack

RECIPE = PatchRecipe(size=16, picture_size=36)
BLUE = Target("blue", 2, "blue")
#: Four red pictures, three green and one blue.
LABELS = (0, 0, 0, 0, 1, 1, 1, 2)


@pytest.fixture
def pack(tmp_path: Path) -> AssetPack:
    """A patch that is all blue."""
    blue = torch.zeros(3, 16, 16)
    blue[2] = 1
    return write_patch(tmp_path, "blue", patch_bytes(blue), beside=())


def measure(*asked: Any) -> list[Effect]:
    measurement = Measurement(*asked)
    for _ in measurement.rest():
        pass
    return measurement.effects()


def effects(
    pack: AssetPack, networks: list[Network], target: Target = BLUE
) -> dict[tuple[str, str], Effect]:
    dataset = pictures_of_colours(LABELS)
    found = measure(target, pack, networks, dataset, range(len(LABELS)), RECIPE)
    return {(each.network, each.condition): each for each in found}


def test_a_blue_patch_makes_everything_blue_only_where_it_covers_enough(pack: AssetPack) -> None:
    """Four patches of 8 of 36 pixels outweigh the picture's colour; pictures lead by 60 of 255."""
    found = effects(pack, colour_networks())
    clean, corners = found["colours:0", "clean"], found["colours:0", "corners"]
    assert clean.accuracy == wilson(8, 8)
    assert clean.target_rate == wilson(0, 7)
    # 4 · 8² of 36² pixels are 0.2; there blue leads by 1, elsewhere another colour by 0.8 · 60/255.
    assert corners.accuracy == wilson(1, 8)
    assert corners.target_rate == wilson(7, 7)


def test_pictures_of_the_target_are_no_share_of_the_target_rate(pack: AssetPack) -> None:
    for each in effects(pack, colour_networks()).values():
        assert each.target_rate is not None
        assert each.target_rate.n == 7


def test_without_a_target_there_is_no_rate(pack: AssetPack) -> None:
    found = effects(pack, colour_networks(), Target("blue"))
    assert {each.target_rate for each in found.values()} == {None}


def test_every_network_is_asked_in_every_condition_and_held_out_ones_are_named(
    pack: AssetPack,
) -> None:
    found = effects(pack, colour_networks(1, held_out=1))
    assert [*found] == [
        (f"colours:{number}", condition)
        for number in (0, 1)
        for condition in ("clean", "grey anywhere", "anywhere", "grey corners", "corners")
    ]
    assert [each.held_out for each in found.values()] == [False] * 5 + [True] * 5


def test_grey_squares_lie_where_the_patch_does(pack: AssetPack) -> None:
    pictures = [
        each
        for each in stream_pictures(
            pictures_of_colours((0, 1)), [(0, "0"), (1, "1")], RECIPE.preprocessing
        )
        if isinstance(each, Picture)
    ]
    _, grey_anywhere, anywhere, grey_corners, corners = (
        pictures_in(each, pictures, "blue", pack, RECIPE) for each in CONDITIONS
    )
    # Covered by the share a, red and blue are half of a apart in both directions, at the edges too.
    red, _, blue = (anywhere - grey_anywhere).unbind(1)
    assert torch.allclose(-red, blue, atol=1.5 / 255)
    assert blue.max() > 0.49
    is_blue = (corners == torch.tensor([0.0, 0.0, 1.0])[:, None, None]).all(1)
    assert is_blue.sum() == 2 * 4 * 8**2
    assert torch.equal(is_blue, (grey_corners == 128 / 255).all(1))
    assert torch.equal(is_blue, (grey_corners != corners).any(1))


def test_grey_squares_change_no_answer_that_only_blue_changes(pack: AssetPack) -> None:
    found = effects(pack, colour_networks())
    assert found["colours:0", "grey corners"].accuracy == wilson(8, 8)
    assert found["colours:0", "grey corners"].target_rate == wilson(0, 7)


def test_a_network_that_answers_with_nan_is_wrong(pack: AssetPack) -> None:
    """Pitfall: a network must not win, nor a patch, by what is no answer."""

    class Nan(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return torch.full((len(x), len(COLOURS)), float("nan"))

    found = effects(pack, [Network(DifferentiableClassifier(Nan()), False)])
    for each in found.values():
        assert each.accuracy == wilson(0, 8)
        assert each.target_rate == wilson(0, 7)


def test_super_classes_are_counted_by_the_mean_of_their_members(pack: AssetPack) -> None:
    """Two members with most between them lose against one class of a super-class that has only it."""
    groups = super_classes()
    airplane, bicycle = groups["Airplane"], groups["Bicycle"]
    assert (len(airplane), len(bicycle)) == (1, 2)
    logits = torch.full((1000,), -20.0)
    logits[airplane[0]], logits[bicycle[0]], logits[bicycle[1]] = 0.0, 0.3, -1.0

    class Constant(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return logits.expand(len(x), -1)

    # The third is of no super-class.
    dataset = pictures_of_colours([0, 0, 0])
    dataset.labels[:] = [airplane[0], bicycle[0], 954]
    dataset.card = replace(dataset.card, label_space="imagenet")
    assert 954 not in {each for group in groups.values() for each in group}
    network = Network(DifferentiableClassifier(Constant()), False)
    clean, *_ = measure(Target("blue", 954), pack, [network], dataset, [0, 1, 2], RECIPE)
    # The mean of bicycles is (e^0.3 + e^-1)/2 = 0.86 of the airplane's.
    assert clean.super_class_accuracy == wilson(1, 2)
    # Of single classes the first bicycle is likeliest.
    assert clean.accuracy == wilson(1, 3)
    dataset.card = replace(dataset.card, label_space=None)
    clean, *_ = measure(Target("blue", 954), pack, [network], dataset, [0, 1, 2], RECIPE)
    assert clean.super_class_accuracy is None, "a thousand classes may be other ones"


def test_other_classes_than_imagenets_have_no_super_classes(pack: AssetPack) -> None:
    assert {each.super_class_accuracy for each in effects(pack, colour_networks()).values()} == {
        None
    }


def test_unreadable_pictures_count_nowhere(pack: AssetPack) -> None:
    dataset = pictures_of_colours([0, 1])
    broken = InMemory([dataset.read(0), OSError("gone")], [0, 1])
    clean, *_ = measure(BLUE, pack, colour_networks(), broken, [0, 1], RECIPE)
    assert clean.accuracy == wilson(1, 1)
    with pytest.raises(DataError, match="none can be read"):
        measure(BLUE, pack, colour_networks(), broken, [1], RECIPE)


class Counting(nn.Module):
    """Knows how many pictures it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = 0

    def forward(self, x: Tensor) -> Tensor:
        self.shown += len(x)
        return x.mean(dim=(2, 3))


def test_what_was_stopped_goes_on_behind_its_last_batch(
    pack: AssetPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effect, "_BATCH", 3)
    dataset = pictures_of_colours(LABELS)
    asked = (BLUE, pack, colour_networks(), dataset, range(len(LABELS)), RECIPE)
    first = Measurement(*asked)
    next(first.rest())
    counting = Counting()
    network = Network(DifferentiableClassifier(counting, asked[2][0].classifier.card), False)
    second = Measurement(BLUE, pack, [network], *asked[3:])
    second.go_on_from(json.loads(json.dumps(first.state())))
    for _ in second.rest():
        pass
    assert counting.shown == (len(LABELS) - 3) * len(CONDITIONS)
    assert second.effects() == measure(*asked)


@pytest.mark.parametrize(
    "change",
    [
        {"done": 9},
        {"done": -1},
        {"done": True},
        {"counts": []},
        {"counts": [{"accuracy": [2, 1]}] * len(CONDITIONS)},
        {"counts": [{"accuracy": [1, 9]}] * len(CONDITIONS)},
        {"counts": [{"accuracy": [-1, 1]}] * len(CONDITIONS)},
        {"counts": [{"accuracy": [1.0, 1]}] * len(CONDITIONS)},
        {"counts": [{"accuracy": 1}] * len(CONDITIONS)},
        {"counts": [{"joy": [1, 1]}] * len(CONDITIONS)},
        {"counts": [[]] * len(CONDITIONS)},
    ],
)
def test_counts_that_no_measurement_has_are_refused(
    pack: AssetPack, change: dict[str, Any]
) -> None:
    """Pitfall: a folder may be a stranger's."""
    dataset = pictures_of_colours(LABELS)
    measurement = Measurement(BLUE, pack, colour_networks(), dataset, range(8), RECIPE)
    state = {"done": 8, "counts": [{"accuracy": [1, 8]}] * len(CONDITIONS)} | change
    with pytest.raises((ValueError, TypeError, AttributeError)):
        measurement.go_on_from(state)
