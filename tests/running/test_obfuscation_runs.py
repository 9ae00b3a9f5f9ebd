"""Runs of obfuscations: the same rows whatever interrupts, batches or stores them."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from PIL import Image
from polars.testing import assert_frame_equal
from torch import Tensor

from data.in_memory import InMemory, InMemoryObfuscated
from made_assets import made_assets, without_network
from made_data import made_folder
from obfuscation_runs import (
    NAMES,
    obfuscated_dataset,
    obfuscation_benchmark,
    rows_of_obfuscations,
    run_obfuscated,
)
from small import SmallNet, Watched, as_function
from small_runs import COUNT, Notes, labelled_dataset, run_small
from unforeseen import black_box, evaluate
from unforeseen.asset_making.combined_pack import combine_packs
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.errors import AssetError, DataError, QueryBudgetError, RunError, UserError
from unforeseen.pixels import pixels_of
from unforeseen.report.obfuscation_settings import settings_of
from unforeseen.results import ObfuscationResults
from unforeseen.rng import ExampleKey
from unforeseen.rows import CLEAN, Row
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.run_folder.record import read_record, write_record
from unforeseen.running.images import image_path
from unforeseen.running.reporter import Silent
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.color_noise_blocks import ColorNoiseBlocks

#: Of a picture's own rows; cells have ids of their own.
RESULTS = pl.exclude("cell", "seconds")


class Stopping(Silent):
    """Stops a run after so many rows."""

    def __init__(self, after: int) -> None:
        self._left = after

    def row(self, row: Row) -> None:
        assert row.seed == 0
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt


def test_rows_are_what_the_model_says_of_pictures_made_from_their_records(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run")
    assets, data, model = made_assets(tmp_path / "assets"), labelled_dataset(), SmallNet()
    index_of = {name: index for index, name in enumerate(identify(data, range(COUNT)))}
    rows = rows_of_obfuscations(tmp_path / "run").filter(pl.col("transform") != CLEAN)
    assert rows.height == len(NAMES) * COUNT
    for row in rows.iter_rows(named=True):
        kind = OBFUSCATIONS[row["transform"]]
        parameters = kind.parameters.from_json(row["parameters"])
        content = data.read(index_of[row["example_id"]])
        assert not isinstance(content, bytes)
        image = torch.from_numpy(content.copy()).permute(2, 0, 1).float() / 255
        picture = kind().apply(image, parameters, assets).mul(255).round().div(255)
        logits = model(picture[None])[0].detach()
        assert row["prediction"] == int(logits.argmax())
        assert row["loss"] == pytest.approx(float(-logits.log_softmax(0)[row["label"]]), abs=1e-5)
        assert row["correct"] is row["correct_any"] is row["correct_8bit"]
        assert row["correct"] == (row["prediction"] == row["label"])
        assert (row["level"], row["status"], row["gradient_evaluations"]) == ("", "ok", 0)
        searched = ("steps", "norm", "restart", "donor", "first_success_step")
        assert all(row[name] is None for name in searched)


def test_parameters_are_drawn_by_seed_obfuscation_and_picture_from_the_benchmarks_range(
    tmp_path: Path,
) -> None:
    run_obfuscated(tmp_path / "run", seed=7, obfuscations=["colornoiseblocks"])
    rows = rows_of_obfuscations(tmp_path / "run").filter(pl.col("transform") != CLEAN)
    blocks = set()
    for row in rows.iter_rows(named=True):
        key = ExampleKey(seed=7, transform="ColorNoiseBlocks", example_id=row["example_id"])
        # From round(40 · 32 / 224) to round(60 · 32 / 224).
        block = 6 + int(float(key.stream("parameters").uniform(0, 1)) * 4)
        assert json.loads(row["parameters"])["block"] == block
        blocks.add(block)
    assert blocks <= {6, 7, 8, 9}
    assert len(blocks) > 1


@pytest.mark.parametrize("after", [3, COUNT + 1, COUNT + 5, 3 * COUNT])
def test_a_run_that_was_stopped_goes_on_to_the_same_rows(tmp_path: Path, after: int) -> None:
    run_obfuscated(tmp_path / "whole", worst_of=2)
    with pytest.raises(KeyboardInterrupt):
        run_obfuscated(tmp_path / "cut", worst_of=2, reporter=Stopping(after))
    run_obfuscated(tmp_path / "cut", worst_of=2)
    assert_frame_equal(
        rows_of_obfuscations(tmp_path / "cut"), rows_of_obfuscations(tmp_path / "whole")
    )


def test_groups_stand_for_their_obfuscations(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run", obfuscations=["Training"])
    ran = rows_of_obfuscations(tmp_path / "run")["transform"].unique().to_list()
    assert sorted(ran) == sorted((CLEAN, *NAMES[:2]))
    run_obfuscated(tmp_path / "run", obfuscations=["hold-out"])
    ran = rows_of_obfuscations(tmp_path / "run")["transform"].unique().to_list()
    assert sorted(ran) == sorted((CLEAN, *NAMES))


def test_more_pictures_and_obfuscations_reuse_what_is_there(tmp_path: Path) -> None:
    whole = run_obfuscated(tmp_path / "whole")
    run_obfuscated(tmp_path / "grown", limit=4, obfuscations=["IconOverlay"])
    first = read_obfuscation_run(tmp_path / "grown").rows
    grown = run_obfuscated(tmp_path / "grown")
    assert grown.to_record() == whole.to_record()
    now = read_obfuscation_run(tmp_path / "grown").rows
    assert first.join(now, on=first.columns, nulls_equal=True, how="semi").height == first.height


@pytest.mark.parametrize("batch_size", [1, 3, 16])
def test_the_size_of_batches_changes_neither_draws_nor_results(
    tmp_path: Path, batch_size: int
) -> None:
    run_obfuscated(tmp_path / "four", worst_of=3)
    run_obfuscated(tmp_path / "other", worst_of=3, batch_size=batch_size)
    exact = pl.exclude("loss", "confidence", "clean_confidence", "clean_loss", "top10")
    four, other = (rows_of_obfuscations(tmp_path / name) for name in ("four", "other"))
    assert_frame_equal(four.select(exact), other.select(exact))
    assert_frame_equal(four.select("loss"), other.select("loss"), abs_tol=1e-5)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seed": 1}, "has seed 0; asked for was 1"),
        ({"worst_of": 2}, "has worst of 1; asked for was 2"),
        ({"eot": 2}, "has eot 1; asked for was 2"),
    ],
)
def test_what_changes_results_is_refused_in_the_same_folder(
    tmp_path: Path, changes: dict[str, int], says: str
) -> None:
    run_obfuscated(tmp_path / "run", limit=2)
    with pytest.raises(RunError, match=says):
        run_obfuscated(tmp_path / "run", limit=2, **changes)  # type: ignore[arg-type]  # all are whole numbers


def test_another_pack_of_assets_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run", limit=2)
    other = made_assets(tmp_path / "other").folder
    Image.new("RGBA", (40, 40), "red").save(next(other.glob("icon-*.png")))
    with pytest.raises(RunError, match="made with another pack of assets"):
        run_obfuscated(tmp_path / "run", limit=2, assets=other)
    # The same pictures in another folder are the same pack.
    run_obfuscated(tmp_path / "run", limit=3, assets=made_assets(tmp_path / "copied").folder)


def repainted(folder: Path, kind: str) -> Path:
    """The pack of the other tests, but with another picture of one kind."""
    pack = made_assets(folder).folder
    Image.new("RGBA", (64, 64), "red").save(next(pack.glob(f"{kind}-*.png")))
    return pack


def test_what_an_obfuscation_does_not_take_may_change_and_what_it_takes_may_not(
    tmp_path: Path,
) -> None:
    both = obfuscation_benchmark(
        tmp_path, ("[obfuscations.HighContrastBorder]", "[obfuscations.ImageOverlay]")
    )

    def ask(assets: Path, *names: str, limit: int = 2) -> ObfuscationSummary:
        return run_obfuscated(
            tmp_path / "run", benchmark=both, obfuscations=names, limit=limit, assets=assets
        )

    ask(made_assets(tmp_path / "a").folder, "IconOverlay")
    before = rows_of_obfuscations(tmp_path / "run")
    other = repainted(tmp_path / "b", "photo")
    ask(other, "IconOverlay", "ImageOverlay")
    after = rows_of_obfuscations(tmp_path / "run")
    assert after.filter(pl.col("transform") != "ImageOverlay").equals(before)
    record = read_record(tmp_path / "run")
    taken = {kind: AssetPack(other).fingerprint_of([kind]) for kind in ("icon", "photo")}
    assert record["assets"]["fingerprints"] == taken
    assert sorted(record["assets"]["own"]) == ["icon", "photo"]
    first = made_assets(tmp_path / "a").folder
    with pytest.raises(RunError, match="made with another pack of assets") as raised:
        ask(first, "IconOverlay", "ImageOverlay")
    assert f"(photo of {other}; asked for was {first})" in str(raised.value)
    assert "combine" not in str(raised.value)
    ask(made_assets(tmp_path / "a").folder, "IconOverlay", limit=3)
    assert read_record(tmp_path / "run")["assets"]["fingerprints"] == taken


def test_own_assets_stay_said_when_others_are_run_with_those_that_ship(tmp_path: Path) -> None:
    """Which kinds are one's own is known of each kind."""
    both = obfuscation_benchmark(
        tmp_path, ("[obfuscations.HighContrastBorder]", "[obfuscations.ImageOverlay]")
    )
    run_obfuscated(tmp_path / "run", benchmark=both, obfuscations=["IconOverlay"], limit=2)
    summary = run_obfuscated(
        tmp_path / "run",
        benchmark=both,
        obfuscations=["ImageOverlay"],
        limit=2,
        assets=default_assets().folder,
    )
    assert summary.other_assets == "icon of another pack"
    assert read_record(tmp_path / "run")["assets"]["own"] == ["icon"]
    assert read_record(tmp_path / "run")["assets"]["folders"] == {
        "icon": str(tmp_path / "assets"),
        "photo": str(default_assets().folder),
    }
    with pytest.raises(RunError, match=r"icon of .*the obfuscations that took it .*assets combine"):
        run_obfuscated(tmp_path / "run", benchmark=both, limit=2, assets=default_assets().folder)
    mine = combine_packs([], tmp_path / "mine").pack.folder
    Image.new("RGBA", (64, 64), "red").save(mine / "icons" / "key.png")
    alone = run_obfuscated(
        tmp_path / "shipped", benchmark=both, obfuscations=["ImageOverlay"], limit=2, assets=mine
    )
    assert not alone.other_assets


