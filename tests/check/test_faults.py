"""A model with each fault, and what the check says of it."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from check.colours import CLASSES, COLOURS, Changed, NearestColour, coloured, found
from small import Watched, as_function
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.function_predictor import FunctionPredictor, function_card
from unforeseen.models.heads import Head

IMAGENET = torch.tensor([[0.485, 0.456, 0.406], [0.229, 0.224, 0.225]])[..., None, None]
MEAN, STD = IMAGENET


class Rounded(torch.autograd.Function):
    """Rounding with a backward pass of zeros, as a quantising defence has it."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:  # noqa: ARG004 - torch's signature
        return (x * 255).round() / 255

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:  # noqa: ARG004 - torch's signature
        return torch.zeros_like(gradient)


def abouts(result: Any) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {"masked": [], "suspicious": []}
    for finding in result.findings:
        kinds[finding.kind].append(finding.about)
    return kinds


def test_a_good_model_is_fine() -> None:
    result = found(NearestColour())
    assert result.verdict == "fine"
    assert result.notes == ()
    assert result.measured("accuracy") == 1.0
    assert result.measured("zero_gradients") == 0.0
    assert result.measured("randomness") == 0.0


@pytest.mark.parametrize(
    ("after", "about"),
    [
        (lambda z: z.softmax(dim=1), "softmax outputs"),
        (lambda z: 1e4 * z, "scaled outputs"),
        (lambda z: z + 1e6, "shifted outputs"),
    ],
    ids=["softmax", "times 1e4", "plus 1e6"],
)
def test_outputs_that_hide_the_model_from_attacks_are_masked(after: Any, about: str) -> None:
    """Pitfall 14 and the replay cases logits + 1e6 and logits × 1e4."""
    result = found(Changed(after=after))
    assert about in abouts(result)["masked"]
    assert result.verdict.startswith("masked: ")
    assert not abouts(result)["suspicious"]


@pytest.mark.parametrize(
    "before", [Rounded.apply, lambda x: (x * 255).round() / 255], ids=["zero backward", "round"]
)
def test_a_layer_with_zero_backward_is_masked(before: Any) -> None:
    """Pitfall 14: the share of zero gradients."""
    result = found(Changed(before=before))
    assert abouts(result)["masked"][:1] == ["zero gradients"]
    assert result.measured("zero_gradients") == 1.0


def test_outputs_that_are_detached_are_masked() -> None:
    result = found(Changed(after=lambda z: z.detach()))
    assert abouts(result)["masked"] == ["no gradient"]


def test_softmax_outputs_are_seen_through_a_head_that_selects_some_of_them() -> None:
    selects = Head(name="odd", outputs=CLASSES, groups=tuple((n,) for n in range(1, CLASSES, 2)))
    data = coloured()
    odd = data.labels % 2 == 1
    data._contents = [each for each, kept in zip(data._contents, odd, strict=True) if kept]
    data.labels, data.keys = data.labels[odd] // 2, data.keys[: odd.sum()]
    softmax = Changed(after=lambda z: z.softmax(dim=1))
    assert "softmax outputs" in abouts(found(softmax, data, head=selects))["masked"]
    assert found(NearestColour(), data, head=selects).verdict == "fine"


def test_outputs_that_are_clipped_are_masked() -> None:
    assert "tied outputs" in abouts(found(Changed(after=lambda z: z.clamp(max=-1.0))))["masked"]


def test_outputs_of_a_sigmoid_are_told_and_small_logits_are_not() -> None:
    result = found(Changed(after=torch.sigmoid))
    assert abouts(result)["suspicious"] == ["outputs between 0 and 1"]
    assert found(Changed(after=lambda z: 1e-3 * z)).verdict == "fine"


def test_log_softmax_is_told_and_is_no_fault() -> None:
    result = found(Changed(after=lambda z: z.log_softmax(dim=1)))
    assert result.verdict == "fine"
    assert "log-softmax" in result.notes[0]


def test_the_margin_finds_what_cross_entropy_cannot_where_outputs_are_scaled() -> None:
    """Pitfall 14: the margin-loss cross-check. Close colours, so that 8/255 crosses a border."""
    near = Changed(before=lambda x: 0.5 + 12 * (x - 0.5), sharpness=1.0)
    scaled = Changed(before=near.before, sharpness=1e5)
    pictures = COLOURS[:, :, None, None].expand(-1, -1, 32, 32)
    close = 0.5 + (pictures - 0.5) / 12
    data = coloured()
    data._contents = [
        (255 * picture).round().byte().permute(1, 2, 0).numpy()
        for picture in close.repeat(4, 1, 1, 1)
    ]
    assert "the margin fools more" in abouts(found(scaled, data))["masked"]
    honest = found(near, data)
    assert honest.verdict == "fine"
    assert honest.measured("fooled_by_cross_entropy") == honest.measured("fooled_by_margin") == 1.0


