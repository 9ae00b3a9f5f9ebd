"""What classes users may name, and what patches are called after them."""

import re

import pytest

from unforeseen.adversarial_patches.targets import Target, targets_of
from unforeseen.errors import UnknownNameError, UserError

NAMES = ("banana", "electric guitar", "jack-o'-lantern", "犬")


def test_classes_go_by_their_name_in_any_case_or_by_their_number() -> None:
    assert targets_of(["BANANA", "1"], NAMES, 4) == [
        Target("banana", 0, "banana"),
        Target("electric-guitar", 1, "electric guitar"),
    ]


def test_every_class_makes_a_name_that_packs_of_assets_take() -> None:
    names = [each.patch for each in targets_of(["0", "1", "2", "3"], NAMES, 4)]
    assert names == ["banana", "electric-guitar", "jack-o-lantern", "class-3"]
    long = targets_of(["0"], ["a" * 200], 1)[0].patch
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", each) for each in (*names, long))


def test_classes_that_would_be_called_alike_have_their_number_in_the_name() -> None:
    """In the lists of ImageNet's classes 134 and 517 are both "crane", 264 and 474 both a cardigan."""
    long = "a" * 64
    names = [
        "Cardigan",
        "crane",
        "cardigan",
        "crane",
        f"{long}b",
        f"{long}c",
        "untargeted",
        "heron",
    ]
    made = [each.patch for each in targets_of([str(each) for each in range(8)], names, 8)]
    assert made[:4] == ["cardigan-0", "crane-1", "cardigan-2", "crane-3"]
    assert made[4:] == [f"{long[:62]}-4", f"{long[:62]}-5", "untargeted-6", "heron"]
    assert targets_of(["cardigan"], names, 8)[0].number == 2


def test_classes_without_names_go_by_number() -> None:
    assert targets_of(["2"], (), 4) == [Target("class-2", 2, "2")]


def test_without_a_class_the_patch_leads_away_from_the_truth() -> None:
    assert targets_of([], NAMES, 4) == [Target("untargeted")]


def test_an_unknown_class_names_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="banana"):
        targets_of(["bananna"], NAMES, 4)


def test_a_class_in_two_spellings_is_refused() -> None:
    with pytest.raises(UserError, match="every class once, got 'banana'"):
        targets_of(["banana", "0"], NAMES, 4)
