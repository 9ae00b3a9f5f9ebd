"""Image classifiers of the Hugging Face library, against its own pipeline; all untrained."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
import transformers
from PIL import Image

from data.in_memory import noise
from unforeseen.data.preprocess import apply
from unforeseen.errors import MissingExtraError, ModelError, UserError
from unforeseen.models import DifferentiableClassifier, load_model
from unforeseen.preprocessing import Preprocessing

SIDE = 48
LABELS = {0: "cat", 1: "dog", 2: "tree"}


def vit(**changes: Any) -> Any:
    return transformers.ViTForImageClassification(
        transformers.ViTConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            image_size=SIDE,
            patch_size=16,
            id2label=LABELS,
            **changes,
        )
    )


def resnet() -> Any:
    return transformers.ResNetForImageClassification(
        transformers.ResNetConfig(
            embedding_size=8,
            hidden_sizes=[8, 16],
            depths=[1, 1],
            layer_type="basic",
            id2label=LABELS,
        )
    )


def convnext() -> Any:
    return transformers.ConvNextForImageClassification(
        transformers.ConvNextConfig(
            hidden_sizes=[8, 16], depths=[1, 1], num_stages=2, id2label=LABELS
        )
    )


def stretching() -> Any:
    return transformers.ViTImageProcessor(size={"height": SIDE, "width": SIDE})


def cropping() -> Any:
    mean, std = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
    return transformers.ConvNextImageProcessor(
        size={"shortest_edge": SIDE}, crop_pct=0.875, image_mean=mean, image_std=std, resample=3
    )


def centred() -> Any:
    """With odd numbers: another scale, resized to 60, cropped to 48 × 40."""
    return transformers.CLIPImageProcessor(
        size={"shortest_edge": 60},
        crop_size={"height": SIDE, "width": 40},
        rescale_factor=1 / 127.5,
        image_mean=[1.0, 0.9, 0.8],
        resample=2,
    )


def saved(folder: Path, model: Any, processor: Any) -> Path:
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("make", "processor", "expected"),
    [
        (vit, stretching, Preprocessing(resize=(48, 48), crop=(48, 48), interpolation="bilinear")),
        # 48 / 0.875 = 54.9; the library takes the floor.
        (convnext, cropping, Preprocessing(resize=54, crop=(48, 48), interpolation="bicubic")),
        (resnet, centred, Preprocessing(resize=60, crop=(48, 40), interpolation="bilinear")),
    ],
)
def test_logits_equal_those_of_the_librarys_own_pipeline(
    tmp_path: Path, make: Callable[[], Any], processor: Callable[[], Any], expected: Preprocessing
) -> None:
    torch.manual_seed(0)
    saved(tmp_path, make(), processor())
    model = load_model(f"transformers:{tmp_path}", device="cpu")
    assert model.card.preprocessing == expected

    picture = Image.fromarray(noise(70, 90))
    prepared = apply(picture, expected)
    reference = transformers.AutoModelForImageClassification.from_pretrained(tmp_path).eval()
    pipeline = transformers.AutoImageProcessor.from_pretrained(tmp_path)
    # Resizing is this package's, so that rounding of noise doesn't hide the rest; what it should
    # be is compared above, and tried on every processor when it is loaded.
    pipeline.do_resize = pipeline.do_center_crop = False
    with torch.no_grad(), model.inference():
        inputs = pipeline(
            images=Image.fromarray(prepared.permute(1, 2, 0).numpy()), return_tensors="pt"
        )
        logits = reference(**inputs).logits
        torch.testing.assert_close(model.logits(prepared[None] / 255), logits, rtol=1e-4, atol=1e-5)


def test_a_whole_picture_through_the_librarys_pipeline_gives_nearly_the_same(
    tmp_path: Path,
) -> None:
    """Nearly: the library may resize with another backend, which rounds in another way."""
    torch.manual_seed(0)
    saved(tmp_path, vit(), stretching())
    model = load_model(f"transformers:{tmp_path}", device="cpu")
    assert model.card.preprocessing is not None
    picture = Image.fromarray(noise(70, 90)).resize((200, 133), Image.Resampling.BICUBIC)
    reference = transformers.AutoModelForImageClassification.from_pretrained(tmp_path).eval()
    pipeline = transformers.AutoImageProcessor.from_pretrained(tmp_path)
    with torch.no_grad(), model.inference():
        logits = reference(**pipeline(images=picture, return_tensors="pt")).logits
        ours = model.logits(apply(picture, model.card.preprocessing)[None] / 255)
    torch.testing.assert_close(ours, logits, rtol=0, atol=0.02 * float(logits.abs().max()))


def test_the_card_names_the_models_own_classes(tmp_path: Path) -> None:
    card = load_model(f"transformers:{saved(tmp_path, vit(), stretching())}", device="cpu").card
    assert card.class_names == ("cat", "dog", "tree")
    assert card.classes == 3
    assert card.accuracy is None


def test_placeholders_are_no_class_names(tmp_path: Path) -> None:
    model = vit()
    model.config.id2label = {index: f"LABEL_{index}" for index in range(3)}
    saved(tmp_path, model, stretching())
    assert load_model(f"transformers:{tmp_path}", device="cpu").card.class_names == ()


def test_it_is_differentiable(tmp_path: Path) -> None:
    model = load_model(f"transformers:{saved(tmp_path, vit(), stretching())}", device="cpu")
    assert isinstance(model, DifferentiableClassifier)
    x = torch.rand(2, 3, SIDE, SIDE, requires_grad=True)
    with model.inference():
        (gradient,) = torch.autograd.grad(model.logits(x).square().sum(), x)
    assert gradient.abs().sum() > 0


def test_half_precision_weights_are_computed_with_in_single_precision(tmp_path: Path) -> None:
    saved(tmp_path, vit().half(), stretching())
    model = load_model(f"transformers:{tmp_path}", device="cpu")
    assert model.logits(torch.rand(1, 3, SIDE, SIDE)).dtype == torch.float32


def test_the_fingerprint_follows_weights_and_configuration_but_not_the_folder(
    tmp_path: Path,
) -> None:
    def fingerprint(folder: Path) -> str:
        return load_model(f"transformers:{folder}", device="cpu").card.fingerprint

    torch.manual_seed(0)
    model = vit()
    first = fingerprint(saved(tmp_path / "one", model, stretching()))
    assert fingerprint(saved(tmp_path / "two", model, stretching())) == first
    # Of the same tensors, but other functions.
    model.config.num_attention_heads = 4
    assert fingerprint(saved(tmp_path / "three", model, stretching())) != first
    model.config.num_attention_heads = 2
    model.config.something_else = "said"
    assert fingerprint(saved(tmp_path / "said", model, stretching())) != first
    del model.config.something_else
    with torch.no_grad():
        model.classifier.bias[0] += 1
    assert fingerprint(saved(tmp_path / "four", model, stretching())) != first


def test_a_local_folder_never_touches_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    saved(tmp_path, vit(), stretching())

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    load_model(f"transformers:{tmp_path}", device="cpu")


def test_a_text_model_is_refused_in_one_line(tmp_path: Path) -> None:
    configuration = transformers.BertConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    transformers.BertModel(configuration).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=r"expected an image classifier, got .*'bert'") as caught:
        load_model(f"transformers:{tmp_path}", device="cpu")
    assert "\n" not in str(caught.value)


def test_a_model_without_a_trained_classifier_is_refused_in_one_line(tmp_path: Path) -> None:
    model = transformers.ViTModel(vit().config)
    with pytest.raises(ModelError, match=r"lack 2 of the weights .*classifier\.bias") as caught:
        load_model(f"transformers:{saved(tmp_path, model, stretching())}", device="cpu")
    assert "\n" not in str(caught.value)


def test_weights_of_another_architecture_are_refused_in_one_line(tmp_path: Path) -> None:
    saved(tmp_path, vit(), stretching())
    safetensors.torch.save_file(
        {"fc.weight": torch.zeros(3, 4)}, tmp_path / "model.safetensors", {"format": "pt"}
    )
    with pytest.raises(ModelError, match=r"files lack .*another architecture") as caught:
        load_model(f"transformers:{tmp_path}", device="cpu")
    assert "\n" not in str(caught.value)


def test_pickled_weights_are_not_read(tmp_path: Path) -> None:
    model = vit()
    saved(tmp_path, model, stretching())
    (tmp_path / "model.safetensors").unlink()
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="expected weights in safetensors"):
        load_model(f"transformers:{tmp_path}", device="cpu")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<!DOCTYPE html><title>Log in</title>", "got a web page"),
        (b"version https://git-lfs.github.com/spec/v1", "git lfs pull"),
        (b"\x00" * 64, "can't load this folder"),
    ],
)
def test_pitfall_20_damaged_downloads_are_called_what_they_are(
    tmp_path: Path, content: bytes, says: str
) -> None:
    saved(tmp_path, vit(), stretching())
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match=says) as caught:
        load_model(f"transformers:{tmp_path}", device="cpu")
    assert "\n" not in str(caught.value)


def test_code_that_a_model_brings_along_is_not_run(tmp_path: Path) -> None:
    saved(tmp_path, vit(), stretching())
    (tmp_path / "config.json").write_text(
        '{"model_type": "mine", "auto_map": {"AutoConfig": "code.MyConfig",'
        ' "AutoModelForImageClassification": "code.MyModel"}}'
    )
    (tmp_path / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(ModelError) as caught:
        load_model(f"transformers:{tmp_path}", device="cpu")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_processor_that_does_more_than_its_settings_say_is_refused(tmp_path: Path) -> None:
    """Pitfall 2: this one also reverses the order of the channels."""
    processor = transformers.MobileViTImageProcessor(
        size={"shortest_edge": 60}, crop_size={"height": SIDE, "width": SIDE}
    )
    with pytest.raises(ModelError, match="does something else than to resize, crop and normalise"):
        load_model(f"transformers:{saved(tmp_path, vit(), processor)}", device="cpu")


def test_a_folder_without_a_model_and_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"with a config\.json"):
        load_model(f"transformers:{tmp_path}", device="cpu")
    with pytest.raises(UserError, match="accepts: none"):
        load_model(f"transformers:{tmp_path}?trust_remote_code=True", device="cpu")


@pytest.mark.parametrize("path", ["./none", "none/of/these", "~/none", r"C:\none"])
def test_a_path_that_is_no_folder_is_not_asked_for_on_the_hub(path: str) -> None:
    with pytest.raises(ModelError, match="but there is none; or the name of a model"):
        load_model(f"transformers:{path}", device="cpu")


def test_a_failed_download_is_one_line_that_names_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise OSError("couldn't connect to the hub\nsecond line")

    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", unreachable)
    with pytest.raises(
        ModelError, match=r"couldn't connect .*write transformers:FOLDER$"
    ) as caught:
        load_model("transformers:google/vit-base-patch16-224", device="cpu")
    assert "\n" not in str(caught.value)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"unforeseen\[transformers\]"):
        load_model("transformers:some/name", device="cpu")
