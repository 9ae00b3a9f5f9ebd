"""Heads: which outputs make up which class, as probabilities say it."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import SupportsIndex

import numpy as np
import pytest
import scipy.special
import torch
from torch import Tensor, nn

from small import SmallNet, small_pictures
from unforeseen.data.super_classes import super_classes
from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import as_classifier
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.head_layer import HeadLayer
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Combine, Head, load_head

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


def logits_of(count: int, classes: int, *, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
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


def test_groups_of_every_size_come_in_their_order_with_the_gradient_of_their_probability() -> None:
    """Sizes around each power of 2, mixed; against numbers written out group by group."""
    sizes = (9, 1, 3, 2, 8, 1, 4, 5)
    ends = np.cumsum(sizes).tolist()
    groups = tuple(tuple(range(end - size, end)) for end, size in zip(ends, sizes, strict=True))
    head = Head(name="sizes", outputs=sum(sizes) + 2, groups=groups, combine="mean")
    logits = logits_of(4, head.outputs).requires_grad_()
    found = HeadLayer(head, "any")(logits)
    expected = torch.stack(
        [logits[:, list(group)].exp().mean(dim=1).log() for group in groups], dim=1
    )
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=0)
    weights = logits_of(4, len(groups))
    torch.testing.assert_close(
        torch.autograd.grad((found * weights).sum(), logits),
        torch.autograd.grad((expected * weights).sum(), logits),
    )


def test_a_head_holds_a_few_numbers_per_output_however_large_a_group_is() -> None:
    """What it holds is what it makes of every picture. 1,000 single classes, and all the rest."""
    outputs, single = 21_843, 1000
    groups = (
        *((n,) for n in range(single)),
        (single, single + 1),
        tuple(range(single + 2, outputs)),
    )
    layer = HeadLayer(Head(name="rest", outputs=outputs, groups=groups), "any")
    assert sum(buffer.numel() for buffer in layer.buffers()) < 5 * outputs
    logits = logits_of(2, outputs)
    expected = torch.stack([logits[:, list(group)].logsumexp(dim=1) for group in groups], dim=1)
    torch.testing.assert_close(layer(logits), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("combine", ["sum", "mean"])
def test_a_head_has_no_float64_which_not_every_device_has(combine: Combine) -> None:
    layer = HeadLayer(Head(name="two", outputs=3, groups=((0, 1), (2,)), combine=combine), "any")
    assert torch.float64 not in {buffer.dtype for buffer in layer.buffers()}
    assert layer(torch.zeros(1, 3)).dtype == torch.float32


def test_a_group_is_nan_or_infinite_where_a_member_is_and_no_other_is() -> None:
    layer = HeadLayer(Head(name="two", outputs=4, groups=((0, 1), (2, 3))), "any")
    nan, inf = math.nan, math.inf
    logits = torch.tensor([[nan, 1, 0, 0], [inf, 1, 0, 0], [-inf, -inf, 0, 0], [-inf, 1, 0, 0]])
    expected = torch.tensor([nan, inf, -inf, 1.0])
    found = layer(logits)
    torch.testing.assert_close(found[:, 0], expected, equal_nan=True)
    torch.testing.assert_close(found[:, 1], torch.full((4,), math.log(2)))


@pytest.mark.parametrize(
    ("names", "accuracy"), [(["imagenet1001"], 0.8), (["imagenet1001", "imagenet100"], None)]
)
def test_a_stated_accuracy_holds_only_behind_a_head_that_keeps_all_classes(
    names: list[str], accuracy: float | None
) -> None:
    card = ModelCard(uri="any", fingerprint="0", classes=1001, accuracy=0.8)
    classifier = DifferentiableClassifier(Given(logits_of(1, 1001)), card)
    assert with_head(classifier, names).card.accuracy == accuracy


def test_a_stated_accuracy_is_not_that_of_groups(tmp_path: Path) -> None:
    classifier = DifferentiableClassifier(SmallNet(classes=5), replace(CARD, accuracy=0.8))
    head = file_of(tmp_path, {"left": [0, 1], "right": "*"})
    assert with_head(classifier, head).card.accuracy is None


def test_imagenet1001_drops_the_first_output_and_imagenet100_takes_every_tenth_of_the_rest() -> (
    None
):
    logits = logits_of(3, 1001)
    torch.testing.assert_close(headed(logits, "imagenet1001"), logits[:, 1:], rtol=0, atol=0)
    both = headed(logits, "imagenet1001", "imagenet100")
    torch.testing.assert_close(both, logits[:, 1::10], rtol=0, atol=0)


def test_a_super_class_has_the_mean_of_its_members_probabilities_not_the_sum_or_logits() -> None:
    # As likely each: the many breeds of dogs and the one class of airplanes; neither wins.
    logits = torch.zeros(1, 1000, dtype=torch.float64)
    scores = headed(logits, "imagenet16")
    torch.testing.assert_close(scores, scores[:, :1].expand(1, 16))
    # By the mean of the logits, −7 of bicycles and 5 of airplanes, the airplane would win.
    logits = torch.full((1, 1000), -20.0, dtype=torch.float64)
    logits[0, [444, 671]] = torch.tensor([6.0, -20.0], dtype=torch.float64)
    logits[0, 404] = 5.0
    assert math.exp(6) / 2 > math.exp(5)
    assert headed(logits, "imagenet16").argmax() == 2


@pytest.mark.parametrize("seed", range(5))
def test_the_likeliest_super_class_is_that_of_the_largest_mean_of_the_softmax(seed: int) -> None:
    logits = logits_of(50, 1000, seed=seed)
    probabilities = scipy.special.softmax(logits.numpy(), axis=1)
    means = np.stack([probabilities[:, each].mean(axis=1) for each in super_classes().values()], 1)
    scores = headed(logits, "imagenet16")
    assert scores.argmax(dim=1).tolist() == means.argmax(axis=1).tolist()
    ratio = scores.exp().numpy() / means
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[:, :1], ratio.shape))


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
    grouped.logits(small_pictures(2), pass_number=1)
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


def test_the_models_names_are_gone_through_once_however_many_the_file_has(tmp_path: Path) -> None:
    class Once(tuple[str, ...]):
        """Counts how often somebody goes through it."""

        __slots__ = ()

        def __iter__(self) -> Iterator[str]:
            walks.append(1)
            return super().__iter__()

        def count(self, value: object) -> int:
            walks.append(1)
            return super().count(value)

        def index(self, value: object, *ends: SupportsIndex) -> int:
            walks.append(1)
            return super().index(value, *ends)

    walks: list[int] = []
    names = [f"class {number}" for number in range(100)]
    card = replace(CARD, classes=100, class_names=Once(names))
    head = load_head(file_of(tmp_path, {"half": names[::-2], "other": "*"}), card, 100)
    assert head.groups == (tuple(range(1, 100, 2)), tuple(range(0, 100, 2)))
    assert len(walks) == 1


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
    with pytest.raises(ModelError, match="Give --head imagenet1001 --head imagenet16:"):
        load_head("imagenet16", CARD, 1001)
    groups = file_of(tmp_path, {"a": [0], "b": [1]})
    with pytest.raises(ModelError, match="meant for a model of 1000 outputs"):
        load_head(f"{groups}?outputs=1000", CARD, 5)
    with pytest.raises(ModelError, match="--head imagenet1001 --head"):
        load_head(groups, CARD, 1001)
    with pytest.raises(UserError, match="combine: expected sum or mean"):
        load_head(f"{groups}?combine=max", CARD, 5)
    with pytest.raises(ModelError, match="can't be read"):
        load_head(str(tmp_path / "missing.csv"), CARD, 5)


@pytest.mark.parametrize("outputs", ["010", "0", "-5", "1e3", "9" * 5000])
def test_a_number_of_outputs_has_one_spelling(outputs: str, tmp_path: Path) -> None:
    groups = file_of(tmp_path, {"a": [0], "b": "*"})
    with pytest.raises(UserError, match="outputs: expected a number such as 1000, got"):
        load_head(f"{groups}?outputs={outputs}", CARD, 5)


@pytest.mark.parametrize("name", ["x.csv", "x.json"])
def test_an_index_of_thousands_of_digits_is_refused_in_the_words_of_heads(
    name: str, tmp_path: Path
) -> None:
    digits = "9" * 5000
    text = (
        f'{{"a": [{digits}], "b": "*"}}' if name == "x.json" else f"class,group\n{digits},a\n*,b\n"
    )
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(
        ModelError, match="expected class indices from 0, got a number of 5,000 digits"
    ):
        load_head(str(tmp_path / name), CARD, 5)
