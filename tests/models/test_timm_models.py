"""Architectures of timm; its ``test_*`` networks are small."""

from pathlib import Path

import pytest
import safetensors.torch
import timm
import torch
from torch import nn

from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import DifferentiableClassifier, load_model
from unforeseen.models.timm_models import preprocessing_of, timm_classifier
from unforeseen.preprocessing import Preprocessing

CPU = torch.device("cpu")


@pytest.fixture
def fine_tuned(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    file = tmp_path / "weights.safetensors"
    safetensors.torch.save_file(timm.create_model("test_byobnet", num_classes=7).state_dict(), file)
    return file


def test_a_fine_tuned_checkpoint_gives_the_same_outputs_with_normalisation_inside(
    fine_tuned: Path,
) -> None:
    model = load_model(f"timm:test_byobnet?checkpoint={fine_tuned}", device="cpu")
    assert model.card.classes == 7
    reference = timm.create_model("test_byobnet", num_classes=7).eval()
    reference.load_state_dict(safetensors.torch.load_file(fine_tuned))
    # What timm's configuration of this network says.
    assert model.card.mean == (0.485, 0.456, 0.406)
    assert model.card.std == (0.229, 0.224, 0.225)
    mean, std = (torch.tensor(each).view(1, 3, 1, 1) for each in (model.card.mean, model.card.std))
    x = torch.rand(2, 3, 64, 48)
    with torch.no_grad(), model.inference():
        expected = reference((x - mean) / std)
        torch.testing.assert_close(model.logits(x), expected)


def test_a_checkpoint_of_another_architecture_is_refused_in_one_line(fine_tuned: Path) -> None:
    with pytest.raises(ModelError, match=r"missing .*unexpected .*another architecture") as caught:
        load_model(f"timm:test_vit?checkpoint={fine_tuned}", device="cpu")
    assert "\n" not in str(caught.value)


def test_an_unknown_architecture_gets_near_matches_not_a_thousand_names() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean .*resnet50") as caught:
        load_model("timm:resnet_50", device="cpu")
    assert len(str(caught.value)) < 400


def test_unknown_weights_list_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"test_byobnet\.r160_in1k"):
        load_model("timm:test_byobnet.nix", device="cpu")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UserError, match="accepts: checkpoint"):
        load_model("timm:test_byobnet?weights=x", device="cpu")


def test_a_failed_download_is_one_line_that_names_the_checkpoint_option(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def create_model(name: str, *, pretrained: bool) -> None:
        assert (name, pretrained) == ("test_byobnet", True)
        raise OSError("no route to host\nsecond line")

    monkeypatch.setattr(timm, "create_model", create_model)
    with pytest.raises(ModelError, match=r"no route to host.*timm:test_byobnet\?checkpoint=FILE$"):
        load_model("timm:test_byobnet", device="cpu")


def test_published_weights_with_imagenets_outputs_name_its_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create_model = timm.create_model

    def untrained(name: str, *, pretrained: bool) -> nn.Module:
        del pretrained  # there is no network here
        module: nn.Module = create_model(name)
        return module

    monkeypatch.setattr(timm, "create_model", untrained)
    card = load_model("timm:test_byobnet", device="cpu").card
    assert card.class_names == imagenet_class_names()
    assert card.accuracy is None


def test_a_feature_extractor_is_refused() -> None:
    with pytest.raises(ModelError, match="without classes"):
        timm_classifier(timm.create_model("test_byobnet", num_classes=0), "timm:x", CPU)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("resnet50", Preprocessing(resize=256, crop=(224, 224), interpolation="bilinear")),
        (
            "tf_efficientnet_lite0",
            Preprocessing(resize=256, crop=(224, 224), interpolation="bicubic"),
        ),
    ],
)
def test_preprocessing_is_timms_but_for_resnet50(name: str, expected: Preprocessing) -> None:
    assert preprocessing_of(timm.create_model(name)) == expected


def test_preprocessing_rounds_down_and_covers_crops_that_are_not_square() -> None:
    # 192 / 0.95 = 202.1; timm takes the floor.
    overlay = {"input_size": (3, 192, 128), "crop_pct": 0.95, "interpolation": "bilinear"}
    module = timm.create_model("test_byobnet", pretrained_cfg_overlay=overlay)
    assert preprocessing_of(module) == Preprocessing(
        resize=202, crop=(192, 128), interpolation="bilinear"
    )


def test_the_wrapper_is_a_differentiable_classifier_in_whatever_mode_it_was() -> None:
    module = timm.create_model("test_byobnet")
    classifier = timm_classifier(module, "timm:test_byobnet", CPU)
    assert isinstance(classifier, DifferentiableClassifier)
    x = torch.rand(2, 3, 64, 64, requires_grad=True)
    with classifier.inference():
        (gradient,) = torch.autograd.grad(classifier.logits(x).square().sum(), x)
    assert gradient.abs().sum() > 0
