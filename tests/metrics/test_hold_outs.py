"""Every choice of hold-outs, and where one stands: appendix C.3."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from made_rows import labelled_table
from unforeseen.metrics import balanced_worst_case, hold_out_choices, place_of, worst_case
from unforeseen.metrics.hold_outs import Choice, choices_over
from unforeseen.metrics.verdicts import LabelledVerdicts


def verdicts_of(pictures: int, transforms: int, seed: int) -> LabelledVerdicts:
    rng = np.random.default_rng(seed)
    chances = rng.uniform(0.3, 0.95, transforms)
    labels = rng.choice(4, pictures, p=[0.6, 0.25, 0.1, 0.05])
    names = tuple(f"p{number:05}" for number in range(pictures))
    return LabelledVerdicts(names, labels, rng.random((pictures, transforms)) < chances)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("balanced", [True, False])
def test_every_choice_has_the_worst_case_of_brute_force(size: int, *, balanced: bool) -> None:
    joint = verdicts_of(40, 6, seed=size)
    names = [f"o{number}" for number in range(6)]
    found = choices_over(joint, names, size, balanced=balanced)
    assert list(found) == list(combinations(names, size))
    for choice, share in found.items():
        survivors = [
            all(line[names.index(name)] for name in choice) for line in joint.right.tolist()
        ]
        if balanced:
            per_class = [
                np.mean([s for s, label in zip(survivors, joint.labels, strict=True) if label == c])
                for c in sorted(set(joint.labels.tolist()))
            ]
            assert share == pytest.approx(np.mean(per_class))
        else:
            assert share == pytest.approx(np.mean(survivors))


def test_of_22_obfuscations_there_are_1540_choices_of_3() -> None:
    """Appendix C.3 counts them."""
    names = [f"o{number}" for number in range(22)]
    found = choices_over(verdicts_of(300, 22, seed=0), names)
    assert len(found) == comb(22, 3) == 1540


def test_a_choice_is_as_hard_as_its_worst_case_by_the_other_metrics() -> None:
    labels = [0, 0, 1, 1, 1]
    columns = {name: (np.random.default_rng(ord(name)).random(5) < 0.7).tolist() for name in "abcd"}
    rows = labelled_table(labels, columns)
    balanced = hold_out_choices(rows, list("abcd"))
    plain = hold_out_choices(rows, list("abcd"), balanced=False)
    for choice in combinations("abcd", 3):
        one, other = balanced_worst_case(rows, choice), worst_case(rows, choice, "")
        assert one is not None
        assert other is not None
        assert balanced[choice] == pytest.approx(one.value)
        assert plain[choice] == pytest.approx(other.value)


def test_the_place_of_a_choice_counts_the_harder_ones_and_those_as_hard() -> None:
    among: dict[Choice, float] = {
        ("a", "b"): 0.5,
        ("a", "c"): 0.25,
        ("b", "c"): 0.5,
        ("a", "d"): 0.75,
    }
    place = place_of(["b", "a"], among)
    assert place is not None
    assert place == (0.5, 1, 1, 4)
    assert place.share_harder == 0.25
    assert place_of(["a", "c"], among) == (0.25, 0, 0, 4)
    assert place_of(["a", "z"], among) is None


def test_choices_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 obfuscations, got 40 and 2"):
        choices_over(verdicts_of(40, 2, seed=0), ["a", "b"])
    with pytest.raises(ValueError, match="expected pictures"):
        choices_over(verdicts_of(0, 3, seed=0), ["a", "b", "c"])