def test_a_record_that_names_no_kinds_is_refused_in_one_line(tmp_path: Path) -> None:
    """It may be a stranger's; ``{"a": 1}`` has no hash."""
    run_obfuscated(tmp_path / "run", limit=2)
    record = read_record(tmp_path / "run")
    record["assets"]["own"] = [{"a": 1}]
    write_record(tmp_path / "run", record)
    with pytest.raises(RunError, match=r"own: expected names of kinds, got \{'a': 1\}"):
        run_obfuscated(tmp_path / "run", limit=3)


def test_other_ranges_are_refused_in_the_same_folder_but_further_obfuscations_are_not(
    tmp_path: Path,
) -> None:
    small = obfuscation_benchmark(
        tmp_path, ("[obfuscations.IconOverlay]", "[obfuscations.TextOverlay]")
    )
    run_obfuscated(tmp_path / "run", limit=2, benchmark=small, obfuscations=NAMES[:1])
    run_obfuscated(tmp_path / "run", limit=2, obfuscations=NAMES)
    other = obfuscation_benchmark(tmp_path, ("[40, 60]", "[40, 61]"))
    with pytest.raises(RunError, match="another benchmark"):
        run_obfuscated(tmp_path / "run", limit=2, benchmark=other)


def test_another_version_is_refused_in_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_obfuscated(tmp_path / "run", limit=2)
    monkeypatch.setattr(OBFUSCATIONS["IconOverlay"], "version", 77)
    with pytest.raises(RunError, match="results of IconOverlay by another version"):
        run_obfuscated(tmp_path / "run", limit=2)


