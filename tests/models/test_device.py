"""Which device a model goes to."""

import pytest
import torch

from unforeseen.errors import UserError
from unforeseen.models.device import choose_device, choose_device_for_training


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_fastest_device_is_taken(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, expected: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert choose_device() == torch.device(expected)


@pytest.mark.parametrize(("cuda", "expected"), [(True, "cuda"), (False, "cpu")])
def test_apples_graphics_are_trained_on_only_when_they_are_named(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, expected: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device_for_training() == torch.device(expected)
    assert choose_device_for_training("mps") == torch.device("mps")


def test_a_named_device_is_taken() -> None:
    assert choose_device("cpu") == torch.device("cpu")
    assert choose_device(torch.device("cpu")) == torch.device("cpu")


def test_absent_and_unknown_devices_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match=r"'cuda' is not available here: expected one of .*cpu"):
        choose_device("cuda")
    with pytest.raises(UserError, match="unknown device 'gpu': expected cuda"):
        choose_device("gpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(UserError, match="there are 2 CUDA devices"):
        choose_device("cuda:2")
