"""Which folder is whose."""

from pathlib import Path

import pytest

from small import SmallNet
from small_runs import run_small
from unforeseen.errors import UserError
from unforeseen.experiment_folder.naming import folder_name, model_folders
from unforeseen.experiment_folder.record import Experiment, ExperimentRun
from unforeseen.models import as_classifier
from unforeseen.models.cards import HeadCard, ModelCard


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("models/cifar10-resnet20-linf.pt2", "cifar10-resnet20-linf"),
        ("C:\\models\\mine.pt2", "mine"),
        ("timm:resnet50", "resnet50"),
        ("timm:resnet50?checkpoint=weights/mine.pth", "resnet50"),
        ("transformers:google/vit-base-patch16-224", "google-vit-base-patch16-224"),
        ("open_clip:ViT-L-14/openai", "ViT-L-14-openai"),
        ("py:my_models.py:make_model", "my_models-make_model"),
        ("py:nets/my_models.py:make", "my_models-make"),
        ("py:my_package.models:make", "my_package.models-make"),
        ("py:service.py:predict?version=2026-11", "service-predict"),
        ("module:SmallNet", "SmallNet"),
        ("demo:efficientnet-lite0", "efficientnet-lite0"),
        ("../..", "model"),
        ("weights/ⅸ\x1b[2J.pt2", "2J"),
        ("", "model"),
        ("con.pt2", "model-con"),
        ("models/AUX", "model-AUX"),
        ("nul.v2.pt", "model-nul.v2"),
        ("lpt1.pth", "model-lpt1"),
        ("console.pt2", "console"),
        ("experiment.json.pt2", "model-experiment.json"),
        ("plot.png.pt2", "model-plot.png"),
        ("table.csv", "model-table.csv"),
    ],
)
def test_a_folder_is_named_after_its_model(uri: str, name: str) -> None:
    assert folder_name(uri) == name
    # And it is one that experiment.json may hold.
    run = {"folder": f"{name}/steps-1", "value": 1}
    Experiment.from_record({"experiment": "steps", "runs": [run]})


def test_models_of_one_name_are_told_apart_also_where_capitals_are_not() -> None:
    assert folder_name("a/net.pt2", ["net"]) == "net-2"
    assert folder_name("a/net.pt2", ["NET", "net-2"]) == "net-3"
    longest = folder_name("x" * 300)
    assert len(longest) <= 60
    assert folder_name("x" * 300, [longest]) != longest


def card(uri: str, fingerprint: str, mapping: str | None = None) -> ModelCard:
    head = None if mapping is None else HeadCard(name="h", outputs=4, mapping=mapping)
    return ModelCard(uri=uri, fingerprint=fingerprint, head=head)


def test_a_model_that_is_named_twice_is_refused_by_its_weights_and_not_by_its_name(
    tmp_path: Path,
) -> None:
    with pytest.raises(UserError, match=r"a/net\.pt2 and b/net\.pt2 are the same network"):
        model_folders([card("a/net.pt2", "f"), card("b/net.pt2", "f")], tmp_path, None)
    others = [card("a/net.pt2", "f"), card("b/net.pt2", "g"), card("a/net.pt2", "f", "mapping")]
    assert model_folders(others, tmp_path, None) == ("net", "net-2", "net-3")


def test_a_model_keeps_its_folder_whatever_it_is_called_and_in_whatever_order(
    tmp_path: Path,
) -> None:
    nets = [as_classifier(SmallNet(seed=seed)) for seed in range(3)]
    cards = [net.card for net in nets]
    assert model_folders(cards[:2], tmp_path, None) == ("SmallNet", "SmallNet-2")
    run_small(tmp_path / "SmallNet" / "steps-0", nets[0], limit=1, steps=0)
    run_small(tmp_path / "SmallNet-2" / "steps-0", nets[1], limit=1, steps=0)
    runs = tuple(ExperimentRun(f"{name}/steps-0", 0) for name in ("SmallNet", "SmallNet-2"))
    there = Experiment(name="steps", runs=runs)
    assert model_folders(cards[::-1], tmp_path, there) == ("SmallNet-3", "SmallNet-2", "SmallNet")


def test_a_folder_of_which_nothing_was_run_is_taken_again(tmp_path: Path) -> None:
    there = Experiment(name="steps", runs=(ExperimentRun("net/steps-0", 0),))
    assert model_folders([card("net.pt2", "f")], tmp_path, there) == ("net",)
    two = [card("a/net.pt2", "f"), card("b/net.pt2", "g")]
    assert model_folders(two, tmp_path, there) == ("net", "net-2")
    both = Experiment(name="steps", runs=(*there.runs, ExperimentRun("net-2/steps-0", 0)))
    assert model_folders(two, tmp_path, both) == ("net", "net-2")
    assert model_folders(two[1:], tmp_path, both) == ("net",)
