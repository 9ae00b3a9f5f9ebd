"""Checkpoints: what is read back, and that nothing made up is run, believed or read without bound."""

import math
import os
import pickle
import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from unforeseen.asset_making import checkpoint
from unforeseen.asset_making.checkpoint import (
    Checkpoint,
    read_checkpoint,
    refuse_fewer_steps,
    write_checkpoint,
)
from unforeseen.asset_making.record import environment
from unforeseen.errors import RunError

ENVIRONMENT = environment(torch.device("cpu"))
WRITTEN = Checkpoint(
    deciding={"seed": 1, "placement": {"side": [0.2, 0.35]}},
    seconds=1.5,
    made_on=[ENVIRONMENT],
    lines=[[2.0, 3.0]],
    waiting=[[3.0, 2.5]],
    state={"steps": 3, "layers": [torch.arange(3.0)]},
    measured={"done": 2, "counts": [{"accuracy": [1, 2]}]},
)


def _doubled(times: int) -> list[Any]:
    """Lists that hold each other twice: a small file of 2 ** times places."""
    value: list[Any] = [0.5]
    for _ in range(times):
        value = [value, value]
    return value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "banana.checkpoint"


def read(path: Path, seed: int = 1) -> Checkpoint | None:
    deciding = WRITTEN.deciding | {"seed": seed}
    return read_checkpoint(path, of="patch", deciding=deciding, columns=2, every=2)


def test_what_is_written_is_read_again(path: Path) -> None:
    write_checkpoint(path, WRITTEN)
    found = read(path)
    assert found is not None
    assert torch.equal(found.state["layers"][0], torch.arange(3.0))
    assert replace(found, state=WRITTEN.state) == WRITTEN
    assert found.steps == 3


def test_there_may_be_none(path: Path) -> None:
    assert read(path) is None


