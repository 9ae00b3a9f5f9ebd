"""What all tests share."""

import math
import signal
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from unforeseen.cli import quiet_lines


def pytest_configure() -> None:
    # Tests may run beside other processes, and small tensors gain nothing from threads.
    torch.set_num_threads(1)
    # A shell starts what runs in its background deaf to Ctrl-C, and so are that one's children.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _nothing_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps what is printed from depending on how busy the machine is."""
    monkeypatch.setattr(quiet_lines, "SOON", math.inf)
    monkeypatch.setattr(quiet_lines, "SELDOM", math.inf)


@pytest.fixture
def untouched_random_state() -> Iterator[None]:
    """Fails a test that draws from torch's or numpy's global generator, or seeds it."""
    before = _global_states()
    yield
    assert _global_states() == before


def _global_states() -> tuple[bytes, bytes, int]:
    _, numbers, position, *_ = np.random.get_state(legacy=True)  # noqa: NPY002 - what is watched
    return torch.get_rng_state().numpy().tobytes(), np.asarray(numbers).tobytes(), int(position)
