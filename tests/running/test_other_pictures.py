"""Files that change while a run isn't looking: mended, lost, or others altogether."""

from pathlib import Path

import polars as pl
import pytest

from data.in_memory import Content, InMemory
from small_runs import (
    COUNT,
    Notes,
    assert_same_results,
    labelled_dataset,
    rows_of,
    run_small,
)
from unforeseen.data.selection import select
from unforeseen.errors import RunError
from unforeseen.recount import recount
from unforeseen.rows import Row
from unforeseen.run_folder.record import read_record
from unforeseen.running.reporter import Silent

LOST = OSError(2, "No such file or directory")
#: What stands in the place of a picture that can't be used: unread, or undecodable.
BROKEN: dict[str, Content] = {"lost": LOST, "garbage": b"no picture"}


def dataset(broken: dict[int, Content] | None = None) -> InMemory:
    """The labelled pictures; some of them broken."""
    whole = labelled_dataset()
    contents = [(broken or {}).get(place, whole.read(place)) for place in range(COUNT)]
    return InMemory(contents, whole.labels.tolist(), [f"{n}.png" for n in range(COUNT)])


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_mended_picture_is_run_and_the_run_is_as_if_it_had_never_been_broken(
    tmp_path: Path, kind: str, edition: str
) -> None:
    broken = {3: BROKEN[kind], 7: BROKEN[kind]}
    run = tmp_path / "run"
    assert run_small(run, data=dataset(broken), edition=edition).unreadable == 2
    kept = rows_of(run).filter(pl.col("status") != "unreadable").select("cell", "example_id")

    del broken[3]
    notes = Notes()
    summary = run_small(run, data=dataset(broken), edition=edition, reporter=notes)
    assert "pictures that couldn't be read and can be now: 1; they are run." in notes.said
    assert summary.complete
    assert (summary.images, summary.unreadable) == (COUNT, 1)
    assert recount(run).agrees

    summary = run_small(run, data=dataset(), edition=edition)
    assert (summary.images, summary.unreadable) == (COUNT, 0)
    assert recount(run).agrees
    run_small(tmp_path / "fresh", data=dataset(), edition=edition)
    rows = rows_of(run)
    assert kept.join(rows, on=kept.columns, how="anti").is_empty()
    assert_same_results(rows, rows_of(tmp_path / "fresh"))
    listed = [pl.read_parquet(each / "pictures.parquet") for each in (run, tmp_path / "fresh")]
    assert listed[0].sort("file").equals(listed[1].sort("file"))
    data, fresh = (read_record(each)["data"] for each in (run, tmp_path / "fresh"))
    assert data == fresh


def test_mending_goes_together_with_more_pictures_and_attacks(tmp_path: Path) -> None:
    broken = dataset(dict.fromkeys(range(COUNT), LOST))
    assert run_small(tmp_path, data=broken, limit=4, attacks=["pgd"]).unreadable == 4
    summary = run_small(tmp_path, data=dataset())
    assert summary.complete
    assert (summary.images, summary.unreadable) == (COUNT, 0)
    assert rows_of(tmp_path).height == 3 * COUNT


def test_cells_that_are_not_asked_for_any_more_lose_the_rows_too(tmp_path: Path) -> None:
    run_small(tmp_path, data=dataset({3: LOST}))
    run_small(tmp_path, data=dataset(), attacks=["pgd"])
    rows = rows_of(tmp_path)
    assert rows.filter(pl.col("status") == "unreadable").is_empty()
    assert set(rows["transform"]) == {"clean", "pgd", "pixel"}


@pytest.mark.parametrize("cut_at", range(2))
def test_a_run_that_is_cut_while_it_mends_goes_on(tmp_path: Path, cut_at: int) -> None:
    class Cut(Silent):
        def row(self, row: Row) -> None:
            if row.transform == ("clean", "pgd")[cut_at]:
                raise KeyboardInterrupt

    run_small(tmp_path, data=dataset({3: LOST}))
    with pytest.raises(KeyboardInterrupt):
        run_small(tmp_path, data=dataset(), reporter=Cut())
    assert run_small(tmp_path, data=dataset()).complete
    assert recount(tmp_path).agrees


@pytest.mark.parametrize("step", range(6))
def test_a_disk_that_fails_while_rows_are_dropped_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    run_small(tmp_path, data=dataset({3: LOST}))
    left = [step]

    def fail(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("unforeseen.files.atomic.os.fsync", fail)
        with pytest.raises(RunError, match="No space"):
            run_small(tmp_path, data=dataset())
    summary = run_small(tmp_path, data=dataset())
    assert (summary.complete, summary.images, summary.unreadable) == (True, COUNT, 0)
    assert recount(tmp_path).agrees


def test_a_smaller_choice_that_would_mend_is_told_to_take_all(tmp_path: Path) -> None:
    first = int(select(dataset(), 4, 0)[0])
    run_small(tmp_path, data=dataset({first: LOST}))
    with pytest.raises(RunError, match=r"can be now\. Take all of its 11 pictures again"):
        run_small(tmp_path, data=dataset(), limit=4)
    assert run_small(tmp_path, data=dataset()).unreadable == 0


@pytest.mark.parametrize("limit", [COUNT, 4])
def test_a_picture_that_is_lost_is_named(tmp_path: Path, limit: int) -> None:
    run_small(tmp_path / "run", data=dataset())
    before = {file: file.read_bytes() for file in (tmp_path / "run").rglob("*.*")}
    everything = dataset(dict.fromkeys(range(COUNT), LOST))
    words = r"could be read when the run .* can't be any more: \d+\.png.*\. Restore them"
    with pytest.raises(RunError, match=words) as caught:
        run_small(tmp_path / "run", data=everything, limit=limit)
    assert "\n" not in str(caught.value)
    assert before == {file: file.read_bytes() for file in (tmp_path / "run").rglob("*.*")}
    with pytest.raises(RunError, match=r"1 picture of memory .* any more: 3\.png\."):
        run_small(tmp_path / "run", data=dataset({3: LOST}))
    assert run_small(tmp_path / "run", data=dataset()).complete


def test_lost_pictures_beside_a_larger_choice_are_named_too(tmp_path: Path) -> None:
    run_small(tmp_path, data=dataset(), limit=4)
    with pytest.raises(RunError, match="can't be any more"):
        run_small(tmp_path, data=dataset(dict.fromkeys(range(COUNT), LOST)))


def test_other_pictures_are_other_pictures_though_some_are_unreadable(tmp_path: Path) -> None:
    run_small(tmp_path / "run", data=dataset({3: LOST}))
    others = labelled_dataset(2 * COUNT)
    contents: list[Content] = [LOST, *(others.read(place) for place in range(COUNT, 2 * COUNT))]
    labels = [0, *others.labels[COUNT:].tolist()]
    with pytest.raises(RunError, match="holds results on other pictures"):
        run_small(tmp_path / "run", data=InMemory(contents, labels))
