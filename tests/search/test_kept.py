"""The worst judged point of each place."""

import math

import numpy as np
import torch

from unforeseen.search.expectation import Expected
from unforeseen.search.kept import Flags, Kept, Progress, Said

ALL = np.array([True, True])
NONE = ~ALL


def said(
    *logits: tuple[float, float], loss: tuple[float, float], shade: float, label: int = 0
) -> Said:
    picture = torch.full((2, 3, 2, 2), shade)
    climbed = torch.tensor(loss)
    answer = Expected(torch.tensor(logits), climbed, climbed, climbed.sum())
    return Said.of(picture, answer, torch.tensor([label] * 2))


def noted(
    kept: Kept, answer: Said, at: int, *, judged: Flags = ALL, rounding: Flags = NONE
) -> None:
    updates = np.array([at, at])
    progress = Progress(updates, updates, np.array([0, 0]))
    kept.record(answer, progress, searching=~rounding, judged=judged, rounding=rounding)


def steps_and_shade(kept: Kept, place: int) -> tuple[int, float]:
    outcome = kept.outcome(
        place,
        example_id="any",
        search_steps=0,
        gradient_evaluations=0,
        norm=0.0,
        zero_gradient_share=None,
        nonfinite_gradients=0,
        seconds=0.0,
    )
    return outcome.steps, float(outcome.picture.max())


RIGHT, WRONG = (1.0, 0.0), (0.0, 1.0)


def test_wrong_comes_before_right_then_the_larger_loss_counts_and_never_nan() -> None:
    kept = Kept(torch.zeros(2, 3, 2, 2))
    noted(kept, said(RIGHT, RIGHT, loss=(0.3, 0.3), shade=0.1), 0)
    noted(kept, said(RIGHT, RIGHT, loss=(0.2, 0.4), shade=0.2), 1)
    assert [steps_and_shade(kept, place)[0] for place in (0, 1)] == [0, 1]
    noted(kept, said(WRONG, RIGHT, loss=(0.1, 0.5), shade=0.3), 2)
    assert kept.correct.tolist() == [False, True]
    noted(kept, said(RIGHT, WRONG, loss=(9.0, 0.1), shade=0.4), 3)
    noted(kept, said((math.nan, 0.0), WRONG, loss=(math.nan, 0.2), shade=0.5), 4)
    noted(kept, said(WRONG, WRONG, loss=(9.0, 9.0), shade=0.6), 5, judged=NONE)
    assert [steps_and_shade(kept, place)[0] for place in (0, 1)] == [2, 4]
    np.testing.assert_allclose([steps_and_shade(kept, place)[1] for place in (0, 1)], [0.3, 0.5])


def test_places_are_moved_with_all_that_is_known_of_them_and_taken_over_with_nothing() -> None:
    kept = Kept(torch.zeros(2, 3, 2, 2))
    noted(kept, said(RIGHT, WRONG, loss=(0.1, 0.2), shade=0.3), 7)
    kept = kept.select(np.array([1, 0]))
    assert kept.correct.tolist() == [False, True]
    kept.put(np.array([0]), Kept(torch.ones(1, 3, 2, 2)))
    assert kept.correct.tolist() == [True, True]
    assert kept.rounded[:, 0, 0, 0].tolist() == [1.0, np.float32(round(0.3 * 255) / 255)]
    noted(kept, said(RIGHT, RIGHT, loss=(0.0, 0.0), shade=0.5), 8)
    assert [steps_and_shade(kept, place)[0] for place in (0, 1)] == [8, 7]