def test_the_margin_may_also_go_further_without_fooling_anybody() -> None:
    """The colours lie 0.35 apart, and 8/255 leads to no border: only the margin moves at all."""
    scaled = found(NearestColour(sharpness=1e5))
    assert scaled.measured("fooled_by_margin") == 0.0
    text = next(each.text for each in scaled.findings if each.about == "the margin fools more")
    assert "comes at least 3 times as far" in text


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_outputs_that_arent_finite_are_counted(bad: float) -> None:
    def spoil(z: Tensor) -> Tensor:
        return torch.where(z.argmax(dim=1, keepdim=True) == 3, bad, z)

    result = found(Changed(after=spoil))
    assert abouts(result) == {"masked": [], "suspicious": ["non-finite outputs"]}
    assert result.measured("nonfinite_outputs") == pytest.approx(1 / CLASSES)


def test_gradients_that_arent_finite_are_counted() -> None:
    """The root of 0 has no finite slope."""
    result = found(Changed(after=lambda z: z + 0 * (z - z).sqrt()))
    assert "non-finite gradients" in abouts(result)["masked"]


def test_a_model_that_always_says_the_same_is_near_chance_and_constant() -> None:
    result = found(Changed(after=lambda z: 0 * z + torch.eye(CLASSES)[5]))
    assert {"near chance", "constant predictions"} <= set(abouts(result)["suspicious"])
    assert result.measured("chance") == pytest.approx(1 / CLASSES)


@pytest.mark.parametrize(
    ("before", "about"),
    [
        (lambda x: (x - MEAN) / STD, "normalised twice"),
        (lambda x: x * STD + MEAN, "never normalised"),
        (lambda x: x / 255, "expects 0 … 255"),
        (lambda x: x.flip(1), "expects blue, green, red"),
    ],
    ids=["twice", "never", "8 bit", "BGR"],
)
def test_a_wrong_normalisation_is_named_as_the_likely_cause(before: Any, about: str) -> None:
    """Pitfall 1, and the replay case of a CIFAR model that normalises while the loader does too."""
    result = found(Changed(before=before))
    assert about in abouts(result)["suspicious"]
    assert result.measured("best_variant_accuracy") == 1.0
    accuracy = result.measured("accuracy")
    assert accuracy is not None
    assert accuracy < 0.5


def test_the_models_own_normalisation_is_tried_too() -> None:
    mean, std = torch.tensor([0.3, 0.4, 0.2]), torch.tensor([0.1, 0.15, 0.12])

    def twice(x: Tensor) -> Tensor:
        return (x - mean[:, None, None]) / std[:, None, None]

    own = DifferentiableClassifier(
        Changed(before=twice),
        ModelCard(uri="mine", fingerprint="0", mean=tuple(mean.tolist()), std=tuple(std.tolist())),
    )
    assert "normalised twice" in abouts(found(own))["suspicious"]


ORDERS = {
    "as text": [sorted(range(CLASSES), key=str).index(label) for label in range(CLASSES)],
    "any other": np.random.default_rng(0).permutation(CLASSES).tolist(),
}


@pytest.mark.parametrize(
    ("labels", "cause"),
    [
        (ORDERS["as text"], "in the order of their numbers as text"),
        (ORDERS["any other"], "each always for the same"),
    ],
    ids=["as text", "any other"],
)
def test_another_order_of_labels_is_seen_in_the_predictions(labels: list[int], cause: str) -> None:
    """Pitfall 18: label order, numbers sorted as text."""
    result = found(NearestColour(), coloured(labels=labels))
    assert "label order" in abouts(result)["suspicious"]
    text = next(each.text for each in result.findings if each.about == "label order")
    assert cause in text
    assert result.measured("best_order_accuracy") == 1.0


def test_outputs_that_begin_with_a_background_class_are_seen_in_the_predictions() -> None:
    """Pitfall 19: 1,001 outputs, here 28."""
    result = found(Changed(after=lambda z: torch.cat([z.amin(dim=1, keepdim=True) - 1, z], dim=1)))
    text = next(each.text for each in result.findings if each.about == "label order")
    assert "each label is one too low" in text


def test_noise_in_the_forward_pass_is_told_and_eot_is_offered() -> None:
    result = found(Changed(after=lambda z: z + torch.randn_like(z)))
    assert abouts(result)["suspicious"] == ["random outputs"]
    assert "--eot N" in result.findings[0].text


class NeverNone(nn.Module):
    """A model that can't be asked about no pictures, as reshape(len(x), -1) can't."""

    def __init__(self) -> None:
        super().__init__()
        self.model = NearestColour()

    def forward(self, x: Tensor) -> Tensor:
        assert len(x)
        scores: Tensor = self.model(x)
        return scores


@pytest.mark.parametrize(
    "model", [NeverNone(), as_function(NeverNone())], ids=["module", "function"]
)
def test_a_model_that_is_never_right_is_told_why(model: Any) -> None:
    """All labels rolled by one: not one picture is classified right."""
    result = found(model, coloured(labels=[(n + 1) % CLASSES for n in range(CLASSES)]))
    assert result.measured("accuracy") == 0.0
    assert abouts(result) == {"masked": [], "suspicious": ["near chance", "label order"]}


