"""URIs and objects become classifiers."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import MODEL_SCHEMES, FunctionPredictor, as_classifier, load_model
from unforeseen.uri import Uri


def half(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
    return np.full((len(pictures), 2), 0.5)


def test_schemes_are_sorted_and_their_examples_name_them() -> None:
    assert list(MODEL_SCHEMES) == sorted(MODEL_SCHEMES)
    for name, scheme in MODEL_SCHEMES.items():
        uri = Uri.parse(scheme.example)
        assert uri.scheme == name or uri.path.endswith(f".{name}")
        assert "\n" not in scheme.description


@pytest.mark.parametrize(
    "uri", ["my-network", "x" * 5000, "tim:resnet50", "https://example.org/model", ""]
)
def test_unknown_schemes_list_those_there_are(uri: str) -> None:
    with pytest.raises(
        UnknownNameError,
        match=r"There are: demo, open_clip, pt2, py, robustbench, .*transformers\. Expected",
    ):
        load_model(uri, device="cpu")


@pytest.mark.parametrize(
    ("uri", "write"),
    [
        ("model.py", r"py:model\.py:NAME"),
        (r"C:\m\model.py:make", r"py:C:\\m\\model\.py:make"),
        ("runs/model.pth", r"timm:ARCHITECTURE\?checkpoint=runs/model\.pth"),
        ("model.safetensors", r"timm:ARCHITECTURE\?checkpoint=model\.safetensors"),
        ("resnet50", r"write timm:resnet50 or torchvision:resnet50\.$"),
        ("resnet50.a1_in1k", r"write timm:resnet50\.a1_in1k\.$"),
        ("vit_b_16", r"write torchvision:vit_b_16\.$"),
        ("google/vit-base-patch16-224", "write transformers:google/vit-base-patch16-224"),
    ],
)
def test_bare_paths_are_told_which_uri_to_write(uri: str, write: str) -> None:
    with pytest.raises(UserError, match=write):
        load_model(uri, device="cpu")


def test_a_bare_folder_of_a_model_is_told_its_scheme(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UserError, match="save_pretrained wrote, write transformers:"):
        load_model(str(tmp_path), device="cpu")


def test_each_scheme_has_a_loader_where_the_table_says() -> None:
    for name in MODEL_SCHEMES:
        with pytest.raises(UserError):
            load_model(f"{name}:?nothing=1", device="cpu")


def test_objects_become_classifiers() -> None:
    module = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
    classifier = as_classifier(module)
    x = torch.rand(2, 3, 8, 8)
    torch.testing.assert_close(classifier.logits(x), x.mean((2, 3)))
    assert as_classifier(classifier) is classifier
    assert isinstance(as_classifier(half), FunctionPredictor)
    assert as_classifier(half).card.uri == "function:half"


@pytest.mark.parametrize(("thing", "got"), [(nn.Linear, "the class Linear"), (3, "got int")])
def test_other_objects_are_refused(thing: object, got: str) -> None:
    with pytest.raises(ModelError, match=got):
        as_classifier(thing)  # type: ignore[arg-type]  # that is the test


def test_importing_the_table_does_not_wait_for_timm() -> None:
    code = "import sys, unforeseen.models; sys.exit('timm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "uri",
    [
        *("~nobody-of-that-name/x.pt2", "py:~nobody-of-that-name/x.py:make"),
        *(f"{'x' * 5000}.pt2", f"py:{'x' * 5000}.py:make"),
        f"transformers:{'x' * 5000}",
        f"open_clip:ViT-B-32?checkpoint=x.pt&classes={'x' * 5000}",
    ],
    ids=lambda uri: uri[:24],
)
def test_paths_that_no_system_takes_are_model_errors(uri: str) -> None:
    with pytest.raises(ModelError):
        load_model(uri)


@pytest.mark.parametrize("head", [(), "imagenet16"])
def test_a_loaded_module_is_in_evaluation_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "from torch import nn\n"
        "def make():\n"
        "    return nn.Sequential(nn.BatchNorm2d(3), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(48, 1000)).train()\n"
    )
    model = load_model("py:net.py:make", device="cpu", head=head)
    x = torch.rand(3, 3, 224, 224, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        torch.testing.assert_close(model.logits(x)[:1], model.logits(x[:1]))
