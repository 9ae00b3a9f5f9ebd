"""Other normalisations: what helps because it is right, and what because it names one class."""

import pytest
import torch
from torch import Tensor, nn

from check.colours import CLASSES, COLOURS, Changed
from unforeseen.check.asking import Asker
from unforeseen.check.findings import Evidence
from unforeseen.check.normalisation import normalisation_evidence, variants
from unforeseen.check.right import predictions
from unforeseen.models import as_classifier


def abouts(evidence: Evidence) -> list[str]:
    return [finding.about for finding in evidence.findings]


class Red(nn.Module):
    """Names the class that a picture's red value is, and class 0 for whatever leaves [0, 1]."""

    def forward(self, x: Tensor) -> Tensor:
        outside = (x.amax(dim=(1, 2, 3)) > 1) | (x.amin(dim=(1, 2, 3)) < 0)
        said = (255 * x[:, 0, 0, 0]).round().long().clamp(0, 9)
        return nn.functional.one_hot(torch.where(outside, 0, said), 10).float()


def evidence_of(
    model: nn.Module, pictures: Tensor, labels: Tensor, at_least: float = 0
) -> Evidence:
    asker = Asker(as_classifier(model), batch_size=64)
    logits = asker.logits(pictures)
    return normalisation_evidence(
        asker, pictures, labels, logits, variants(None, None), at_least=at_least
    )


def red(said: list[int]) -> Tensor:
    """Pictures of which :class:`Red` says that, bright enough in blue for 255 · x to leave [0, 1]."""
    pictures = torch.full((len(said), 3, 8, 8), 128, dtype=torch.uint8)
    pictures[:, 0] = torch.tensor(said, dtype=torch.uint8)[:, None, None]
    return pictures


@pytest.mark.parametrize(
    ("said", "labels"),
    [
        ([0] * 160 + [1] * 40, [0] * 200),
        ([0] * 150 + [1] * 40 + [1] * 10, [0] * 190 + [1] * 10),
        ([*range(1, 10), 0] * 20, [*range(10)] * 20),
    ],
    ids=["one label", "mostly one label", "all wrong"],
)
def test_a_variant_that_names_one_class_for_all_is_no_explanation(
    said: list[int], labels: list[int]
) -> None:
    """It is right on 20 to 40 pictures more, which is what that class has."""
    assert abouts(evidence_of(Red(), red(said), torch.tensor(labels))) == []


def bgr() -> tuple[nn.Module, Tensor, Tensor]:
    pictures = COLOURS.repeat(4, 1)[..., None, None].expand(-1, -1, 8, 8)
    labels = torch.arange(CLASSES).repeat(4)
    return Changed(before=lambda x: x.flip(1)), (255 * pictures).round().byte(), labels


def test_a_variant_is_told_as_one_explanation_and_the_pictures_as_another() -> None:
    found = evidence_of(*bgr())
    assert abouts(found) == ["expects blue, green, red"]
    (finding,) = found.findings
    assert "100.0 % of 108 pictures" in finding.seen
    assert "as if the model expected them so" in finding.seen
    assert "If not, look at the pictures" in finding.advice


def test_a_variant_that_explains_less_than_what_is_known_already_is_no_explanation() -> None:
    model, pictures, labels = bgr()
    labels = labels.clone()
    labels[-27:] = (labels[-27:] + 1) % CLASSES
    assert abouts(evidence_of(model, pictures, labels, at_least=0.7)) != []
    assert abouts(evidence_of(model, pictures, labels, at_least=0.8)) == []


def test_a_model_is_never_asked_about_no_pictures() -> None:
    class Strict(Red):
        def forward(self, x: Tensor) -> Tensor:
            assert len(x)
            return super().forward(x.flip(1)[:, :, :1, :1].expand(-1, -1, 8, 8))

    labels = torch.arange(10).repeat(20)
    pictures = red(labels.tolist())
    asker = Asker(as_classifier(Strict()), batch_size=64)
    assert not (predictions(asker.logits(pictures)) == labels)[labels != 9].any()
    wrong = labels != 9
    found = evidence_of(Strict(), pictures[wrong], labels[wrong])
    assert abouts(found) == ["expects blue, green, red"]


class FirstChannel(nn.Module):
    """Class 1 where the first channel is bright."""

    def forward(self, x: Tensor) -> Tensor:
        score = 10 * (x[:, 0].mean(dim=(1, 2)) - 0.5)
        return torch.stack([-score, score], dim=1)


def where_channels_are_swapped(swapped: int, of: int, *, labels: int = 2) -> Evidence:
    """Pictures that are bright in the first channel where they are of class 1; some in the last."""
    numbers = torch.arange(of) % labels
    pictures = torch.full((of, 3, 8, 8), 10, dtype=torch.uint8)
    last = torch.arange(of) < swapped
    pictures[(numbers == 1) != last, 0] = 240
    pictures[(numbers == 1) == last, 2] = 240
    asker = Asker(as_classifier(FirstChannel()), batch_size=64)
    (flipped,) = (each for each in variants(None, None) if each.about.endswith("green, red"))
    # What isn't swapped looks the same both ways.
    pictures[swapped:, 2] = pictures[swapped:, 0]
    return normalisation_evidence(asker, pictures, numbers, asker.logits(pictures), [flipped])


def test_a_gain_on_one_label_alone_names_nothing() -> None:
    assert abouts(where_channels_are_swapped(40, 40)) != []
    assert abouts(where_channels_are_swapped(40, 40, labels=1)) == []


@pytest.mark.parametrize(
    ("swapped", "of", "found"),
    # At least 5 % of the pictures, and at least the 11 that chance explains with p < 0.001 only.
    [(20, 400, True), (19, 400, False), (11, 100, True), (10, 100, False)],
)
def test_a_variant_is_named_where_it_sets_enough_right(
    swapped: int, of: int, *, found: bool
) -> None:
    result = where_channels_are_swapped(swapped, of)
    assert [each.about for each in result.findings] == ["expects blue, green, red"] * found
    if found:
        assert result.measurements[0].value == 1.0


@pytest.mark.parametrize("std", [0.2, 0.6])
def test_what_stays_in_0_and_1_is_marked_so_and_nothing_else(std: float) -> None:
    """All variants are linear, so that the ends show it."""
    ends = torch.tensor([0.0, 1.0]).view(2, 1, 1, 1).expand(2, 3, 1, 1)
    for each in variants((0.4, 0.5, 0.6), (std, std, std)):
        changed = each.change(ends)
        assert bool(((changed >= 0) & (changed <= 1)).all()) == each.in_range, each.how
