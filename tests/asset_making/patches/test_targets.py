"""What classes users may name, and what patches are called after them."""

import re
from itertools import product

import pytest

from unforeseen.asset_making.patches.targets import Target, targets_of
from unforeseen.asset_names import ASSET_NAME
from unforeseen.errors import UnknownNameError, UserError

NAMES = ("banana", "electric guitar", "jack-o'-lantern", "犬")


def patches_of(*names: str) -> list[str]:
    """What the patches of all classes are called."""
    return [
        each.patch for each in targets_of([str(n) for n in range(len(names))], names, len(names))
    ]


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


@pytest.mark.parametrize(
    ("names", "made"),
    [
        (("class 1", "日本"), ["class-1-0", "class-1"]),
        (("日本", "class 0"), ["class-0", "class-0-1"]),
        (("crane", "crane", "crane-0"), ["crane-0", "crane-1", "crane-0-2"]),
        (
            ("crane-1-2", "crane", "crane-1", "crane"),
            ["crane-1-2-0", "crane-1", "crane-1-2", "crane-3"],
        ),
        (("class", "日本"), ["class-0", "class-1"]),
    ],
)
def test_names_with_numbers_are_told_apart_too(names: tuple[str, ...], made: list[str]) -> None:
    assert patches_of(*names) == made


@pytest.mark.parametrize("length", [1, 61, 62, 63, 64, 65])
def test_whatever_classes_are_called_no_two_patches_are_called_alike(length: int) -> None:
    """Every word of two letters and digits, long or short, and twice."""
    words = ["".join(letters) for letters in product("a1-", repeat=4)]
    made = patches_of(*("a" * length + each for each in (*words, *words)))
    assert len({*made}) == 2 * len(words)
    assert all(re.fullmatch(ASSET_NAME, each) for each in made)


def test_no_patch_is_called_like_another_file_of_the_folder_or_a_device_of_windows() -> None:
    names = ("Sheet", "recipe", "assets", "con", "NUL", "com1", "lpt²", "console", "untargeted")
    made = [f"{name.lower()}-{number}" for number, name in enumerate(names)]
    made[6:8] = ["lpt", "console"]
    assert patches_of(*names) == made


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
