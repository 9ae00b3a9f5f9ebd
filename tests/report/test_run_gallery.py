"""What a gallery shows of a run."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from torch import Tensor, nn

from small import SmallNet, small_benchmark
from small_runs import labelled_dataset, run_small
from unforeseen.data.dataset import Dataset
from unforeseen.models import as_classifier
from unforeseen.report.gallery import Tile
from unforeseen.report.run_gallery import tiles_of_run
from unforeseen.results import load_results
from unforeseen.running.attack_plan import make_attack_plan


class NoAnswerToNoise(nn.Module):
    """SmallNet, but NaN for what isn't one of the data set's pictures."""

    def __init__(self, data: Dataset) -> None:
        super().__init__()
        self.net = SmallNet()
        self.known = torch.stack([torch.from_numpy(np.array(data.read(row))) for row in range(11)])

    def forward(self, x: Tensor) -> Tensor:
        pixels = (x.detach() * 255).round().byte().permute(0, 2, 3, 1)
        known = (pixels[:, None] == self.known).flatten(2).all(2).any(1)
        return torch.where(known[:, None], self.net(x), torch.nan)


def shown(
    folder: Path, *, model: nn.Module | None = None, at_most: int = 99
) -> list[tuple[str, list[Tile | None]]]:
    data = labelled_dataset()
    run_small(folder, model, data=data, save_images=True)
    card = as_classifier(model or SmallNet()).card
    plan = make_attack_plan(small_benchmark(), card, attacks=["pgd", "pixel"])
    return tiles_of_run(plan, data, load_results(folder).rows, folder, at_most=at_most)


def test_pictures_that_are_right_when_clean_have_a_tile_per_cell(tmp_path: Path) -> None:
    lines = shown(tmp_path)
    data, rows = labelled_dataset(), load_results(tmp_path).rows
    assert len(lines) == 10  # the last picture's label is wrong
    assert [truth for truth, _ in lines] == [f"class {label}" for label in data.labels[:10]]
    for transform, place in (("clean", 0), ("pgd", 1), ("pixel", 2)):
        tiles = [tiles[place] for _, tiles in lines]
        said = rows.filter(pl.col("transform") == transform)
        assert sorted(tile.caption for tile in tiles if tile) == sorted(
            f"class {number}" for number in said.filter("correct_clean")["prediction"]
        )
        right = said.filter("correct_clean")["correct"].sum()
        assert sum(tile.right for tile in tiles if tile) == right
    clean = lines[0][1][0]
    assert clean is not None
    np.testing.assert_array_equal(clean.image, data.read(0))
    assert len(shown(tmp_path, at_most=3)) == 3


def test_an_answer_that_is_not_finite_is_said(tmp_path: Path) -> None:
    lines = shown(tmp_path, model=NoAnswerToNoise(labelled_dataset()))
    captions = [tile.caption for _, tiles in lines for tile in tiles[1:] if tile]
    assert captions
    assert set(captions) == {"not finite"}


def test_what_is_no_picture_in_a_strangers_folder_is_left_out_and_starts_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pillow hands PostScript to Ghostscript."""
    shown(tmp_path)

    def started(*_: object, **__: object) -> None:
        pytest.fail("a program was started")

    monkeypatch.setattr("PIL.EpsImagePlugin.Ghostscript", started)
    postscript = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"
    for number, file in enumerate((tmp_path / "images").rglob("*.png")):
        if number % 3:
            file.write_bytes(postscript if number % 3 == 1 else b"")
        else:
            file.unlink()
    lines = shown(tmp_path)
    assert all(tiles[0] is not None and tiles[1:] == [None, None] for _, tiles in lines)
    assert len(lines) == 10


def test_a_picture_behind_a_link_is_left_out(tmp_path: Path) -> None:
    shown(tmp_path / "run")
    elsewhere = (tmp_path / "run" / "images").rename(tmp_path / "elsewhere")
    try:
        (tmp_path / "run" / "images").symlink_to(elsewhere, target_is_directory=True)
    except OSError:
        pytest.skip("this user may not make links")
    assert all(tiles[1:] == [None, None] for _, tiles in shown(tmp_path / "run"))