@pytest.mark.parametrize("uneven", [False, True], ids=["one label", "mostly one label"])
def test_a_good_model_is_fine_on_data_of_one_label(uneven: bool) -> None:
    data = coloured(150)
    kept = data.labels == 3
    if uneven:
        kept[4] = True
    data._contents = [each for each, is_kept in zip(data._contents, kept, strict=True) if is_kept]
    data.labels, data.keys = data.labels[kept], data.keys[: kept.sum()]
    result = found(NearestColour(), data)
    assert result.verdict == "fine"
    assert ("have one label" in " ".join(result.notes)) == (not uneven)


class BatchStatistics(nn.Module):
    """Normalises outputs by the batch's own statistics, whatever the mode."""

    def __init__(self) -> None:
        super().__init__()
        self.model = NearestColour()
        self.norm = nn.BatchNorm1d(CLASSES, affine=False, track_running_stats=False)

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.model(x)
        if len(x) == 1:
            return scores
        normalised: Tensor = self.norm(scores)
        return normalised


def test_answers_that_depend_on_the_batch_are_told() -> None:
    """Pitfall 6."""
    assert "answers depend on the batch" in abouts(found(BatchStatistics()))["suspicious"]


class Counting(nn.Module):
    """Changes a buffer in each forward pass."""

    asked: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.model = NearestColour()
        self.register_buffer("asked", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.asked += 1
        scores: Tensor = self.model(x)
        return scores


def test_a_model_that_changes_when_asked_is_told() -> None:
    """Pitfall 4: buffers changed by a forward pass."""
    result = found(Counting())
    assert abouts(result)["suspicious"] == ["the model changes when asked"]
    assert "asked" in result.findings[0].text


def test_layers_handed_over_in_training_mode_are_noted_and_put_back() -> None:
    """Pitfall 4: the model left in train mode."""
    model = nn.Sequential(NearestColour(), nn.Dropout(0.5)).train()
    result = found(model)
    assert result.verdict == "fine"
    assert "training mode" in result.notes[0]
    assert model[1].training


def test_an_accuracy_below_what_is_expected_is_told_and_one_above_is_not() -> None:
    data = coloured()
    data.labels[::3] = (data.labels[::3] + 1) % CLASSES  # a third of the labels is wrong
    low = found(NearestColour(), data, expect_accuracy=0.95)
    assert abouts(low)["suspicious"] == ["accuracy below what is expected"]
    assert "by you" in low.findings[0].text
    assert found(NearestColour(), data, expect_accuracy=0.7).verdict == "fine"


def predict(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
    x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        probabilities: NDArray[np.floating] = NearestColour()(x).softmax(dim=1).numpy()
    return probabilities


def test_a_black_box_is_fine_and_asked_little_more_than_once_about_each_picture() -> None:
    asked: list[int] = []

    def counted(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        asked.append(len(pictures))
        return predict(pictures)

    result = found(counted)
    assert result.verdict == "fine"
    assert result.measured("zero_gradients") is None
    assert result.measured("randomness") == 0.0
    # Each picture, four of them again, one grey one, and four under each attack at δ = 0.
    assert sum(asked) <= 4 * CLASSES + 4 + 1 + 3 * 4


def test_a_black_box_that_draws_at_random_is_told() -> None:
    generator = np.random.default_rng(0)

    def noisy(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        noisy = np.log(predict(pictures) + 1e-9) + generator.normal(size=(len(pictures), CLASSES))
        probabilities: NDArray[np.floating] = np.exp(noisy) / np.exp(noisy).sum(1, keepdims=True)
        return probabilities

    assert "random outputs" in abouts(found(noisy))["suspicious"]


def test_a_black_box_is_tried_with_other_normalisations_inside_0_and_1_only() -> None:
    seen: list[float] = []

    class Spy(FunctionPredictor):
        def logits(self, x: Tensor, *, pass_number: int = 0) -> Tensor:
            seen.extend((float(x.min()), float(x.max())))
            return super().logits(x, pass_number=pass_number)

    def flipped(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        with torch.no_grad():
            scores = Changed(before=lambda x: x.flip(1))(x)
        probabilities: NDArray[np.floating] = scores.softmax(dim=1).numpy()
        return probabilities

    result = found(Spy(flipped, function_card(flipped)), expect_accuracy=0.9)
    assert min(seen) >= 0.0
    assert max(seen) <= 1.0
    assert "expects blue, green, red" in abouts(result)["suspicious"]


def test_a_batch_that_does_not_fit_into_memory_is_halved_and_said() -> None:
    """Pitfall 23."""

    def refuse(x: Tensor) -> None:
        if len(x) > 10:
            raise MemoryError

    notes: list[str] = []

    class Noting:
        def note(self, text: str) -> None:
            notes.append(text)

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: None

    result = found(Watched(NearestColour(), before=refuse), reporter=Noting())
    assert result.verdict == "fine"
    assert any("out of memory; going on with batches of 8" in note for note in notes)
