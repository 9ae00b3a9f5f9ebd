import hashlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
import torch
from PIL import Image

from data.in_memory import InMemory, encoded, noise
from made_assets import made_assets
from made_data import OBFUSCATIONS_USED, SIDE, files_of, made_folder, pictures
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.preprocess import apply
from unforeseen.data.selection import select
from unforeseen.errors import DataError, RunError, UserError
from unforeseen.files.lock import sole_writer
from unforeseen.making.make import MAKING
from unforeseen.making.settings import MakingOptions
from unforeseen.obfuscated_folder.layout import FORMATS, Format
from unforeseen.preprocessing import Preprocessing
from unforeseen.rng import ExampleKey
from unforeseen.stage_reporter import SilentStages
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscations.color_noise_blocks import ColorNoiseBlocks

each_format = pytest.mark.parametrize("pictures_format", FORMATS)


def opened(folder: Path) -> ObfuscatedDataset:
    dataset = load_data(f"obfuscated:{folder}")
    assert isinstance(dataset, ObfuscatedDataset)
    return dataset


def pixels(content: Any) -> Any:
    return np.asarray(Image.open(io.BytesIO(content)))


class Listening(SilentStages):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.made: list[tuple[int, int]] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        assert not about
        if stage == MAKING:
            self.made.append((done, total))


class Interrupting(SilentStages):
    """Ctrl-C as soon as something is made."""

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:  # noqa: ARG002 - a reporter's signature
        if stage == MAKING and done:
            raise KeyboardInterrupt


@each_format
def test_what_is_read_is_bit_for_bit_what_the_obfuscation_made(
    pictures_format: Format, tmp_path: Path
) -> None:
    source = pictures()
    made_folder(tmp_path / "made", source, format=pictures_format, seed=7)
    assets = made_assets(tmp_path / "pack")
    dataset = opened(tmp_path / "made")
    order = select(source, None, 7)
    ids = identify(source, [int(index) for index in order])
    preprocessing = Preprocessing(resize=SIDE, crop=(SIDE, SIDE))
    assert list(dataset.example_ids) == ids
    assert dataset.labels.tolist() == source.labels[order].tolist()
    assert list(dataset.keys) == [source.keys[index] for index in order]
    assert dataset.obfuscations == OBFUSCATIONS_USED
    for place, (index, example_id) in enumerate(zip(order, ids, strict=True)):
        content = source.read(int(index))
        assert isinstance(content, bytes)
        clean = apply(Image.open(io.BytesIO(content)), preprocessing)
        assert np.array_equal(pixels(dataset.read(place)), clean.permute(1, 2, 0).numpy())
        for name in OBFUSCATIONS_USED:
            obfuscation = OBFUSCATIONS[name]()
            stream = ExampleKey(seed=7, transform=name, example_id=example_id).stream("parameters")
            expected, drawn = obfuscation.obfuscate(clean.float() / 255, stream, assets)
            assert dataset.parameters(name, place) == drawn.to_json()
            assert np.array_equal(
                pixels(dataset.obfuscated(name).read(place)),
                (expected * 255).round().byte().permute(1, 2, 0).numpy(),
            )


@each_format
def test_a_picture_is_made_again_from_its_record(pictures_format: Format, tmp_path: Path) -> None:
    made_folder(tmp_path / "made", format=pictures_format)
    assets = made_assets(tmp_path / "pack")
    dataset = opened(tmp_path / "made")
    for name in dataset.obfuscations:
        obfuscation = OBFUSCATIONS[name]()
        for index in range(len(dataset.labels)):
            record = dataset.parameters(name, index)
            assert record is not None
            clean = torch.from_numpy(pixels(dataset.read(index)).copy()).permute(2, 0, 1)
            again = obfuscation.apply(
                clean.float() / 255, obfuscation.parameters.from_json(record), assets
            )
            stored = pixels(dataset.obfuscated(name).read(index))
            assert np.array_equal((again * 255).round().byte().permute(1, 2, 0).numpy(), stored)


@each_format
def test_the_same_command_makes_the_same_bytes(pictures_format: Format, tmp_path: Path) -> None:
    for name in ("one", "other"):
        made_folder(tmp_path / name, format=pictures_format)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


@pytest.mark.parametrize("pictures_format", ["parquet", "imagefolder"])
def test_worker_processes_make_the_same_bytes(pictures_format: str, tmp_path: Path) -> None:
    made_folder(tmp_path / "here", format=pictures_format)
    made_folder(tmp_path / "workers", format=pictures_format, workers=3)
    assert files_of(tmp_path / "here") == files_of(tmp_path / "workers")


