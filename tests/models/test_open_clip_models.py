"""Zero-shot classifiers of OpenCLIP, against its own functions; all untrained and tiny."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import open_clip
import pytest
import torch
from PIL import Image
from torch import Tensor

from data.in_memory import noise
from unforeseen.data.preprocess import apply
from unforeseen.errors import MissingExtraError, ModelError, UnknownNameError, UserError
from unforeseen.models import DifferentiableClassifier, load_model, open_clip_models
from unforeseen.preprocessing import Preprocessing

ARCHITECTURE = "unforeseen-tiny"
VISION = {"image_size": 32, "layers": 1, "width": 64, "patch_size": 16, "head_width": 32}
TEXT = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    ARCHITECTURE: {"embed_dim": 16, "vision_cfg": VISION, "text_cfg": TEXT},
    # Trained with a sigmoid, as SigLIP is.
    "unforeseen-sigmoid": {
        "embed_dim": 16,
        "vision_cfg": VISION,
        "text_cfg": TEXT,
        "init_logit_bias": -10,
        "custom_text": True,
    },
    # Image embeddings come with those of patches.
    "unforeseen-tokens": {
        "embed_dim": 16,
        "vision_cfg": VISION
        | {"attentional_pool": True, "attn_pooler_heads": 2, "output_tokens": True},
        "text_cfg": TEXT | {"context_length": 76, "embed_cls": True, "output_tokens": True},
        "multimodal_cfg": TEXT | {"context_length": 76, "attn_pooler_heads": 2},
        "custom_text": True,
    },
}
CLASSES = ("a safe picture", "a picture of a weapon", "a picture of drugs")


@pytest.fixture(scope="module", autouse=True)
def architectures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("configurations")
    for name, configuration in CONFIGURATIONS.items():
        (folder / f"{name}.json").write_text(json.dumps(configuration))
    open_clip.add_model_config(folder)
    yield
    for name in CONFIGURATIONS:
        open_clip.factory._MODEL_CONFIGS.pop(name)
    open_clip.factory._MODEL_CONFIG_PATHS.remove(folder)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNFORESEEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "class-embeddings"


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    file = tmp_path / "classes.txt"
    file.write_text("\n".join(CLASSES) + "\n\n", encoding="utf-8")
    return file


def untrained(architecture: str = ARCHITECTURE, *, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    return open_clip.create_model(architecture).eval()


def saved(folder: Path, architecture: str = ARCHITECTURE, *, seed: int = 0) -> Path:
    """In the format of OpenCLIP's training program."""
    weights = untrained(architecture, seed=seed).state_dict()
    nested = {f"module.{name}": value for name, value in weights.items()}
    file = folder / f"{architecture}-{seed}.pt"
    torch.save({"epoch": 3, "name": "run", "state_dict": nested}, file)
    return file


def uri_of(file: Path, classes: Path, architecture: str = ARCHITECTURE) -> str:
    return f"open_clip:{architecture}?checkpoint={file}&classes={classes}"


@pytest.mark.parametrize("architecture", CONFIGURATIONS)
def test_logits_equal_those_of_the_librarys_zero_shot_classifier(
    architecture: str, tmp_path: Path, classes: Path
) -> None:
    file = saved(tmp_path, architecture)
    model = load_model(uri_of(file, classes, architecture), device="cpu")
    reference = untrained(architecture)
    weights = open_clip.build_zero_shot_classifier(
        reference,
        open_clip.get_tokenizer(architecture),
        CLASSES,
        open_clip.OPENAI_IMAGENET_TEMPLATES,
    )
    prepare = open_clip.transform.image_transform_v2(
        open_clip.transform.PreprocessCfg(**reference.visual.preprocess_cfg), is_train=False
    )
    picture = Image.fromarray(noise(40, 50))
    assert model.card.preprocessing is not None
    x = apply(picture, model.card.preprocessing)[None] / 255
    with torch.no_grad(), model.inference():
        similarity = reference.encode_image(prepare(picture)[None], normalize=True) @ weights
        expected = reference.logit_scale.exp() * similarity
        if reference.logit_bias is not None:
            expected += reference.logit_bias
        torch.testing.assert_close(model.logits(x), expected, rtol=1e-4, atol=1e-4)


