"""Models and data meet a benchmark's classes, or are refused before anything runs."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from torch import Tensor, nn

from data.in_memory import InMemory
from made_runs import made_frame, made_record, planned_attack_run
from made_runs import small_benchmark as made_benchmark
from small import SmallNet, small_benchmark
from small_runs import COUNT, labelled_dataset, rows_of, run_small
from unforeseen import Results, evaluate, perturb
from unforeseen.benchmarks import load_attack_benchmark, load_benchmark
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.super_classes import super_class_names, super_classes
from unforeseen.errors import DataError, ModelError, RunError, UnknownNameError, UserError
from unforeseen.fitting import fit, fit_data, fit_model
from unforeseen.label_space import LabelSpace
from unforeseen.models import as_classifier
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.report.tables import result_tables
from unforeseen.run_folder.attack_summary import summarise_attacks
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.compatibility import check_compatibility, refuse_background
from unforeseen.running.obfuscation_plan import make_obfuscation_plan


class Outputs(nn.Module):
    """The logit of output k is k times the brightness; as many outputs as asked for."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.classes = classes

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(dim=(1, 2, 3))[:, None] * torch.arange(self.classes).to(x)


def dataset_of(labels: list[int], label_space: LabelSpace | None) -> Dataset:
    pictures = np.random.default_rng(0).integers(0, 256, (len(labels), 64, 64, 3), np.uint8)
    data = InMemory(list(pictures), labels)
    data.card = DataCard(uri="memory:", label_space=label_space, class_names=(), images=len(labels))
    return data


def refused(outputs: int, data: Dataset, benchmark: str) -> str:
    """The message with which a model of that many outputs is refused."""
    source = load_attack_benchmark(benchmark)
    classifier = fit_model(as_classifier(Outputs(outputs)), source)
    fitted = fit_data(data, source)
    plan = make_attack_plan(source, classifier.card)
    with pytest.raises((ModelError, DataError)) as raised:
        check_compatibility(plan, classifier, fitted)
    return str(raised.value)


def test_imagenets_pictures_are_selected_and_relabelled_for_imagenet100() -> None:
    data = dataset_of([0, 5, 10, 990, 999, 10], "imagenet")
    part = fit_data(data, load_attack_benchmark("imagenet100-ua"))
    assert part.labels.tolist() == [0, 1, 99, 1]
    assert part.card.label_space == "imagenet100"
    assert part.card.images == 4
    assert "2 of 6 pictures" in part.card.notes[-1]
    for index, before in enumerate([0, 2, 3, 5]):
        assert np.array_equal(part.read(index), data.read(before))
    assert fit_data(data, load_attack_benchmark("imagenet-ua")) is data
    with pytest.raises(DataError, match="expected pictures of ImageNet100's classes"):
        fit_data(dataset_of([5, 7], "imagenet"), load_attack_benchmark("imagenet100-ua"))


def test_a_model_of_1000_outputs_is_sliced_for_imagenet100_and_one_of_100_is_left_alone() -> None:
    benchmark = load_attack_benchmark("imagenet100-ua")
    x = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    sliced = fit_model(as_classifier(Outputs(1000)), benchmark)
    expected = Outputs(1000)(x)[:, ::10]
    torch.testing.assert_close(sliced.logits(x), expected, rtol=0, atol=0)
    assert fit_model(as_classifier(Outputs(100)), benchmark).card.head is None


def test_imagenets_pictures_in_super_classes_are_selected_and_relabelled() -> None:
    """The published evaluation's own expectation of five raw labels, among pictures of other classes."""
    data = dataset_of([11, 0, 440, 409, 999, 294, 15], "imagenet")
    part = fit_data(data, small_benchmark(label_space="imagenet16", classes=16))
    assert part.labels.tolist() == [3, 5, 9, 1, 3]
    assert (part.card.label_space, part.card.images) == ("imagenet16", 5)
    assert part.card.class_names[9] == "Clock"
    assert "2 of 7 pictures" in part.card.notes[-1]
    for index, before in enumerate([0, 2, 3, 5, 6]):
        assert np.array_equal(part.read(index), data.read(before))
    with pytest.raises(DataError, match=r"207 classes .* got 2 of other classes"):
        fit_data(
            dataset_of([0, 999], "imagenet"),
            small_benchmark(label_space="imagenet16", classes=16),
        )


