"""What a cell's id depends on: everything that changes results, and nothing else."""

import inspect
from dataclasses import fields, replace
from typing import Any

import pytest

from small import small_benchmark
from unforeseen.benchmarks import load_benchmark
from unforeseen.models.cards import ModelCard
from unforeseen.preprocessing import Preprocessing
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.cell_kinds import (
    AttackedCell,
    CleanCell,
    ObfuscatedCell,
    ReadyMadeCell,
    TransferredCell,
)
from unforeseen.running.evaluation import evaluate
from unforeseen.running.obfuscation_plan import make_obfuscation_plan
from unforeseen.running.options import AttackOptions, ObfuscationOptions, RunOptions
from unforeseen.running.run_settings import RunSettings
from unforeseen.search.fixed_step import FixedStep
from unforeseen.search.search import Search
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.attacks.pgd import Pgd
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.color_noise_blocks import ColorNoiseBlocks
from unforeseen.transforms.obfuscations.high_contrast_border import HighContrastBorder

#: Every option of a run is one or the other; a new one fails a test until it is listed here.
#: ``attacks``, ``levels`` and ``obfuscations`` choose cells: each chosen cell has the id that it
#: always has.
IDENTITY = {"model", "benchmark", "edition", "seed", "steps", "eot", "head"}
IDENTITY |= {"search", "loss", "restarts", "draws"}
IDENTITY |= {"worst_of", "assets", "ready_made"}
RUNTIME = {
    *(
        "data",
        "attacks",
        "levels",
        "obfuscations",
        "limit",
        "batch_size",
        "device",
        "out",
        "save_images",
    ),
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


def obfuscated(**changes: Any) -> ObfuscatedCell:
    """The other example whose id is pinned."""
    whole = ObfuscatedCell(
        transform="ColorNoiseBlocks",
        obfuscation=ColorNoiseBlocks(block=Range(12, 24)),
        assets=None,
        seed=0,
        model=CARD.fingerprint,
        preprocessing=cell().preprocessing,
    )
    return replace(whole, **changes)


def ready_made(**changes: Any) -> ReadyMadeCell:
    whole = ReadyMadeCell(
        transform="ColorNoiseBlocks",
        made="by this program",
        seed=0,
        model=CARD.fingerprint,
        preprocessing=Preprocessing(),
    )
    return replace(whole, **changes)


def test_every_option_is_declared_identity_or_runtime() -> None:
    assert not IDENTITY & RUNTIME
    options = {
        *inspect.signature(evaluate).parameters,
        *(set(inspect.signature(make_attack_plan).parameters) - {"card"}),
        *(set(inspect.signature(make_obfuscation_plan).parameters) - {"card"}),
        *(field.name for field in fields(RunSettings)),
        *(field.name for field in fields(AttackOptions)),
        *(field.name for field in fields(ObfuscationOptions)),
        *({field.name for field in fields(RunOptions)} - {"attack", "obfuscation"}),
    }
    assert options == IDENTITY | RUNTIME


def test_every_field_of_a_cell_and_of_its_search_is_in_its_identity() -> None:
    identity = cell(eot=2, search=search(eot=2), head="0123").identity
    found = {**identity, **identity["search"], "attack": identity["parameters"]}
    for field in (*fields(AttackedCell), *fields(Search), *fields(FixedStep)):
        assert field.name in found or field.name == "movement", field.name
    for other in (
        clean(eot=2, head="0123"),
        transferred(eot=2, head="0123"),
        obfuscated(eot=2, head="0123", draws=2, assets={"photo": "4567"}),
    ):
        assert {field.name for field in fields(other)} <= other.identity.keys()
    of_made = ready_made(eot=2, head="0123", files="89ab")
    # With the seed nothing is drawn there.
    assert {field.name for field in fields(of_made)} - {"seed"} <= of_made.identity.keys()


def test_every_range_of_an_obfuscation_is_in_its_identity() -> None:
    for kind in OBFUSCATIONS.values():
        said = obfuscated(transform=kind.name, obfuscation=kind()).identity["obfuscation"]
        assert {"version", *(field.name for field in fields(kind))} == said.keys()


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
        *(
            obfuscated(**changes).id
            for changes in (
                {},
                {"obfuscation": ColorNoiseBlocks(block=Range(12, 25))},
                {"transform": "HighContrastBorder", "obfuscation": HighContrastBorder()},
                {"assets": {"photo": "4567"}},
                {"assets": {"icon": "4567"}},
                {"assets": {"photo": "89ab"}},
                {"seed": 1},
                {"draws": 2},
                {"model": "another"},
                {"head": "0123"},
                {"eot": 2},
                {"preprocessing": Preprocessing()},
            )
        ),
        ready_made().id,
        ready_made(made="by somebody else").id,
        ready_made(transform="SwirlWarp").id,
        ready_made(model="another").id,
    ]
    assert len(set(ids)) == len(ids)


