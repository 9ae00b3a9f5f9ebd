"""Random draws depend on seed, attack and example, and on nothing else."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from contracts.attack_cases import CASES, AttackCase, keys_for, scene_of
from oracles import pictures
from unforeseen.batched import Batched
from unforeseen.transforms.base import DonorScene, Latents, NoScene, Scene
from unforeseen.transforms.edge_map import EdgeMap

IDS = ["cat", "dog", "toad", "crane", "fig"]

#: Scenes that are pictures or functions of the picture, and those in which nothing is random.
OF_THE_PICTURE = (DonorScene, EdgeMap)
NOT_DRAWN = (NoScene, *OF_THE_PICTURE)

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def drawn(case: AttackCase, x: Tensor, ids: list[str], *, seed: int = 0) -> tuple[Scene, Latents]:
    """Scene and unprojected start, all radii alike."""
    keys = keys_for(case.attack, ids, seed=seed)
    scene = scene_of(case.attack, x, keys)
    start: Latents = case.attack.start(x, scene, x.new_full((len(x),), case.radius), keys)
    return scene, start


def same(one: Batched, other: Batched) -> bool:
    theirs = other.tensors()
    return all(torch.equal(value, theirs[name]) for name, value in one.tensors().items())


def at_zero(start: Latents) -> bool:
    """Nothing is random about such a start."""
    return all(bool((value == 0).all()) for value in start.tensors().values())


@each_case
def test_a_batch_its_singles_and_its_permutation_draw_the_same_bits(case: AttackCase) -> None:
    x = pictures(5, 33, 47)
    scene, start = drawn(case, x, IDS)
    for number, name in enumerate(IDS):
        index = torch.tensor([number])
        scene_alone, start_alone = drawn(case, x[index], [name])
        assert same(scene_alone, scene.select(index))
        assert same(start_alone, start.select(index))

    order = torch.tensor([4, 2, 0, 3, 1])
    permuted = drawn(case, x[order], [IDS[number] for number in order.tolist()])
    assert same(permuted[0], scene.select(order))
    assert same(permuted[1], start.select(order))


@each_case
def test_the_picture_itself_has_no_influence(case: AttackCase) -> None:
    one = drawn(case, pictures(1, 32, 32, seed=1), ["cat"])
    other = drawn(case, pictures(1, 32, 32, seed=2), ["cat"])
    assert isinstance(one[0], OF_THE_PICTURE) or same(one[0], other[0])
    assert same(one[1], other[1])


@each_case
def test_seed_0_is_a_seed_and_another_seed_or_example_draws_anew(case: AttackCase) -> None:
    x = pictures(1, 32, 32)
    scene, start = drawn(case, x, ["cat"], seed=0)
    again = drawn(case, x, ["cat"], seed=0)
    assert same(scene, again[0])
    assert same(start, again[1])

    for other in (drawn(case, x, ["cat"], seed=1), drawn(case, x, ["dog"], seed=0)):
        assert isinstance(scene, NOT_DRAWN) or not same(scene, other[0])
        assert at_zero(start) or not same(start, other[1])


@each_case
def test_a_restart_keeps_the_scene_and_draws_another_start(case: AttackCase) -> None:
    x = pictures(1, 32, 32)
    keys = keys_for(case.attack, ["cat"])
    restarted = [replace(key, restart=1) for key in keys]
    scene = case.attack.draw_scene(x, keys)
    assert same(scene, case.attack.draw_scene(x, restarted))
    radius = x.new_tensor([case.radius])
    first, second = (case.attack.start(x, scene, radius, each) for each in (keys, restarted))
    assert same(first, second) == at_zero(first)


@each_case
def test_levels_differ_in_nothing_but_the_radius(case: AttackCase) -> None:
    x = pictures(1, 32, 32)
    keys = keys_for(case.attack, ["cat"])
    scene = case.attack.draw_scene(x, keys)
    small, large = (
        case.projected(case.attack.start(x, scene, x.new_tensor([radius]), keys), x)
        for radius in (case.radius / 1000, case.radius / 100)
    )
    for name, value in large.tensors().items():
        # Proportional, be it by the radius itself or by the projection.
        lengths = value.norm() * small.tensors()[name].norm()
        torch.testing.assert_close((value * small.tensors()[name]).sum(), lengths)


@each_case
@pytest.mark.usefixtures("untouched_random_state")
def test_global_generators_are_left_alone(case: AttackCase) -> None:
    x = pictures(2, 32, 32)
    scene, start = case.drawn(x, keys_for(case.attack, ["cat", "dog"]))
    redrawn = case.attack.redraw(scene, keys_for(case.attack, ["cat", "dog"]), [0, 3])
    case.attack.render(x, start, redrawn)