def test_data_labelled_by_super_classes_stay_as_they_are() -> None:
    data = dataset_of([0, 15], "imagenet16")
    assert fit_data(data, small_benchmark(label_space="imagenet16", classes=16)) is data


def compared_with_super_classes(data: Dataset, outputs: int) -> None:
    benchmark = load_benchmark("image-obfuscation")
    classifier = as_classifier(Outputs(outputs))
    plan = make_obfuscation_plan(benchmark, classifier.card)
    check_compatibility(plan, classifier, data)


def test_labels_of_the_datas_own_are_no_super_classes() -> None:
    """Bird, dog and weapon would be scored as airplane, bear and bicycle."""
    data = dataset_of([0, 1, 2], None)
    compared_with_super_classes(data, 16)
    with pytest.raises(ModelError, match=r"has 3 outputs, .* own: image-obfuscation-own"):
        compared_with_super_classes(data, 3)
    data.card = replace(data.card, class_names=("bird", "dog", "weapon"))
    with pytest.raises(DataError, match=r"0 = bird, .* own: image-obfuscation-own"):
        compared_with_super_classes(data, 16)
    data.card = replace(data.card, class_names=super_class_names())
    compared_with_super_classes(data, 16)


@pytest.mark.parametrize("outputs", [1000, 1001])
def test_a_model_of_imagenets_classes_is_not_asked_about_others_without_a_head(
    outputs: int, tmp_path: Path
) -> None:
    """Bird, dog and weapon would be scored as tench, goldfish and shark."""
    benchmark = load_benchmark("image-obfuscation-own")
    data = dataset_of([0, 1, 2], None)
    data.card = replace(data.card, class_names=("bird", "dog", "weapon"))
    classifier = as_classifier(Outputs(outputs))
    plan = make_obfuscation_plan(benchmark, classifier.card)
    with pytest.raises(ModelError, match=r"0 = bird, 1 = dog, 2 = weapon\)\. Give --head FILE"):
        check_compatibility(plan, classifier, data)
    groups = tmp_path / "groups.json"
    groups.write_text('{"bird": [7, 8], "dog": [151], "weapon": [413]}', encoding="utf-8")
    headed = fit_model(classifier, benchmark, f"{groups}?outputs={outputs}")
    check_compatibility(make_obfuscation_plan(benchmark, headed.card), headed, data)
    named = DifferentiableClassifier(
        Outputs(outputs),
        replace(
            classifier.card, class_names=(*data.card.class_names, *map(str, range(outputs - 3)))
        ),
    )
    check_compatibility(plan, named, data)


def test_labels_beyond_imagenets_take_no_memory() -> None:
    data = dataset_of([11, 2_000_000_000, -1], "imagenet")
    part = fit_data(data, small_benchmark(label_space="imagenet16", classes=16))
    assert part.labels.tolist() == [3]


def test_a_model_of_1000_outputs_is_asked_about_super_classes_and_one_of_16_is_left_alone() -> None:
    benchmark = small_benchmark(label_space="imagenet16", classes=16)
    x = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    grouped = fit_model(as_classifier(Outputs(1000)), benchmark)
    probabilities = Outputs(1000)(x).double().softmax(dim=1)
    means = [probabilities[:, list(members)].mean(dim=1) for members in super_classes().values()]
    expected = torch.stack(means, dim=1)
    shares = expected / expected.sum(dim=1, keepdim=True)
    torch.testing.assert_close(grouped.logits(x).softmax(dim=1), shares, check_dtype=False)
    assert fit_model(as_classifier(Outputs(16)), benchmark).card.head is None