def test_jpeg_is_near_the_picture_and_smaller(tmp_path: Path) -> None:
    smooth = [
        encoded(Image.fromarray(noise(4, 4, seed=number)).resize((64, 64))) for number in range(4)
    ]
    made_folder(tmp_path / "png", InMemory(smooth))
    made_folder(tmp_path / "jpeg", InMemory(smooth), encoding="jpeg", quality=90)
    exact, near = opened(tmp_path / "png"), opened(tmp_path / "jpeg")
    for index in range(4):
        one, other = exact.read(index), near.read(index)
        assert len(other) < len(one)
        assert np.abs(pixels(one).astype(int) - pixels(other)).mean() < 4
    assert exact.fingerprint != near.fingerprint


def test_fingerprints_tell_seeds_ranges_and_assets_apart_but_not_formats(tmp_path: Path) -> None:
    blocks = {"ColorNoiseBlocks": ColorNoiseBlocks(block=ColorNoiseBlocks().block._replace(low=20))}
    made_folder(tmp_path / "usual")
    made_folder(tmp_path / "tar", format="webdataset", batch=4)
    made_folder(tmp_path / "seed", seed=1)
    made_folder(tmp_path / "ranges", obfuscations=blocks)
    prints = [opened(tmp_path / each).fingerprint for each in ("usual", "tar", "seed", "ranges")]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


def test_what_is_unreadable_is_counted_named_and_left_out(tmp_path: Path) -> None:
    listening = Listening()
    made = made_folder(tmp_path / "made", pictures(6, broken=[2, 5]), reporter=listening)
    assert (made.pictures, made.unreadable) == (4, 2)
    assert listening.notes[-1].startswith("2 of 6 pictures can't be read and were left out: ")
    assert "owl/2.png" in listening.notes[-1]
    dataset = opened(tmp_path / "made")
    assert dataset.card.images == len(dataset.labels) == 4
    assert dataset.card.notes == ("left out when it was made, as unreadable: 2 pictures",)
    assert all(dataset.obfuscated(name).read(3) for name in dataset.obfuscations)


def test_a_picture_that_could_be_read_only_later_is_left_out_as_it_has_no_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pictures(3)
    real = source.read
    refused = [1]

    def read(index: int) -> Any:
        if index in refused:
            refused.remove(index)
            raise OSError("the network is down")
        return real(index)

    monkeypatch.setattr(source, "read", read)
    made = made_folder(tmp_path / "made", source)
    assert (made.pictures, made.unreadable) == (2, 1)
    assert len(opened(tmp_path / "made").labels) == 2


@each_format
def test_a_batch_without_a_readable_picture_is_no_hindrance(
    pictures_format: Format, tmp_path: Path
) -> None:
    source = pictures(5, broken=[0, 1])
    made_folder(tmp_path / "made", source, format=pictures_format, batch=1)
    assert len(opened(tmp_path / "made").labels) == 3


def test_where_no_picture_can_be_read_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="none of 2 pictures can be read; the first: not a picture"):
        made_folder(tmp_path / "made", pictures(2, broken=[0, 1]))


def test_progress_reaches_every_picture_of_every_obfuscation(tmp_path: Path) -> None:
    listening = Listening()
    made_folder(tmp_path / "made", reporter=listening)
    assert listening.made[0] == (0, 15)
    assert listening.made[-1] == (15, 15)
    assert [done for done, _ in listening.made] == sorted(done for done, _ in listening.made)
    assert listening.notes[0].startswith("15 pictures are to be made, which take about ")


def test_pictures_that_were_obfuscated_before_are_not_again(tmp_path: Path) -> None:
    made_folder(tmp_path / "made")
    with pytest.raises(DataError, match="were obfuscated before and aren't resized or obfuscated"):
        made_folder(tmp_path / "again", opened(tmp_path / "made"))
    assert not (tmp_path / "again").exists()


def test_a_complete_folder_is_left_alone(tmp_path: Path) -> None:
    assert made_folder(tmp_path / "made").new
    before = files_of(tmp_path / "made")
    assert not made_folder(tmp_path / "made").new
    assert files_of(tmp_path / "made") == before


