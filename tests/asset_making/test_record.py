"""Identities, and on what something was made."""

import io

import torch

from data.in_memory import InMemory, noise
from unforeseen.asset_making.record import environment, identity_of, is_environment

CPU = torch.device("cpu")


def test_an_identity_is_of_what_decides_and_of_which_pictures_there_are() -> None:
    dataset = InMemory([noise(40, 40), noise(40, 40, seed=1)])
    usual = identity_of({"algorithm": 1, "seed": 0}, dataset)
    assert usual == identity_of({"algorithm": 1, "seed": 0}, dataset)
    assert usual != identity_of({"algorithm": 2, "seed": 0}, dataset)
    assert usual != identity_of({"algorithm": 1, "seed": 0}, InMemory([noise(40, 40)]))


def test_an_environment_is_plain_enough_for_a_checkpoint() -> None:
    """The release of torch has a type of its own, which checkpoints don't take back."""
    file = io.BytesIO()
    torch.save(environment(CPU), file)
    file.seek(0)
    assert torch.load(file, weights_only=True) == environment(CPU)
    assert is_environment(environment(CPU))
    assert not is_environment(environment(CPU) | {"threads": True})
