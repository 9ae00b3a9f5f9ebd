"""Runs of several numbers of steps on one trajectory are those that each would be by itself."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import torch
from polars.testing import assert_frame_equal
from torch import Tensor, nn

from data.in_memory import InMemory
from small import SmallNet, Watched, small_benchmark, small_dataset
from small_runs import COUNT, Notes, assert_same_results, labelled_dataset, rows_of, run_small
from unforeseen.benchmarks import AttackBenchmark, load_attack_benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.errors import RunError
from unforeseen.files.lock import sole_writer
from unforeseen.models import as_classifier
from unforeseen.recount import recount
from unforeseen.rows import CLEAN, Row
from unforeseen.run_folder.read_run import read_attack_run
from unforeseen.run_folder.record import read_record
from unforeseen.run_folder.summary import Summary
from unforeseen.running.attack_plan import AttackPlan, make_attack_plan
from unforeseen.running.cell_kinds import AttackedCell, Cell
from unforeseen.running.images import image_path
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.together import have_one_trajectory, run_together
from unforeseen.search.settings import SearchSettings, search_settings
from unforeseen.transforms import ATTACKS

EDITIONS = ("published", "strict")
STEPS = (0, 1, 2, 5)


class Counting(Watched):
    """Counts gradients, too; kills its process in a forward pass whose number is ``DIES_AT``.

    By then all that came before has been flushed.
    """

    def __init__(self, classes: int = 4) -> None:
        super().__init__(SmallNet(classes), before=self._count)
        self._gradients: list[int] = []

    def _count(self, x: Tensor) -> None:
        self._gradients.append(len(x) * x.requires_grad)
        if str(len(self.batches)) == os.environ.get("DIES_AT"):
            time.sleep(3)
            os._exit(9)

    def spent(self) -> tuple[int, int]:
        """Gradients and pictures seen since it was asked last."""
        spent = sum(self._gradients), self.pictures_seen
        self._gradients.clear()
        self.forget()
        return spent


def folder_of(folder: Path, steps: int | None) -> Path:
    return folder / f"steps-{steps}"


def together(
    folder: Path,
    steps: Sequence[int | None] = STEPS,
    model: nn.Module | None = None,
    *,
    data: Dataset | None = None,
    benchmark: AttackBenchmark | None = None,
    attacks: Sequence[str] = ("pgd", "pixel"),
    edition: str = "published",
    limit: int | None = None,
    batch_size: int = 4,
    save_images: bool = False,
    check: bool = False,
    deterministic: bool = False,
    reporter: Reporter | None = None,
) -> dict[Path, Summary]:
    """As :func:`small_runs.run_small`, into a folder for each number of steps."""
    classifier = as_classifier(model or Counting())
    plans = {
        folder_of(folder, each): make_attack_plan(
            benchmark or small_benchmark(),
            classifier.card,
            edition=edition,
            attacks=attacks,
            steps=each,
        )
        for each in steps
    }
    settings = RunSettings(
        limit=limit,
        batch_size=batch_size,
        save_images=save_images,
        check=check,
        deterministic=deterministic,
    )
    return run_together(
        plans,
        classifier,
        data or labelled_dataset(),
        settings=settings,
        reporter=reporter,
    )


def assert_rows_are_those_of_runs_by_themselves(
    folder: Path, apart: Path, *, exact: bool, steps: Sequence[int | None] = STEPS
) -> None:
    for each in steps:
        ours, theirs = rows_of(folder_of(folder, each)), rows_of(folder_of(apart, each))
        if exact:
            assert_frame_equal(ours, theirs, check_exact=True)
        else:
            assert_same_results(ours, theirs)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rows_of_every_attack_are_those_of_separate_runs(tmp_path: Path, edition: str) -> None:
    """All columns to the last bit where examples keep their places; 11 pictures, batches of 4."""
    settings: dict[str, Any] = {
        "benchmark": load_attack_benchmark("cifar10-ua-full"),
        "data": small_dataset(COUNT, model=SmallNet(10)),
        "attacks": [*ATTACKS],
        "edition": edition,
    }
    summaries = together(tmp_path / "together", model=Counting(10), **settings)
    for steps in STEPS:
        folder = folder_of(tmp_path / "apart", steps)
        summary = run_small(folder, Counting(10), steps=steps, **settings)
        assert summary == summaries[folder_of(tmp_path / "together", steps)]
        assert not recount(folder_of(tmp_path / "together", steps)).violations
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "together", tmp_path / "apart", exact=edition == "published"
    )
    rows = rows_of(folder_of(tmp_path / "together", STEPS[-1]))
    assert rows["transform"].n_unique() == 1 + len(ATTACKS)
    assert rows.filter(pl.col("donor").is_not_null())["transform"].unique().to_list() == ["mix"]
    assert rows["first_success_step"].n_unique() > 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_takes_the_gradients_of_the_longest_run_and_looks_at_clean_pictures_once(
    tmp_path: Path, edition: str
) -> None:
    model = Counting()
    apart = []
    for steps in STEPS:
        run_small(folder_of(tmp_path / "apart", steps), model, steps=steps, edition=edition)
        apart.append(model.spent())
    together(tmp_path / "together", model=model, edition=edition)
    gradients, seen = model.spent()
    assert gradients == apart[-1][0]
    assert gradients < 0.7 * sum(each for each, _ in apart)
    # The end of each shorter search: one pass or two of every picture that comes so far, if places
    # are full. (Pictures, 12 places, twice as two attacks.)
    ends = 2 * 12 * (len(STEPS) - 1) * (2 if edition == "published" else 1)
    assert apart[-1][1] < seen <= apart[-1][1] + ends
    assert seen < sum(each for _, each in apart)


def test_running_again_computes_nothing_and_leaves_every_byte(tmp_path: Path) -> None:
    model = Counting()
    together(tmp_path, model=model, edition="strict")
    before = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}
    model.spent()
    together(tmp_path, model=model, edition="strict")
    assert model.spent() == (0, 1), "only a grey picture, to count the outputs"
    assert before == {f: f.read_bytes() for f in sorted(tmp_path.rglob("*")) if f.is_file()}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_value_added_later_takes_a_trajectory_of_its_own_length_only(
    tmp_path: Path, edition: str
) -> None:
    model = Counting()
    together(tmp_path / "grown", (0, 1, 5), model, edition=edition)
    run_small(tmp_path / "two", model, steps=2, edition=edition)
    model.spent()
    run_small(tmp_path / "two again", model, steps=2, edition=edition)
    gradients, seen = model.spent()
    together(tmp_path / "grown", STEPS, model, edition=edition)
    spent = model.spent()
    assert spent[0] == gradients
    assert spent[1] < seen, "the clean pictures' rows were copied"
    together(tmp_path / "fresh", edition=edition)
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "grown", tmp_path / "fresh", exact=edition == "published"
    )


def test_a_larger_value_added_later_starts_from_the_copied_clean_rows(tmp_path: Path) -> None:
    model = Counting()
    together(tmp_path / "grown", (0, 2), model)
    model.spent()
    together(tmp_path / "grown", (0, 2, 5), model)
    gradients, _ = model.spent()
    together(tmp_path / "fresh", (0, 2, 5), model)
    assert model.spent()[0] == gradients
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "grown", tmp_path / "fresh", exact=True, steps=(0, 2, 5)
    )


def test_more_pictures_and_a_value_more_at_once_are_each_run_as_far_as_they_need(
    tmp_path: Path,
) -> None:
    model = Counting()
    together(tmp_path / "grown", (1, 5), model, limit=4)
    model.spent()
    watcher = Cells()
    together(tmp_path / "grown", (1, 3, 5), model, reporter=watcher)
    # 4 pictures for 3 steps, 7 in two batches of 4 for 5 steps, under two attacks.
    assert model.spent()[0] == 2 * (4 * 3 + 8 * 5)
    assert watcher.began == [
        (CLEAN, None, 4, 7),
        *(("pgd", 5, 4, 7), ("pgd", 3, 7, 4)),
        *(("pixel", 5, 4, 7), ("pixel", 3, 7, 4)),
    ]
    together(tmp_path / "fresh", (1, 3, 5))
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "grown", tmp_path / "fresh", exact=False, steps=(1, 3, 5)
    )


class Cells(Silent):
    """Keeps which cells began: transform, steps, rows that were there, rows that came."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []
        self.began: list[tuple[str, int | None, int, int]] = []

    def run_begins(self, plan: Plan) -> None:
        self.plans.append(plan)

    def cell_begins(self, cell: Cell, *, total: int, done: Sequence[bool | None]) -> None:
        assert total == COUNT
        steps = cell.search.steps if isinstance(cell, AttackedCell) else None
        self.began.append((cell.transform, steps, len(done), 0))

    def row(self, row: Row) -> None:
        transform, steps, done, came = self.began[-1]
        assert row.transform == transform
        self.began[-1] = (transform, steps, done, came + 1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_watches_sees_one_run_the_longest(tmp_path: Path, edition: str) -> None:
    watcher = Cells()
    together(tmp_path, (2, 0, 5, 1), edition=edition, reporter=watcher)
    assert [plan.options()["steps"] for plan in watcher.plans] == [5]
    assert watcher.began == [
        (CLEAN, None, 0, COUNT),
        ("pgd", 5, 0, COUNT),
        ("pixel", 5, 0, COUNT),
    ]


@pytest.mark.parametrize(("pgd", "pixel"), [(4, 3), (7, 2)])
def test_the_benchmarks_own_steps_may_be_one_of_the_numbers(
    tmp_path: Path, pgd: int, pixel: int
) -> None:
    """Where an attack has 3 steps, one cell has two folders; where it has 2, another run is longer."""
    attacks = dict(small_benchmark().attacks)
    for name, steps in (("pgd", pgd), ("pixel", pixel)):
        attacks[name] = replace(attacks[name], steps=steps)
    benchmark = small_benchmark(attacks=attacks)
    model = Counting()
    together(tmp_path / "together", (None, 3, 0), model, benchmark=benchmark)
    assert model.spent()[0] == 12 * (pgd + 3)
    for each in (None, 3, 0):
        run_small(folder_of(tmp_path / "apart", each), model, steps=each, benchmark=benchmark)
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "together", tmp_path / "apart", exact=True, steps=(None, 3, 0)
    )


