"""What every attack owes the search: pictures in [0, 1], latents in their ball, finite gradients.

An attack that joins the table is tested without a line here.
"""

from collections.abc import Mapping

import pytest
import torch
from torch import Tensor

from contracts.attack_cases import CASES, AttackCase, boundary, interior, keys_for
from oracles import pictures
from unforeseen.transforms.base import Latents, Scene

SIZES = [(32, 32), (33, 47), (128, 224), (224, 224), (256, 256), (299, 299), (384, 384)]

#: CIFAR-10's parameters, which are meant for 32 px, at the sizes that could trip them.
SMALL_SIZES = [(32, 32), (33, 47)]

SIZED_CASES = [
    pytest.param(case, size, id=f"{case}-{size[0]}x{size[1]}")
    for case in CASES
    for size in (SIZES if case.benchmark == "imagenet-ua" else SMALL_SIZES)
]

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def assert_picture(picture: Tensor, x: Tensor) -> None:
    assert picture.shape == x.shape
    assert picture.dtype == x.dtype
    assert picture.device == x.device
    assert picture.isfinite().all()
    assert picture.min() >= 0
    assert picture.max() <= 1


def gradients_of(
    case: AttackCase, x: Tensor, latents: Latents, scene: Scene
) -> Mapping[str, Tensor]:
    """Gradients of a random linear function of the painted picture."""
    leaves = latents.map(lambda value: value.detach().requires_grad_())
    painted = case.attack.paint(x, leaves, scene)
    direction = pictures(*(len(x), *x.shape[-2:]), seed=7, low=-1, dtype=x.dtype)
    tensors = leaves.tensors()
    found = torch.autograd.grad((painted * direction).sum(), list(tensors.values()))
    return dict(zip(tensors, found, strict=True))