def test_1001_outputs_are_refused_until_the_head_is_said() -> None:
    """Pitfall 19."""
    for benchmark in ("imagenet-ua", "imagenet100-ua"):
        message = refused(1001, dataset_of([0, 10, 20], "imagenet"), benchmark)
        assert "--head imagenet1001" in message
    super_class_benchmark = small_benchmark(label_space="imagenet16", classes=16)
    with pytest.raises(ModelError, match="--head imagenet1001"):
        refuse_background(as_classifier(Outputs(1001)), super_class_benchmark, 1001)
    said = fit_model(
        as_classifier(Outputs(1001)), load_attack_benchmark("imagenet100-ua"), "imagenet1001"
    )
    assert said.card.classes == 100


@pytest.mark.parametrize("outputs", [999, 21841, 21843])
def test_imagenets_labels_need_exactly_1000_classes_after_the_head(outputs: int) -> None:
    message = refused(outputs, dataset_of([0, 10, 20], "imagenet"), "imagenet-ua")
    assert f"{outputs:,} outputs" in message
    assert "--head FILE" in message


def test_classes_of_the_same_names_in_another_order_are_refused(tmp_path: Path) -> None:
    """Pitfall 18: label order."""
    groups = tmp_path / "groups.json"
    groups.write_text('{"Weapon": [1, 3], "other": "*"}', encoding="utf-8")
    source = small_benchmark()
    classifier = fit_model(as_classifier(Outputs(5)), source, str(groups))
    plan = make_attack_plan(source, classifier.card)
    data = dataset_of([0, 1], None)
    data.card = replace(data.card, class_names=("other", "weapon"))
    with pytest.raises(
        DataError, match=r"0 = other, 1 = weapon.* 0 = Weapon, 1 = other.*groups\.json"
    ):
        check_compatibility(plan, classifier, data)
    data.card = replace(data.card, class_names=("Weapon", "other"))
    notes = check_compatibility(plan, classifier, data)
    # Nothing is left to be said of the labels: both sides have the same names in the same order.
    (note,) = notes
    assert "makes 2 classes of the model's 5 outputs" in note


def test_the_head_that_puts_classes_in_the_datas_order_is_printed_and_does_it(
    tmp_path: Path,
) -> None:
    source = small_benchmark()
    card = ModelCard(uri="net", fingerprint="0", classes=2, class_names=("Weapon", "other"))
    plain = DifferentiableClassifier(Outputs(2), card)
    data = dataset_of([0, 1], None)
    data.card = replace(data.card, class_names=("other", "weapon"))
    with pytest.raises(DataError) as refusal:
        check_compatibility(make_attack_plan(source, card), plain, data)
    file = tmp_path / "order.json"
    (content,) = re.findall(r"\{.*\}", str(refusal.value))
    file.write_text(content, encoding="utf-8")
    ordered = fit_model(plain, source, str(file))
    check_compatibility(make_attack_plan(source, ordered.card), ordered, data)
    x = torch.rand(3, 3, 32, 32)
    torch.testing.assert_close(ordered.logits(x), plain.logits(x).flip(1))


def test_groups_on_pictures_that_are_not_labelled_by_them_need_others(tmp_path: Path) -> None:
    groups = tmp_path / "groups.json"
    groups.write_text('{"allow": [0, 1], "block": "*"}', encoding="utf-8")
    source = load_attack_benchmark("cifar10-ua")
    classifier = fit_model(as_classifier(Outputs(10)), source, str(groups))
    plan = make_attack_plan(source, classifier.card)
    with pytest.raises(ModelError, match=r"cifar10's labels.*subfolders allow, block\.") as refusal:
        check_compatibility(plan, classifier, dataset_of(list(range(10)), "cifar10"))
    assert "Give --head" not in str(refusal.value)


