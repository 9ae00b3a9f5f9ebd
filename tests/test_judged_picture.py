"""A picture as a benchmark of obfuscations has it."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image
from torchvision.transforms import v2

from data.in_memory import noise
from made_data import made_folder
from made_runs import made_folder as made_attack_run
from made_runs import made_record
from obfuscation_runs import obfuscation_benchmark, run_obfuscated
from unforeseen import load_data
from unforeseen.errors import BenchmarkError, DataError, UserError
from unforeseen.judged_picture import load_picture
from unforeseen.run_folder.record import read_record, write_record


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "cat").mkdir(parents=True)
    Image.fromarray(noise(300, 260, seed=0)).save(folder / "cat" / "0.png")
    (folder / "cat" / "1.png").write_bytes(b"broken")
    return folder


def test_it_is_resized_and_cut_as_torchvision_does(photos: Path) -> None:
    usual = v2.Compose(
        [v2.Resize(224, v2.InterpolationMode.BICUBIC), v2.CenterCrop(224), v2.PILToTensor()]
    )
    with Image.open(photos / "cat" / "0.png") as image:
        expected = usual(image)
    for data in (f"imagefolder:{photos}", photos, load_data(f"imagefolder:{photos}")):
        seen = load_picture(data, "cat/0.png", "image-obfuscation-own")
        np.testing.assert_array_equal(seen, expected)


def test_of_data_that_were_made_it_is_as_it_was_written(photos: Path, tmp_path: Path) -> None:
    made_folder(tmp_path / "made", load_data(f"imagefolder:{photos}"))
    (clean,) = (tmp_path / "made" / "Clean").rglob("*.png")
    with Image.open(clean) as image:
        expected = np.asarray(image).transpose(2, 0, 1)
    np.testing.assert_array_equal(
        load_picture(f"obfuscated:{tmp_path / 'made'}", "cat/0.png"), expected
    )


def test_what_is_no_picture_is_refused(photos: Path) -> None:
    with pytest.raises(DataError, match=r"expected a picture 'cat/2\.png', found none"):
        load_picture(photos, "cat/2.png")
    with pytest.raises(DataError, match=r"cat/1\.png: expected a picture; it can't be read"):
        load_picture(photos, "cat/1.png")
    with pytest.raises(BenchmarkError, match="expected a benchmark of obfuscations"):
        load_picture(photos, "cat/0.png", "imagenet-ua")


@pytest.fixture
def run(photos: Path, tmp_path: Path) -> Path:
    """Judges the photos, at 32×32."""
    resized = "image_size = 32\npreprocessing = { resize = 36, crop = [32, 32] }"
    benchmark = obfuscation_benchmark(tmp_path, ("image_size = 32", resized))
    folder = tmp_path / "run"
    run_obfuscated(
        folder, data=load_data(photos), benchmark=benchmark, obfuscations=["ColorNoiseBlocks"]
    )
    return folder


def test_of_a_run_it_is_as_it_was_judged_by_its_file_and_by_what_rows_call_it(
    run: Path, photos: Path, tmp_path: Path
) -> None:
    expected = load_picture(photos, "cat/0.png", str(tmp_path / "small-obfuscation.toml"))
    assert expected.shape == (3, 32, 32)
    rows = pl.read_parquet(run / "pictures.parquet")
    (name,) = rows.filter(file="cat/0.png")["example_id"]
    for data in (run, str(run)):
        for called in ("cat/0.png", name):
            np.testing.assert_array_equal(load_picture(data, called), expected)


def test_of_a_run_whose_data_have_changed_or_gone_it_is_refused(run: Path, photos: Path) -> None:
    with pytest.raises(DataError, match=r"cat/1\.png': expected a picture; it can't be read"):
        load_picture(run, "cat/1.png")
    with pytest.raises(DataError, match=r"pictures\.parquet: expected a picture 'cat/2\.png'"):
        load_picture(run, "cat/2.png")
    Image.fromarray(noise(300, 260, seed=1)).save(photos / "cat" / "0.png")
    with pytest.raises(DataError, match=r"expected the picture 'cat/0\.png' as the run judged it"):
        load_picture(run, "cat/0.png")
    photos.rename(photos.with_name("moved"))
    with pytest.raises(DataError, match="photos"):
        load_picture(run, "cat/0.png")


def test_a_run_folder_asks_no_other_machine_and_names_no_other_benchmark(
    run: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"benchmark: expected none.*Leave it out"):
        load_picture(run, "cat/0.png", "image-obfuscation")
    record = read_record(run)
    record["data"]["uri"] = "hf:somebody/pictures"
    write_record(run, record)
    with pytest.raises(DataError, match="expected data on this machine"):
        load_picture(run, "cat/0.png")
    made_attack_run(tmp_path / "attacks", made_record())
    with pytest.raises(BenchmarkError, match="expected a benchmark of obfuscations"):
        load_picture(tmp_path / "attacks", "cat/0.png")