def test_without_a_list_the_classes_are_imagenets_with_80_prompts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    def noted(_: object, classes: tuple[str, ...], prompts: tuple[object, ...]) -> Tensor:
        asked.append((len(classes), len(prompts)))
        return torch.eye(len(classes), 16)

    monkeypatch.setattr(open_clip_models, "class_embeddings", noted)
    uri = f"open_clip:{ARCHITECTURE}?checkpoint={saved(tmp_path)}"
    card = load_model(uri, device="cpu").card
    assert asked == [(1000, 80)]
    assert card.classes == 1000
    assert card.class_names == tuple(open_clip.IMAGENET_CLASSNAMES)


def test_the_card_says_how_pictures_are_prepared(tmp_path: Path, classes: Path) -> None:
    card = load_model(uri_of(saved(tmp_path), classes), device="cpu").card
    assert card.preprocessing == Preprocessing(resize=32, crop=(32, 32), interpolation="bicubic")
    assert (card.mean, card.std) == (open_clip.OPENAI_DATASET_MEAN, open_clip.OPENAI_DATASET_STD)
    assert card.class_names == CLASSES


def test_it_is_differentiable(tmp_path: Path, classes: Path) -> None:
    model = load_model(uri_of(saved(tmp_path), classes), device="cpu")
    assert isinstance(model, DifferentiableClassifier)
    x = torch.rand(2, 3, 32, 32, requires_grad=True)
    with model.inference():
        (gradient,) = torch.autograd.grad(model.logits(x).square().sum(), x)
    assert gradient.abs().sum() > 0


