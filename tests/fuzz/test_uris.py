"""Whatever is typed after --data and --model: something, or one line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import a_result_or_one_line, fuzz
from unforeseen.data import load_data
from unforeseen.models import load_model

#: Without those that ask the network or run code that they name.
DATA = [
    "",
    "cifar10:",
    "imagefolder:",
    "imagenet:",
    "parquet:",
    "samples:",
    "table:",
    "webdataset:",
]
MODELS = ["", "demo:", "timm:", "torchvision:", "pt2:", "py:none_of_this"]
WORDS = st.text(max_size=20) | st.sampled_from(
    ["~", "~nobody/x", ".", "..", "*", "[", "{1..3}", "{0..99999999}.tar", "CON", "a" * 300, "a\x00b",
     "?", "?x", "?image=", "?split=x&split=y", "?label=a?b", "%00", "\\\\server\\x", "C:\\x", "\ud800"]
)  # fmt: skip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@fuzz(300)
@given(scheme=st.sampled_from(DATA), words=st.lists(WORDS, max_size=3))
def test_any_data_uri_is_data_or_one_line(scheme: str, words: list[str]) -> None:
    with a_result_or_one_line():
        load_data(scheme + "".join(words))


@fuzz(200)
@given(scheme=st.sampled_from(MODELS), words=st.lists(WORDS, max_size=3))
def test_any_model_uri_is_a_model_or_one_line(scheme: str, words: list[str]) -> None:
    with a_result_or_one_line():
        load_model(scheme + "?".join(words))
