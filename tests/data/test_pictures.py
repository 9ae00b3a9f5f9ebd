"""Streams of pictures, broken ones among them."""

import threading
import weakref

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from data.in_memory import Content, InMemory, encoded, noise
from unforeseen.data.pictures import Picture, Unreadable, read_picture, stream_pictures
from unforeseen.data.preprocess import apply
from unforeseen.preprocessing import Preprocessing

AS_IS = Preprocessing()


def test_a_picture_carries_id_label_index_and_pixels() -> None:
    data = InMemory([encoded(noise()), encoded(noise(seed=1))], labels=[4, 7])
    picture = read_picture(data, 1, "some id", AS_IS)
    assert isinstance(picture, Picture)
    assert (picture.example_id, picture.label, picture.index) == ("some id", 7, 1)
    assert torch.equal(picture.image, torch.from_numpy(noise(seed=1)).permute(2, 0, 1))


def test_arrays_and_lossless_files_give_the_same_tensor() -> None:
    data = InMemory([noise(9, 7), encoded(noise(9, 7))])
    one, two = (read_picture(data, n, "", Preprocessing(resize=5, crop=(4, 4))) for n in (0, 1))
    assert isinstance(one, Picture)
    assert isinstance(two, Picture)
    assert torch.equal(one.image, two.image)


def test_broken_files_are_results_and_never_stop_the_stream() -> None:
    good = encoded(noise(32, 32), "JPEG")
    contents: list[Content] = [good, b"", good[:300], OSError("gone"), b"<html>", good]
    chosen = [(index, f"id {index}") for index in range(6)]
    results = list(stream_pictures(InMemory(contents), chosen, AS_IS))
    assert [result.example_id for result in results] == [name for _, name in chosen]
    kinds = [type(result) for result in results]
    assert kinds == [Picture, Unreadable, Unreadable, Unreadable, Unreadable, Picture]
    reasons = [result.reason for result in results if isinstance(result, Unreadable)]
    assert all(reason and "\n" not in reason for reason in reasons)


def test_reasons_leave_out_the_users_folders() -> None:
    error = FileNotFoundError(2, "No such file or directory", "/home/me/secret/x.jpg")
    result = read_picture(InMemory([error]), 0, "", AS_IS)
    assert isinstance(result, Unreadable)
    assert result.reason == "No such file or directory"


def test_pictures_come_in_the_order_chosen() -> None:
    data = InMemory([noise(seed=n) for n in range(40)])
    order = [(index, str(index)) for index in reversed(range(40))]
    results = stream_pictures(data, order, AS_IS, workers=3, ahead=4)
    assert [result.index for result in results] == list(reversed(range(40)))


class _Counted(InMemory):
    """Counts the pixels that it handed out and that somebody still holds."""

    def __init__(self, count: int) -> None:
        super().__init__([b""] * count)
        self.live = 0
        self.most = 0
        self._lock = threading.Lock()

    def read(self, index: int) -> NDArray[np.uint8]:
        pixels = np.full((4, 4, 3), index % 256, np.uint8)
        weakref.finalize(pixels, self._let_go)
        with self._lock:
            self.live += 1
            self.most = max(self.most, self.live)
        return pixels

    def _let_go(self) -> None:
        with self._lock:
            self.live -= 1


def test_ten_thousand_pictures_take_the_memory_of_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pitfall 23: what is alive at a time doesn't grow with the data set."""
    data = _Counted(10_000)
    tensors: weakref.WeakSet[Tensor] = weakref.WeakSet()
    most_tensors = 0

    def watched(image: Image.Image, preprocessing: Preprocessing) -> Tensor:
        pixels = apply(image, preprocessing)
        tensors.add(pixels)
        return pixels

    monkeypatch.setattr("unforeseen.data.pictures.apply", watched)
    chosen = [(index, str(index)) for index in range(10_000)]
    seen = 0
    for picture in stream_pictures(data, chosen, AS_IS, workers=2, ahead=8):
        seen += isinstance(picture, Picture)
        most_tensors = max(most_tensors, len(tensors))
    # Those ahead, one that each thread has in hands, and the consumer's own two.
    assert seen == 10_000
    assert data.most <= 8 + 2 + 2
    assert most_tensors <= 8 + 2 + 2


def test_closing_the_stream_ends_its_threads() -> None:
    data = InMemory([noise()] * 100)
    stream = stream_pictures(data, [(index, "") for index in range(100)], AS_IS)
    next(stream)
    stream.close()
    assert not any(t.name.startswith("unforeseen-data") for t in threading.enumerate())
