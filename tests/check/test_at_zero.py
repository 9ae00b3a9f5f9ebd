"""Which cells are tried with δ = 0, and which pictures are asked about."""

import pytest
import torch

from small import SmallNet, Watched, small_benchmark, small_pictures
from unforeseen.check.asking import Asker
from unforeseen.check.at_zero import cells_to_try, right_at_zero
from unforeseen.check.sample import Sample
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.running.attack_plan import AttackPlan, make_attack_plan

MODEL = DifferentiableClassifier(SmallNet())


def plan(edition: str) -> AttackPlan:
    return make_attack_plan(
        small_benchmark(), MODEL.card, edition=edition, levels=("low", "high"), steps=0
    )


def test_each_attack_is_tried_once_whatever_its_levels_but_for_those_that_were_tried() -> None:
    published = plan("published")
    assert [cell.transform for cell in cells_to_try(published)] == ["pgd", "wood", "pixel"]
    assert [cell.transform for cell in cells_to_try(published, {"wood"})] == ["pgd", "pixel"]


def test_in_edition_strict_none_is_tried() -> None:
    assert cells_to_try(plan("strict")) == ()


@pytest.mark.parametrize(("attack", "changed"), [("pgd", 0), ("wood", 6)])
def test_only_pictures_that_the_attack_changes_are_asked_about(attack: str, changed: int) -> None:
    pictures = (255 * small_pictures(6)).round().byte()
    model = Watched(SmallNet())
    asker = Asker(DifferentiableClassifier(model), batch_size=4)
    (cell,) = (each for each in cells_to_try(plan("published")) if each.transform == attack)
    sample = Sample(pictures, torch.zeros(6, dtype=torch.long), tuple("abcdef"))
    zero = right_at_zero(asker, cell, sample, torch.tensor([True, False] * 3))
    assert model.pictures_seen == changed
    assert zero.of == 6
    if not changed:
        assert zero.right == 3
