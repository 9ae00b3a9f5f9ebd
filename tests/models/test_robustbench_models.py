"""Models of RobustBench: its real architectures where it is installed, else a table like its own."""

import enum
import importlib.util
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import timm
import torch
from torch import Tensor, nn

from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_class_names
from unforeseen.errors import MissingExtraError, ModelError, UserError
from unforeseen.models import DifferentiableClassifier, load_model, robustbench_models
from unforeseen.models.robustbench_models import _library
from unforeseen.preprocessing import Preprocessing

Weights = dict[str, Tensor]

needs_robustbench = pytest.mark.skipif(
    importlib.util.find_spec("robustbench") is None, reason="robustbench is not installed"
)


class Dataset(enum.Enum):
    cifar10 = "cifar10"
    cifar100 = "cifar100"
    imagenet = "imagenet"


class Threat(enum.Enum):
    linf = "Linf"
    corruptions = "corruptions"


class Small(nn.Module):
    """Normalises inside, as the library's CIFAR networks do."""

    mu: Tensor
    sigma: Tensor

    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        self.register_buffer("mu", torch.full((1, 3, 1, 1), 0.5))
        self.register_buffer("sigma", torch.full((1, 3, 1, 1), 0.25))
        self.conv1 = nn.Conv2d(3, 4, 3, stride=4)
        self.bn1 = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, classes)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.bn1(self.conv1((x - self.mu) / self.sigma)).relu()
        scores: Tensor = self.fc(hidden.mean((2, 3)))
        return scores


def wrapped(classes: int = 1000) -> nn.Sequential:
    """A network inside another module, as the library's for ImageNet are."""
    torch.manual_seed(0)
    return nn.Sequential(OrderedDict(model=Small(classes)))


def table() -> ModuleType:
    small = {"model": Small, "gdrive_id": "1a2b"}
    large = {"model": wrapped, "gdrive_id": "3c4d", "preprocessing": "BicubicRes256Crop224"}
    module = ModuleType("robustbench.model_zoo.models")
    vars(module)["model_dicts"] = {
        Dataset.cifar10: {
            Threat.linf: {
                "Small2020": small,
                "Two2021": {"model": Small, "gdrive_id": ["a", "b"]},
                "Broken2022": {"model": lambda: int("x"), "gdrive_id": "e"},
            },
            Threat.corruptions: {"Noisy2020": small},
        },
        Dataset.imagenet: {
            Threat.linf: {
                "Large2020": large,
                "Standard_R50": {"model": Small, "gdrive_id": "", "preprocessing": "Res256Crop224"},
            }
        },
    }
    return module


@pytest.fixture
def small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "robustbench.model_zoo.models", table())


def untrained(classes: int = 10) -> Small:
    torch.manual_seed(0)
    return Small(classes).eval()


def check_same(uri: str, reference: nn.Module, side: int) -> None:
    model = load_model(uri, device="cpu")
    x = torch.rand(2, 3, side, side)
    with torch.no_grad(), model.inference():
        torch.testing.assert_close(model.logits(x), reference.eval()(x), rtol=1e-4, atol=1e-4)


#: How the library's checkpoints come: the network's names, wrapped or not, with or without buffers.
FORMATS: Mapping[str, Callable[[Weights], dict[str, Any]]] = {
    "plain": lambda weights: weights,
    "nested": lambda weights: {"state_dict": weights, "epoch": 200},
    "parallel": lambda weights: {
        "state_dict": {f"module.{name}": value for name, value in weights.items()}
    },
    "last and best": lambda weights: {"last": weights, "best": {"fc.weight": torch.zeros(1)}},
    "a wrapper's": lambda weights: {f"model.{name}": value for name, value in weights.items()},
    "without normalisation": lambda weights: {
        name: value for name, value in weights.items() if name not in ("mu", "sigma")
    },
    "without counters": lambda weights: {
        name: value for name, value in weights.items() if "num_batches" not in name
    },
    "with scores of pruning": lambda weights: weights | {"conv1.scores": torch.zeros(3)},
}


@pytest.mark.usefixtures("small_table")
@pytest.mark.parametrize("name", FORMATS)
def test_each_format_gives_the_networks_own_logits_on_0_to_1(name: str, tmp_path: Path) -> None:
    reference = untrained()
    torch.save(FORMATS[name](dict(reference.state_dict())), tmp_path / "weights.pt")
    check_same(f"robustbench:Small2020?checkpoint={tmp_path / 'weights.pt'}", reference, 32)


@pytest.mark.usefixtures("small_table")
def test_imagenets_networks_find_their_weights_inside_the_wrapper(tmp_path: Path) -> None:
    reference = wrapped()
    torch.save(reference[0].state_dict(), tmp_path / "weights.pt")
    file = tmp_path / "weights.pt"
    uri = f"robustbench:Large2020?dataset=imagenet&threat=Linf&checkpoint={file}"
    check_same(uri, reference, 64)
    card = load_model(uri, device="cpu").card
    assert card.preprocessing == Preprocessing(resize=256, crop=(224, 224), interpolation="bicubic")
    assert card.class_names == imagenet_class_names()


@pytest.mark.usefixtures("small_table")
def test_cifars_pictures_stay_as_they_are(tmp_path: Path) -> None:
    torch.save(untrained().state_dict(), tmp_path / "weights.pt")
    card = load_model(
        f"robustbench:Small2020?checkpoint={tmp_path / 'weights.pt'}", device="cpu"
    ).card
    assert card.preprocessing is None
    assert (card.classes, card.class_names) == (10, CIFAR10_CLASSES)


