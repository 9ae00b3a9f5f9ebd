"""Classifiers of torchvision, whose own builders are the reference."""

from pathlib import Path, PurePosixPath

import pytest
import safetensors.torch
import torch
from PIL import Image
from torch import Tensor, nn
from torchvision import models

from data.in_memory import noise
from unforeseen.data.preprocess import apply
from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import load_model
from unforeseen.models.torchvision_models import _built
from unforeseen.preprocessing import Preprocessing


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where torch and torchvision look for what they downloaded before; no network is touched."""
    monkeypatch.setattr(torch.hub, "get_dir", lambda: str(tmp_path / "hub"))

    def unreachable(*_: object, **__: object) -> None:
        raise OSError("no route to host\nsecond line")

    monkeypatch.setattr(torch.hub, "download_url_to_file", unreachable)
    folder = tmp_path / "hub" / "checkpoints"
    folder.mkdir(parents=True)
    return folder


def file_of(weights: models.WeightsEnum, hub: Path) -> Path:
    return hub / PurePosixPath(weights.url).name


def untrained(name: str) -> nn.Module:
    """With batch statistics of noise, without which a picture's signal fades on its way."""
    torch.manual_seed(0)
    module: nn.Module = (
        models.googlenet(init_weights=False) if name == "googlenet" else models.get_model(name)
    )
    for part in module.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.momentum = 1.0
    with torch.no_grad():
        module(torch.randn(4, 3, 96, 96))
    return module.eval()


def with_old_names(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """As torchvision's DenseNet files have them, which torch 0.3 wrote."""
    weights = {name: value for name, value in weights.items() if "num_batches" not in name}
    for layer in ("norm", "relu", "conv"):
        for number in ("1", "2"):
            old, new = f".{layer}.{number}.", f".{layer}{number}."
            weights = {
                name.replace(new, old) if ".denselayer" in name else name: value
                for name, value in weights.items()
            }
    return weights


@pytest.mark.parametrize("name", ["squeezenet1_1", "googlenet", "densenet121"])
def test_published_weights_give_what_torchvisions_builder_and_transforms_give(
    name: str, hub: Path
) -> None:
    weights = models.get_model_weights(name).IMAGENET1K_V1
    tensors = untrained(name).state_dict()
    torch.save(with_old_names(tensors) if "densenet" in name else tensors, file_of(weights, hub))

    model = load_model(f"torchvision:{name}?weights=IMAGENET1K_V1", device="cpu")
    reference = models.get_model(name, weights=weights).eval()
    picture = Image.fromarray(noise(300, 260))
    assert model.card.preprocessing is not None
    x = apply(picture, model.card.preprocessing)[None] / 255
    with torch.no_grad(), model.inference():
        expected = reference(weights.transforms()(picture)[None])
        grey = model.logits(torch.full_like(x, 0.5))
        assert (expected - grey).abs().max() > 0.01  # far more than the tolerance
        torch.testing.assert_close(model.logits(x), expected, rtol=1e-4, atol=1e-4)


def test_the_card_says_what_the_weights_say_of_themselves(hub: Path) -> None:
    weights = models.SqueezeNet1_1_Weights.IMAGENET1K_V1
    torch.save(untrained("squeezenet1_1").state_dict(), file_of(weights, hub))
    card = load_model("torchvision:squeezenet1_1", device="cpu").card
    assert card.accuracy == pytest.approx(0.58178)  # torchvision's table of weights: 58.178
    assert card.class_names == tuple(weights.meta["categories"])
    assert card.classes == 1000
    assert (card.mean, card.std) == ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    assert card.preprocessing == Preprocessing(
        resize=256, crop=(224, 224), interpolation="bilinear"
    )


def test_a_fine_tuned_checkpoint_has_its_own_classes_and_no_stated_accuracy(
    tmp_path: Path,
) -> None:
    torch.manual_seed(0)
    tuned = models.mobilenet_v3_small(num_classes=7).eval()
    file = tmp_path / "weights.safetensors"
    safetensors.torch.save_file(tuned.state_dict(), file)
    model = load_model(f"torchvision:mobilenet_v3_small?checkpoint={file}", device="cpu")
    assert model.card.classes == 7
    assert model.card.accuracy is None
    assert model.card.class_names == ()
    x = torch.rand(2, 3, 64, 64)
    mean, std = (torch.tensor(v).view(1, 3, 1, 1) for v in (model.card.mean, model.card.std))
    with torch.no_grad(), model.inference():
        torch.testing.assert_close(model.logits(x), tuned((x - mean) / std), rtol=1e-4, atol=1e-4)


def test_a_file_may_hold_the_published_weights(tmp_path: Path) -> None:
    file = tmp_path / "downloaded.pth"
    torch.save(untrained("squeezenet1_1").state_dict(), file)
    uri = f"torchvision:squeezenet1_1?weights=IMAGENET1K_V1&checkpoint={file}"
    card = load_model(uri, device="cpu").card
    assert card.accuracy == pytest.approx(0.58178)


def test_published_vision_transformers_are_built_for_the_pictures_of_their_weights() -> None:
    weights = models.ViT_B_16_Weights.IMAGENET1K_SWAG_E2E_V1
    with torch.device("meta"):
        module = _built("vit_b_16", weights, 1000)
    assert module.image_size == weights.meta["min_size"][0] == 384


def test_pitfall_20_a_web_page_in_place_of_the_download_is_called_one(hub: Path) -> None:
    weights = models.SqueezeNet1_1_Weights.IMAGENET1K_V1
    file_of(weights, hub).write_text("<!DOCTYPE html><title>Quota exceeded</title>")
    with pytest.raises(ModelError, match="expected a checkpoint, got a web page") as caught:
        load_model("torchvision:squeezenet1_1", device="cpu")
    assert "\n" not in str(caught.value)


def test_a_checkpoint_of_another_architecture_is_refused_in_one_line(tmp_path: Path) -> None:
    torch.save(untrained("squeezenet1_1").state_dict(), tmp_path / "weights.pth")
    uri = f"torchvision:mobilenet_v3_small?checkpoint={tmp_path / 'weights.pth'}"
    with pytest.raises(ModelError, match=r"missing .*unexpected .*another architecture") as caught:
        load_model(uri, device="cpu")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("hub")
def test_a_failed_download_is_one_line_that_names_the_checkpoint_option() -> None:
    says = r"no route to host.*torchvision:resnet18\?weights=IMAGENET1K_V1&checkpoint=FILE$"
    with pytest.raises(ModelError, match=says) as caught:
        load_model("torchvision:resnet18", device="cpu")
    assert "\n" not in str(caught.value)


def test_unknown_names_weights_and_options_say_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean .*resnet50"):
        load_model("torchvision:resnet_50", device="cpu")
    with pytest.raises(UnknownNameError, match="IMAGENET1K_V1, IMAGENET1K_V2"):
        load_model("torchvision:resnet50?weights=V1", device="cpu")
    with pytest.raises(UserError, match="accepts: checkpoint, weights"):
        load_model("torchvision:resnet50?pretrained=True", device="cpu")


def test_weights_without_classes_are_not_offered() -> None:
    with pytest.raises(UnknownNameError, match=r"There are: IMAGENET1K_V1\.$"):
        load_model("torchvision:vgg16?weights=IMAGENET1K_FEATURES", device="cpu")
