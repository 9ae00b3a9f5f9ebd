"""Heads: which outputs make up which class, as probabilities say it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from small import SmallNet, small_pictures
from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import as_classifier
from unforeseen.models.classifier import DifferentiableClassifier, ModelCard
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Head, load_head

CARD = ModelCard(
    uri="any", fingerprint="0", classes=5, class_names=("ant", "bee", "cat", "dog", "dog")
)


class Given(nn.Module):
    """Answers with the same logits, moved by the picture's mean."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__()
        self.logits = logits

    def forward(self, x: Tensor) -> Tensor:
        return self.logits[: len(x)] + x.mean(dim=(1, 2, 3))[:, None]


def logits_of(count: int, classes: int) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return 3 * torch.randn(count, classes, generator=generator, dtype=torch.float64)


def headed(logits: Tensor, *heads: str | Head) -> Tensor:
    """What a model that answers so says behind the heads."""
    pictures = torch.zeros(len(logits), 3, 32, 32, dtype=torch.float64)
    return with_head(as_classifier(Given(logits)), heads).logits(pictures)


def file_of(folder: Path, content: object) -> str:
    path = folder / "groups.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("combine", ["sum", "mean"])
def test_a_groups_probability_is_the_sum_or_mean_of_its_members_among_what_is_mapped(
    combine: str, tmp_path: Path
) -> None:
    logits = logits_of(6, 5)
    head = file_of(tmp_path, {"a": [0, 3], "b": [1], "c": [4]})
    found = headed(logits, f"{head}?combine={combine}").softmax(dim=1).numpy()
    # Oracle: probabilities by numpy, added up group by group, and divided by what all groups have.
    odds = np.exp(logits.numpy())
    groups = [odds[:, [0, 3]], odds[:, [1]], odds[:, [4]]]
    shares = np.stack([getattr(each, combine)(axis=1) for each in groups], axis=1)
    np.testing.assert_allclose(found, shares / shares.sum(axis=1, keepdims=True), rtol=1e-12)


def test_scores_stay_finite_and_exact_where_exponentials_would_overflow(tmp_path: Path) -> None:
    head = file_of(tmp_path, {"a": [0, 1], "b": [2]})
    found = headed(torch.tensor([[5000.0, 5000.0, -5000.0]], dtype=torch.float64), head)
    assert found[0, 0] - found[0, 1] == pytest.approx(10_000 + np.log(2), abs=1e-9)


def test_imagenet1001_drops_the_first_output_and_imagenet100_takes_every_tenth_of_the_rest() -> (
    None
):
    logits = logits_of(3, 1001)
    torch.testing.assert_close(headed(logits, "imagenet1001"), logits[:, 1:], rtol=0, atol=0)
    both = headed(logits, "imagenet1001", "imagenet100")
    torch.testing.assert_close(both, logits[:, 1::10], rtol=0, atol=0)


def test_a_head_keeps_gradients_and_the_models_fingerprint_and_is_on_the_card(
    tmp_path: Path,
) -> None:
    plain = as_classifier(SmallNet(classes=5))
    head = with_head(plain, file_of(tmp_path, {"left": [0, 1], "right": "*"}))
    assert isinstance(head, DifferentiableClassifier)
    x = small_pictures(2).float().requires_grad_()
    (gradient,) = torch.autograd.grad(head.logits(x).sum(), x)
    assert gradient.abs().sum() > 0
    assert head.card.fingerprint == plain.card.fingerprint
    assert head.card.classes == 2
    assert head.card.class_names == ("left", "right")
    assert head.card.head is not None
    assert head.card.head.outputs == 5


def test_a_black_box_behind_a_head_says_its_probabilities_added_up(tmp_path: Path) -> None:
    answer = np.array([0.1, 0.2, 0.3, 0.4])
    box = as_classifier(lambda pictures: np.tile(answer, (len(pictures), 1)))
    grouped = with_head(box, file_of(tmp_path, {"a": [0, 3], "b": [1, 2]}))
    assert not isinstance(grouped, DifferentiableClassifier)
    probabilities = grouped.logits(small_pictures(2)).softmax(dim=1)
    np.testing.assert_allclose(probabilities.numpy(), [[0.5, 0.5]] * 2, rtol=1e-6)
    asked = grouped.queries
    grouped.logits(small_pictures(2))
    assert grouped.queries == asked == 3  # one grey picture to count the outputs, and these two
    grouped.forget()
    grouped.logits(small_pictures(2))
    assert grouped.queries == 5


def test_the_mapping_and_not_the_names_is_what_changes_results() -> None:
    head = Head(name="a", outputs=4, groups=((0, 1), (2,)))
    assert replace(head, name="b", class_names=("x", "y")).mapping == head.mapping
    single = replace(head, groups=((0,), (2,)))
    others = [replace(head, outputs=5), single, replace(head, combine="mean")]
    assert len({head.mapping, *(each.mapping for each in others)}) == 4
    assert replace(single, combine="mean").mapping == single.mapping


def test_classes_can_be_named_and_a_csv_says_the_same_as_json(tmp_path: Path) -> None:
    csv = tmp_path / "groups.csv"
    csv.write_text('class,group\nant,"insect, small"\nbee,"insect, small"\n2,other\n', "utf-8")
    found = load_head(str(csv), CARD, 5)
    assert found.groups == ((0, 1), (2,))
    assert found.class_names == ("insect, small", "other")
    same = file_of(tmp_path, {"insect, small": ["ant", "bee"], "other": ["cat"]})
    assert load_head(same, CARD, 5).mapping == found.mapping


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"a": [0], "b": [5]}, "indices from 0 to 4"),
        ({"a": [0], "b": [0]}, "in one group, once"),
        ({"a": [0], "b": ["bea"]}, "Did you mean bee"),
        ({"a": [0], "b": ["dog"]}, "2 classes of any are called 'dog'"),
        ({"a": [0]}, "at least 2 groups"),
        ({"a": "*", "b": "*"}, "one group at most"),
        ({"a": [0, 1, 2, 3, 4], "b": "*"}, "group 'b'"),
        ({"a": [True], "b": [1]}, "list of class indices or names"),
        ([1, 2], "an object"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_in_one_line(
    content: object, says: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=says) as raised:
        load_head(file_of(tmp_path, content), CARD, 5)
    assert "\n" not in str(raised.value)


def test_unknown_heads_and_heads_for_other_models_say_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean .*imagenet1001"):
        load_head("imagenet1000", CARD, 1001)
    with pytest.raises(ModelError, match="a model of 1,001 outputs; any has 5"):
        load_head("imagenet1001", CARD, 5)
    groups = file_of(tmp_path, {"a": [0], "b": [1]})
    with pytest.raises(ModelError, match="meant for a model of 1000 outputs"):
        load_head(f"{groups}?outputs=1000", CARD, 5)
    with pytest.raises(ModelError, match="--head imagenet1001 --head"):
        load_head(groups, CARD, 1001)
    with pytest.raises(UserError, match="combine: expected sum or mean"):
        load_head(f"{groups}?combine=max", CARD, 5)
    with pytest.raises(ModelError, match="can't be read"):
        load_head(str(tmp_path / "missing.csv"), CARD, 5)
