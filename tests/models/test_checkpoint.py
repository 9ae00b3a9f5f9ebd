"""Weights from files."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.models.checkpoint import load_weights, read_checkpoint


def network(width: int = 4) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(3, width, 3), nn.BatchNorm2d(width), nn.Linear(4, 5))


Weights = dict[str, Tensor]


@pytest.mark.parametrize(
    "nest",
    [
        lambda weights: weights,
        lambda weights: {"state_dict": weights, "epoch": 3},
        lambda weights: {"model": weights, "optimizer": {"lr": 0.1}},
        lambda weights: {"state_dict_ema": weights, "state_dict": {"other": torch.zeros(1)}},
        lambda weights: {"best": {"other": torch.zeros(1)}, "last": weights},
        lambda weights: {"module." + name: value for name, value in weights.items()},
        lambda weights: {
            "state_dict": {"module._orig_mod." + name: value for name, value in weights.items()}
        },
    ],
)
def test_the_usual_wrappings_are_taken_off(
    tmp_path: Path, nest: Callable[[Weights], dict[str, object]]
) -> None:
    weights = network().state_dict()
    torch.save(nest(weights), tmp_path / "weights.pth")
    read = read_checkpoint(str(tmp_path / "weights.pth"))
    assert list(read) == list(weights)
    assert all(torch.equal(read[name], weights[name]) for name in weights)


def test_safetensors_give_back_the_same_weights(tmp_path: Path) -> None:
    weights = network().state_dict()
    safetensors.torch.save_file(weights, tmp_path / "weights.safetensors")
    read = read_checkpoint(str(tmp_path / "weights.safetensors"))
    assert all(torch.equal(read[name], weights[name]) for name in weights)


@pytest.mark.parametrize("name", ["Standard.pt", "model.safetensors"])
def test_a_web_page_saved_as_a_checkpoint_is_called_one(tmp_path: Path, name: str) -> None:
    page = "\n<!DOCTYPE html><html><title>Quota exceeded</title>" + "<p>x</p>" * 250
    (tmp_path / name).write_text(page, encoding="utf-8")
    with pytest.raises(ModelError, match=rf"{name}: expected a checkpoint, got a web page"):
        read_checkpoint(str(tmp_path / name))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"\x00\x01\x02 not a checkpoint", "damaged or something else"),
        (b"PK\x03\x04 cut off", "damaged or something else"),
    ],
)
@pytest.mark.parametrize("name", ["weights.pth", "weights.safetensors"])
def test_damaged_files_are_one_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=message) as caught:
        read_checkpoint(str(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_a_missing_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such file"):
        read_checkpoint(str(tmp_path / "weights.pth"))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="can't be read"):
        read_checkpoint(str(tmp_path))


def test_a_pickled_model_is_refused_without_running_its_code(tmp_path: Path) -> None:
    marker = tmp_path / "ran"

    class Hostile:
        def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
            return (Path.touch, (marker,))

    torch.save({"state_dict": network().state_dict(), "hook": Hostile()}, tmp_path / "model.pth")
    with pytest.raises(ModelError, match="only weights are read") as caught:
        read_checkpoint(str(tmp_path / "model.pth"))
    assert "\n" not in str(caught.value)
    assert not marker.exists()


def test_a_scripted_program_is_one_line(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "model.pt", "w") as archive:
        for name in ("model/constants.pkl", "model/data.pkl", "model/version"):
            archive.writestr(name, b"3\n")
    with pytest.raises(ModelError, match="damaged or something else") as caught:
        read_checkpoint(str(tmp_path / "model.pt"))
    assert "\n" not in str(caught.value)


def test_a_file_without_weights_lists_what_it_holds(tmp_path: Path) -> None:
    torch.save({"epoch": 3, "net": {"a": torch.zeros(1)}}, tmp_path / "state.pth")
    with pytest.raises(ModelError, match=r"expected a state dict .* 2 entries \(epoch, net\)"):
        read_checkpoint(str(tmp_path / "state.pth"))


def test_weights_arrive_in_the_module() -> None:
    source, target = network(), network()
    load_weights(target, source.state_dict(), "test")
    for name, value in source.state_dict().items():
        assert torch.equal(target.state_dict()[name], value)


def test_counters_of_old_checkpoints_may_be_missing() -> None:
    weights = network().state_dict()
    del weights["1.num_batches_tracked"]
    load_weights(network(), weights, "test")


def test_a_mismatch_counts_and_names_each_kind() -> None:
    weights = dict(network(width=6).state_dict())
    weights["extra"] = weights.pop("2.bias")
    with pytest.raises(
        ModelError,
        match=(
            r"1 missing \(2\.bias\); 1 unexpected \(extra\); 6 of another shape \(0\.bias \(6,\) "
            r"instead of \(4,\), .*, …\)\. Probably it is of another architecture"
        ),
    ):
        load_weights(network(), weights, "test")
