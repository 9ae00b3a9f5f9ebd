"""Which of several draws of a picture is kept."""

import pytest
import torch
from torch import Tensor, nn

from unforeseen.data.pictures import Picture
from unforeseen.models import as_classifier
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.cell_kinds import ObfuscatedCell
from unforeseen.running.cells import CleanResult
from unforeseen.running.obfuscated import evaluate_obfuscated
from unforeseen.running.obfuscated_pictures import Obfuscated
from unforeseen.transforms import OBFUSCATIONS

CLEAN_ANSWER = CleanResult(
    label=0,
    status="ok",
    reason=None,
    clean_prediction=0,
    clean_confidence=1.0,
    clean_loss=0.0,
    correct_clean=True,
    true_rank=1,
    top10=None,
)


class TwoAnswers(nn.Module):
    """Black pictures are misclassified at p = .3, white ones are right at p = .27."""

    answers = torch.tensor([[0.3, 0.6, 0.05, 0.05], [0.27, 0.25, 0.24, 0.24]]).log()

    def forward(self, x: Tensor) -> Tensor:
        return self.answers[x[:, 0, 0, 0].round().long()]


@pytest.mark.parametrize("order", [(0, 255), (255, 0)])
def test_the_least_probable_draw_is_kept_and_whether_all_are_right(order: tuple[int, int]) -> None:
    # A filter that acts from p = .28 on is evaded by one of them: more draws never lower a rate.
    cell = ObfuscatedCell(
        transform="SwirlWarp",
        obfuscation=OBFUSCATIONS["SwirlWarp"](),
        assets=None,
        seed=0,
        draws=2,
        model="m",
        preprocessing=Preprocessing(),
    )
    draws = [
        Obfuscated(
            Picture(
                example_id="a",
                label=0,
                index=0,
                image=torch.full((3, 8, 8), value, dtype=torch.uint8),
            ),
            "{}",
            number,
        )
        for number, value in enumerate(order)
    ]
    classifier = as_classifier(TwoAnswers())
    with classifier.inference():
        (kept,) = evaluate_obfuscated(cell, classifier, draws, {"a": CLEAN_ANSWER}, batch_size=2)
    assert kept.row.restart == order.index(255)
    assert (kept.row.prediction, kept.row.correct, kept.row.correct_any) == (0, True, False)
    assert kept.row.loss == pytest.approx(-torch.tensor(0.27).log().item())
