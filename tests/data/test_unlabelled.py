"""Pictures without labels: all of a folder, in an order that depends on names alone."""

from pathlib import Path

import pytest
from PIL import Image

from data.in_memory import noise
from unforeseen.data.unlabelled import load_unlabelled
from unforeseen.errors import DataError, UserError


def write(root: Path, *names: str) -> None:
    for seed, name in enumerate(names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noise(8, 8, seed=seed)).save(root / name)


def test_a_plain_folder_gives_all_its_pictures(tmp_path: Path) -> None:
    write(tmp_path, "b.png", "A.PNG", "sub/3/c.jpg", ".hidden/d.png", "__MACOSX/e.png", "._b.png")
    (tmp_path / "notes.txt").write_text("ours")
    (tmp_path / "folder.png").mkdir()
    dataset = load_unlabelled(str(tmp_path))
    assert list(dataset.keys) == ["A.PNG", "b.png", "sub/3/c.jpg"]
    assert dataset.labels.tolist() == [0, 0, 0]
    assert dataset.card.images == 3
    assert dataset.read(1) == (tmp_path / "b.png").read_bytes()


def test_a_data_uri_is_the_data_set_that_it_always_is(tmp_path: Path) -> None:
    write(tmp_path, "cat/1.png", "dog/2.png")
    assert load_unlabelled(f"imagefolder:{tmp_path}").labels.tolist() == [0, 1]


def test_a_path_that_no_record_can_hold_is_refused(tmp_path: Path) -> None:
    """Pitfall: a name that isn't UTF-8 would end a training after its last step."""
    for path in (tmp_path / "\udcff", "imagefolder:\udcff"):
        with pytest.raises(UserError, match="expected UTF-8, which the record holds, got other"):
            load_unlabelled(str(path))


def test_a_folder_without_pictures_and_none_at_all_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected a folder of pictures .* found none in it"):
        load_unlabelled(str(tmp_path))
    with pytest.raises(DataError, match="there is no such folder"):
        load_unlabelled(str(tmp_path / "nowhere"))
