"""Which networks patches can be made with."""

import numpy as np
import pytest
import torch

from asset_making.patches.small_patches import ColourNet, colour_networks, pictures_of_colours
from small import as_function
from unforeseen.asset_making.patches import networks
from unforeseen.asset_making.patches.networks import Network, class_count, open_networks
from unforeseen.data.dataset import DataCard
from unforeseen.errors import DataError, ModelError, UserError
from unforeseen.models import as_classifier

CPU = torch.device("cpu")


@pytest.fixture
def _function(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model is a plain function, which has no gradients."""
    monkeypatch.setattr(
        networks, "load_model", lambda *_, **__: as_classifier(as_function(ColourNet()))
    )


@pytest.mark.usefixtures("_function")
def test_a_model_without_gradients_can_only_be_measured_on() -> None:
    with pytest.raises(ModelError, match="Give it as --held-out-model"):
        open_networks(["py:a.py:f"], [], head=(), device=CPU)
    (held_out,) = open_networks([], ["py:a.py:f"], head=(), device=CPU)
    assert held_out.held_out


@pytest.mark.usefixtures("_function")
def test_a_model_is_not_held_out_from_a_patch_that_is_made_against_it() -> None:
    with pytest.raises(UserError, match="--held-out-model, got both"):
        open_networks(["py:a.py:f", "py:b.py:f"], ["py:b.py:f"], head=(), device=CPU)


def test_networks_of_other_classes_than_the_labels_are_refused() -> None:
    dataset = pictures_of_colours([0, 1, 2])
    assert class_count(colour_networks(2), dataset, 36) == 3
    dataset.card = DataCard(uri="data", label_space="cifar10", class_names=(), images=3)
    with pytest.raises(
        ModelError, match=r"expected 10 classes, as the labels of data are of, got 3"
    ):
        class_count(colour_networks(), dataset, 36)


def test_networks_that_differ_from_each_other_are_refused() -> None:
    class Two(ColourNet):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x)[:, :2]

    other = Network(as_classifier(Two()), False)
    with pytest.raises(ModelError, match="expected 3 classes, as colours:0 has, got 2"):
        class_count([*colour_networks(), other], pictures_of_colours([0]), 36)


def test_labels_that_no_class_has_are_refused() -> None:
    dataset = pictures_of_colours([0, 1])
    dataset.labels = np.array([0, 7])
    with pytest.raises(DataError, match="expected labels from 0 to 2, got some from 0 to 7"):
        class_count(colour_networks(), dataset, 36)