@pytest.mark.parametrize("outputs", [4, 8, 11])
def test_a_head_of_other_than_ten_classes_is_refused_before_a_ten_class_attack(
    outputs: int,
) -> None:
    """Pitfall 17: an 8-class and a 4-class head."""
    message = refused(outputs, dataset_of(list(range(10)), "cifar10"), "cifar10-ua")
    assert f"{outputs} outputs" in message
    assert "--head FILE" in message


def test_labels_of_the_datas_own_need_only_be_among_the_outputs() -> None:
    message = refused(4, dataset_of([0, 4], None), "cifar10-ua")
    assert "labels up to 4" in message
    source = load_attack_benchmark("cifar10-ua")
    classifier = as_classifier(Outputs(5))
    check_compatibility(
        make_attack_plan(source, classifier.card), classifier, dataset_of([0, 4], None)
    )


def test_pgd_l2_runs_only_where_it_is_named_and_keeps_its_radius(tmp_path: Path) -> None:
    source = load_attack_benchmark("cifar10-ua")
    card = as_classifier(SmallNet(classes=10)).card
    assert "pgd_l2" not in {cell.transform for cell in make_attack_plan(source, card).cells}
    (named,) = make_attack_plan(source, card, attacks=["pgd_l2"]).attacked
    assert (named.transform, named.attack.name, named.radius) == ("pgd_l2", "pgd", 0.5)
    results = evaluate(
        SmallNet(classes=10),
        dataset_of_side(32),
        source,
        attacks=["pgd_l2"],
        steps=3,
        check=False,
        out=tmp_path / "run",
        save_images=True,
    )
    rows = results.rows.filter(results.rows["transform"] == "pgd_l2")
    assert rows["norm"].max() == pytest.approx(1, abs=1e-5)
    assert not any("pgd_l2" in reason for reason in results.summary.partial)


def dataset_of_side(side: int) -> Dataset:
    data = dataset_of([0, 1, 2, 3], "cifar10")
    pictures = np.random.default_rng(0).integers(60, 190, (4, side, side, 3), np.uint8)
    small = InMemory(list(pictures), data.labels.tolist())
    small.card = data.card
    return small


def test_an_optional_attack_added_since_makes_no_other_benchmark_of_a_run() -> None:
    benchmark = small_benchmark()
    optional = replace(benchmark.attacks["pgd"], name="pgd_l2", group="optional")
    grown = replace(benchmark, attacks={**benchmark.attacks, "pgd_l2": optional})
    assert grown.without_optional() == benchmark.without_optional()
    assert grown.without_optional(but=["pgd_l2"]) != benchmark.without_optional(but=["pgd_l2"])
    assert grown.usual == tuple(benchmark.attacks)


def test_a_folder_made_before_an_optional_attack_was_added_goes_on_and_takes_it_too(
    tmp_path: Path,
) -> None:
    before = small_benchmark()
    pgd = before.attacks["pgd"]
    optional = replace(pgd, name="pgd_l2", group="optional", parameters={"norm": "l2"})
    after = replace(before, attacks={**before.attacks, "pgd_l2": optional})
    old = run_small(tmp_path, benchmark=before, attacks=["pgd"])
    rows = rows_of(tmp_path)
    run_small(tmp_path, benchmark=after, attacks=["pgd"])
    assert rows_of(tmp_path).equals(rows)
    new = run_small(tmp_path, benchmark=after, attacks=["pgd_l2"])
    assert {each.attack for each in new.attacks} == {"pgd", "pgd_l2"}
    (table,) = result_tables([old, new])
    assert table.columns["pgd_l2"] == "PGD L2"
    # What the folder holds can't change its meaning.
    wider = replace(optional, radii={"low": 0.5, "medium": 1.0, "high": 2.0})
    changed = replace(after, attacks={**before.attacks, "pgd_l2": wider})
    with pytest.raises(RunError, match="another benchmark"):
        run_small(tmp_path, benchmark=changed, attacks=["pgd"])


