"""The papers' models: names that exist, figures that agree with what is printed."""

import importlib.util

import open_clip
import pytest
import timm
from torchvision import models as torchvision_models

from unforeseen.models import MODEL_SCHEMES
from unforeseen.models.papers import PAPERS, PaperModel, models_of_paper
from unforeseen.models.robustbench_models import _library
from unforeseen.report.published import published_results
from unforeseen.uri import Uri

ALL = [model for number in PAPERS for model in models_of_paper(number)]
WITH_URI = [model for model in ALL if model.uri]


def of_scheme(scheme: str) -> list[Uri]:
    uris = [Uri.parse(model.uri) for model in WITH_URI]
    found = [uri for uri in uris if uri.scheme == scheme]
    assert found
    return found


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.model)
def test_each_model_has_a_uri_or_says_why_not(model: PaperModel) -> None:
    assert model.weights in ("same", "alike", "family", "none")
    assert model.dataset in ("imagenet", "imagenet100", "cifar10")
    if model.weights == "none":
        assert not model.uri
        assert model.note
    else:
        assert Uri.parse(model.uri).scheme in MODEL_SCHEMES


def test_models_are_listed_once() -> None:
    for number in PAPERS:
        names = [(model.where, model.model) for model in models_of_paper(number)]
        assert len(set(names)) == len(names) > 20


def test_the_ten_rows_of_table_2_agree_with_the_published_results() -> None:
    printed = {
        (each.model.removesuffix(" IN-1K"), each.clean_accuracy, each.ua2)
        for each in published_results("imagenet-ua")
    }
    listed = {
        (
            each.model.removesuffix(" IN-1K"),
            (each.clean_accuracy or 0) / 100,
            (each.score or 0) / 100,
        )
        for each in models_of_paper(1)
        if each.where == "table 2"
    }
    assert len(listed) == len(printed) == 10
    assert {name for name, *_ in listed} == {name for name, *_ in printed}
    for (name, *ours), (other, *theirs) in zip(sorted(listed), sorted(printed), strict=True):
        assert name == other
        assert ours == pytest.approx(theirs)


def test_timm_publishes_each() -> None:
    published = timm.list_pretrained()
    assert {uri.path for uri in of_scheme("timm")} <= set(published)


def test_timms_are_classifiers_of_imagenet() -> None:
    for uri in of_scheme("timm"):
        configuration = timm.get_pretrained_cfg(uri.path)
        assert configuration is not None
        assert configuration.num_classes == 1000


def test_torchvision_publishes_each() -> None:
    for uri in of_scheme("torchvision"):
        assert uri.options["weights"] in torchvision_models.get_model_weights(uri.path).__members__


def test_open_clip_publishes_each() -> None:
    published = {"/".join(pair) for pair in open_clip.list_pretrained()}
    assert {uri.path for uri in of_scheme("open_clip")} <= published


@pytest.mark.skipif(
    importlib.util.find_spec("robustbench") is None, reason="robustbench is not installed"
)
def test_robustbench_publishes_each_as_a_single_network() -> None:
    tables = _library("this test").model_dicts
    published = {
        f"robustbench:{name}?threat={threat.value}&dataset={dataset.value}"
        for dataset, by_threat in tables.items()
        for threat, entries in by_threat.items()
        for name, entry in entries.items()
        if isinstance(entry["gdrive_id"], str) and entry["gdrive_id"]
    }
    assert {uri.text for uri in of_scheme("robustbench")} <= published
