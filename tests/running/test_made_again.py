"""Pictures of a run, made again without its model."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from made_assets import made_assets
from moderated_runs import moderated_run
from obfuscation_runs import NAMES, obfuscated_dataset, obfuscation_benchmark, run_obfuscated
from small_runs import labelled_dataset
from unforeseen.data.identity import identify
from unforeseen.errors import AssetError, DataError, RunError, UserError
from unforeseen.rows import CLEAN
from unforeseen.run_folder.picture_list import read_picture_list
from unforeseen.run_folder.read_run import ReadObfuscationRun, read_obfuscation_run
from unforeseen.run_folder.record import read_record, write_record
from unforeseen.running import made_again
from unforeseen.running.images import image_path
from unforeseen.running.made_again import PicturesAgain, WantedPicture, open_again
from unforeseen.transforms.assets.pack import default_assets

RUN = Path("run")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of two draws each, its pictures and its pack."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        moderated_run(folder)
    return folder


@pytest.fixture
def work(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy, and the current folder."""
    folder = tmp_path / "work"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    return folder


def opened(
    *, data: str | None = None, assets: Path | None = None
) -> tuple[PicturesAgain, ReadObfuscationRun]:
    run = read_obfuscation_run(RUN)
    return open_again(run.planned, NAMES, data=data, assets=assets), run


def wanted(*, files: bool = True) -> list[WantedPicture]:
    listed = read_picture_list(RUN)
    assert listed is not None
    return [WantedPicture(str(each.example_id), each.file if files else None) for each in listed]


def same(picture: NDArray[np.uint8] | None, other: object) -> bool:
    return picture is not None and np.array_equal(picture, np.asarray(other))


def test_they_are_bit_for_bit_those_that_were_judged(work: Path) -> None:
    again, run = opened()
    index_of = again.find(wanted())
    cell_of = {cell.transform: cell.id for cell in run.planned.cells}
    draws = set()
    for row in run.rows.iter_rows(named=True):
        name, transform = row["example_id"], row["transform"]
        if transform == CLEAN:
            continue
        picture = again.obfuscated(
            index_of[name], name, transform, row["restart"], row["parameters"]
        )
        with Image.open(work / image_path(RUN, cell_of[transform], name)) as judged:
            assert same(picture, judged)
        draws.add(row["restart"])
    assert draws == {0, 1}


def test_they_are_found_by_their_content_where_they_lie_elsewhere(work: Path) -> None:
    before, _ = opened()
    there = before.find(wanted())
    assert len(there) == 12
    shutil.move(work / "uploads", work / "moved")
    for file in sorted((work / "moved").rglob("*.png")):
        file.rename(file.with_name(f"x{file.name}"))
    again, _ = opened(data="moved")
    for each in (wanted(), wanted(files=False)):
        index_of = again.find(each)
        assert index_of.keys() == there.keys()
    name = next(iter(there))
    found = again.clean(again.find(wanted())[name], name)
    with Image.open(sorted((work / "moved").rglob("*.png"))[index_of[name]]) as there_now:
        assert same(found, there_now)


def test_a_changed_picture_is_not_taken_for_the_one_that_was_judged(work: Path) -> None:
    first = wanted()[0]
    Image.new("RGB", (32, 32)).save(work / "uploads" / str(first.file))
    again, _ = opened()
    assert first.example_id not in again.find(wanted())


@pytest.mark.usefixtures("work")
def test_only_pictures_that_moved_make_it_read_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(dataset: Any, indices: Any) -> list[str]:
        asked.extend(indices)
        return identify(dataset, indices)

    monkeypatch.setattr(made_again, "identify", counted)
    again, _ = opened()
    again.find(wanted()[:2])
    assert len(asked) == 2


@pytest.mark.usefixtures("work")
def test_what_the_row_says_was_drawn_must_be_what_is_drawn() -> None:
    again, run = opened()
    row = run.rows.filter(transform="ColorNoiseBlocks").row(0, named=True)
    index = again.find(wanted())[row["example_id"]]
    arguments = (index, row["example_id"], row["transform"], row["restart"])
    assert again.obfuscated(*arguments, row["parameters"]) is not None
    for other in (None, "{}", row["parameters"].replace(":", ": ")):
        assert again.obfuscated(*arguments, other) is None


