"""From pictures to rows, without a run around it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from small import SmallNet, Watched, small_benchmark, small_pictures
from unforeseen.data.pictures import Picture, Unreadable
from unforeseen.errors import DataError
from unforeseen.models import as_classifier
from unforeseen.rows import Row
from unforeseen.running.attack_plan import AttackPlan, make_attack_plan
from unforeseen.running.cells import CleanResult, evaluate_attacked, evaluate_clean, without_attack

COUNT = 7


def pictures(count: int = COUNT) -> list[Picture]:
    images = (small_pictures(count) * 255).round().to(torch.uint8)
    labels = SmallNet()(images.float() / 255).argmax(dim=1).tolist()
    return [
        Picture(example_id=f"p{number}", label=label, index=number, image=image)
        for number, (image, label) in enumerate(zip(images, labels, strict=True))
    ]


def plan(edition: str = "published") -> AttackPlan:
    """Of ``clean``, and ``wood`` at medium."""
    card = as_classifier(SmallNet()).card
    return make_attack_plan(small_benchmark(), card, edition=edition, attacks=["wood"], seed=9)


def clean_rows(
    given: Iterable[Picture | Unreadable], *, batch_size: int = 4, model: SmallNet | None = None
) -> list[Row]:
    classifier = as_classifier(model or SmallNet())
    with classifier.inference():
        return list(evaluate_clean(plan().clean, classifier, given, seed=9, batch_size=batch_size))


def known(row: Row) -> CleanResult:
    return CleanResult(
        label=row.label,
        status=row.status,
        reason=row.reason,
        clean_prediction=row.clean_prediction,
        clean_confidence=row.clean_confidence,
        clean_loss=row.clean_loss,
        correct_clean=row.correct_clean,
        true_rank=row.true_rank,
        top10=row.top10,
    )


def test_clean_rows_say_what_the_model_says() -> None:
    for picture, row in zip(pictures(), clean_rows(pictures()), strict=True):
        logits = SmallNet()(picture.image[None].float() / 255).detach()
        assert (row.example_id, row.label, row.seed) == (picture.example_id, picture.label, 9)
        assert (row.transform, row.level, row.cell) == ("clean", "", plan().clean.id)
        assert row.prediction == row.clean_prediction == int(logits.argmax())
        assert row.correct is row.correct_any is row.correct_8bit is row.correct_clean is True
        assert row.clean_loss == pytest.approx(
            float(F.cross_entropy(logits, torch.tensor([row.label]))), rel=1e-4, abs=1e-6
        )
        assert row.clean_confidence == pytest.approx(float(logits.softmax(dim=1).max()), rel=1e-4)
        assert (row.steps, row.gradient_evaluations) == (0, 0)
        assert (row.norm, row.first_success_step, row.donor) == (None, None, None)


def test_a_broken_picture_is_a_row_and_takes_no_place_in_a_batch() -> None:
    broken = Unreadable(example_id="b", label=1, index=0, reason="truncated")
    rows = clean_rows([*pictures(2), broken, *pictures(COUNT)[2:]])
    assert len(rows) == COUNT + 1
    (row,) = [row for row in rows if row.status == "unreadable"]
    assert (row.example_id, row.label, row.reason) == ("b", 1, "truncated")
    assert row.correct is None
    assert row.loss is None
    assert row.steps is None
    others = {row.example_id: row.clean_loss for row in rows if row.status == "ok"}
    assert others == {row.example_id: row.clean_loss for row in clean_rows(pictures())}


def test_clean_batches_are_padded_to_one_shape() -> None:
    model = Watched(SmallNet())
    classifier = as_classifier(model)
    list(evaluate_clean(plan().clean, classifier, pictures(), seed=0, batch_size=5))
    assert model.batches == [5, 5]


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_attacked_rows_judge_the_picture_that_comes_with_them(edition: str) -> None:
    clean = {row.example_id: known(row) for row in clean_rows(pictures())}
    cell = plan(edition).attacked[0]
    classifier = as_classifier(SmallNet())
    with classifier.inference():
        results = list(evaluate_attacked(cell, classifier, pictures(), clean, batch_size=3))
    assert {row.example_id for row, _ in results} == clean.keys()
    for row, picture in results:
        logits = SmallNet()(picture[None]).detach()
        assert (row.prediction == row.label) == row.correct
        assert row.prediction == int(logits.argmax())
        assert row.loss == pytest.approx(
            float(F.cross_entropy(logits, torch.tensor([row.label]))), rel=1e-3, abs=1e-5
        )
        assert row.clean_loss == clean[row.example_id].clean_loss
        assert row.seed == 9
        assert row.seconds is not None
        assert row.seconds > 0


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_only_edition_strict_spares_what_is_wrong_already(edition: str) -> None:
    right = known(clean_rows(pictures())[0])
    wrong = replace(right, label=(right.label + 1) % 4, correct_clean=False)
    cell = plan(edition).attacked[0]
    assert without_attack(cell, "p", right) is None
    row = without_attack(cell, "p", wrong)
    if edition == "published":
        assert row is None
        return
    assert row is not None
    assert (row.correct, row.correct_any, row.correct_8bit) == (False, False, False)
    assert (row.gradient_evaluations, row.steps) == (0, 0)
    assert (row.prediction, row.loss) == (wrong.clean_prediction, wrong.clean_loss)
    assert row.confidence == wrong.clean_confidence is not None
    assert (row.true_rank, row.top10) == (wrong.true_rank, wrong.top10)
    assert row.top10
    nonfinite = replace(wrong, status="nonfinite", clean_prediction=None, clean_loss=None)
    spared = without_attack(cell, "p", nonfinite)
    assert spared is not None
    assert spared.status == "nonfinite"


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_unreadable_pictures_are_never_attacked(edition: str) -> None:
    unreadable = CleanResult(
        label=2,
        status="unreadable",
        reason="truncated",
        clean_prediction=None,
        clean_confidence=None,
        clean_loss=None,
        correct_clean=None,
        true_rank=None,
        top10=None,
    )
    row = without_attack(plan(edition).attacked[0], "p", unreadable)
    assert row is not None
    assert (row.status, row.reason, row.label) == ("unreadable", "truncated", 2)
    assert row.correct is None
    assert row.gradient_evaluations is None


def reshaped(picture: Picture, image: Tensor) -> Picture:
    return replace(picture, image=image)


def test_pictures_of_two_sizes_are_refused_with_both() -> None:
    first, second = pictures(2)
    wide = reshaped(second, torch.zeros(3, 32, 48, dtype=torch.uint8))
    with pytest.raises(DataError, match="32×32 and 48×32"):
        clean_rows([first, wide])