@each_format
@pytest.mark.parametrize("gone", ["pictures", "half of a picture", "lines", "some lines", "index"])
def test_what_is_gone_of_a_complete_folder_is_made_again(
    gone: str, pictures_format: Format, tmp_path: Path
) -> None:
    folder = tmp_path / "made"
    made_folder(folder, format=pictures_format)
    before = files_of(folder)
    lines = folder / "records" / "ImageOverlay.parquet"
    stored = [folder / name for name in before if "ImageOverlay" in name and "records" not in name]
    if gone == "pictures":
        for file in stored:
            file.unlink()
    elif gone == "half of a picture":
        stored[1].write_bytes(stored[1].read_bytes()[:100])
    elif gone == "lines":
        lines.unlink()
    elif gone == "some lines":
        pl.read_parquet(lines).head(4).write_parquet(lines)
    else:
        (folder / "index.html").unlink()
    listening = Listening()
    assert made_folder(folder, format=pictures_format, reporter=listening).new
    assert files_of(folder) == before
    if gone == "half of a picture":
        assert listening.made[0] in ((13, 15), (14, 15))
    assert not made_folder(folder, format=pictures_format).new


def test_a_batch_that_lost_its_pictures_before_all_were_made_is_made_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made_folder(tmp_path / "made", reporter=Interrupting())
    shutil.rmtree(tmp_path / "made" / "Clean")
    made_folder(tmp_path / "made")
    made_folder(tmp_path / "whole")
    assert files_of(tmp_path / "made") == files_of(tmp_path / "whole")


def test_seeds_that_no_run_takes_are_refused() -> None:
    with pytest.raises(UserError, match="seed"):
        MakingOptions(seed=-1)


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ({"seed": 1}, "seed is 0, asked for is 1"),
        ({"format": "parquet"}, "format is 'imagefolder', asked for is 'parquet'"),
        ({"encoding": "jpeg"}, "encoding is 'png', asked for is 'jpeg'"),
        ({"size": 48}, "size is 32, asked for is 48"),
        ({"limit": 3, "seed": 1}, "seed is 0, asked for is 1"),
        ({"limit": 3}, "limit is None, asked for is 3"),
        ({"dataset": pictures(6)}, "it was of 5 pictures, now there are 6"),
        ({"dataset": pictures(5, broken=[3])}, "the pictures that it is made of are others"),
        (
            {"obfuscations": {"ColorNoiseBlocks": ColorNoiseBlocks()}},
            "obfuscations are ColorNoiseBlocks, ImageOverlay, asked for are ColorNoiseBlocks",
        ),
    ],
)
def test_a_folder_begun_with_other_settings_is_refused_in_one_line(
    options: dict[str, Any], difference: str, tmp_path: Path
) -> None:
    made_folder(tmp_path / "made")
    before = files_of(tmp_path / "made")
    with pytest.raises(RunError) as refused:
        made_folder(tmp_path / "made", **options)
    assert difference in str(refused.value)
    assert files_of(tmp_path / "made") == before


def test_other_assets_are_refused(tmp_path: Path) -> None:
    made_folder(tmp_path / "made")
    others = made_assets(tmp_path / "others")
    (others.folder / "photo-haze.png").write_bytes(encoded(noise(96, 128, seed=99)))
    with pytest.raises(RunError, match="the assets are others"):
        made_folder(tmp_path / "made", assets=AssetPack(others.folder))


def test_assets_that_none_of_its_obfuscations_takes_may_be_others(tmp_path: Path) -> None:
    made_folder(tmp_path / "made")
    others = made_assets(tmp_path / "others")
    (others.folder / "patch-hum.png").write_bytes(encoded(noise(64, 64, seed=99)))
    again = made_folder(tmp_path / "made", assets=AssetPack(others.folder))
    assert not again.new


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "thesis.txt").touch()
    with pytest.raises(RunError, match="is not empty and is not a folder of obfuscated pictures"):
        made_folder(tmp_path / "made")


def test_one_process_at_a_time_writes(tmp_path: Path) -> None:
    with (
        sole_writer(tmp_path / "made", lambda _: None),
        pytest.raises(RunError, match="is being written by process"),
    ):
        made_folder(tmp_path / "made")


