"""What must hold for what an attack draws: it depends on seed, attack and example, on nothing else."""

__all__ = ["DRAW_CHECKS"]

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch

from unforeseen.contract.case import Case, drawn, keys_for, pictures
from unforeseen.contract.check import Check, differences
from unforeseen.transforms.base import Latents, NoScene, Scene

_IDS = ("cat", "dog", "toad", "crane", "fig")
#: That nobody seeds a generator with.
_SEED = 2_718_281_828


def _of_the_batch(case: Case) -> Iterator[str]:
    x = pictures(5, 33, 47)
    scene, start = drawn(case, x, _IDS)
    redrawn = _redrawn(case, scene, range(len(x)))
    for number, name in enumerate(_IDS):
        index = torch.tensor([number])
        alone = drawn(case, x[index], [name])
        where = f"33×47, example {name} alone and in a batch of 5"
        for each in _apart(alone, (scene.select(index), start.select(index))):
            yield f"{where}: {each}"
        again = _redrawn(case, alone[0], (number,))
        for each in differences(again, redrawn.select(index)):
            yield f"{where}: of the scene after redraw(), {each}"
    order = torch.tensor([4, 2, 0, 3, 1])
    permuted = drawn(case, x[order], [_IDS[number] for number in order.tolist()])
    for each in _apart(permuted, (scene.select(order), start.select(order))):
        yield f"33×47, the batch in another order: {each}"
    again = _redrawn(case, permuted[0], order.tolist())
    for each in differences(again, redrawn.select(order)):
        yield f"33×47, the batch in another order: of the scene after redraw(), {each}"


def _of_the_picture(case: Case) -> Iterator[str]:
    one, other = (drawn(case, pictures(1, 32, 32, seed=seed), _IDS[:1]) for seed in (1, 2))
    scenes = () if one[0].of_the_picture else differences(one[0], other[0])
    for each in (*scenes, *differences(one[1], other[1])):
        yield f"32×32, two pictures under one id: {each}"


def _not_of_seed_and_example(case: Case) -> Iterator[str]:
    x = pictures(1, 32, 32)
    first = drawn(case, x, _IDS[:1], seed=0)
    for each in _apart(first, drawn(case, x, _IDS[:1], seed=0)):
        yield f"32×32, seed 0 twice: {each}"
    others = {
        "seeds 0 and 1": drawn(case, x, _IDS[:1], seed=1),
        "examples cat and dog": drawn(case, x, _IDS[1:2], seed=0),
    }
    for what, other in others.items():
        if not _undrawn(first[0]) and not [*differences(first[0], other[0])]:
            yield f"32×32, {what}: the same scene"
        if not _at_zero(first[1]) and not [*differences(first[1], other[1])]:
            yield f"32×32, {what}: the same start, which isn't 0"


def _other_at_a_restart(case: Case) -> Iterator[str]:
    x = pictures(1, 32, 32)
    radius = x.new_tensor([case.radius])
    both = [keys_for(case.attack, _IDS[:1], restart=restart) for restart in (0, 1)]
    scene, again = (case.attack.draw_scene(x, keys) for keys in both)
    yield from (
        f"32×32, restarts 0 and 1: of the scene, {each}" for each in differences(scene, again)
    )
    first, second = (case.attack.start(x, scene, radius, keys) for keys in both)
    if not _at_zero(first) and not [*differences(first, second)]:
        yield "32×32, restarts 0 and 1: the same start, which isn't 0"


def _global(case: Case) -> Iterator[str]:
    x = pictures(2, 32, 32)
    with _as_nobody_leaves_them():
        before = _global_states()
        scene, start = case.begun(x, _IDS[:2])
        redrawn = case.attack.redraw(scene, keys_for(case.attack, _IDS[:2]), [0, 3])
        case.attack.render(x, start, redrawn)
        after = _global_states()
    yield from (changed for changed in before if before[changed] != after[changed])


@contextmanager
def _as_nobody_leaves_them() -> Iterator[None]:
    """Sets what is global to states of its own: checks before this one may have had it changed."""
    usual = torch.get_default_dtype()
    kept = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002 – watched
    torch.set_default_dtype(torch.float32)
    random.seed(_SEED)
    np.random.seed(_SEED)  # noqa: NPY002 – likewise
    torch.set_rng_state(torch.Generator().manual_seed(_SEED).get_state())
    try:
        yield
    finally:
        torch.set_default_dtype(usual)
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002 – likewise
        torch.set_rng_state(kept[2])


def _redrawn(case: Case, scene: Scene, numbers: Sequence[int]) -> Scene:
    """The scene of some examples, each after as many updates as its number."""
    keys = keys_for(case.attack, [_IDS[number] for number in numbers])
    redrawn: Scene = case.attack.redraw(scene, keys, [*numbers])
    return redrawn


def _apart(one: tuple[Scene, Latents], other: tuple[Scene, Latents]) -> Iterator[str]:
    yield from (f"of the scene, {each}" for each in differences(one[0], other[0]))
    yield from (f"of the start, {each}" for each in differences(one[1], other[1]))


def _undrawn(scene: Scene) -> bool:
    """Nothing is random about such a scene."""
    return isinstance(scene, NoScene) or scene.of_the_picture


def _at_zero(start: Latents) -> bool:
    """Nor about such a start."""
    return all(bool((value == 0).all()) for value in start.tensors().values())


def _global_states() -> dict[str, object]:
    _, numbers, position, *_ = np.random.get_state(legacy=True)  # noqa: NPY002 – what is watched
    return {
        "torch's default type was changed": torch.get_default_dtype(),
        "torch's global generator was drawn from or seeded": torch.get_rng_state()
        .numpy()
        .tobytes(),
        "numpy's global generator was drawn from or seeded": (
            np.asarray(numbers).tobytes(),
            int(position),
        ),
        "Python's module random was drawn from or seeded": random.getstate(),
    }


DRAW_CHECKS = {
    "same-draws": Check(
        "A batch, its single pictures and its permutation draw the same bits",
        "A draw of one shape for the whole batch, or from a stream that isn't the example's own: "
        "draw with stack(keys, …)",
        _of_the_batch,
    ),
    "pictures-and-draws": Check(
        "What is drawn doesn't depend on what is in the picture",
        "Draws whose shape or number follows pixels. A scene that is computed from the picture "
        "says of_the_picture: ClassVar[bool] = True",
        _of_the_picture,
    ),
    "seeds": Check(
        "The same seed and example draw the same; another seed or example draws anew",
        "A seed or an id that is left out, or taken for 'none' where it is 0; a constant that isn't "
        "0 as the start; a Scene in which nothing is drawn (use SceneFreeAttack)",
        _not_of_seed_and_example,
    ),
    "restarts": Check(
        "A restart keeps the scene and draws another start",
        'The scene drawn with purpose "start", or the start with purpose "scene"',
        _other_at_a_restart,
    ),
    "global-generators": Check(
        "torch's, numpy's and Python's global generators, and torch's default type, are left alone",
        "torch.rand, np.random.… or random.…: draw from the streams of the keys. "
        "torch.manual_seed() or torch.set_default_dtype(): leave them out",
        _global,
    ),
}