@pytest.mark.usefixtures("small_table")
def test_a_download_is_read_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def serve(*, id: str, output: str) -> None:  # noqa: A002 – gdown's name
        asked.append(id)
        torch.save({"state_dict": untrained().state_dict()}, output)

    monkeypatch.setenv("UNFORESEEN_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "gdown", types.SimpleNamespace(download=serve))
    check_same("robustbench:Small2020", untrained(), 32)
    check_same("robustbench:Small2020", untrained(), 32)
    assert asked == ["1a2b"]


@pytest.mark.usefixtures("small_table")
def test_pitfall_20_a_web_page_instead_of_a_checkpoint_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(*, id: str, output: str) -> None:  # noqa: A002 – gdown's name
        del id
        Path(output).write_text("<!DOCTYPE html><title>Quota exceeded</title>" + "x" * 2000)

    monkeypatch.setenv("UNFORESEEN_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, "gdown", types.SimpleNamespace(download=serve))
    with pytest.raises(ModelError, match="expected a checkpoint, got a web page") as caught:
        load_model("robustbench:Small2020", device="cpu")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.pt"))


@pytest.mark.usefixtures("small_table")
def test_pitfall_20_a_web_page_named_standard_pt_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "Standard.pt").write_text("<!DOCTYPE html><title>x</title>" + "y" * 2000)
    with pytest.raises(ModelError, match=r"Standard\.pt: expected a checkpoint, got a web page"):
        load_model(f"robustbench:Small2020?checkpoint={tmp_path / 'Standard.pt'}", device="cpu")


@pytest.mark.usefixtures("small_table")
def test_a_checkpoint_of_another_architecture_is_refused_in_one_line(tmp_path: Path) -> None:
    torch.save(nn.Linear(3, 4).state_dict(), tmp_path / "weights.pt")
    with pytest.raises(ModelError, match=r"missing .*unexpected .*another architecture") as caught:
        load_model(f"robustbench:Small2020?checkpoint={tmp_path / 'weights.pt'}", device="cpu")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("small_table")
@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("robustbench:Smal2020", r"\(threat=Linf, dataset=cifar10\).*Did you mean Small2020"),
        ("robustbench:Noisy2020", "one of that name for threat=corruptions&dataset=cifar10"),
        ("robustbench:Small2020?threat=linf", "unknown RobustBench threat 'linf'.*Linf"),
        ("robustbench:Small2020?dataset=mnist", "unknown RobustBench dataset 'mnist'"),
        ("robustbench:Small2020?threat=L2", r"unknown model of RobustBench \(threat=L2"),
        ("robustbench:Small2020?norm=L2", "accepts: checkpoint, dataset, threat"),
        ("robustbench:Two2021", r"several networks \(2 checkpoints\)"),
        ("robustbench:Broken2022", "can't make this architecture here: ValueError"),
        ("robustbench:Standard_R50?dataset=imagenet", "write torchvision:resnet50"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(uri: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        load_model(uri, device="cpu")
    assert "\n" not in str(caught.value)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "robustbench"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(MissingExtraError, match=r"unforeseen\[robustbench\]"):
        load_model("robustbench:Carmon2019Unlabeled", device="cpu")


@needs_robustbench
def test_a_real_architecture_takes_a_checkpoint_in_its_real_format(tmp_path: Path) -> None:
    """The AugMix network: saved data-parallel, nested, without the buffers of its normalisation."""
    torch.manual_seed(0)
    network: nn.Module = real("cifar10", "corruptions")["Hendrycks2020AugMix_WRN"]["model"]()
    weights = {
        f"module.{name}": value
        for name, value in network.state_dict().items()
        if name not in ("mu", "sigma")
    }
    torch.save({"epoch": 199, "state_dict": weights, "best_acc": 0.9}, tmp_path / "weights.pt")
    file = tmp_path / "weights.pt"
    uri = f"robustbench:Hendrycks2020AugMix_WRN?threat=corruptions&checkpoint={file}"
    check_same(uri, network, 32)
    assert isinstance(load_model(uri, device="cpu"), DifferentiableClassifier)


@needs_robustbench
def test_its_additions_to_timm_are_made_without_downloading(tmp_path: Path) -> None:
    _library("this test")
    network = timm.create_model("alexnet_imagenet_corruptions")
    torch.save(network.get_submodule("model").state_dict(), tmp_path / "weights.pt")
    file = tmp_path / "weights.pt"
    uri = f"robustbench:AlexNet?threat=corruptions&dataset=imagenet&checkpoint={file}"
    check_same(uri, network, 224)
    assert load_model(uri, device="cpu").card.preprocessing == Preprocessing(
        resize=224, crop=(224, 224), interpolation="bilinear"
    )


@needs_robustbench
def test_every_preprocessing_of_the_table_is_known() -> None:
    for threat in ("Linf", "corruptions"):
        for name, entry in real("imagenet", threat).items():
            registered = f"{name}_imagenet_{threat}".lower().replace("-", "_")
            if not timm.is_model(registered):
                assert entry["preprocessing"] in robustbench_models._PREPROCESSINGS


@needs_robustbench
def test_the_library_itself_is_left_alone() -> None:
    _library("this test")
    assert "robustbench" not in sys.modules


def real(dataset: str, threat: str) -> Mapping[str, Any]:
    (models,) = (
        models
        for of_dataset, by_threat in _library("this test").model_dicts.items()
        for of_threat, models in by_threat.items()
        if (of_dataset.value, of_threat.value) == (dataset, threat)
    )
    found: Mapping[str, Any] = models
    return found
