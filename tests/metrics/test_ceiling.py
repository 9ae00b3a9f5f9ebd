"""The oracle over several models, appendix C.2."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from made_rows import judged_row, labelled_table
from unforeseen.metrics import (
    balanced_accuracy,
    balanced_mean,
    balanced_worst_case,
    ceiling,
    mean_accuracy,
    worst_case,
)
from unforeseen.metrics.ceiling import Ceiling
from unforeseen.rows import frame_of

NAMES = ["a", "b", "c"]


def worst_of(found: Ceiling) -> float:
    estimate = found.worst_case()
    assert estimate is not None
    return estimate.value


@given(seed=st.integers(0, 10**6), models=st.integers(1, 4))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_ceilings_are_counted_as_plain_python_counts_them(seed: int, models: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, 12).tolist()
    right = (rng.random((models, 3, 12)) < 0.6).tolist()
    runs = [labelled_table(labels, dict(zip(NAMES, each, strict=True))) for each in right]
    by_image = ceiling(runs, NAMES, "image").joint.right
    assert by_image.tolist() == [
        [any(model[column][picture] for model in right) for column in range(3)]
        for picture in range(12)
    ]
    each_best = ceiling(runs, NAMES, "obfuscation")
    for column, name in enumerate(NAMES):
        accuracies = [balanced_accuracy(run, name) for run in runs]
        values = [round(each.value, 12) for each in accuracies if each is not None]
        assert values[each_best.best[column]] == max(values)
        assert each_best.joint.right[:, column].tolist() == right[each_best.best[column]][column]
    alone = [balanced_worst_case(run, NAMES) for run in runs]
    highest = max(each.value for each in alone if each is not None)
    # Any model right on a picture is at least what any one of them gets.
    assert worst_of(ceiling(runs, NAMES, "image")) >= highest - 1e-12
    assert worst_of(ceiling(runs, NAMES, "image")) >= worst_of(each_best) - 1e-12


def test_of_one_model_both_ceilings_are_the_model() -> None:
    columns = {"a": [True, False, True], "b": [True, True, False], "c": [True, True, True]}
    rows = labelled_table([0, 1, 1], columns)
    for kind in ("obfuscation", "image"):
        found = ceiling([rows], NAMES, kind)
        assert np.array_equal(found.joint.right.T, list(columns.values()))
        assert found.best == (0, 0, 0)
        assert found.worst_case() == balanced_worst_case(rows, NAMES) is not None
        assert found.mean_accuracy() == balanced_mean(rows, NAMES) is not None
        assert found.worst_case(balanced=False) == worst_case(rows, NAMES, "") is not None
        assert found.mean_accuracy(balanced=False) == mean_accuracy(rows, NAMES, "") is not None


def test_the_best_model_is_the_best_by_the_weights_that_were_asked_for() -> None:
    # Of three dogs and a bird the first model knows the dogs, the second the bird and one dog.
    labels = [0, 0, 0, 1]
    first = labelled_table(labels, {"a": [True, True, True, False]})
    second = labelled_table(labels, {"a": [True, False, False, True]})
    assert ceiling([first, second], ["a"], "obfuscation").best == (1,)
    assert ceiling([first, second], ["a"], "obfuscation", balanced=False).best == (0,)


def test_only_pictures_that_every_model_has_judged_are_in_the_ceiling() -> None:
    one = frame_of(judged_row("a", number, 0) for number in range(3))
    other = frame_of(judged_row("a", number, 0, rank=2) for number in range(2, 5))
    assert ceiling([one, other], ["a"], "image").joint.names == ("p00002",)
    assert ceiling([one, frame_of([])], ["a"], "obfuscation").joint.names == ()
