"""Each check finds the attack that breaks what it tries, and no other; a sound one breaks none."""

import math
import re

import pytest
import torch

from contract.broken.batches import OneRow
from contract.broken.sound import ClampedAtTheEnd, Raises, Sound
from contract.broken_attacks import BROKEN, ENTANGLED
from unforeseen.contract import CHECKS, SUBJECTS, Case
from unforeseen.contract.case import GEOMETRIES, SIZES, boundary, interior, pictures
from unforeseen.contract.examination import examine
from unforeseen.transforms.base import AnyAttack


def cases(kind: type[AnyAttack]) -> list[Case]:
    return [
        Case(attack=kind(geometry=geometry), radius=0.1, sizes=SIZES[:4]) for geometry in GEOMETRIES
    ]


def seen(kind: type[AnyAttack]) -> dict[str, tuple[str, ...]]:
    """What is broken, by the names of the checks."""
    return {each.name: each.seen for each in examine(cases(kind)) if not each.fine}


def test_every_check_has_its_broken_attack_and_a_sentence_each_for_what_holds_and_why_not() -> None:
    assert BROKEN.keys() == CHECKS.keys()
    assert sum(map(len, SUBJECTS.values())) == len(CHECKS)
    for check in CHECKS.values():
        for text in (check.holds, check.cause):
            assert text.strip().removesuffix(".") == text != ""
            assert "\n" not in text


@pytest.mark.parametrize("kind", [Sound, ClampedAtTheEnd])
def test_a_sound_attack_breaks_nothing(kind: type[AnyAttack]) -> None:
    assert seen(kind) == {}


def each_of(table: dict[str, tuple[type[AnyAttack], ...]]) -> list[object]:
    """A check's name and an attack, under the attack's name."""
    return [
        pytest.param(name, kind, id=f"{name}-{kind.__name__}")
        for name, kinds in table.items()
        for kind in kinds
    ]


@pytest.mark.parametrize(("name", "kind"), each_of(BROKEN))
def test_an_attack_that_breaks_one_thing_is_found_by_that_check_alone(
    name: str, kind: type[AnyAttack]
) -> None:
    assert [*seen(kind)] == [name]


@pytest.mark.parametrize(("name", "kind"), each_of(ENTANGLED))
def test_what_breaks_much_is_found_by_the_check_of_its_subject_without_raising_there(
    name: str, kind: type[AnyAttack]
) -> None:
    (verdict,) = examine(cases(kind), {name: CHECKS[name]})
    assert verdict.seen
    assert not verdict.raised


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pictures", r"^128×224, at the start: values from 1 to 2 instead of 0 to 1$"),
        ("independent-rows", r"^33×47, example b alone and in a batch of 3: .* up to 0\.\d+$"),
        ("same-draws", r"example toad alone and in a batch of 5: of the start, colour differs by"),
        ("seeds", r"^32×32, seeds 0 and 1: the same scene$"),
        ("global-generators", "^Python's module random was drawn from or seeded$"),
        ("finite-gradients", r"^33×47, inside the ball: 2 of 6 values of colour's gradient"),
        ("precision", r"^Cloud\.bright is torch\.float32 on cpu instead of torch\.float64"),
        ("used-latents", "^the gradient with respect to other is 0 everywhere$"),
        ("parameter-bounds", r"^gain = -0\.5 is taken$"),
    ],
)
def test_it_is_said_where_it_was_seen_and_how_much(name: str, words: str) -> None:
    assert any(re.search(words, each) for each in seen(BROKEN[name][0])[name])


def test_a_gradient_that_misses_a_tenth_is_told_by_its_size() -> None:
    (first, *_) = seen(BROKEN["true-gradients"][0])["true-gradients"]
    claimed, measured = map(float, re.findall(r"-?\d+\.\d+", first))
    assert math.isclose(measured, 1.1 * claimed, rel_tol=1e-3)


def test_a_scene_for_the_whole_batch_breaks_whatever_a_batch_must_do() -> None:
    found = seen(OneRow)
    assert found["rows"] == (
        "Cloud.bright of 3 pictures has shape (1, 1, 8, 8) instead of a row for each",
    )
    assert {"rows", "same-draws", "independent-rows", "leaving"} <= found.keys()


def test_code_that_raises_is_broken_with_its_line_and_the_other_checks_go_on() -> None:
    verdicts = {each.name: each for each in examine(cases(Raises))}
    assert verdicts.keys() == CHECKS.keys()
    raised = {name for name, each in verdicts.items() if each.raised}
    assert raised == {"independent-rows", "pictures", "finite-gradients"}
    for name in raised:
        (line,) = verdicts[name].seen
        assert re.fullmatch(r"sound\.py, line \d+: ValueError: no such width", line)
    assert all(each.fine for name, each in verdicts.items() if name not in raised)


def test_what_is_broken_in_one_geometry_only_says_in_which() -> None:
    published = cases(Sound)[:1] + cases(BROKEN["final"][0])[1:]
    (broken,) = [each for each in examine(published) if not each.fine]
    assert broken.seen == (
        "geometry published: _Rendering has a render() of its own; define paint() instead",
    )


def test_points_lie_inside_the_ball_and_on_its_boundary() -> None:
    case = cases(Sound)[0]
    x = pictures(2, 32, 32)
    _, start = case.begun(x, ["a", "b"])
    ball = case.attack.balls["colour"]
    for point, share in ((interior(case, start, x), 0.5), (boundary(case, start, x), 1.0)):
        norms = ball.norm_of(point.tensors()["colour"]) / case.radii(x)
        torch.testing.assert_close(norms, torch.full((2,), share))
