"""Streams of pictures, broken ones among them."""

import threading

import torch

from data.in_memory import Content, InMemory, encoded, noise
from unforeseen.data.pictures import Picture, Unreadable, read_picture, stream_pictures
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


def test_closing_the_stream_ends_its_threads() -> None:
    data = InMemory([noise()] * 100)
    stream = stream_pictures(data, [(index, "") for index in range(100)], AS_IS)
    next(stream)
    stream.close()
    assert not any(t.name.startswith("unforeseen-data") for t in threading.enumerate())
