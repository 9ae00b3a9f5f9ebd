"""The file of a network: what was written is read, and what a stranger wrote is looked at first."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from safetensors.torch import load, save
from torch import Tensor

from made_stylization import made_stylization
from oracles import pictures
from unforeseen.errors import AssetError, UnknownNameError
from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.weights import read_stylization, stylization_bytes

NAMES = StyleNames(paintings=("night", "river"), textures=("bark",))


def about(**changes: Any) -> dict[str, Any]:
    return {
        "schema": 1,
        "paintings": ["night", "river"],
        "textures": ["bark"],
        "recipe": {"seed": 0},
        **changes,
    }


def file(weights: dict[str, Tensor] | None = None, said: object = None) -> bytes:
    if weights is None:
        weights = dict(made_stylization(NAMES).network.state_dict())
    text = json.dumps(about() if said is None else said)
    return save(weights, metadata={"unforeseen-stylization": text})


def changed(name: str, change: Callable[[Tensor], Tensor]) -> bytes:
    weights = dict(made_stylization(NAMES).network.state_dict())
    return file(weights | {name: change(weights[name]).contiguous()})


def test_what_is_written_is_read_bit_for_bit() -> None:
    made = made_stylization(NAMES)
    read = read_stylization(stylization_bytes(made, {"seed": 0}), "w.safetensors")
    assert read.names == NAMES
    for name, value in made.network.state_dict().items():
        assert torch.equal(value, read.network.state_dict()[name]), name
    x = pictures(1, 40, 32)[0]
    one, other = (each.stylise(x, "texture", "bark") for each in (made, read))
    torch.testing.assert_close(one, other)
    assert not other.requires_grad
    assert not other.is_inference()


def test_the_same_network_is_the_same_file() -> None:
    """Its hash belongs to a pack's fingerprint."""
    one, other = (stylization_bytes(made_stylization(NAMES), {"seed": 0}) for _ in range(2))
    assert one == other


def test_which_files_were_learnt_is_read_back_in_the_order_of_the_rows() -> None:
    contents = (b"night", b"river", b"bark")
    files = tuple(hashlib.sha256(each).hexdigest() for each in contents)
    made = replace(made_stylization(NAMES), files=files)
    read = read_stylization(stylization_bytes(made, {}), "w")
    assert read.files == files
    assert read.has_learnt("texture", "bark", b"bark")
    assert not read.has_learnt("painting", "river", b"bark")


def test_half_precision_is_read_as_single() -> None:
    weights = {
        name: value.half() for name, value in made_stylization(NAMES).network.state_dict().items()
    }
    read = read_stylization(file(weights), "w")
    assert {value.dtype for value in read.network.state_dict().values()} == {torch.float32}


def test_each_style_is_its_row() -> None:
    made = made_stylization(NAMES)
    x = pictures(1, 32, 32)[0]
    for row, (kind, name) in enumerate(
        [("painting", "night"), ("painting", "river"), ("texture", "bark")]
    ):
        expected = made.network(x[None], torch.tensor([row]))[0]
        assert torch.equal(made.stylise(x, kind, name), expected)  # type: ignore[arg-type]  # a literal
    with pytest.raises(UnknownNameError, match="unknown texture 'night'"):
        made.stylise(x, "texture", "night")


FAULTS = {
    "empty": (b"", "it has no metadata"),
    "text": (b"<!doctype html>", "it has no metadata"),
    "other weights": (save({"a": torch.zeros(1)}), "it has no metadata"),
    "cut": (file()[:-100], "it is damaged or something else"),
    "header only": (file()[:2000], "it has no metadata"),
    "not a table": (file(said=[1]), "expected a table, got a list of 1"),
    "newer": (file(said=about(schema=2)), "schema: expected 1"),
    "a hash too few": (file(said=about(files=["0" * 64] * 2)), "files: expected 3 hashes"),
    "no hash": (file(said=about(files=["0" * 63] * 3)), "files: expected 3 hashes"),
    "hashes by name": (file(said=about(files={"night": "0" * 64})), "files: expected 3 hashes"),
    "extra": (file(said=about(code="x")), "unknown key 'code'"),
    "lacking": (file(said={"schema": 1, "paintings": []}), "lacks textures"),
    "one name": (
        file(said=about(textures=["bark", "rust"])),
        r"expected float32 or float16 \(4, \d+\), got float32 \(3, ",
    ),
    "no names": (file(said=about(paintings=[], textures=[])), "expected 1 to 1000 styles, got 0"),
    "twice": (file(said=about(paintings=["a", "a"])), "paintings: expected a list of different"),
    "path": (file(said=about(paintings=["../a", "b"])), "paintings: expected a list of different"),
    "number": (file(said=about(paintings=3)), "paintings: expected a list of different names"),
    "shape": (changed("to_colour.bias", lambda v: v[:2]), r"to_colour.bias: expected .* \(3,\)"),
    "type": (changed("to_colour.bias", lambda v: v.long()), "to_colour.bias: expected float32"),
    "nan": (changed("to_colour.bias", lambda v: v * torch.nan), "expected weights from -10,000 to"),
    "vast": (changed("to_colour.bias", lambda v: v * 0 + 3e38), "got larger ones or NaN"),
}


@pytest.mark.parametrize(("content", "message"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_used_is_said_in_one_line(content: bytes, message: str) -> None:
    """Pitfall: files of strangers are data; the line names the file."""
    with pytest.raises(AssetError, match=message) as raised:
        read_stylization(content, "pack/w.safetensors")
    assert str(raised.value).startswith("pack/w.safetensors: ")


def test_the_largest_weights_that_are_read_give_no_nan() -> None:
    """Pitfall: finite weights overflow inside a network, and NaN as a byte is anything."""
    drawn = torch.Generator().manual_seed(0)
    weights = {
        name: 1e4 * torch.empty(value.shape).bernoulli_(0.5, generator=drawn).mul(2).sub(1)
        for name, value in made_stylization(NAMES).network.state_dict().items()
    }
    read = read_stylization(file(weights), "w")
    for x in (pictures(1, 224, 224)[0], torch.zeros(3, 32, 32), torch.eye(64).expand(3, 64, 64)):
        assert bool(read.stylise(x, "painting", "night").isfinite().all())


def test_autocast_changes_nothing() -> None:
    made, x = made_stylization(NAMES), pictures(1, 40, 40)[0]
    with torch.autocast("cpu", torch.bfloat16):
        seen = made.stylise(x, "texture", "bark")
    assert torch.equal(seen, made.stylise(x, "texture", "bark"))


def test_a_missing_and_an_unknown_weight_are_refused() -> None:
    weights = load(file())
    removed = {name: value for name, value in weights.items() if name != "to_colour.bias"}
    for content in (removed, weights | {"more": torch.zeros(1)}):
        with pytest.raises(AssetError, match="expected the weights of this release's network"):
            read_stylization(file(content), "w")
