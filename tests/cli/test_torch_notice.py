"""The first silence of a command is torch's; it is said whose, and nothing where nobody waits."""

import subprocess
import sys

import pytest

_NOTICE = "loading PyTorch …\n"


def said(*lines: str) -> str:
    """What a new interpreter says that runs these lines inside the notice."""
    program = "\n".join(
        (
            "import sys, importlib.util",
            "from unforeseen.cli.torch_notice import noticing_torch",
            "before = list(sys.meta_path)",
            "with noticing_torch():",
            *(f"    {line}" for line in lines),
            "assert sys.meta_path == before",
        )
    )
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program], check=True, capture_output=True
    )
    return result.stderr.decode().replace("\r\n", "\n")


def test_importing_torch_is_said_once() -> None:
    assert said("import torch", "import torch.utils.data") == _NOTICE


@pytest.mark.parametrize("line", ["import json", "importlib.util.find_spec('torch')"])
def test_nothing_is_said_where_torch_is_not_imported(line: str) -> None:
    """Libraries look whether it is there."""
    assert said(line) == ""


def test_mistakes_that_need_no_torch_are_said_without() -> None:
    command = ("preview", "SwirlWarp", "--data", "imagefolder:nowhere", "--out", "sheet.png")
    result = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "unforeseen", *command],
        check=False,
        capture_output=True,
    )
    assert result.returncode == 2
    assert result.stderr.startswith(b"error: ")