def test_the_check_is_made_once_and_stands_in_every_record(tmp_path: Path) -> None:
    model = Counting()
    run_small(tmp_path / "apart", model, steps=5, check=True)
    once = model.pictures_seen
    model.forget()
    notes = Notes()
    together(tmp_path, (4, 5), model, check=True, reporter=notes)
    assert model.pictures_seen < once + 2 * 2 * 12 + 1
    first, second = (read_record(folder_of(tmp_path, each))["check"] for each in (4, 5))
    assert first == second == read_record(tmp_path / "apart")["check"]
    assert sum(note.startswith("check") for note in notes.said) <= 1
    before = model.pictures_seen
    together(tmp_path, (2, 4, 5), model, check=True)
    assert read_record(folder_of(tmp_path, 2))["check"] == first
    assert model.pictures_seen < before + once, "what was found stands"


@pytest.mark.parametrize("edition", EDITIONS)
def test_pictures_are_kept_where_asked_in_every_folder(tmp_path: Path, edition: str) -> None:
    together(tmp_path / "without", edition=edition)
    assert not list(tmp_path.rglob("*.png"))
    together(tmp_path / "together", edition=edition, save_images=True)
    for steps in STEPS:
        folder, apart = (folder_of(tmp_path / each, steps) for each in ("together", "apart"))
        run_small(apart, Counting(), steps=steps, edition=edition, save_images=True)
        ours, theirs = (
            {file.relative_to(each): file.read_bytes() for file in each.rglob("*.png")}
            for each in (folder, apart)
        )
        assert ours == theirs
        rows = rows_of(folder).filter(pl.col("norm").is_not_null())
        assert len(ours) == rows.height > 0