def test_an_optional_attack_that_was_not_run_makes_no_run_partial() -> None:
    record = made_record(benchmark=made_benchmark())
    assert summarise_attacks(planned_attack_run(record), made_frame(record)).partial == ()


def test_a_run_goes_on_with_the_same_head_only(tmp_path: Path) -> None:
    groups = [tmp_path / f"{name}.json" for name in ("one", "other")]
    for path, first in zip(groups, ("[0, 1]", "[0, 2]"), strict=True):
        path.write_text(f'{{"first": {first}, "rest": "*"}}', encoding="utf-8")
    data = InMemory([labelled_dataset().read(index) for index in range(4)], [0, 1, 0, 1])
    same = tmp_path / "same.csv"
    same.write_text("class,group\n0,a\n1,a\n*,b\n", encoding="utf-8")

    def run(head: Path) -> Results:
        return evaluate(
            SmallNet(),
            data,
            small_benchmark(),
            head=str(head),
            attacks=["pgd"],
            check=False,
            out=tmp_path / "run",
        )

    rows = run(groups[0]).rows
    assert run(same).rows.equals(rows)
    with pytest.raises(
        RunError, match=r"another head: .*same\.csv; asked for was .*other\.json\. Use"
    ):
        run(groups[1])


def test_the_loss_and_the_verdict_are_of_the_classes_after_the_head(tmp_path: Path) -> None:
    groups = tmp_path / "groups.json"
    groups.write_text('{"left": [0, 3], "right": [1, 2]}', encoding="utf-8")
    data = labelled_dataset()
    images = torch.stack(
        [torch.from_numpy(data.read(index)).permute(2, 0, 1) / 255 for index in range(COUNT)]
    )
    with torch.no_grad():
        probabilities = SmallNet()(images).double().softmax(dim=1)
    left = probabilities[:, 0] + probabilities[:, 3]
    labels = (left < 0.5).long()
    grouped = InMemory([data.read(index) for index in range(COUNT)], labels.tolist())
    results = evaluate(
        SmallNet(), grouped, small_benchmark(), head=str(groups), attacks=["pgd"], check=False
    )
    clean = results.rows.filter(pl.col("transform") == "clean")
    assert clean["correct"].all()
    expected = torch.where(labels == 0, left, 1 - left).log().neg()
    np.testing.assert_allclose(clean["loss"].sort(), expected.sort().values, rtol=1e-4, atol=1e-6)
    attacked = results.rows.filter(pl.col("transform") == "pgd")
    # Climbing another loss than that of the groups would leave some of theirs where it was.
    both = attacked.join(clean, on="example_id")
    assert (both["loss"] > both["loss_right"]).all()


def test_a_batch_in_memory_can_be_attacked_by_an_optional_attack() -> None:
    x = torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(0)) * 0.5 + 0.25
    y = torch.tensor([0, 1])
    moved = perturb(
        SmallNet(), x, y, "pgd_l2", benchmark="cifar10-ua", steps=3, edition="published"
    )
    length = (moved.images - x).flatten(1).norm(dim=1)
    np.testing.assert_allclose(length, [0.5, 0.5], rtol=1e-3)
    with pytest.raises(UnknownNameError, match="Did you mean pgd_l2"):
        perturb(SmallNet(), x, y, "pgd_l3", benchmark="cifar10-ua")


@pytest.mark.parametrize("data", [["x", "y"], 3, None, {"x": 1}])
def test_data_of_no_kind_are_refused_with_the_kinds_there_are(data: object) -> None:
    with pytest.raises(UserError, match=r"a URI, a path, a data set or a pair .*, got \w+\.$"):
        fit(SmallNet(), data, small_benchmark())  # type: ignore[arg-type]  # what is refused


def test_a_model_may_be_named_by_a_path_as_data_may(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"missing\.pt2"):
        fit(tmp_path / "missing.pt2", labelled_dataset(), small_benchmark())
