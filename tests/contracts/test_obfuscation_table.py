"""The table of obfuscations is whole, and says what the paper says."""

import pkgutil
from dataclasses import fields
from importlib import import_module
from typing import get_type_hints

import pytest

from unforeseen.errors import UserError
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class, obfuscations
from unforeseen.transforms.obfuscation import (
    CATEGORIES,
    AnyObfuscation,
    Category,
    Obfuscation,
    Parameters,
    Range,
)

each_obfuscation = pytest.mark.parametrize(
    "obfuscation", OBFUSCATIONS.values(), ids=list(OBFUSCATIONS)
)

#: The paper's appendix A, section by section.
PAPER: dict[str, tuple[Category, tuple[str, ...]]] = {
    "A.2": (
        "color",
        ("ColorNoiseBlocks", "Halftoning", "InvertLines", "LowContrastTriangles"),
    ),
    "A.3": (
        "transformation",
        (
            "LineShift",
            "PerspectiveTransform",
            "RotateBlocks",
            "RotateImage",
            "SwirlWarp",
            "WavyColorWarp",
        ),
    ),
    "A.4": (
        "composition",
        (
            "BackgroundBlurComposition",
            "HighContrastBorder",
            "PerspectiveComposition",
            "PhotoComposition",
        ),
    ),
    "A.5": (
        "overlay",
        ("ColorPatternOverlay", "IconOverlay", "ImageOverlay", "Interleave", "TextOverlay"),
    ),
    "A.6": ("machine-learning", ("AdversarialPatches", "StyleTransfer", "Texturize")),
}
#: Its section 3.2.
HOLD_OUTS = {"ColorPatternOverlay", "LowContrastTriangles", "PerspectiveComposition"}

#: What an opacity is called, and from where to where that is true.
OPACITIES = {"nearly opaque": (0.8, 1), "half transparent": (0.4, 0.8), "shine": (0.3, 0.7)}

#: Obfuscations whose arithmetic has changed since their first rows; what is added here makes such unusable.
RAISED: dict[str, int] = {}


def test_they_stand_in_the_papers_order() -> None:
    assert list(OBFUSCATIONS) == [name for _, names in PAPER.values() for name in names]
    assert len(OBFUSCATIONS) == 22


@pytest.mark.parametrize("section", PAPER)
def test_each_says_its_category_and_where_the_paper_describes_it(section: str) -> None:
    category, names = PAPER[section]
    assert category in CATEGORIES
    for name in names:
        assert OBFUSCATIONS[name].category == category
        assert OBFUSCATIONS[name].source == (
            f"Benchmarking Robustness to Adversarial Image Obfuscations, appendix {section}"
        )


def test_the_hold_outs_are_the_papers_three() -> None:
    assert {name for name, each in OBFUSCATIONS.items() if each.held_out} == HOLD_OUTS


def test_every_file_of_an_obfuscation_is_in_the_table() -> None:
    written = set()
    for module in pkgutil.iter_modules(obfuscations.__path__, f"{obfuscations.__name__}."):
        contents = vars(import_module(module.name))
        written |= {
            each
            for each in contents.values()
            if isinstance(each, type)
            and issubclass(each, Obfuscation)
            and each is not Obfuscation
            and each.__module__ == module.name
        }
    assert written == set(OBFUSCATIONS.values())


@each_obfuscation
def test_an_obfuscation_says_what_it_is_in_the_house_style(
    obfuscation: type[AnyObfuscation],
) -> None:
    assert OBFUSCATIONS[obfuscation.name] is obfuscation
    assert obfuscation.__name__ == obfuscation.name
    assert obfuscation.parameters.__name__ == f"{obfuscation.name}Parameters"
    assert issubclass(obfuscation.parameters, Parameters)
    assert 10 < len(obfuscation.summary) <= 80
    assert "\n" not in obfuscation.summary
    assert not obfuscation.summary.endswith(".")
    assert obfuscation.summary[0].islower()


@each_obfuscation
def test_what_may_be_set_are_ranges_from_low_to_high(obfuscation: type[AnyObfuscation]) -> None:
    types = get_type_hints(obfuscation)
    for field in fields(obfuscation):
        assert types[field.name] is Range
        assert isinstance(getattr(obfuscation(), field.name), Range)


@pytest.mark.parametrize(
    ("words", "name", "lowest", "highest"),
    [
        *[(words, "opacity", *ends) for words, ends in OPACITIES.items()],
        ("faint", "contrast", 0, 0.5),
        ("low contrast", "clear", 0, 0.7),
        ("small", "factor", 0, 0.5),
        ("small", "inner", 0, 0.7),
    ],
)
def test_words_about_a_range_are_true_of_its_ends(
    words: str, name: str, lowest: float, highest: float
) -> None:
    """A range that is set anew isn't left with a description of the old one."""
    meant = [
        getattr(each(), name)
        for each in OBFUSCATIONS.values()
        if words in f"{each.summary} {each.__doc__}" and name in _ranges_of(each)
    ]
    assert meant
    assert all(lowest <= low <= high <= highest for low, high in meant)


def test_every_opacity_is_described() -> None:
    for each in OBFUSCATIONS.values():
        if "opacity" in _ranges_of(each):
            said = f"{each.summary} {each.__doc__}"
            assert sum(words in said for words in OPACITIES) == 1, each.name


def _ranges_of(obfuscation: type[AnyObfuscation]) -> set[str]:
    return {field.name for field in fields(obfuscation)}


@each_obfuscation
def test_what_show_prints_is_plain(obfuscation: type[AnyObfuscation]) -> None:
    """Its docstring, and what each range means: no markup, nothing of pictures that nobody has."""
    for text in (
        obfuscation.__doc__ or "",
        *(each.metadata["meaning"] for each in fields(obfuscation)),
    ):
        assert text
        assert "`" not in text
        assert "published example" not in text
        assert "Attributes:" not in text


@each_obfuscation
def test_a_name_is_found_whatever_the_case_of_its_letters(
    obfuscation: type[AnyObfuscation],
) -> None:
    for name in (obfuscation.name, obfuscation.name.lower(), obfuscation.name.upper()):
        assert obfuscation_class(name) is obfuscation


def test_an_unknown_obfuscation_is_told_its_near_matches() -> None:
    with pytest.raises(UserError, match="Did you mean SwirlWarp") as caught:
        obfuscation_class("SwirlWrap")
    assert "\n" not in str(caught.value)


@each_obfuscation
def test_versions_are_raised_on_purpose(obfuscation: type[AnyObfuscation]) -> None:
    assert obfuscation.version == RAISED.get(obfuscation.name, 1)
