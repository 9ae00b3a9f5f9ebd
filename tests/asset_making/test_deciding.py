"""What is gone on with, and what a refusal says."""

from pathlib import Path
from typing import Any

import pytest

from unforeseen.asset_making.deciding import refuse_other
from unforeseen.errors import RunError

MODEL = {"uri": "demo:a", "fingerprint": "f", "head": "h.csv", "mapping": "m", "held_out": False}
ASKED: dict[str, Any] = {
    "algorithm": 1,
    "networks": [MODEL],
    "data": {"uri": "flat", "pictures": 12, "keys": "k", "labels": "l"},
    "seed": 0,
    "placement": {"side": [0.2, 0.35]},
}


def refused(there: dict[str, Any]) -> str:
    with pytest.raises(RunError) as ended:
        refuse_other(Path("out"), there, ASKED, begun="a patch was begun")
    said = str(ended.value)
    before, _, difference = said.partition(" or settings: ")
    assert before == "out: a patch was begun there with other models, pictures"
    return difference.removesuffix(". Use another --out, or the same options as then.")


def test_places_may_be_typed_otherwise() -> None:
    """Pitfall: ./flat and the absolute path are the same pictures."""
    there = ASKED | {
        "networks": [MODEL | {"uri": "x.pt", "head": "./h.csv"}],
        "data": ASKED["data"] | {"uri": "/home/me/flat"},
    }
    refuse_other(Path("out"), there, ASKED, begun="a patch was begun")
    refuse_other(Path("out"), ASKED | {"schema": 1}, ASKED, begun="a patch was begun")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 7}, "seed is 7, asked for is 0"),
        ({"algorithm": 0}, "it was begun by a release that does it otherwise"),
        ({"networks": [MODEL | {"fingerprint": "g"}]}, "demo:a: the model is another one"),
        ({"networks": [MODEL | {"mapping": None}]}, "demo:a: the head maps to other classes"),
        ({"networks": [MODEL, MODEL]}, "networks were 2, asked for are 1"),
        ({"networks": "x"}, "networks is 'x', asked for is "),
        ({"networks": ["x"]}, "networks is 'x', asked for is "),
        ({"data": ASKED["data"] | {"pictures": 9}}, "flat: pictures is 9, asked for is 12"),
        ({"data": ASKED["data"] | {"keys": "x"}}, "flat: the pictures are others"),
        ({"data": ASKED["data"] | {"labels": "x"}}, "flat: the pictures have other labels"),
        ({"data": None}, "data is None, asked for is "),
        ({"placement": {"side": [0.2, 0.4]}}, "side is 0.4, asked for is 0.35"),
    ],
)
def test_what_differs_is_said(changes: dict[str, Any], said: str) -> None:
    assert refused(ASKED | changes).startswith(said)


def test_what_is_missing_differs() -> None:
    assert refused({}) == "it was begun by a release that does it otherwise"
