"""What all tests share."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch


def pytest_configure() -> None:
    # Tests may run beside other processes, and small tensors gain nothing from threads.
    torch.set_num_threads(1)


@pytest.fixture
def untouched_random_state() -> Iterator[None]:
    """Fails a test that draws from torch's or numpy's global generator, or seeds it."""
    before = (torch.get_rng_state(), np.random.get_state())  # noqa: NPY002 - the very thing watched
    yield
    after = (torch.get_rng_state(), np.random.get_state())  # noqa: NPY002 - likewise
    assert torch.equal(before[0], after[0])
    assert str(before[1]) == str(after[1])
