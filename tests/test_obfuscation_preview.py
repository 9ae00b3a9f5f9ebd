"""A preview shows what a run makes of the same pictures."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from data.in_memory import Content, InMemory, InMemoryObfuscated, noise
from made_assets import made_assets
from made_data import made_folder
from small import small_benchmark
from unforeseen.benchmarks import load_benchmark
from unforeseen.data import load_data
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.selection import select
from unforeseen.errors import AssetError, BenchmarkError, DataError, UnknownNameError, UserError
from unforeseen.obfuscation_preview import (
    ORIGINAL,
    ObfuscationPreview,
    _names_of,
    preview_obfuscations,
)
from unforeseen.rng import ExampleKey
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack

BENCHMARK = load_benchmark("image-obfuscation-own")
CHOSEN = ("InvertLines", "PhotoComposition", "IconOverlay")
SIDE = 224


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> AssetPack:
    return made_assets(tmp_path_factory.mktemp("assets"))


def pictures(count: int) -> InMemory:
    return InMemory([noise(SIDE, SIDE, seed=seed) for seed in range(count)], labels=range(count))


def shown(
    dataset: Dataset,
    pack: AssetPack | None,
    *,
    limit: int | None = None,
    seed: int = 0,
    draws: int = 1,
) -> ObfuscationPreview:
    return preview_obfuscations(
        BENCHMARK,
        dataset,
        obfuscations=CHOSEN,
        limit=limit,
        seed=seed,
        draws=draws,
        assets=None if pack is None else pack.folder,
    )


def made(
    pixels: NDArray[np.uint8], name: str, example_id: str, pack: AssetPack, *, seed: int, draw: int
) -> NDArray[np.uint8]:
    """As the specification says it, from (seed, obfuscation, picture) alone."""
    key = ExampleKey(seed=seed, transform=name, example_id=example_id, restart=draw)
    image = torch.from_numpy(pixels).permute(2, 0, 1).float() / 255
    picture, _ = OBFUSCATIONS[name]().obfuscate(image, key.stream("parameters"), pack)
    rounded: NDArray[np.uint8] = np.rint(picture.permute(1, 2, 0).numpy() * 255).astype(np.uint8)
    return rounded


def test_what_was_drawn_is_named_for_each_picture(pack: AssetPack) -> None:
    seen = shown(pictures(3), pack, draws=2)
    assert [len(row) for row in seen.drawn] == [6] * (1 + len(CHOSEN))
    originals, inverted, composed, icons = seen.drawn
    assert set(originals) == {""}
    assert set(inverted) == {"horizontal", "vertical"}
    assert set(composed) == set(pack.names("photo"))
    assert set(icons) <= set(pack.names("icon"))


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ('{"photo": "harbour", "opacity": 0.5, "direction": "vertical"}', "harbour, vertical"),
        ('{"angle": 3}', ""),
        (None, ""),
        ("[1, 2", ""),
        ('["not a record"]', ""),
        ("[" * 100_000, ""),
    ],
)
def test_what_is_no_record_names_nothing(record: str | None, named: str) -> None:
    assert _names_of(record) == named


def test_ready_made_pictures_are_shown_with_the_seed_that_they_were_drawn_with(
    tmp_path: Path, pack: AssetPack
) -> None:
    asked = {"InvertLines": OBFUSCATIONS["InvertLines"]()}
    made_folder(tmp_path / "made", pictures(2), obfuscations=asked, seed=5, size=SIDE)
    ready_made = load_data(f"obfuscated:{tmp_path / 'made'}")
    preview = preview_obfuscations(BENCHMARK, ready_made)
    assert preview.seed == 5
    assert set(preview.drawn[1]) <= {"horizontal", "vertical"}
    assert shown(pictures(1), pack).seed == 0
    with pytest.raises(UserError, match="Give --seed 5, or none"):
        preview_obfuscations(BENCHMARK, ready_made, seed=0)


@pytest.mark.parametrize("seed", [0, 3])
def test_the_first_line_is_the_original_and_each_further_one_an_obfuscation(
    pack: AssetPack, seed: int
) -> None:
    dataset = pictures(5)
    seen = shown(dataset, pack, limit=3, seed=seed)
    chosen = select(dataset, 3, seed).tolist()
    assert seen.columns == tuple(f"class {dataset.labels[index]}" for index in chosen)
    assert [name for name, _ in seen.rows] == [ORIGINAL, *CHOSEN]
    assert seen.unreadable == 0
    for column, (index, example_id) in enumerate(
        zip(chosen, identify(dataset, chosen), strict=True)
    ):
        pixels = dataset.read(index)
        assert not isinstance(pixels, bytes)
        np.testing.assert_array_equal(seen.rows[0][1][column], pixels)
        for name, line in seen.rows[1:]:
            expected = made(pixels, name, example_id, pack, seed=seed, draw=0)
            np.testing.assert_array_equal(line[column], expected)


def test_further_draws_of_a_picture_stand_beside_the_first(pack: AssetPack) -> None:
    once, often = (shown(pictures(2), pack, draws=draws) for draws in (1, 3))
    assert often.columns[:3] == tuple(f"{once.columns[0]}, draw {draw}" for draw in (1, 2, 3))
    for (name, single), (_, several) in zip(once.rows, often.rows, strict=True):
        assert len(several) == 6
        for picture in range(2):
            np.testing.assert_array_equal(single[picture], several[3 * picture])
            assert not np.array_equal(several[3 * picture], several[3 * picture + 1])
            if name == ORIGINAL:
                # It is there once, above its first draw.
                assert all(
                    (each == 255).all() for each in several[3 * picture + 1 : 3 * picture + 3]
                )
    assert shown(pictures(1), pack, draws=2).columns == ("draw 1", "draw 2")


def test_pictures_that_cannot_be_read_are_left_out_and_counted(pack: AssetPack) -> None:
    dataset = InMemory([noise(SIDE, SIDE), b"broken", noise(SIDE, SIDE, seed=1)], labels=[0, 1, 2])
    seen = shown(dataset, pack)
    assert seen.unreadable == 1
    assert len(seen.columns) == 2
    assert "class 1" not in seen.columns


def test_where_no_picture_can_be_read_the_reason_is_said(pack: AssetPack) -> None:
    with pytest.raises(DataError, match="none that can be read: not a picture"):
        shown(InMemory([b"broken", b"broken too"], labels=[0, 1]), pack)


def test_ready_made_pictures_are_shown_as_they_are(pack: AssetPack) -> None:
    clean = pictures(2)
    inverted: list[Content] = [255 - noise(SIDE, SIDE), FileNotFoundError(2, "No such file")]
    dataset = InMemoryObfuscated(
        clean, {"InvertLines": (inverted, [None, None])}, example_ids=["a", "b"]
    )
    seen = preview_obfuscations(BENCHMARK, dataset)
    assert [name for name, _ in seen.rows] == [ORIGINAL, "InvertLines"]
    there, missing = (seen.columns.index(f"class {label}") for label in (0, 1))
    originals, obfuscated = (line for _, line in seen.rows)
    np.testing.assert_array_equal(obfuscated[there], 255 - originals[there])
    # An even grey, of the size of the others.
    assert obfuscated[missing].shape == (SIDE, SIDE, 3)
    assert obfuscated[missing].min() == obfuscated[missing].max()
    with pytest.raises(UserError, match="obfuscated before"):
        preview_obfuscations(BENCHMARK, dataset, assets=pack.folder)


def test_what_is_missing_is_said(pack: AssetPack, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="benchmark of obfuscations"):
        preview_obfuscations(small_benchmark(), pictures(1), assets=pack.folder)
    with pytest.raises(UnknownNameError, match="Did you mean SwirlWarp"):
        preview_obfuscations(BENCHMARK, pictures(1), obfuscations=["SwirlWrap"])
    with pytest.raises(AssetError):
        preview_obfuscations(BENCHMARK, pictures(1), assets=tmp_path)