def test_runs_of_the_two_kinds_never_share_a_folder(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run", limit=2)
    with pytest.raises(RunError, match="another benchmark"):
        run_small(tmp_path / "run", limit=2)


def test_the_worst_of_several_draws_is_the_worst_of_as_many_single_ones(tmp_path: Path) -> None:
    """Counted by hand: the highest loss, then the first; right are those that are so in every draw."""
    draws = 5
    run_obfuscated(tmp_path / "worst", worst_of=draws, obfuscations=NAMES[:2])
    assets, data, model = made_assets(tmp_path / "assets"), labelled_dataset(), SmallNet()
    benchmark = obfuscation_benchmark(tmp_path / "benchmark")
    rows = rows_of_obfuscations(tmp_path / "worst")
    kept = set()
    for index, name in enumerate(identify(data, range(COUNT))):
        content = data.read(index)
        assert not isinstance(content, bytes)
        image = torch.from_numpy(content.copy()).permute(2, 0, 1).float() / 255
        label = int(data.labels[index])
        for obfuscation in NAMES[:2]:
            kind = OBFUSCATIONS[obfuscation]
            ranges = benchmark.obfuscation(obfuscation).ranges
            made = kind(**{key: type(kind().block)(*each) for key, each in ranges.items()})  # type: ignore[attr-defined]  # only blocks are set
            single: list[tuple[float, int, int, str]] = []
            for draw in range(draws):
                key = ExampleKey(seed=0, transform=obfuscation, example_id=name, restart=draw)
                parameters = made.sample(key.stream("parameters"), (32, 32), assets)
                picture = made.apply(image, parameters, assets).mul(255).round().div(255)
                logits = model(picture[None])[0].detach()
                loss = float(-logits.log_softmax(0)[label])
                single.append((loss, -draw, int(logits.argmax()), parameters.to_json()))
            loss, draw, prediction, record = max(single)
            row = rows.row(
                by_predicate=(pl.col("example_id") == name) & (pl.col("transform") == obfuscation),
                named=True,
            )
            assert (row["restart"], row["prediction"], row["parameters"]) == (
                -draw,
                prediction,
                record,
            )
            assert row["loss"] == pytest.approx(loss, abs=1e-5)
            assert row["correct"] is (prediction == label)
            assert row["correct_any"] is all(each == label for _, _, each, _ in single)
            kept.add(-draw)
    assert len(kept) > 2


def test_more_draws_never_make_a_picture_right_again(tmp_path: Path) -> None:
    right = []
    for draws in (1, 2, 4, 8):
        run_obfuscated(tmp_path / f"{draws}", worst_of=draws)
        rows = rows_of_obfuscations(tmp_path / f"{draws}")
        right.append(set(rows.filter("correct_any").select("example_id", "transform").iter_rows()))
    assert right[0] >= right[1] >= right[2] >= right[3]
    assert right[0] > right[3]


def test_a_draw_without_finite_logits_is_the_worst(tmp_path: Path) -> None:
    def without_bright_ones(x: Tensor, scores: Tensor) -> Tensor:
        bright = x.mean(dim=(1, 2, 3)) > 0.5
        return torch.where(bright[:, None], torch.nan, scores)

    model = Watched(SmallNet(), after=without_bright_ones)
    run_obfuscated(tmp_path / "run", model, worst_of=8, obfuscations=NAMES[:1])
    rows = rows_of_obfuscations(tmp_path / "run").filter(pl.col("transform") != CLEAN)
    broken = rows.filter(pl.col("status") == "nonfinite")
    assert broken.height > 0
    assert not broken["correct"].any()
    assert broken["loss"].null_count() == broken.height


def test_pictures_obfuscated_before_give_the_rows_of_those_obfuscated_on_the_fly(
    tmp_path: Path,
) -> None:
    run_obfuscated(tmp_path / "fly", seed=3)
    made = obfuscated_dataset(tmp_path / "assets", labelled_dataset(), seed=3)
    summary = run_obfuscated(tmp_path / "made", data=made, seed=3)
    assert_frame_equal(
        rows_of_obfuscations(tmp_path / "made").select(RESULTS),
        rows_of_obfuscations(tmp_path / "fly").select(RESULTS),
    )
    assert (summary.made_by, summary.ready_made) == ("unforeseen", True)
    with pytest.raises(RunError, match="made with pictures obfuscated in another way"):
        run_obfuscated(tmp_path / "fly", data=made, seed=3)


def test_of_ready_made_pictures_only_the_obfuscations_that_there_are_can_be_run(
    tmp_path: Path,
) -> None:
    made = obfuscated_dataset(tmp_path / "assets", labelled_dataset(), NAMES[1:])
    summary = run_obfuscated(tmp_path / "run", data=made)
    assert [each.obfuscation for each in summary.obfuscations] == list(NAMES[1:])
    with pytest.raises(UserError, match="got ColorNoiseBlocks, of which there are no ready-made"):
        run_obfuscated(tmp_path / "other", data=made, obfuscations=NAMES)
    with pytest.raises(UserError, match="obfuscated before, once each"):
        run_obfuscated(tmp_path / "other", data=made, worst_of=2)
    with pytest.raises(UserError, match="expected pictures under obfuscations of small-obf"):
        run_obfuscated(tmp_path / "other", data=InMemoryObfuscated(made, {}, example_ids="a"))


def test_a_benchmark_that_draws_otherwise_than_ready_made_pictures_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # small-obfuscation has a range of its own; the first folder is made from the usual one.
    asked = {"ColorNoiseBlocks": ColorNoiseBlocks(block=Range(40, 60))}
    made_folder(tmp_path / "usual", labelled_dataset())
    made_folder(tmp_path / "asked", labelled_dataset(), obfuscations=asked)
    usual, same = (load_data(f"obfuscated:{tmp_path / name}") for name in ("usual", "asked"))
    other = (
        r"expected pictures made as small-obfuscation says, got .* ranges.*: ColorNoiseBlocks[.]"
    )
    with pytest.raises(UserError, match=other):
        run_obfuscated(tmp_path / "run", data=usual)
    assert run_obfuscated(tmp_path / "run", data=same).ready_made
    monkeypatch.setattr(ColorNoiseBlocks, "version", ColorNoiseBlocks.version + 1)
    with pytest.raises(UserError, match=r"by another version: ColorNoiseBlocks[.]"):
        run_obfuscated(tmp_path / "run", data=same)


def test_rows_of_ready_made_pictures_never_name_another_seed_than_theirs(tmp_path: Path) -> None:
    asked = {"HighContrastBorder": OBFUSCATIONS["HighContrastBorder"]()}
    made_folder(tmp_path / "made", labelled_dataset(), obfuscations=asked, seed=7)
    data = load_data(f"obfuscated:{tmp_path / 'made'}")
    with pytest.raises(UserError, match=r"seed: expected 7, .* got 0\. Give --seed 7"):
        run_obfuscated(tmp_path / "run", data=data)
    run_obfuscated(tmp_path / "run", data=data, seed=7)
    assert rows_of_obfuscations(tmp_path / "run")["seed"].unique().to_list() == [7]


@pytest.mark.parametrize("seed", [0, 7])
def test_without_a_seed_ready_made_pictures_are_judged_with_theirs_and_it_is_said(
    tmp_path: Path, seed: int
) -> None:
    made_folder(
        tmp_path / "made",
        labelled_dataset(),
        obfuscations={"HighContrastBorder": OBFUSCATIONS["HighContrastBorder"]()},
        seed=seed,
    )
    notes = Notes()
    for _ in range(2):  # The second continues.
        evaluate(
            SmallNet(),
            f"obfuscated:{tmp_path / 'made'}",
            obfuscation_benchmark(tmp_path / "benchmark"),
            out=tmp_path / "run",
            check=False,
            reporter=notes,
        )
    assert rows_of_obfuscations(tmp_path / "run")["seed"].unique().to_list() == [seed]
    said = [note for note in notes.said if note.startswith("seed 7, with which")]
    assert len(said) == (2 if seed else 0)


def test_nobody_chooses_the_ranges_of_published_pictures(tmp_path: Path) -> None:
    made = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    made.made_by = "published"
    with pytest.raises(UserError, match=r"got published pictures.*: ColorNoiseBlocks[.]"):
        run_obfuscated(tmp_path / "run", data=made)
    run_obfuscated(tmp_path / "run", data=made, obfuscations=NAMES[1:])


def test_assets_and_jpeg_of_ready_made_pictures_are_said(tmp_path: Path) -> None:
    names = NAMES[1:]
    summaries = {}
    for encoding in ("png", "jpeg"):
        made_folder(
            tmp_path / encoding,
            labelled_dataset(),
            obfuscations={name: OBFUSCATIONS[name]() for name in names},
            encoding=encoding,
        )
        data = load_data(f"obfuscated:{tmp_path / encoding}")
        summaries[encoding] = run_obfuscated(tmp_path / f"run-{encoding}", data=data)
    own = "assets of another pack"
    lossy = "the obfuscated pictures went through jpeg of quality 95"
    assert {each.other_assets for each in summaries.values()} == {own}
    assert [lossy in each.partial for each in summaries.values()] == [False, True]
    on_the_fly = run_obfuscated(tmp_path / "fly", obfuscations=names)
    assert on_the_fly.other_assets.endswith(" of another pack")
    assert not run_obfuscated(tmp_path / "none", obfuscations=NAMES[:1]).other_assets
    told = set(settings_of([*summaries.values(), on_the_fly]))
    assert len(told) == 3


def test_ready_made_pictures_of_another_making_are_refused_in_the_same_folder(
    tmp_path: Path,
) -> None:
    made = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    run_obfuscated(tmp_path / "run", data=made, limit=2)
    made.fingerprint = "another"
    with pytest.raises(RunError, match="made with pictures obfuscated in another way"):
        run_obfuscated(tmp_path / "run", data=made, limit=2)


def test_ready_made_pictures_of_another_size_end_the_run_in_one_line(tmp_path: Path) -> None:
    clean = labelled_dataset(2)
    ids = identify(clean, range(2))
    large = [np.zeros((64, 64, 3), np.uint8)] * 2
    made = InMemoryObfuscated(clean, {NAMES[0]: (large, [None, None])}, example_ids=ids)
    with pytest.raises(DataError, match=r"expected pictures of 32×32 pixels.* got 64×64"):
        run_obfuscated(tmp_path / "run", data=made)


def test_a_ready_made_picture_that_is_missing_is_unreadable_until_it_is_there(
    tmp_path: Path,
) -> None:
    whole = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    holed = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    pictures, records = holed._obfuscated["IconOverlay"]
    pictures = [OSError("it isn't there"), *pictures[1:]]
    holed._obfuscated = {**holed._obfuscated, "IconOverlay": (pictures, records)}
    summary = run_obfuscated(tmp_path / "run", data=holed)
    assert summary.unreadable == 1
    rows = rows_of_obfuscations(tmp_path / "run")
    (row,) = rows.filter(pl.col("status") == "unreadable").iter_rows(named=True)
    assert (row["transform"], row["reason"]) == ("IconOverlay", "it isn't there")
    assert row["correct"] is row["clean_prediction"] is None
    run_obfuscated(tmp_path / "run", data=whole)
    run_obfuscated(tmp_path / "whole", data=whole)
    assert_frame_equal(
        rows_of_obfuscations(tmp_path / "run"), rows_of_obfuscations(tmp_path / "whole")
    )


def test_unreadable_pictures_are_unreadable_in_every_cell(tmp_path: Path) -> None:
    data = labelled_dataset()
    contents = [data.read(index) for index in range(COUNT)]
    broken = InMemory([OSError("gone"), *contents[1:]], data.labels.tolist())
    summary = run_obfuscated(tmp_path / "run", data=broken, worst_of=2)
    assert (summary.unreadable, summary.complete) == (1, True)
    rows = rows_of_obfuscations(tmp_path / "run").filter(pl.col("status") == "unreadable")
    assert rows["transform"].to_list() == [*NAMES, CLEAN]


@pytest.mark.parametrize("draws", [1, 3])
def test_saved_pictures_are_those_that_were_judged(tmp_path: Path, draws: int) -> None:
    run_obfuscated(tmp_path / "run", save_images=True, worst_of=draws)
    assets, data = made_assets(tmp_path / "assets"), labelled_dataset()
    index_of = {name: index for index, name in enumerate(identify(data, range(COUNT)))}
    rows = rows_of_obfuscations(tmp_path / "run").filter(pl.col("transform") != CLEAN)
    for row in rows.iter_rows(named=True):
        content = data.read(index_of[row["example_id"]])
        assert not isinstance(content, bytes)
        kind = OBFUSCATIONS[row["transform"]]
        image = torch.from_numpy(content.copy()).permute(2, 0, 1).float() / 255
        parameters = kind.parameters.from_json(row["parameters"])
        path = image_path(tmp_path / "run", row["cell"], row["example_id"])
        expected = pixels_of(kind().apply(image, parameters, assets))
        assert np.array_equal(np.asarray(Image.open(path)), expected)


def test_rows_that_were_there_without_pictures_are_told_of(tmp_path: Path) -> None:
    run_obfuscated(tmp_path / "run", limit=4)
    notes = Notes()
    run_obfuscated(tmp_path / "run", limit=4, save_images=True, reporter=notes)
    assert any("judged pictures that aren't kept: 12" in note for note in notes.said)


def test_a_black_box_is_asked_about_each_draw_once(tmp_path: Path) -> None:
    asked = []

    def service(pictures: np.ndarray) -> np.ndarray:
        asked.append(len(pictures))
        return as_function(SmallNet())(pictures)

    run_obfuscated(tmp_path / "network", worst_of=2, obfuscations=NAMES[:2])
    run_obfuscated(
        tmp_path / "service", black_box(service, version="1"), worst_of=2, obfuscations=NAMES[:2]
    )
    # A grey picture tells the number of classes.
    assert sum(asked) == 1 + COUNT + 2 * 2 * COUNT
    network, black = (
        rows_of_obfuscations(tmp_path / name).select("example_id", "prediction", "parameters")
        for name in ("network", "service")
    )
    assert_frame_equal(network, black)


def test_a_budget_that_ends_in_the_middle_is_spent_and_what_it_bought_is_kept(
    tmp_path: Path,
) -> None:
    def box(budget: int | None) -> object:
        return black_box(as_function(SmallNet()), version="1", budget=budget)

    budget = 1 + COUNT + 3 * 4 + 2
    with pytest.raises(QueryBudgetError):
        run_obfuscated(tmp_path / "run", box(budget), worst_of=3, obfuscations=NAMES[:1])  # type: ignore[arg-type]  # a Predictor
    rows = rows_of_obfuscations(tmp_path / "run")
    assert rows.filter(pl.col("transform") != CLEAN).height == 4
    run_obfuscated(tmp_path / "run", box(None), worst_of=3, obfuscations=NAMES[:1])  # type: ignore[arg-type]  # a Predictor
    run_obfuscated(tmp_path / "whole", box(None), worst_of=3, obfuscations=NAMES[:1])  # type: ignore[arg-type]  # a Predictor
    assert_frame_equal(
        rows_of_obfuscations(tmp_path / "run"), rows_of_obfuscations(tmp_path / "whole")
    )


def test_from_python_in_one_call(tmp_path: Path) -> None:
    benchmark = obfuscation_benchmark(tmp_path)
    results = evaluate(
        SmallNet(),
        labelled_dataset(),
        benchmark,
        obfuscations=["iconoverlay"],
        worst_of=2,
        assets=made_assets(tmp_path / "assets").folder,
        batch_size=4,
    )
    assert isinstance(results, ObfuscationResults)
    run_obfuscated(tmp_path / "run", worst_of=2, obfuscations=["IconOverlay"])
    rows = rows_of_obfuscations(tmp_path / "run")
    assert_frame_equal(results.rows.drop("seconds").sort("transform", "level", "example_id"), rows)
    assert "IconOverlay" in results.table()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("edition", "strict"),
        ("attacks", ["wood"]),
        ("levels", ["high"]),
        ("levels", ["medium"]),
        ("steps", 0),
        ("search", "none"),
        ("search", "pgd"),
        ("restarts", 3),
    ],
)
def test_options_of_attacks_are_refused_in_one_line(
    tmp_path: Path, option: str, value: object
) -> None:
    benchmark = obfuscation_benchmark(tmp_path)
    with pytest.raises(UserError, match=f"^{option}: expected none, as small-obfuscation") as told:
        evaluate(SmallNet(), labelled_dataset(), benchmark, **{option: value})  # type: ignore[arg-type]  # each of its own type
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("option", "value"), [("obfuscations", ["SwirlWarp"]), ("worst_of", 1)])
def test_options_of_obfuscations_are_refused_of_attacks(option: str, value: object) -> None:
    with pytest.raises(UserError, match="benchmark of attacks and this is for obfuscations"):
        evaluate(SmallNet(), labelled_dataset(), "cifar10-ua", **{option: value})  # type: ignore[arg-type]  # each of its own type


def test_torch_has_its_threads_back_after_a_run(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        run_obfuscated(tmp_path / "run", limit=2)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_a_pack_without_a_network_is_refused_before_a_run_begins(tmp_path: Path) -> None:
    """Else all other cells would be run first."""
    benchmark = obfuscation_benchmark(
        tmp_path / "benchmark", ("[obfuscations.IconOverlay]", "[obfuscations.Texturize]")
    )
    bare = without_network(tmp_path / "pack").folder
    with pytest.raises(AssetError, match=r"expected a table \[stylization\]"):
        run_obfuscated(tmp_path / "run", benchmark=benchmark, assets=bare)
    assert not (tmp_path / "run").exists()
