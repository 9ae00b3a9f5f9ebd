"""Examples written by TensorFlow itself are the reference; ``write_published_tfds.py`` wrote them."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unforeseen.data.tf_example import LEFT_OUT, Values, encode_example, parse_example
from unforeseen.data.tfrecord import records_in
from unforeseen.errors import DataError

FOLDER = Path(__file__).with_name("published_tfds") / "obfuscated_imagenet" / "1.0.0"
SWIRLED = FOLDER / "obfuscated_imagenet-validation_SwirlWarp.tfrecord-00001-of-00002"

_EXAMPLES = st.dictionaries(
    st.text(min_size=1, max_size=20),
    st.one_of(
        st.lists(st.binary(max_size=300), min_size=1, max_size=4),
        st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=4),
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4),
    ),
    max_size=5,
)


def test_an_example_of_tensorflow_says_what_was_put_into_it() -> None:
    last = [parse_example(content) for _, content in records_in(SWIRLED)][-1]
    image = last.pop("image")[0]
    assert isinstance(image, bytes)
    assert image.startswith(b"\xff\xd8")
    assert last == {
        "label": [1],
        "file_name": [b"ILSVRC2012_val_00000001.JPEG"],
        "hyperparameters": [b"strength=1"],
        "strength": [1.0],
        "centre": [100, 120],
    }


def test_an_example_is_encoded_as_tensorflow_does_but_for_the_order_of_its_features() -> None:
    for _, content in records_in(SWIRLED):
        again = encode_example(parse_example(content))
        assert sorted(again) == sorted(content)
        assert parse_example(again) == parse_example(content)


@given(_EXAMPLES)
def test_what_is_encoded_is_parsed_again(features: dict[str, Values]) -> None:
    assert parse_example(encode_example(features)) == features


def test_numbers_that_are_not_packed_are_read_too() -> None:
    floats = b"".join(b"\x0d" + struct.pack("<f", each) for each in (0.5, -2.0))
    integers = b"\x08\x05\x08" + b"\xff" * 9 + b"\x01"
    features = b"".join(
        _delimited(1, _delimited(1, name) + _delimited(2, value))
        for name, value in ((b"f", _delimited(2, floats)), (b"i", _delimited(3, integers)))
    )
    assert parse_example(_delimited(1, features)) == {"f": [0.5, -2.0], "i": [5, -1]}


def test_long_bytes_are_left_out_where_that_is_asked_for() -> None:
    content = encode_example({"image": [bytes(501)], "name": [b"x" * 500]})
    assert parse_example(content, longest=500) == {"image": [LEFT_OUT], "name": [b"x" * 500]}


def test_what_later_versions_may_add_is_passed_over() -> None:
    known = encode_example({"label": [3]})
    later = b"\x10\x07" + b"\x19" + bytes(8) + b"\x25" + bytes(4) + _delimited(9, b"new")
    assert parse_example(later + known) == {"label": [3]}


@pytest.mark.parametrize(
    "content",
    [
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x0a" + b"\x80" * 20,
        b"\x80" * 20,
        b"\x0a\x05abc",
        b"\x0b",
        b"\x08\x01\x0a\x02\x08\x01",
    ],
    ids=["length of 2**64", "endless length", "endless tag", "cut off", "group", "no message"],
)
def test_what_is_no_example_is_refused_in_one_line(content: bytes) -> None:
    with pytest.raises(DataError, match=r"^expected a tf\.train\.Example, got"):
        parse_example(content)


def test_many_features_and_many_values_are_refused() -> None:
    with pytest.raises(DataError, match="at most 1000 features"):
        parse_example(encode_example({str(number): [1] for number in range(1001)}))
    with pytest.raises(DataError, match="at most 200,000 values"):
        parse_example(encode_example({"many": [1] * 200_001}))


@given(st.binary(max_size=200))
def test_any_bytes_are_an_example_or_a_data_error(content: bytes) -> None:
    with suppress(DataError):
        parse_example(content)


def _delimited(number: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content