def test_what_is_not_kept_of_rows_that_were_there_is_counted(tmp_path: Path) -> None:
    together(tmp_path, (0, 2), attacks=["pgd"])
    notes = Notes()
    together(tmp_path, (0, 1, 2), attacks=["pgd"], save_images=True, reporter=notes)
    assert any(f"aren't kept: {2 * COUNT}," in note for note in notes.said)
    (cell,) = rows_of(folder_of(tmp_path, 1)).filter(pl.col("transform") == "pgd")["cell"].unique()
    for name in rows_of(folder_of(tmp_path, 1))["example_id"].unique():
        assert image_path(folder_of(tmp_path, 1), cell, name).exists()


def test_a_batch_that_does_not_fit_is_halved_and_no_row_comes_twice(tmp_path: Path) -> None:
    passes = []

    def run_out(_: Tensor) -> None:
        passes.append(1)
        if len(passes) == 12:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory.")

    notes = Notes()
    model = Watched(SmallNet(), before=run_out)
    together(tmp_path / "halved", (0, 1, 5), model, attacks=["pgd"], reporter=notes)
    assert any("going on with batches of 2" in note for note in notes.said)
    together(tmp_path / "whole", (0, 1, 5), model, attacks=["pgd"])
    for steps in (0, 1, 5):
        folder = folder_of(tmp_path / "halved", steps)
        assert sum(pl.read_parquet(file).height for file in folder.glob("rows/*")) == 2 * COUNT
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "halved", tmp_path / "whole", exact=False, steps=(0, 1, 5)
    )


def test_where_one_folder_can_not_be_written_nothing_is_run_in_any(tmp_path: Path) -> None:
    model = Counting()
    run_small(folder_of(tmp_path, 2), model, steps=3)
    model.forget()
    with pytest.raises(RunError, match="has steps 3; asked for was 2"):
        together(tmp_path, model=model)
    for steps in (0, 1, 5):
        assert not folder_of(tmp_path, steps).exists()
    other = tmp_path / "other"
    together(other)
    model.forget()
    with (
        sole_writer(folder_of(other, 1), print),
        pytest.raises(RunError, match="steps-1 is being written by"),
    ):
        together(other, attacks=["pgd", "wood"], model=model)
    assert {*model.batches} <= {1}, "nothing but grey pictures, to count the outputs"


