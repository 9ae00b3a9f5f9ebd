"""Files written by TensorFlow itself are the reference; ``write_published_tfds.py`` wrote them."""

from pathlib import Path

import pytest

from unforeseen.data.tfrecord import HEADER, framed, read_record, records_in
from unforeseen.errors import DataError

WRITTEN_BY_TENSORFLOW = sorted(Path(__file__).with_name("published_tfds").glob("*/*/*.tfrecord-*"))


@pytest.mark.parametrize("file", WRITTEN_BY_TENSORFLOW, ids=lambda file: file.name)
def test_records_are_framed_bit_for_bit_as_tensorflow_does(file: Path) -> None:
    contents = [content for _, content in records_in(file)]
    assert contents
    assert b"".join(map(framed, contents)) == file.read_bytes()


@pytest.mark.parametrize("file", WRITTEN_BY_TENSORFLOW, ids=lambda file: file.name)
def test_a_record_is_read_alone_as_it_was_met(file: Path) -> None:
    for record, content in records_in(file):
        assert read_record(file, record) == content


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "none.tfrecord").touch()
    assert list(records_in(tmp_path / "none.tfrecord")) == []


def test_damage_of_a_length_is_named_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "a.tfrecord"
    second = framed(b"two")
    file.write_bytes(framed(b"one") + b"\xff" + second[1:])
    with pytest.raises(DataError, match=r"a\.tfrecord .* byte 19 "):
        list(records_in(file))


@pytest.mark.parametrize("kept", range(1, 19))
def test_a_file_that_ends_within_a_record_is_refused_wherever_it_does(
    kept: int, tmp_path: Path
) -> None:
    file = tmp_path / "a.tfrecord"
    file.write_bytes(framed(b"one") + framed(b"two")[:kept])
    with pytest.raises(DataError, match=r"a\.tfrecord is cut off.* byte 19"):
        list(records_in(file))


def test_a_length_far_beyond_the_file_costs_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "a.tfrecord"
    from unforeseen.data.tfrecord import _masked

    length = (2**63).to_bytes(8, "little")
    file.write_bytes(length + _masked(length) + b"some bytes")
    with pytest.raises(DataError, match=r"needs 9,223,372,036,854,775,824 bytes, 22 are there"):
        list(records_in(file))


def test_a_huge_record_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.tfrecord"
    from unforeseen.data.tfrecord import _masked

    length = (2**27).to_bytes(8, "little")
    with file.open("wb") as stream:
        stream.write(length + _masked(length))
        stream.truncate(2**27 + 16)
    with pytest.raises(DataError, match="at most 64 MiB, got one of 128 MiB at byte 0"):
        list(records_in(file))


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.tfrecord"
    file.write_bytes(b"\x1f\x8b\x08 this is no TFRecord file")
    with pytest.raises(DataError, match="no uncompressed TFRecord file"):
        list(records_in(file))


def test_damage_of_a_content_is_seen_when_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.tfrecord"
    content = bytearray(framed(b"one"))
    content[HEADER] ^= 1
    file.write_bytes(content)
    ((record, _),) = records_in(file)
    with pytest.raises(OSError, match="record at byte 0 is damaged"):
        read_record(file, record)