def test_what_was_begun_otherwise_is_not_gone_on_with(path: Path) -> None:
    write_checkpoint(path, WRITTEN)
    with pytest.raises(RunError, match=r"a patch was begun .*: seed is 1, asked for is 2"):
        read(path, 2)


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", b"PK\x03\x04" + bytes(40)])
def test_a_damaged_file_is_an_error_in_one_line(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(RunError, match="remove it to begin anew"):
        read(path)


def test_however_a_file_is_damaged_it_is_read_or_refused(path: Path) -> None:
    write_checkpoint(path, WRITTEN)
    content, draws = path.read_bytes(), random.Random(0)
    for _ in range(200):
        damaged = bytearray(content[: draws.choice((len(content), draws.randrange(len(content))))])
        for _ in range(draws.randrange(1, 6)):
            if damaged:
                damaged[draws.randrange(len(damaged))] = draws.randrange(256)
        path.write_bytes(damaged)
        try:
            read(path)
        except RunError:
            continue


@pytest.mark.parametrize(
    "changes",
    [
        {"deciding": 7},
        {"deciding": {"seed": torch.ones(2)}},
        {"deciding": {"seed": (1,)}},
        {"deciding": {1: 1}},
        {"seconds": "x"},
        {"seconds": -1.0},
        {"seconds": math.inf},
        {"seconds": True},
        {"made_on": {}},
        {"made_on": [1]},
        {"made_on": [{"device": "cpu"}]},
        {"made_on": [ENVIRONMENT | {"threads": "1"}]},
        {"made_on": [ENVIRONMENT | {"torch": "2" * 101}]},
        {"made_on": [ENVIRONMENT | {"host": "a"}]},
        {"lines": "abc"},
        {"lines": [[1.0]]},
        {"lines": [[1.0, "x"]]},
        {"lines": [[1.0, math.nan]]},
        {"waiting": None},
        {"waiting": [[1.0, 2.0, 3.0]]},
        {"waiting": [[3.0, 2.5]] * 2},
        {"waiting": [[2.0, 2.5]]},
        {"waiting": [[4.0, 2.5]]},
        {"lines": [[2.0, 3.0], [1.0, 3.0]]},
        {"lines": [[0.0, 3.0]]},
        {"lines": [[0.2, 3.0]] * 300_000},
        {"lines": [[step / 10, 3.0] for step in range(1, 20)], "state": {"steps": 1}},
        {"lines": [], "waiting": [[step / 2, 3.0] for step in range(1, 4)]},
        {"state": {"steps": 1, "w": _doubled(60)}},
        {"state": {}},
        {"state": []},
        {"state": {"steps": -5}},
        {"state": {"steps": 2.0}},
        {"state": {"steps": True}},
        {"state": {"steps": 10**400}},
        {"state": {"steps": 1, "w": torch.tensor([math.nan])}},
        {"state": {"steps": 1, "w": torch.zeros(1).expand(10**12)}},
        {"state": {"steps": 1, "w": torch.zeros(3, dtype=torch.complex64)}},
        {"state": {"steps": 1, "w": torch.eye(3).to_sparse()}},
        {"state": {"steps": 1, "w": torch.zeros(3, device="meta")}},
        {"measured": 7},
        {"measured": [7]},
        {"unknown": 1},
    ],
)
def test_what_would_not_have_been_written_is_not_believed(
    path: Path, changes: dict[str, Any]
) -> None:
    """Pitfall: a folder may be a stranger's."""
    torch.save(vars(WRITTEN) | changes, path)
    with pytest.raises(RunError, match="expected a patch to go on with"):
        read(path)


def test_a_small_file_that_unpacks_to_many_values_is_not_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pitfall: a folder may be a stranger's. Reading takes longest where hardly anything is tensors."""
    monkeypatch.setattr(checkpoint, "_LARGEST_PICKLE", 10_000)
    torch.save(vars(WRITTEN) | {"state": {"steps": 3, "w": torch.zeros(10_000)}}, path)
    assert read(path) is not None
    monkeypatch.setattr(torch, "load", pytest.fail)
    torch.save(vars(WRITTEN) | {"state": {"steps": 3, "w": [0.5] * 10_000}}, path)
    with pytest.raises(RunError, match="expected a patch to go on with"):
        read(path)


@pytest.mark.parametrize("content", [[1], None, torch.zeros(2), {1: 2}, {"deciding": {}}])
def test_other_things_that_torch_saved_are_refused(path: Path, content: object) -> None:
    torch.save(content, path)
    with pytest.raises(RunError, match="expected a patch to go on with"):
        read(path)


class _Hostile:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("was-run"),)


def test_code_in_a_checkpoint_is_not_run(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pitfall: a folder may be a stranger's."""
    monkeypatch.chdir(tmp_path)
    torch.save(vars(WRITTEN) | {"state": _Hostile()}, path)
    with pytest.raises(RunError, match="damaged, or of another release"):
        read(path)
    path.write_bytes(pickle.dumps(_Hostile(), protocol=2))
    with pytest.raises(RunError, match="damaged, or of another release"):
        read(path)
    assert not Path("was-run").exists()


def test_no_more_than_so_much_is_read_also_unpacked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "_LARGEST", 10_000)
    torch.save(vars(WRITTEN) | {"state": {"steps": 1, "w": torch.zeros(3000)}}, path)
    with pytest.raises(RunError, match="damaged, or of another release"):
        read(path)
    write_checkpoint(path, WRITTEN)
    assert read(path) is not None
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("archive/data/9", bytes(100_000))
    assert path.stat().st_size < 10_000
    with pytest.raises(RunError, match="damaged, or of another release"):
        read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(RunError, match="damaged, or of another release"):
        read(path)


def test_fewer_steps_than_were_done_are_refused(path: Path) -> None:
    refuse_fewer_steps(path, done=6, asked=6)
    refuse_fewer_steps(path, done=6, asked=None)
    with pytest.raises(
        RunError, match=r"6 steps were done already, more than the 5 .* --steps 6 or"
    ):
        refuse_fewer_steps(path, done=6, asked=5)
