"""Ids follow the content."""

import hashlib
import threading
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from data.in_memory import Content, InMemory, InMemoryObfuscated, encoded, noise
from unforeseen.data import load_data
from unforeseen.data.identity import identify, subset_hash


def ids_of(*contents: Content) -> list[str]:
    return identify(InMemory(contents), range(len(contents)))


def test_a_jpegs_id_is_the_hash_of_its_bytes() -> None:
    payload = encoded(noise(), "JPEG")
    assert ids_of(payload) == [hashlib.sha256(payload).hexdigest()[:32]]


def test_an_arrays_id_is_the_hash_of_its_shape_and_pixels() -> None:
    pixels = noise(3, 5)
    expected = hashlib.sha256(b"3x5:" + pixels.tobytes()).hexdigest()[:32]
    assert ids_of(pixels) == [expected]


def test_lossless_files_and_arrays_of_one_picture_pair_up() -> None:
    pixels = noise()
    optimised = Image.fromarray(pixels).convert("RGBA")
    [single] = ids_of(pixels)
    for content in (
        encoded(pixels, "PNG"),
        encoded(optimised, "PNG"),
        encoded(pixels, "BMP"),
        encoded(pixels, "PPM"),
        pixels[:, ::-1][:, ::-1],
    ):
        assert ids_of(content) == [single]


def test_folder_and_parquet_pair_up(tmp_path: Path) -> None:
    pictures = [encoded(noise(seed=0), "PNG"), encoded(noise(seed=1), "JPEG")]
    (tmp_path / "cat").mkdir()
    for number, picture in enumerate(pictures):
        (tmp_path / "cat" / f"{number}.jpg").write_bytes(picture)
    file = tmp_path / "x.parquet"
    pl.DataFrame({"image": pictures, "label": [0, 0]}).write_parquet(file)
    assert identify(load_data(tmp_path), [0, 1]) == identify(load_data(file), [0, 1])


def test_the_same_pixels_in_another_shape_are_another_picture() -> None:
    pixels = noise(4, 6)
    assert len(set(ids_of(pixels, pixels.reshape(6, 4, 3)))) == 2


def test_duplicates_are_numbered_in_the_order_asked() -> None:
    data = InMemory([noise(seed=1), noise(seed=2), noise(seed=1), encoded(noise(seed=1))])
    one, two = identify(data, [0, 1])
    assert identify(data, [3, 1, 0, 2]) == [one, two, f"{one}#2", f"{one}#3"]


def test_pictures_that_were_obfuscated_before_are_called_as_when_they_were_obfuscated() -> None:
    """Rows of a ready-made folder and of a run on the fly are of one picture."""
    made = InMemoryObfuscated(
        InMemory([noise(seed=seed) for seed in range(3)]), {}, example_ids=["a", "b", "b#2"]
    )
    assert identify(made, [2, 0, 1]) == ["b#2", "a", "b"]


def test_a_longer_selection_keeps_the_ids_of_a_shorter_one() -> None:
    data = InMemory([noise(seed=n % 3) for n in range(9)])
    order = [8, 1, 4, 7, 0, 2, 3, 6, 5]
    assert identify(data, order)[:4] == identify(data, order[:4])


def test_what_cannot_be_read_is_named_by_its_key() -> None:
    data = InMemory([OSError("gone"), noise()], keys=["cat/x.jpg", "cat/y.jpg"])
    unreadable, readable = identify(data, [0, 1])
    key_hash = hashlib.sha256(b"cat/x.jpg").hexdigest()[:32]
    assert unreadable == f"unreadable-{key_hash}"
    assert [readable] == ids_of(noise())


def test_what_cannot_be_decoded_is_named_by_its_bytes() -> None:
    broken = encoded(noise(), "PNG")[:60]
    assert ids_of(broken, b"") == [
        hashlib.sha256(content).hexdigest()[:32] for content in (broken, b"")
    ]


def test_progress_counts_to_the_end() -> None:
    counts: list[int] = []
    identify(InMemory([noise()] * 5), [3, 0, 4], counts.append)
    assert counts == [1, 2, 3]


def test_no_thread_outlives_an_interruption() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    # Who holds the exception holds the frame that it went through.
    with pytest.raises(KeyboardInterrupt) as caught:
        identify(InMemory([noise()] * 500), range(500), interrupt)
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith("unforeseen-data")]
    del caught


def test_a_subsets_hash_depends_on_its_members_only() -> None:
    assert subset_hash(["a", "b"]) == subset_hash(["b", "a"])
    assert len({subset_hash(ids) for ids in (["a", "b"], ["a"], ["ab"], [])}) == 4
