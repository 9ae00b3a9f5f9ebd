"""docs/experiments.md on transfers: its example in Python runs as it stands."""

from pathlib import Path
from typing import Any

import pytest
from torch import Tensor, nn

from documents import code_block

PAGE = "docs/experiments.md"


class Brightness(nn.Module):
    """Ten classes by brightness."""

    def __init__(self, sharpness: float) -> None:
        super().__init__()
        self.sharpness = sharpness

    def forward(self, x: Tensor) -> Tensor:
        brightness = x.mean(dim=(1, 2, 3), keepdim=True)[:, :, 0, 0]
        return self.sharpness * brightness * x.new_tensor([range(10)])


def test_the_example_makes_a_transfer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"my_source": Brightness(1.0), "my_target": Brightness(2.0)}
    code = code_block(PAGE, "python", beginning="from unforeseen.experiments.transfer")
    exec(compile(code, PAGE, "exec"), names)
    said = capsys.readouterr().out
    assert said.strip() == str(("module:Brightness (source model)", "module:Brightness (transfer)"))
    assert (tmp_path / "my-transfer" / "plot.png").exists()