def expected_nan(case: AttackCase, gradient: Tensor, size: tuple[int, int]) -> Tensor:
    """Where edition published is allowed NaN: the latents that Wood's central pixel reads."""
    allowed = torch.zeros_like(gradient, dtype=torch.bool)
    if case.attack.name == "wood" and case.attack.geometry == "published":
        reads = [
            int((length // 2 + 0.5) * resolution / length - 0.5)
            for length, resolution in zip(size, gradient.shape[-2:], strict=True)
        ]
        allowed[..., reads[0] : reads[0] + 2, reads[1] : reads[1] + 2] = True
    return allowed


@pytest.mark.parametrize(("case", "size"), SIZED_CASES)
def test_every_size_gives_pictures_and_finite_gradients_all_over_the_ball(
    case: AttackCase, size: tuple[int, int]
) -> None:
    x = pictures(2, *size)
    scene, start = case.drawn(x, keys_for(case.attack, ["a", "b"]))
    for latents in (start, interior(case, start, x), boundary(case, start, x)):
        assert_picture(case.attack.render(x, latents, scene), x)
        for gradient in gradients_of(case, x, latents, scene).values():
            broken = ~gradient.isfinite()
            assert not (broken & ~expected_nan(case, gradient, size)).any()


@each_case
@pytest.mark.parametrize("extreme", [0.0, 1.0])
def test_black_and_white_pictures_are_no_exception(case: AttackCase, extreme: float) -> None:
    x = torch.full((1, 3, 32, 32), extreme)
    scene, start = case.drawn(x, keys_for(case.attack, ["a"]))
    assert_picture(case.attack.render(x, boundary(case, start, x), scene), x)


def test_the_published_wood_has_its_four_dead_latents_and_only_those() -> None:
    case = next(each for each in CASES if str(each) == "wood-published-imagenet-ua")
    x = pictures(1, 224, 224)
    scene, start = case.drawn(x, keys_for(case.attack, ["a"]))
    gradient = gradients_of(case, x, start, scene)["turbulence"]
    assert gradient.isnan().nonzero()[:, 2:].tolist() == [[15, 15], [15, 16], [16, 15], [16, 16]]


@each_case
def test_the_projected_start_lies_in_the_ball(case: AttackCase) -> None:
    x = pictures(3, 33, 47)
    _, start = case.drawn(x, keys_for(case.attack, ["a", "b", "c"]))
    start = start if case.attack.start_is_projected else case.projected(start, x)
    tensors = start.tensors()
    assert tensors.keys() == case.attack.balls.keys()
    for name, ball in case.attack.balls.items():
        assert (ball.norm_of(tensors[name]) <= case.radii(x) * (1 + 1e-6)).all()
        assert (tensors[name] >= ball.low).all()
        assert (tensors[name] <= ball.high).all()


@each_case
def test_a_radius_of_zero_leaves_nothing_but_zeros(case: AttackCase) -> None:
    x = pictures(2, 32, 32)
    keys = keys_for(case.attack, ["a", "b"])
    nothing = torch.zeros(2)
    start = case.attack.start(x, case.attack.draw_scene(x, keys), nothing, keys)
    for name, value in start.tensors().items():
        assert (case.attack.balls[name].project(value, nothing) == 0).all()


@each_case
def test_dtype_follows_the_picture(case: AttackCase) -> None:
    keys = keys_for(case.attack, ["a", "b"])
    single, double = pictures(2, 32, 40), pictures(2, 32, 40, dtype=torch.float64)
    scene, start = case.drawn(double, keys)
    for value in (*scene.tensors().values(), *start.tensors().values()):
        assert value.dtype == torch.float64 or not value.is_floating_point()
    precise = case.attack.render(double, interior(case, start, double), scene)
    assert_picture(precise, double)

    scene, start = case.drawn(single, keys)
    quick = case.attack.render(single, interior(case, start, single), scene)
    # The steep flanks of Wood's rings (a power of 1/8) magnify rounding.
    tolerance = 5e-2 if case.attack.name == "wood" else 1e-4
    torch.testing.assert_close(quick.double(), precise, atol=tolerance, rtol=0)


@each_case
def test_rendering_changes_none_of_its_inputs(case: AttackCase) -> None:
    x = pictures(2, 32, 32)
    scene, start = case.drawn(x, keys_for(case.attack, ["a", "b"]))
    given = [x, *scene.tensors().values(), *start.tensors().values()]
    before = [value.clone() for value in given]
    case.attack.render(x, start, scene)
    assert all(torch.equal(*pair) for pair in zip(given, before, strict=True))


@each_case
def test_another_picture_size_in_between_changes_nothing(case: AttackCase) -> None:
    keys = keys_for(case.attack, ["a"])

    def attacked(side: int) -> Tensor:
        x = pictures(1, side, side)
        scene, start = case.drawn(x, keys)
        return case.attack.render(x, start, scene)

    first = attacked(64)
    attacked(96)
    assert torch.equal(attacked(64), first)


@each_case
def test_rows_of_a_batch_are_rendered_independently(case: AttackCase) -> None:
    x = pictures(3, 33, 47)
    scene, start = case.drawn(x, keys_for(case.attack, ["a", "b", "c"]))
    latents = interior(case, start, x)
    together = case.attack.render(x, latents, scene)
    for row in range(3):
        index = torch.tensor([row])
        alone = case.attack.render(x[index], latents.select(index), scene.select(index))
        torch.testing.assert_close(alone, together[index], atol=1e-6, rtol=0)


@each_case
def test_examples_can_leave_a_batch_and_others_take_their_places(case: AttackCase) -> None:
    x = pictures(4, 32, 32)
    scene, start = case.drawn(x, keys_for(case.attack, ["a", "b", "c", "d"]))
    latents = interior(case, start, x)
    together = case.attack.render(x, latents, scene)

    reordered = torch.tensor([3, 1, 1])
    selected = case.attack.render(x[reordered], latents.select(reordered), scene.select(reordered))
    torch.testing.assert_close(selected, together[reordered], atol=1e-6, rtol=0)

    first, last = torch.tensor([0, 1]), torch.tensor([2, 3])
    places = torch.tensor([1, 0])
    swapped_in = case.attack.render(
        x[torch.tensor([3, 2])],
        latents.select(first).put(places, latents.select(last)),
        scene.select(first).put(places, scene.select(last)),
    )
    torch.testing.assert_close(swapped_in, together[torch.tensor([3, 2])], atol=1e-6, rtol=0)
