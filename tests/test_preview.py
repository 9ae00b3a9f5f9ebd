"""A preview shows what a run would do to a picture, and says what the model takes it for."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from small import SmallNet, small_benchmark, small_dataset
from small_runs import run_small
from unforeseen.data import load_data
from unforeseen.errors import DataError, ModelError, UnknownNameError, UserError
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.headed import with_head
from unforeseen.preview import AT_THE_START, Preview, preview
from unforeseen.report.gallery import Tile
from unforeseen.search.settings import search_settings

NAMES = ("cat", "Dog", "hen", "owl")


def named_net() -> DifferentiableClassifier:
    card = ModelCard(uri="net", fingerprint="0", classes=4, class_names=NAMES)
    return DifferentiableClassifier(SmallNet(), card)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A picture in a folder of one class, as a run wants it too."""
    content = small_dataset(1).read(0)
    assert not isinstance(content, bytes)
    path = tmp_path / "data" / "cat" / "picture.png"
    path.parent.mkdir(parents=True)
    Image.fromarray(content).save(path)
    return path


def made(
    file: Path,
    attack: str = "pixel",
    *,
    label: str | None = None,
    edition: str | None = None,
    steps: int | None = None,
    search: str = "pgd",
    loss: str | None = None,
    restarts: int | None = None,
    draws: int | None = None,
) -> Preview:
    return preview(
        attack,
        file,
        named_net(),
        small_benchmark(),
        label=label,
        edition=edition,
        steps=steps,
        search=search,
        loss=loss,
        restarts=restarts,
        draws=draws,
    )


def tiles(shown: Preview) -> list[Tile]:
    return [tile for _, line in shown.rows for tile in line if tile is not None]


def answer(pixels: np.ndarray) -> int:
    x = torch.from_numpy(pixels.copy()).permute(2, 0, 1)[None].float() / 255
    return int(SmallNet()(x).argmax())


def test_a_column_per_level_and_a_line_without_and_with_optimisation(file: Path) -> None:
    shown = made(file)
    assert shown.columns == ("original", "low (ε 1)", "medium (ε 2)", "high (ε 4)")
    assert [name for name, _ in shown.rows] == ["start", "optimised"]
    assert len(tiles(shown)) == 1 + 3 + 3
    with Image.open(file) as original:
        np.testing.assert_array_equal(tiles(shown)[0].image, np.asarray(original))


def test_without_steps_there_is_nothing_optimised_to_show(file: Path) -> None:
    assert [name for name, _ in made(file, steps=0).rows] == ["start"]


@pytest.mark.parametrize("attack", ["pgd", "wood", "pixel"])
@pytest.mark.parametrize("edition", ["published", "strict"])
def test_captions_are_what_the_model_says_of_the_tile(
    file: Path, attack: str, edition: str
) -> None:
    shown = made(file, attack, edition=edition)
    assert shown.label == NAMES[answer(tiles(shown)[0].image)]
    for tile in tiles(shown):
        assert tile.caption == NAMES[answer(tile.image)]
        assert tile.right == (tile.caption == shown.label)
    assert not all(tile.right for tile in tiles(made(file, "pgd", edition=edition)))


@pytest.mark.parametrize("steps", [0, None])
def test_a_run_with_the_same_seed_makes_the_same_pictures(
    file: Path, tmp_path: Path, steps: int | None
) -> None:
    out = tmp_path / "run"
    run_small(
        out,
        data=load_data(f"imagefolder:{file.parents[1]}"),
        attacks=("wood", "pixel"),
        levels=("low", "medium", "high"),
        steps=steps,
        save_images=True,
    )
    saved = {Image.open(path).tobytes() for path in (out / "images").rglob("*.png")}
    for attack in ("wood", "pixel"):
        (*_, line) = made(file, attack, label="0", steps=steps, edition="published").rows
        shown = {tile.image.tobytes() for tile in line[1][1:] if tile is not None}
        assert shown <= saved


@pytest.mark.parametrize(
    ("search", "line"),
    [
        ({"search": "apgd"}, "optimised"),
        ({"search": "apgd", "loss": "dlr", "restarts": 2, "steps": 3}, "optimised"),
        ({"search": "autoattack-lite"}, "optimised"),
        ({"search": "pgd", "loss": "margin"}, "optimised"),
        ({"search": "random", "draws": 5}, "worst drawn"),
        ({"search": "random", "draws": 1}, None),
        ({"search": "none"}, None),
    ],
    ids=str,
)
def test_every_search_shows_what_a_run_of_it_finds(
    file: Path, tmp_path: Path, search: dict[str, Any], line: str | None
) -> None:
    options = dict(search)
    settings = search_settings(options.pop("search"), **options)
    run_small(
        tmp_path / "run",
        data=small_dataset(1, model=SmallNet()),
        attacks=("pixel",),
        levels=("low", "medium", "high"),
        steps=search.get("steps"),
        search=settings,
        save_images=True,
    )
    saved = {Image.open(path).tobytes() for path in (tmp_path / "run" / "images").rglob("*.png")}
    shown = made(file, **search)
    assert [name for name, _ in shown.rows] == ["start", *([line] if line else [])]
    assert {tile.image.tobytes() for tile in shown.rows[-1][1][1:] if tile} <= saved
    assert shown.first_counts == settings.visits


