"""What a cell's id depends on: everything that changes results, and nothing else."""

import inspect
from dataclasses import fields, replace
from typing import Any

import pytest

from small import small_benchmark
from unforeseen.benchmarks import load_benchmark
from unforeseen.models.cards import ModelCard
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.cell_kinds import AttackedCell, CleanCell, TransferredCell
from unforeseen.running.evaluation import evaluate
from unforeseen.running.options import RunOptions
from unforeseen.running.plan import make_plan
from unforeseen.running.run_settings import RunSettings
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms.attacks.pgd import Pgd

#: Every option of a run is one or the other; a new one fails a test until it is listed here.
#: ``attacks`` and ``levels`` choose cells: each chosen cell has the id that it always has.
IDENTITY = {"model", "benchmark", "edition", "seed", "steps", "eot", "head"}
IDENTITY |= {"search", "loss", "restarts", "draws"}
RUNTIME = {
    *("data", "attacks", "levels", "limit", "batch_size", "device", "out", "save_images"),
    *("reporter", "check", "deterministic", "choice_seed"),
}

CARD = ModelCard(uri="timm:small", fingerprint="0123456789abcdef")


def cell(**changes: Any) -> AttackedCell:
    """The example whose id is pinned."""
    whole = AttackedCell(
        transform="pgd",
        level="medium",
        radius=0.02,
        attack=Pgd(geometry="published"),
        search=Search(
            steps=4, movement=FixedStep(step_size=0.01, gradient_batch=5), judging="last"
        ),
        model=CARD.fingerprint,
        preprocessing=Preprocessing(resize=40, crop=(32, 32)),
    )
    return replace(whole, **changes)


def search(**changes: Any) -> Search:
    return replace(cell().search, **changes)


def clean(**changes: Any) -> CleanCell:
    whole = CleanCell(model=CARD.fingerprint, preprocessing=cell().preprocessing)
    return replace(whole, **changes)


def transferred(**changes: Any) -> TransferredCell:
    made = cell()
    whole = TransferredCell(
        transform=made.transform,
        level=made.level,
        radius=made.radius,
        model=made.model,
        preprocessing=made.preprocessing,
        source=made,
    )
    return replace(whole, **changes)


def test_every_option_is_declared_identity_or_runtime() -> None:
    assert not IDENTITY & RUNTIME
    options = {
        *inspect.signature(evaluate).parameters,
        *(set(inspect.signature(make_plan).parameters) - {"card"}),
        *(field.name for field in fields(RunSettings)),
        *(field.name for field in fields(RunOptions)),
    }
    assert options == IDENTITY | RUNTIME


def test_every_field_of_a_cell_and_of_its_search_is_in_its_identity() -> None:
    identity = cell(eot=2, search=search(eot=2), head="0123").identity
    found = {**identity, **identity["search"], "attack": identity["parameters"]}
    for field in (*fields(AttackedCell), *fields(Search), *fields(FixedStep)):
        assert field.name in found or field.name == "movement", field.name
    for other in (clean(eot=2, head="0123"), transferred(eot=2, head="0123")):
        assert {field.name for field in fields(other)} <= other.identity.keys()


OTHER_CELLS: list[Any] = [
    {"transform": "other"},
    {"level": "high"},
    {"radius": 0.04},
    {"attack": Pgd(geometry="centred")},
    {"attack": Pgd(geometry="published", norm="l2")},
    {"model": "another"},
    {"head": "0123"},
    {"transform": "pgd_l2", "attack": Pgd(geometry="published", norm="l2")},
    {"preprocessing": Preprocessing(resize=41, crop=(32, 32))},
    {"preprocessing": Preprocessing(resize=40, crop=(32, 32), interpolation="bilinear")},
    {"search": search(steps=5)},
    {"search": search(movement=FixedStep(step_size=0.02, gradient_batch=5))},
    {"search": search(judging="any")},
    {"search": search(movement=FixedStep(step_size=0.01, gradient_batch=None))},
    {"search": search(restarts=2)},
    {"search": search(seed=1)},
    {"search": search(loss="margin")},
    {"search": search(eot=2), "eot": 2},
]


def test_cells_that_give_other_results_have_other_ids() -> None:
    ids = [
        *(cell(**changes).id for changes in ({}, *OTHER_CELLS)),
        *(each.id for each in (clean(), clean(eot=2), clean(model="another"), clean(head="0123"))),
        transferred().id,
        transferred(source=cell(model="another")).id,
        transferred(source=cell(search=search(seed=1))).id,
        transferred(model="another").id,
        transferred(head="0123").id,
        transferred(eot=2).id,
    ]
    assert len(set(ids)) == len(ids)


