"""Pictures in memory."""

import numpy as np
import pytest
import torch

from data.in_memory import InMemory, encoded, noise
from unforeseen.data import from_arrays
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import CIFAR10_CLASSES
from unforeseen.errors import DataError

COUNT = 5
PICTURES = np.stack([noise(9, 7, seed=seed) for seed in range(COUNT)])
LABELS = [3, 0, 1, 1, 2]
CHANNELS_FIRST = PICTURES.transpose(0, 3, 1, 2)


@pytest.mark.parametrize(
    "images",
    [
        PICTURES,
        CHANNELS_FIRST,
        PICTURES / 255,
        CHANNELS_FIRST / np.float32(255),
        torch.from_numpy(CHANNELS_FIRST.copy()),
        torch.from_numpy(CHANNELS_FIRST.copy()).float() / 255,
        torch.from_numpy(CHANNELS_FIRST.copy()).double().div(255).requires_grad_(),
        list(PICTURES),
    ],
)
def test_every_layout_and_type_gives_the_same_pictures_under_the_ids_of_their_files(
    images: np.ndarray,
) -> None:
    data = from_arrays(images, LABELS)
    assert data.labels.tolist() == LABELS
    assert data.card.images == COUNT
    for row in range(COUNT):
        assert np.array_equal(data.read(row), PICTURES[row])
    files = InMemory([encoded(picture) for picture in PICTURES])
    assert identify(data, range(COUNT)) == identify(files, range(COUNT))


def test_all_256_values_survive_the_way_through_float32() -> None:
    ramp = np.arange(256, dtype=np.uint8).reshape(1, 16, 16, 1).repeat(3, axis=3)
    assert np.array_equal(from_arrays(ramp.astype(np.float32) / 255, [0]).read(0), ramp[0])
    assert np.array_equal(from_arrays(torch.from_numpy(ramp) / 255, [0]).read(0), ramp[0])


@pytest.mark.parametrize("shift", [-2.98e-8, 1e-7, -9e-7])
def test_what_rounding_carried_away_is_taken_back(shift: float) -> None:
    """Pitfall 3 and its replay case: a minimum of -2.98e-8."""
    extremes = np.zeros((1, 4, 4, 3))
    extremes[0, 0] = 1
    data = from_arrays(extremes + shift, [0])
    assert np.array_equal(data.read(0), (extremes[0] * 255).astype(np.uint8))


@pytest.mark.parametrize("value", [-0.01, 1.01, 0.5, 255.0, np.nan, np.inf, 1 / 255 + 2e-6])
def test_other_floats_are_refused_and_never_rounded(value: float) -> None:
    images = PICTURES / 255
    images[3, 2, 2, 1] = value
    with pytest.raises(DataError, match=r"8-bit pictures divided by 255.*unforeseen\.perturb"):
        from_arrays(images, LABELS)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (PICTURES[0], r"got shape \(9, 7, 3\)"),
        (PICTURES[..., :1], r"expected at least one RGB picture.*got shape \(5, 9, 7, 1\)"),
        (PICTURES[:0], "at least one"),
        (PICTURES.reshape(5, 3, 21, 3), r"got shape \(5, 3, 21, 3\)"),
        (PICTURES.astype(np.int64), "of int64. Convert them"),
        (torch.rand(5, 3, 9, 7).half(), "of float16"),
        (torch.rand(5, 3, 9, 7).bfloat16(), "can't be made one numpy array"),
        ([noise(4, 4), noise(5, 5)], "can't be made one numpy array"),
    ],
)
def test_what_is_no_batch_of_pictures_is_refused(images: np.ndarray, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        from_arrays(images, LABELS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0] * 4, r"labels: expected 5 whole numbers, one per picture, got shape \(4,\)"),
        ([0.0] * 5, "of float64"),
        ([True] * 5, "of bool"),
        (np.eye(5, dtype=int), r"shape \(5, 5\)"),
        ([0, 1, -1, 2, 2], "classes from 0, got -1"),
        (["cat"] * 5, "whole numbers"),
        (np.array([2**63 + 5] * 5, dtype=np.uint64), "classes from 0, got 9223372036854775813"),
    ],
)
def test_labels_are_one_whole_number_per_picture(labels: list[int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        from_arrays(PICTURES, labels)


def test_labels_may_be_a_tensor_and_classes_may_have_names() -> None:
    data = from_arrays(PICTURES, torch.tensor(LABELS), CIFAR10_CLASSES)
    assert data.labels.tolist() == LABELS
    assert (data.card.label_space, data.card.class_names) == ("cifar10", CIFAR10_CLASSES)
    assert from_arrays(PICTURES, LABELS, ["a", "b"]).card.label_space is None


def test_pictures_of_8_bits_are_not_copied() -> None:
    assert np.shares_memory(from_arrays(CHANNELS_FIRST, LABELS).read(2), PICTURES)