def test_a_search_is_not_told_what_it_does_not_take(file: Path) -> None:
    with pytest.raises(UserError, match="draws: search pgd doesn't take it"):
        made(file, draws=3)
    with pytest.raises(UserError, match="steps: search random doesn't take it"):
        made(file, search="random", steps=3)


def test_the_true_class_is_a_number_or_a_name_in_any_case(file: Path) -> None:
    for label in ("1", "dog", " DOG "):
        assert made(file, label=label, steps=0).label == "Dog"
    with pytest.raises(UnknownNameError, match="Did you mean hen"):
        made(file, label="hens")
    with pytest.raises(UserError, match="from 0 to 3, got 4"):
        made(file, label="4")


def test_edition_strict_leaves_alone_what_is_misclassified_as_it_is(file: Path) -> None:
    said = answer(tiles(made(file, steps=0))[0].image)
    shown = made(file, label=str((said + 1) % 4), edition="strict")
    assert not shown.right_when_clean
    assert len({tile.image.tobytes() for tile in tiles(shown)}) == 1
    assert made(file, edition="strict").right_when_clean


def test_what_fooled_the_model_at_the_start_is_said_below_it(file: Path) -> None:
    remarked = 0
    for attack in ("pgd", "wood", "pixel"):
        (_, above), (_, below) = made(file, attack, edition="strict").rows
        for start, end in zip(above[1:], below[1:], strict=True):
            assert start is not None
            assert end is not None
            assert (end.remark == AT_THE_START) == (not start.right)
            if end.remark:
                remarked += 1
                np.testing.assert_array_equal(start.image, end.image)
    assert 0 < remarked < 9
    assert not any(tile.remark for tile in tiles(made(file, "wood", edition="published")))


def test_a_model_without_names_numbers_its_classes(file: Path) -> None:
    net = DifferentiableClassifier(SmallNet())
    shown = preview("pixel", file, net, small_benchmark(), steps=0)
    assert shown.label.startswith("class ")


def test_the_benchmarks_names_stand_in_for_the_models(file: Path) -> None:
    net = DifferentiableClassifier(SmallNet(10))
    benchmark = small_benchmark(label_space="cifar10", classes=10)
    assert preview("pixel", file, net, benchmark, label="frog", steps=0).label == "frog"


def test_behind_a_head_its_classes_are_shown_and_asked_for(file: Path, tmp_path: Path) -> None:
    head = tmp_path / "groups.csv"
    head.write_text("class,group\nowl,bird\nhen,bird\n*,beast\n", encoding="utf-8")
    headed = with_head(named_net(), str(head))
    shown = preview("pixel", file, headed, small_benchmark(), label="BEAST", steps=1)
    assert shown.label == "beast"
    for tile in tiles(shown):
        x = torch.from_numpy(tile.image.copy()).permute(2, 0, 1)[None].float() / 255
        scores = SmallNet()(x)[0].exp()
        group = "bird" if scores[2] + scores[3] > scores[0] + scores[1] else "beast"
        assert (tile.caption, tile.right) == (group, group == "beast")
    with pytest.raises(UnknownNameError, match="There are: beast, bird"):
        preview("pixel", file, headed, small_benchmark(), label="owl")


def test_a_label_means_nothing_to_a_model_with_a_background_class(file: Path) -> None:
    """Pitfall 19: labels would be off by one, as in a run."""
    wide = DifferentiableClassifier(SmallNet(classes=1001))
    imagenet = small_benchmark(label_space="imagenet")
    with pytest.raises(ModelError, match=r"1,001 outputs.*--head imagenet1001"):
        preview("pixel", file, wide, imagenet, label="5", steps=0)
    assert preview("pixel", file, wide, imagenet, steps=0).right_when_clean
    dropped = with_head(wide, "imagenet1001")
    assert preview("pixel", file, dropped, imagenet, label="tench", steps=0).label == "tench"


def test_a_cameras_rotation_is_obeyed(file: Path, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    with Image.open(file) as upright:
        pixels = np.asarray(upright.convert("RGB"))
        turned = upright.transpose(Image.Transpose.ROTATE_90)
    turned.save(tmp_path / "turned.png", exif=exif)
    np.testing.assert_array_equal(tiles(made(tmp_path / "turned.png", steps=0))[0].image, pixels)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file names that aren't text")
def test_a_name_that_is_not_text_is_no_obstacle(file: Path, tmp_path: Path) -> None:
    name = tmp_path / os.fsdecode(b"caf\xe9.png")
    try:
        name.write_bytes(file.read_bytes())
    except OSError:
        pytest.skip("this file system takes text only")
    assert tiles(made(name, steps=0))
    name.unlink()
    with pytest.raises(DataError, match="No such file"):
        made(name, steps=0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_because_reading_one_waits_for_ever(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(DataError, match="not a regular file"):
        made(tmp_path / "pipe.png", steps=0)


def test_what_is_no_picture_or_of_another_size_is_one_line(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("words", encoding="utf-8")
    Image.new("RGB", (48, 40)).save(tmp_path / "large.png")
    for name, said in (
        ("none.png", "No such file"),
        ("text.png", "not a picture"),
        ("large.png", "expected pictures of 32×32"),
    ):
        with pytest.raises(DataError, match=said) as caught:
            made(tmp_path / name)
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(UnknownNameError, match="Did you mean pixel"):
        made(file, "pixle")