def test_other_pictures_in_one_folder_leave_none_behind_in_the_others(tmp_path: Path) -> None:
    model = Counting()
    run_small(
        folder_of(tmp_path, 0), model, steps=0, data=small_dataset(5, model=SmallNet(), seed=1)
    )
    model.forget()
    with pytest.raises(RunError, match="holds results on other pictures"):
        together(tmp_path, (0, 5), model)
    assert not (folder_of(tmp_path, 5) / "run.json").exists()
    assert model.batches == [1], "only a grey picture, to count the outputs"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_picture_that_can_not_be_read_is_a_row_in_every_folder_until_it_is_mended(
    tmp_path: Path, edition: str
) -> None:
    """Pitfall 21."""
    whole = labelled_dataset()
    contents = [whole.read(index) for index in range(COUNT)]
    broken = InMemory([b"no picture", *contents[1:]], whole.labels.tolist())
    for summary in together(tmp_path / "mended", data=broken, edition=edition).values():
        assert summary.unreadable == 1
        assert summary.complete
    for summary in together(tmp_path / "mended", data=whole, edition=edition).values():
        assert summary.unreadable == 0
        assert summary.images == COUNT
    together(tmp_path / "whole", data=whole, edition=edition)
    assert_rows_are_those_of_runs_by_themselves(
        tmp_path / "mended", tmp_path / "whole", exact=False
    )


def test_deterministic_runs_are_the_same_bytes_after_growing_too(tmp_path: Path) -> None:
    together(tmp_path / "grown", (0, 5), edition="strict", deterministic=True, limit=6)
    together(tmp_path / "grown", edition="strict", deterministic=True)
    for steps in STEPS:
        folder = folder_of(tmp_path / "apart", steps)
        run_small(folder, Counting(), steps=steps, edition="strict", deterministic=True)
        environment = read_record(folder_of(tmp_path / "grown", steps))["environment"]
        assert environment["deterministic"] is True
        assert environment["nondeterministic"] == []
    assert_rows_are_those_of_runs_by_themselves(tmp_path / "grown", tmp_path / "apart", exact=True)


def test_only_searches_that_do_not_look_ahead_share_a_trajectory(tmp_path: Path) -> None:
    card = as_classifier(SmallNet()).card

    def plans(search: SearchSettings | None = None, **changes: Any) -> list[AttackPlan]:
        settings = [{"steps": 2}, {"steps": 5} | changes]
        return [
            make_attack_plan(small_benchmark(), card, search=search, **each) for each in settings
        ]

    assert have_one_trajectory(plans())
    assert have_one_trajectory(plans(search_settings("pgd", loss="margin")))
    assert not have_one_trajectory(plans(search_settings("apgd")))
    assert not have_one_trajectory(plans(search_settings("pgd", restarts=2)))
    for change in ({"seed": 1}, {"edition": "strict"}, {"levels": ["low"]}, {"attacks": ["pgd"]}):
        assert not have_one_trajectory(plans(**change))
    classifier = as_classifier(SmallNet())
    one, other = plans(search_settings("apgd"))
    with pytest.raises(AssertionError, match="differ in steps only"):
        run_together({tmp_path / "a": one, tmp_path / "b": other}, classifier, labelled_dataset())


PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_together
test_together.together(Path(sys.argv[2]), edition=sys.argv[3], attacks=["pgd"])
"""


@pytest.mark.parametrize("edition", EDITIONS)
def test_killed_in_the_middle_it_goes_on_and_computes_nothing_twice(
    tmp_path: Path, edition: str
) -> None:
    """Pitfall 22. Killed when some pictures are through and others have the rows of few steps."""
    model = Counting()
    together(tmp_path / "undisturbed", model=model, edition=edition, attacks=["pgd"])
    dies_at = len(model.batches) * 2 // 3
    undisturbed = model.spent()
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "DIES_AT": str(dies_at),
    }
    home, killed = Path(__file__).parent, tmp_path / "killed"
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(home), str(killed), edition],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 9, ended.stderr
    there = {steps: read_attack_run(folder_of(killed, steps))[1] for steps in STEPS}
    counts = [rows.filter(pl.col("transform") == "pgd").height for rows in there.values()]
    assert counts == sorted(counts, reverse=True), "the shorter a search, the sooner it ends"
    assert 0 < counts[-1] < counts[0]

    together(killed, model=model, edition=edition, attacks=["pgd"])
    assert_rows_are_those_of_runs_by_themselves(killed, tmp_path / "undisturbed", exact=False)
    assert model.spent()[0] < undisturbed[0]
    for steps, rows in there.items():
        now = read_attack_run(folder_of(killed, steps))[1]
        keys = ["cell", "example_id", "seconds"]
        assert rows.join(now, on=keys, how="anti", nulls_equal=True).is_empty(), (
            "rows that were there stand"
        )
