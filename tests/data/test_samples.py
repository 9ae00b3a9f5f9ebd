"""The pictures that foolbox ships."""

import importlib.util
import os
from pathlib import Path

import pytest

from unforeseen.data import load_data
from unforeseen.data.label_spaces import CIFAR10_CLASSES
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.errors import DataError, MissingExtraError, UnknownNameError
from unforeseen.preprocessing import Preprocessing


@pytest.mark.parametrize("name", ["imagenet", "cifar10"])
def test_twenty_pictures_with_labels_of_the_label_space(name: str) -> None:
    data = load_data(f"samples:{name}")
    assert data.card.images == len(data.labels) == len(data.keys) == 20
    assert data.card.label_space == name
    assert data.labels.max() < len(data.card.class_names)


def test_labels_are_those_in_the_file_names() -> None:
    data = load_data("samples:imagenet")
    assert data.labels[data.keys.index("imagenet_16_251.jpg")] == 251
    assert data.card.class_names[251] == "dalmatian"
    assert load_data("samples:cifar10").card.class_names == CIFAR10_CLASSES


def test_pictures_can_be_read() -> None:
    picture = read_picture(load_data("samples:cifar10"), 0, "some id", Preprocessing())
    assert isinstance(picture, Picture)
    assert picture.image.shape == (3, 32, 32)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_pictures_place_is_not_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    os.mkfifo(tmp_path / "data" / "cifar10_00_3.png")
    spec = importlib.util.spec_from_file_location(
        "foolbox", tmp_path / "__init__.py", submodule_search_locations=[str(tmp_path)]
    )
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    with pytest.raises(OSError, match="not a regular file"):
        load_data("samples:cifar10").read(0)


def test_without_foolbox_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'pip install "unforeseen\[samples\]"'):
        load_data("samples:cifar10")


def test_foolbox_without_pictures_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        "foolbox", tmp_path / "__init__.py", submodule_search_locations=[str(tmp_path)]
    )
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    with pytest.raises(DataError, match="found none"):
        load_data("samples:cifar10")


def test_other_samples_are_unknown() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean imagenet"):
        load_data("samples:imagnet")