def test_embeddings_are_made_once_and_again_for_others(
    tmp_path: Path, classes: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(tmp_path)
    first = load_model(uri_of(file, classes), device="cpu")
    (kept,) = cache.iterdir()

    def unwanted(*_: object) -> Tensor:
        pytest.fail("the embeddings were made again")

    x = torch.rand(1, 3, 32, 32)
    with monkeypatch.context() as patched:
        patched.setattr(open_clip_models, "class_embeddings", unwanted)
        again = load_model(uri_of(file, classes), device="cpu")
    assert torch.equal(again.logits(x), first.logits(x))
    assert again.card.fingerprint == first.card.fingerprint

    other = load_model(uri_of(saved(tmp_path, seed=1), classes), device="cpu")
    classes.write_text("one\ntwo\nthree\n")
    renamed = load_model(uri_of(file, classes), device="cpu")
    assert len(list(cache.iterdir())) == 3
    assert kept.exists()
    prints = {model.card.fingerprint for model in (first, other, renamed)}
    assert len(prints) == 3


@pytest.mark.parametrize("content", [b"", b"damaged", b"\x00" * 64])
def test_a_damaged_cache_is_made_again(
    content: bytes, tmp_path: Path, classes: Path, cache: Path
) -> None:
    uri, x = uri_of(saved(tmp_path), classes), torch.rand(1, 3, 32, 32)
    expected = load_model(uri, device="cpu").logits(x)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(content)
    assert torch.equal(load_model(uri, device="cpu").logits(x), expected)
    assert kept.read_bytes() == whole


def test_weights_trained_with_another_gelu_get_it(
    tmp_path: Path, classes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenAI's were; the library only warns where an architecture's configuration disagrees."""
    published = dict(open_clip.get_pretrained_cfg("ViT-B-32", "openai"))
    assert published["quick_gelu"]
    monkeypatch.setattr(open_clip, "list_pretrained_tags_by_model", lambda _: ["openai"])
    monkeypatch.setattr(open_clip, "get_pretrained_cfg", lambda *_: published)
    uri = f"open_clip:{ARCHITECTURE}/openai?checkpoint={saved(tmp_path)}&classes={classes}"
    model = load_model(uri, device="cpu")
    assert isinstance(model, DifferentiableClassifier)
    assert "QuickGELU" in repr(model.module)
    plain = load_model(uri_of(saved(tmp_path), classes), device="cpu")
    assert plain.card.fingerprint != model.card.fingerprint


def test_stretched_pictures_and_other_means_are_those_of_the_published_weights(
    tmp_path: Path, classes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = dict(open_clip.get_pretrained_cfg("ViT-B-16-SigLIP", "webli"))
    assert published["resize_mode"] == "squash"
    monkeypatch.setattr(open_clip, "list_pretrained_tags_by_model", lambda _: ["webli"])
    monkeypatch.setattr(open_clip, "get_pretrained_cfg", lambda *_: published)
    card = load_model(uri_of(saved(tmp_path), classes), device="cpu").card
    assert card.preprocessing == Preprocessing(
        resize=(32, 32), crop=(32, 32), interpolation="bicubic"
    )
    assert (card.mean, card.std) == ((0.5,) * 3, (0.5,) * 3)


def test_older_checkpoints_of_text_towers_are_renamed(tmp_path: Path, classes: Path) -> None:
    """Text weights without their prefix, a scale of shape (1,), no bias: a softmax-trained one."""
    weights = {
        name.removeprefix("text."): value
        for name, value in untrained("unforeseen-sigmoid").state_dict().items()
        if name != "logit_bias"
    }
    weights["logit_scale"] = weights["logit_scale"].reshape(1)
    torch.save(weights | {"context_length": torch.tensor(77)}, tmp_path / "old.pt")
    model = load_model(uri_of(tmp_path / "old.pt", classes, "unforeseen-sigmoid"), device="cpu")
    new = load_model(uri_of(saved(tmp_path, "unforeseen-sigmoid"), classes, "unforeseen-sigmoid"))
    x = torch.rand(1, 3, 32, 32)
    torch.testing.assert_close(model.logits(x), new.logits(x) + 10, rtol=1e-4, atol=1e-4)


def test_a_checkpoint_of_another_architecture_is_refused_in_one_line(
    tmp_path: Path, classes: Path
) -> None:
    torch.save({"fc.weight": torch.zeros(3, 4)}, tmp_path / "other.pt")
    with pytest.raises(ModelError, match=r"missing .*unexpected .*another architecture") as caught:
        load_model(uri_of(tmp_path / "other.pt", classes), device="cpu")
    assert "\n" not in str(caught.value)


def test_pitfall_20_a_web_page_saved_as_a_checkpoint_is_called_one(
    tmp_path: Path, classes: Path
) -> None:
    (tmp_path / "Standard.pt").write_text("<!DOCTYPE html><title>Log in</title>")
    with pytest.raises(ModelError, match=r"Standard\.pt: expected a checkpoint, got a web page"):
        load_model(uri_of(tmp_path / "Standard.pt", classes), device="cpu")


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean .*ViT-B-32"):
        load_model("open_clip:ViT-B/32", device="cpu")
    with pytest.raises(UnknownNameError, match=r"There are: .*openai"):
        load_model("open_clip:ViT-B-32/openay", device="cpu")
    with pytest.raises(UserError, match=r"expected open_clip:ViT-L-14/PRETRAINED .*openai"):
        load_model("open_clip:ViT-L-14", device="cpu")
    with pytest.raises(UserError, match="accepts: checkpoint, classes"):
        load_model("open_clip:ViT-L-14/openai?prompts=x", device="cpu")


def test_a_failed_download_is_one_line_that_names_the_checkpoint_option(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(_: object) -> str:
        raise OSError("no route to host\nsecond line")

    monkeypatch.setattr(open_clip, "download_pretrained", unreachable)
    says = r"no route to host.*write open_clip:ViT-B-32/openai\?checkpoint=FILE$"
    with pytest.raises(ModelError, match=says) as caught:
        load_model("open_clip:ViT-B-32/openai", device="cpu")
    assert "\n" not in str(caught.value)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(MissingExtraError, match=r"unforeseen\[open-clip\]"):
        load_model("open_clip:ViT-B-32/openai", device="cpu")