@pytest.mark.parametrize("workers", [0, 2])
def test_ctrl_c_leaves_nothing_half_done_and_the_same_command_goes_on(
    workers: int, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        made_folder(tmp_path / "made", reporter=Interrupting(), workers=workers)
    assert not list((tmp_path / "made").rglob("*.tmp"))
    with pytest.raises(DataError, match="its making was stopped"):
        opened(tmp_path / "made")
    listening = Listening()
    made_folder(tmp_path / "made", reporter=listening)
    assert listening.made[0][0] > 0
    made_folder(tmp_path / "whole")
    assert files_of(tmp_path / "made") == files_of(tmp_path / "whole")


#: Ends like a killed process, in the middle of writing the file of that number.
_KILLED = """
import os, sys
from pathlib import Path
from made_data import made_folder
ended, written, real = int(sys.argv[3]), 0, os.fsync
def fsync(descriptor):
    global written
    written += 1
    if written == ended:
        os.truncate(descriptor, 3)
        os._exit(137)
    real(descriptor)
os.fsync = fsync
made_folder(Path(sys.argv[1]), format=sys.argv[2])
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("whole")
    for name in get_args(Format):
        made_folder(folder / name, format=name)
    return {name: files_of(folder / name) for name in get_args(Format)}


# Of an image folder 41 files are written: lock holder, record; 9 times two pictures (one, in the last
# batches) and their lines; three times all lines; index; record.
@pytest.mark.parametrize(
    ("pictures_format", "written"),
    [
        ("imagefolder", 2),
        ("imagefolder", 5),
        ("imagefolder", 28),
        ("webdataset", 6),
        ("tfds", 24),
    ],
)
def test_a_kill_in_the_middle_of_a_file_changes_nothing_in_the_end(
    pictures_format: str, written: int, tmp_path: Path, whole: dict[str, dict[str, bytes]]
) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path / "made"), pictures_format, str(written)],
        check=False,
        env=_environment(),
    )
    assert killed.returncode == 137
    assert list((tmp_path / "made").rglob("*.tmp"))
    made_folder(tmp_path / "made", format=pictures_format)
    assert files_of(tmp_path / "made") == whole[pictures_format]


#: Ends like a killed process as soon as one batch is finished, while workers make others.
_KILLED_WITH_WORKERS = """
import os, sys
from pathlib import Path
from made_data import made_folder, pictures
from unforeseen.making.make import MAKING
from unforeseen.stage_reporter import SilentStages
class Killed(SilentStages):
    def advance(self, stage, done, total, about=""):
        if stage == MAKING and done:
            os._exit(137)
if __name__ == "__main__":
    made_folder(Path(sys.argv[1]), pictures(400), workers=2, batch=100, reporter=Killed())
"""


def test_workers_end_with_the_process_that_began_them_though_it_be_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_KILLED_WITH_WORKERS)
    killed = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "made")],
        check=False,
        # All processes hold the other end of it: it ends when the last of them does.
        stdout=subprocess.PIPE,
        timeout=120,
        env=_environment(),
    )
    assert killed.returncode == 137
    made_folder(tmp_path / "made", pictures(400), batch=100)
    assert len(opened(tmp_path / "made").labels) == 400


#: Sends itself what Ctrl-C sends to all, in each worker that is still starting.
_INTERRUPTED_WORKERS = """
import os, signal, sys
from pathlib import Path
if __name__ == "__mp_main__":
    os.kill(os.getpid(), signal.SIGINT)
from made_data import made_folder
if __name__ == "__main__":
    made_folder(Path(sys.argv[1]), workers=2)
    signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to one process there")
def test_ctrl_c_does_not_reach_workers_that_are_still_starting(tmp_path: Path) -> None:
    """What begins them gets it as ever."""
    script = tmp_path / "script.py"
    script.write_text(_INTERRUPTED_WORKERS)
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "made")],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env=_environment(),
    )
    assert ran.stderr.count("Traceback") == 1
    assert "line 9, in <module>" in ran.stderr
    assert len(opened(tmp_path / "made").labels) > 0


def test_every_line_of_the_records_says_what_its_picture_is(tmp_path: Path) -> None:
    made_folder(tmp_path / "made")
    lines = pl.read_parquet(tmp_path / "made" / "records" / "ImageOverlay.parquet")
    assert lines["position"].to_list() == [0, 1, 2, 3, 4]
    assert set(lines["obfuscation"]) == {"ImageOverlay"}
    for line in lines.iter_rows(named=True):
        content = (tmp_path / "made" / "ImageOverlay" / line["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == line["sha256"]
        assert line["class_name"] == ("cat", "dog", "owl")[line["label"]]
        assert line["file"].startswith(f"{line['class_name']}/")
        assert set(json.loads(line["parameters"])) == {"photo", "opacity"}


def _environment() -> dict[str, str]:
    import os

    paths = [str(Path(__file__).parents[1]), *filter(None, sys.path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