def test_other_assets_or_data_or_none_are_named_with_what_to_do(work: Path) -> None:
    photo = next((work / "assets").glob("icon-*.png"))
    Image.new("RGBA", (96, 96), "red").save(photo)
    with pytest.raises(
        AssetError, match=r"expected the pack of assets that the run took.*--assets"
    ):
        opened()
    made_assets(work / "elsewhere")
    opened(assets=work / "elsewhere")
    shutil.rmtree(work / "assets")
    with pytest.raises(UserError, match="assets"):
        opened()
    shutil.rmtree(work / "uploads")
    with pytest.raises(DataError, match="there is no folder 'uploads'"):
        opened(assets=work / "elsewhere")


def test_each_obfuscation_takes_the_pack_that_it_was_run_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder may hold cells of several packs: the record says of which each kind is."""
    both = obfuscation_benchmark(
        tmp_path, ("[obfuscations.HighContrastBorder]", "[obfuscations.ImageOverlay]")
    )
    names = ("IconOverlay", "ImageOverlay")
    data = labelled_dataset()
    mine = made_assets(tmp_path / "mine").folder
    for name, assets in zip(names, (mine, default_assets().folder), strict=True):
        run_obfuscated(
            tmp_path / "run", benchmark=both, data=data, obfuscations=[name], limit=2, assets=assets
        )
    monkeypatch.setattr(made_again, "load_data", lambda _: data)
    read = read_obfuscation_run(tmp_path / "run")
    again = open_again(read.planned, names)
    for name in names:
        row = read.rows.filter(transform=name).row(0, named=True)
        index = again.find([WantedPicture(row["example_id"], None)])[row["example_id"]]
        drawn = (index, row["example_id"], name, row["restart"] or 0, row["parameters"])
        assert again.obfuscated(*drawn) is not None
    with pytest.raises(AssetError, match=r"\(photo\)"):
        open_again(read.planned, names, assets=mine)


@pytest.mark.usefixtures("work")
def test_another_version_of_an_obfuscation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "unforeseen.transforms.obfuscations.color_noise_blocks.ColorNoiseBlocks.version", 99
    )
    with pytest.raises(RunError, match="ColorNoiseBlocks: this release makes other pictures"):
        opened()


@pytest.mark.parametrize("uri", ["hf:somebody/pictures", "py:evil.py:load"])
def test_a_record_can_neither_reach_out_nor_run_code(work: Path, uri: str) -> None:
    (work / "evil.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    record = read_record(RUN)
    record["data"]["uri"] = uri
    write_record(RUN, record)
    with pytest.raises(UserError, match=r"give it with --data URI|unknown data scheme 'py'"):
        opened()


def test_ready_made_pictures_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    run_obfuscated(tmp_path / "run", data=data)
    monkeypatch.setattr(made_again, "load_data", lambda _: data)
    read = read_obfuscation_run(tmp_path / "run")
    again = open_again(read.planned, NAMES)
    row = read.rows.filter(transform="IconOverlay").row(3, named=True)
    name = row["example_id"]
    index = again.find([WantedPicture(name, None)])[name]
    picture = again.obfuscated(index, name, "IconOverlay", 0, row["parameters"])
    assert same(picture, data.obfuscated("IconOverlay").read(index))
    assert again.obfuscated(index, name, "IconOverlay", 0, "{}") is None
    other = obfuscated_dataset(tmp_path / "assets", labelled_dataset())
    other.fingerprint = "another"
    monkeypatch.setattr(made_again, "load_data", lambda _: other)
    with pytest.raises(DataError, match="made in another way"):
        open_again(read.planned, NAMES)
    monkeypatch.setattr(made_again, "load_data", lambda _: labelled_dataset())
    with pytest.raises(DataError, match="expected pictures obfuscated before"):
        open_again(read.planned, NAMES)