def test_a_raised_version_gives_another_id(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cell().id, obfuscated().id
    monkeypatch.setattr(Pgd, "version", Pgd.version + 1)
    monkeypatch.setattr(ColorNoiseBlocks, "version", ColorNoiseBlocks.version + 1)
    assert cell().id != before[0]
    assert obfuscated().id != before[1]


def test_the_id_of_an_unchanged_cell_is_the_same_for_ever() -> None:
    """Change it only together with a version: of Pgd, of the search, or of the schema.

    If this fails otherwise, old run folders are no longer continued: a new field has to leave
    the identity alone where it has its default.
    """
    assert cell().id == "32d188975d85f721805862fded3d8530"
    assert obfuscated().id == "716a8fa559bcd5248df468ce53d7ff82"


@pytest.mark.parametrize(
    "changes",
    [{"edition": "strict"}, {"seed": 1}, {"steps": 1}, {"eot": 2}],
    ids=lambda changes: next(iter(changes)),
)
def test_identity_options_change_the_ids_of_all_attacked_cells(changes: dict[str, Any]) -> None:
    before = make_attack_plan(small_benchmark(), CARD).cells[1:]
    after = make_attack_plan(small_benchmark(), CARD, **changes).cells[1:]
    assert not {each.id for each in before} & {each.id for each in after}


def test_another_model_changes_all_ids() -> None:
    before = make_attack_plan(small_benchmark(), CARD).cells
    after = make_attack_plan(small_benchmark(), replace(CARD, fingerprint="another")).cells
    assert not {each.id for each in before} & {each.id for each in after}


def test_a_choice_of_attacks_and_levels_changes_no_id() -> None:
    every = make_attack_plan(small_benchmark(), CARD, levels=["low", "medium", "high"]).cells
    one = make_attack_plan(small_benchmark(), CARD, attacks=["wood"], levels=["high"]).cells
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
    plan = make_attack_plan(small_benchmark(preprocessing=preprocessing), CARD)
    assert plan.picture_size == size


def test_a_renamed_model_keeps_its_cells() -> None:
    before = make_attack_plan(small_benchmark(), CARD)
    after = make_attack_plan(small_benchmark(), replace(CARD, uri="elsewhere"))
    assert [each.id for each in before.cells] == [each.id for each in after.cells]


def test_a_plan_goes_level_by_level_in_the_benchmarks_order() -> None:
    plan = make_attack_plan(small_benchmark(), CARD, levels=["low", "high"])
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
    for each in make_attack_plan(small_benchmark(), CARD, edition=edition).attacked:
        assert each.attack.geometry == geometry
        assert each.search.judging == judging
        assert isinstance(each.search.movement, FixedStep)
        assert each.search.movement.gradient_batch == gradient_batch


def test_the_models_own_preprocessing_goes_before_the_benchmarks() -> None:
    own, usual = Preprocessing(resize=48, crop=(40, 40)), Preprocessing(resize=40, crop=(32, 32))
    card = replace(CARD, preprocessing=own)
    resizing = small_benchmark(preprocessing=usual)
    assert make_attack_plan(resizing, card).preprocessing == own
    assert make_attack_plan(resizing, CARD).preprocessing == usual
    # Pictures that the benchmark takes as they are stay as they are.
    assert make_attack_plan(small_benchmark(), card).preprocessing == Preprocessing()


def test_the_rule_for_rotation_tags_is_the_benchmarks() -> None:
    own = Preprocessing(resize=48, crop=(32, 32))
    rule = replace(small_benchmark().preprocessing, resize=40, crop=(32, 32), exif_rotation=True)
    plan = make_attack_plan(small_benchmark(preprocessing=rule), replace(CARD, preprocessing=own))
    assert plan.preprocessing == replace(own, exif_rotation=True)


def test_ready_made_pictures_of_cifar10_are_never_resized_whatever_the_model() -> None:
    """Pitfall 2."""
    own = Preprocessing(resize=256, crop=(224, 224), exif_rotation=True)
    plan = make_attack_plan(load_benchmark("cifar10-ua"), replace(CARD, preprocessing=own))
    assert not plan.preprocessing.changes_size
    assert plan.preprocessing == Preprocessing()
