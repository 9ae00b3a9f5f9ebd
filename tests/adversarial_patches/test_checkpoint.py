"""Checkpoints: what is read back, and what is not."""

import pickle
from pathlib import Path

import pytest
import torch

from unforeseen.adversarial_patches.checkpoint import (
    Checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from unforeseen.errors import RunError

STATE = Checkpoint(
    identity="a",
    seconds=1.5,
    losses=[3.0, 2.5],
    state={"steps": 2, "layers": [torch.arange(3.0)]},
    effect=[{"network": "demo:x", "accuracy": {"value": 0.5, "n": 2}}],
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "banana.checkpoint"


def test_what_is_written_is_read_again(path: Path) -> None:
    write_checkpoint(path, STATE)
    found = read_checkpoint(path, "a")
    assert found is not None
    assert torch.equal(found.state["layers"][0], torch.arange(3.0))
    assert (found.seconds, found.losses, found.effect) == (1.5, [3.0, 2.5], STATE.effect)


def test_there_may_be_none(path: Path) -> None:
    assert read_checkpoint(path, "a") is None


def test_a_patch_that_was_begun_otherwise_is_not_gone_on_with(path: Path) -> None:
    write_checkpoint(path, STATE)
    with pytest.raises(RunError, match="other models, pictures or settings"):
        read_checkpoint(path, "b")


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", b"PK\x03\x04" + bytes(40)])
def test_a_damaged_file_is_an_error_in_one_line(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(RunError, match="Remove it to begin anew"):
        read_checkpoint(path, "a")


class _Hostile:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("was-run"),)


def test_code_in_a_checkpoint_is_not_run(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pitfall: a folder may be a stranger's."""
    monkeypatch.chdir(tmp_path)
    torch.save({"identity": "a", "state": _Hostile()}, path)
    with pytest.raises(RunError, match="damaged or something else"):
        read_checkpoint(path, "a")
    path.write_bytes(pickle.dumps(_Hostile(), protocol=2))
    with pytest.raises(RunError, match="damaged or something else"):
        read_checkpoint(path, "a")
    assert not Path("was-run").exists()
