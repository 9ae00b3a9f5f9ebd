"""Checkpoints and heads of any content: weights or groups, or one line; no code is run."""

import io
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save

from fuzzing import a_result_or_one_line, damaged, fuzz
from unforeseen.models.checkpoint import read_checkpoint
from unforeseen.models.head_files import read_groups

WEIGHTS = {"layer.weight": torch.ones(2, 3), "layer.bias": torch.zeros(2)}


def saved(*, new: bool) -> bytes:
    buffer = io.BytesIO()
    torch.save({"state_dict": WEIGHTS}, buffer, _use_new_zipfile_serialization=new)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


CHECKPOINTS = {
    "zipped.pth": saved(new=True),
    "older.pth": saved(new=False),
    "weights.safetensors": save(WEIGHTS),
}


@pytest.mark.parametrize("name", CHECKPOINTS)
@fuzz(200)
@given(draw=st.data())
def test_damaged_checkpoints_are_weights_or_one_line(
    folder: Path, name: str, draw: st.DataObject
) -> None:
    (folder / name).write_bytes(draw.draw(damaged(CHECKPOINTS[name])))
    with a_result_or_one_line():
        weights = read_checkpoint(str(folder / name))
        assert all(isinstance(value, torch.Tensor) for value in weights.values())


CSV = b"class,group\n0,animal\n1,animal\n2,thing\n*,rest\n"
JSON = b'{"animal": [0, 1, "cat"], "thing": [2], "rest": "*"}'


@pytest.mark.parametrize(("name", "whole"), [("head.csv", CSV), ("head.json", JSON)])
@fuzz(200)
@given(draw=st.data())
def test_damaged_heads_are_groups_or_one_line(
    folder: Path, name: str, whole: bytes, draw: st.DataObject
) -> None:
    (folder / name).write_bytes(draw.draw(damaged(whole) | st.binary(max_size=60)))
    with a_result_or_one_line():
        read_groups(str(folder / name))