def test_a_raised_version_gives_another_id(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cell().id
    monkeypatch.setattr(Pgd, "version", Pgd.version + 1)
    assert cell().id != before


def test_the_id_of_an_unchanged_cell_is_the_same_for_ever() -> None:
    """Change it only together with a version: of Pgd, of the search, or of the schema.

    If this fails otherwise, old run folders are no longer continued: a new field has to leave
    the identity alone where it has its default.
    """
    assert cell().id == "32d188975d85f721805862fded3d8530"


@pytest.mark.parametrize(
    "changes",
    [{"edition": "strict"}, {"seed": 1}, {"steps": 1}, {"eot": 2}],
    ids=lambda changes: next(iter(changes)),
)
def test_identity_options_change_the_ids_of_all_attacked_cells(changes: dict[str, Any]) -> None:
    before = make_plan(small_benchmark(), CARD).cells[1:]
    after = make_plan(small_benchmark(), CARD, **changes).cells[1:]
    assert not {each.id for each in before} & {each.id for each in after}


def test_another_model_changes_all_ids() -> None:
    before = make_plan(small_benchmark(), CARD).cells
    after = make_plan(small_benchmark(), replace(CARD, fingerprint="another")).cells
    assert not {each.id for each in before} & {each.id for each in after}


def test_a_choice_of_attacks_and_levels_changes_no_id() -> None:
    every = make_plan(small_benchmark(), CARD, levels=["low", "medium", "high"]).cells
    one = make_plan(small_benchmark(), CARD, attacks=["wood"], levels=["high"]).cells
    assert {each.id for each in one} < {each.id for each in every}


@pytest.mark.parametrize(
    ("preprocessing", "size"),
    [
        (Preprocessing(), (32, 32)),
        (Preprocessing(resize=40, crop=(36, 37)), (36, 37)),
        (Preprocessing(resize=(48, 64)), (48, 64)),
        (Preprocessing(resize=(48, 64), crop=(36, 37)), (36, 37)),
    ],
)
def test_pictures_are_of_the_size_that_preprocessing_makes(
    preprocessing: Preprocessing, size: tuple[int, int]
) -> None:
    plan = make_plan(small_benchmark(preprocessing=preprocessing), CARD)
    assert plan.picture_size == size


def test_a_renamed_model_keeps_its_cells() -> None:
    before = make_plan(small_benchmark(), CARD)
    after = make_plan(small_benchmark(), replace(CARD, uri="elsewhere"))
    assert [each.id for each in before.cells] == [each.id for each in after.cells]


def test_a_plan_goes_level_by_level_in_the_benchmarks_order() -> None:
    plan = make_plan(small_benchmark(), CARD, levels=["low", "high"])
    assert [(each.transform, each.level) for each in plan.cells] == [
        ("clean", ""),
        *((name, level) for level in ("low", "high") for name in ("pgd", "wood", "pixel")),
    ]
    assert [each.radius for each in plan.cells] == [0, 0.01, 0.03, 1.0, 0.04, 0.1, 4.0]


@pytest.mark.parametrize(
    ("edition", "geometry", "judging", "gradient_batch"),
    [("published", "published", "last", 5), ("strict", "centred", "any", None)],
)
def test_an_edition_sets_geometry_judging_and_normalisation(
    edition: str, geometry: str, judging: str, gradient_batch: int | None
) -> None:
    for each in make_plan(small_benchmark(), CARD, edition=edition).attacked:
        assert each.attack.geometry == geometry
        assert each.search.judging == judging
        assert isinstance(each.search.movement, FixedStep)
        assert each.search.movement.gradient_batch == gradient_batch


def test_the_models_own_preprocessing_goes_before_the_benchmarks() -> None:
    own, usual = Preprocessing(resize=48, crop=(40, 40)), Preprocessing(resize=40, crop=(32, 32))
    card = replace(CARD, preprocessing=own)
    resizing = small_benchmark(preprocessing=usual)
    assert make_plan(resizing, card).preprocessing == own
    assert make_plan(resizing, CARD).preprocessing == usual
    # Pictures that the benchmark takes as they are stay as they are.
    assert make_plan(small_benchmark(), card).preprocessing == Preprocessing()


def test_the_rule_for_rotation_tags_is_the_benchmarks() -> None:
    own = Preprocessing(resize=48, crop=(32, 32))
    rule = replace(small_benchmark().preprocessing, resize=40, crop=(32, 32), exif_rotation=True)
    plan = make_plan(small_benchmark(preprocessing=rule), replace(CARD, preprocessing=own))
    assert plan.preprocessing == replace(own, exif_rotation=True)


def test_ready_made_pictures_of_cifar10_are_never_resized_whatever_the_model() -> None:
    """Pitfall 2."""
    own = Preprocessing(resize=256, crop=(224, 224), exif_rotation=True)
    plan = make_plan(load_benchmark("cifar10-ua"), replace(CARD, preprocessing=own))
    assert not plan.preprocessing.changes_size
    assert plan.preprocessing == Preprocessing()
