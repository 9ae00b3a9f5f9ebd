"""Of which data something was made, and on what."""

import io

import torch

from data.in_memory import InMemory, noise
from unforeseen.asset_making.record import data_record, environment, is_environment

CPU = torch.device("cpu")
PICTURES = [noise(40, 40), noise(40, 40, seed=1)]


def test_data_are_known_by_their_keys_and_by_labels_where_these_are_looked_at() -> None:
    usual, others = InMemory(PICTURES, [0, 1]), InMemory(PICTURES, [1, 0])
    assert data_record(usual, labels=False) == data_record(others, labels=False)
    one, other = (data_record(each, labels=True) for each in (usual, others))
    assert {name for name in one if one[name] != other[name]} == {"labels"}
    fewer = data_record(InMemory(PICTURES[:1]), labels=False)
    assert fewer["keys"] != data_record(usual, labels=False)["keys"]


def test_names_that_are_no_text_are_names_too() -> None:
    dataset = InMemory(PICTURES)
    dataset.keys = ["a.png", "\udcff.png"]
    record = data_record(dataset, labels=True)
    assert record["keys"] != data_record(InMemory(PICTURES), labels=True)["keys"]


def test_an_environment_is_plain_enough_for_a_checkpoint() -> None:
    """The release of torch has a type of its own, which checkpoints don't take back."""
    file = io.BytesIO()
    torch.save(environment(CPU), file)
    file.seek(0)
    assert torch.load(file, weights_only=True) == environment(CPU)
    assert is_environment(environment(CPU))
    assert not is_environment(environment(CPU) | {"threads": True})
