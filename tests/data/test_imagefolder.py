"""Folders of pictures: labels, keys, and what is refused."""

import os
import random
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from data.in_memory import encoded, noise
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_wnids
from unforeseen.data.selection import select
from unforeseen.errors import DataError


def fill(root: Path, *names: str) -> Path:
    """Creates pictures whose content depends on their name only."""
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encoded(noise(seed=sum(name.encode()))))
    return root


def test_wnid_folders_get_imagenets_indices_whatever_the_subset(tmp_path: Path) -> None:
    fill(tmp_path, "n15075141/a.png", "n01440764/b.png", "n02099601/c.png")
    data = load_data(f"imagefolder:{tmp_path}")
    assert data.labels.tolist() == [0, 207, 999]
    assert data.card.label_space == "imagenet"
    assert data.card.class_names[207] == "golden retriever"


def test_words_behind_wnids_change_nothing(tmp_path: Path) -> None:
    """Pitfall 18."""
    fill(
        tmp_path, "n15075141 toilet tissue/a.png", "n01440764_tench/b.png", "n02099601-golden/c.png"
    )
    data = load_data(f"imagefolder:{tmp_path}")
    assert data.labels.tolist() == [0, 207, 999]
    assert data.card.label_space == "imagenet"


def test_numbers_in_names_that_sort_otherwise_as_text_are_noted(tmp_path: Path) -> None:
    """Pitfall 18."""
    fill(tmp_path, *(f"class_{number}/x.png" for number in range(11)))
    (note,) = load_data(f"imagefolder:{tmp_path}").card.notes
    assert "class_10 is 2 and class_2 is 3" in note


@pytest.mark.parametrize("name", ["7", "0.5", "-1", "1e3", "\u0667"])
def test_folders_with_numbers_for_names_are_refused(name: str, tmp_path: Path) -> None:
    """Pitfall 18."""
    fill(tmp_path, f"{name}/x.png", "cat/x.png")
    with pytest.raises(DataError, match=rf"numeric names \({name}\) are refused"):
        load_data(f"imagefolder:{tmp_path}")


def test_every_wnid_folder_gets_its_place_in_timms_table(tmp_path: Path) -> None:
    chosen = imagenet_wnids()[3::97]
    fill(tmp_path, *(f"{wnid}/x.png" for wnid in reversed(chosen)))
    data = load_data(f"imagefolder:{tmp_path}")
    assert [imagenet_wnids()[label] for label in data.labels] == list(chosen)


def test_keys_labels_and_ids_do_not_depend_on_creation_order_or_place(tmp_path: Path) -> None:
    names = [f"{kind}/{number}.png" for kind in ("ant", "bee") for number in range(20)]
    fill(tmp_path / "one", *names)
    random.Random(3).shuffle(names)
    fill(tmp_path / "elsewhere" / "two", *names)
    one = load_data(tmp_path / "one")
    two = load_data(tmp_path / "elsewhere" / "two")
    assert one.keys == two.keys
    assert one.labels.tolist() == two.labels.tolist()
    assert identify(one, range(40)) == identify(two, range(40))


def test_keys_use_forward_slashes(tmp_path: Path) -> None:
    fill(tmp_path, "cat/deep/er/x.png")
    assert load_data(tmp_path).keys == ["cat/deep/er/x.png"]


def test_a_folder_of_obfuscations_is_none_of_classes(tmp_path: Path) -> None:
    fill(tmp_path, "Clean/x.png", "SwirlWarp/x.png")
    (tmp_path / "obfuscated.json").write_text("{}")
    for uri in (str(tmp_path), f"imagefolder:{tmp_path}"):
        with pytest.raises(DataError) as refused:
            load_data(uri)
        assert str(refused.value).endswith(f"Give obfuscated:{tmp_path}.")


def test_other_folders_count_by_code_point(tmp_path: Path) -> None:
    fill(tmp_path, "apple/x.png", "Zebra/x.png", "étui/x.png")
    data = load_data(tmp_path)
    assert data.card.class_names == ("Zebra", "apple", "étui")
    assert data.labels.tolist() == [0, 1, 2]
    assert data.card.label_space is None


def test_the_ten_cifar_names_are_recognised(tmp_path: Path) -> None:
    fill(tmp_path, *(f"{name}/x.png" for name in reversed(CIFAR10_CLASSES)))
    data = load_data(tmp_path)
    assert data.card.label_space == "cifar10"
    assert data.card.class_names == CIFAR10_CLASSES


def test_nine_cifar_names_are_not_cifar(tmp_path: Path) -> None:
    fill(tmp_path, *(f"{name}/x.png" for name in CIFAR10_CLASSES[1:]))
    assert load_data(tmp_path).card.label_space is None


def test_suffixes_are_found_in_any_case_and_other_files_are_noted(tmp_path: Path) -> None:
    fill(tmp_path, "cat/a.JPEG", "cat/b.Png", "cat/notes.txt", "cat/.hidden.png", "top.png")
    data = load_data(tmp_path)
    assert data.keys == ["cat/a.JPEG", "cat/b.Png"]
    assert data.card.images == 2
    assert data.card.notes == (
        "skipped, outside the class folders: 1 file (top.png)",
        "skipped, hidden or not pictures: 2 files (cat/.hidden.png, cat/notes.txt)",
    )


def test_a_link_to_a_folder_above_is_not_followed_for_ever(tmp_path: Path) -> None:
    fill(tmp_path, "cat/x.png")
    link(tmp_path / "cat" / "loop", tmp_path / "cat")
    assert load_data(tmp_path).keys == ["cat/x.png"]


def link(place: Path, target: Path) -> None:
    try:
        place.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this system lets us make no links")


@pytest.mark.parametrize(
    ("place", "target"),
    [("cat/more", "dog"), ("dog/more", "cat/deep"), ("kitten", "cat"), ("cat/all", ".")],
)
def test_a_link_that_brings_another_classs_pictures_is_refused(
    place: str, target: str, tmp_path: Path
) -> None:
    fill(tmp_path, "cat/x.png", "cat/deep/y.png", "dog/z.png")
    link(tmp_path / place, tmp_path / target)
    with pytest.raises(DataError, match=r"are the same folder.*would count under two classes"):
        load_data(f"imagefolder:{tmp_path}")


def test_links_to_folders_elsewhere_are_followed(tmp_path: Path) -> None:
    fill(tmp_path, "store/a/x.png", "data/dog/y.png")
    link(tmp_path / "data" / "cat", tmp_path / "store" / "a")
    assert load_data(tmp_path / "data").keys == ["cat/x.png", "dog/y.png"]


def test_a_folder_inside_a_class_that_is_named_like_another_class_is_said(tmp_path: Path) -> None:
    """A link to a whole data set inside a class folder would look like this."""
    fill(tmp_path, "cat/more/dog/x.png", "cat/more/cat/y.png", "dog/z.png")
    data = load_data(tmp_path)
    assert data.labels.tolist() == [0, 0, 1]
    assert data.card.notes == (
        "cat/more/cat is named like another class; its pictures count as cat",
        "cat/more/dog is named like another class; its pictures count as cat",
    )


def test_names_of_every_kind_give_the_same_keys_and_ids(tmp_path: Path) -> None:
    """Composed or decomposed accents, names that Windows reserves, and 255 bytes long ones."""
    long = "x" * 200 + ".png"
    fill(tmp_path / "one", "caf\u00e9/\u00fc b.png", f"con/{long}", "con/aux.png.jpg")
    for name in ("caf\u00e9/\u00fc b.png", f"con/{long}", "con/aux.png.jpg"):
        other = tmp_path / "two" / unicodedata.normalize("NFD", name)
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes((tmp_path / "one" / name).read_bytes())
    one, two = load_data(tmp_path / "one"), load_data(tmp_path / "two")
    assert one.keys == two.keys
    assert one.card.class_names == two.card.class_names
    assert select(one, None, 0).tolist() == select(two, None, 0).tolist()
    assert identify(one, range(3)) == identify(two, range(3))


def test_the_choice_does_not_depend_on_the_order_in_which_a_folder_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, *(f"{kind}/{number}.png" for kind in ("ant", "bee") for number in range(9)))
    expected = load_data(tmp_path)
    real = os.scandir

    @contextmanager
    def shuffled(folder: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        with real(folder) as entries:
            there = list(entries)
        random.Random(5).shuffle(there)
        yield iter(there)

    monkeypatch.setattr(os, "scandir", shuffled)
    assert load_data(tmp_path).keys == expected.keys
    assert select(load_data(tmp_path), 5, 0).tolist() == select(expected, 5, 0).tolist()


def test_the_same_picture_twice_is_two_pictures_with_different_ids(tmp_path: Path) -> None:
    """Pitfall 24."""
    fill(tmp_path, "cat/ab.png", "cat/ba.png", "dog/c.png")
    ids = identify(load_data(tmp_path), [0, 1, 2])
    assert ids[1] == f"{ids[0]}#2"
    assert len(set(ids)) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_link_to_a_device_is_a_picture_that_cannot_be_read(tmp_path: Path) -> None:
    fill(tmp_path, "cat/a.png")
    (tmp_path / "cat" / "b.png").symlink_to("/dev/zero")
    data = load_data(tmp_path)
    with pytest.raises(OSError, match="not a regular file"):
        data.read(data.keys.index("cat/b.png"))


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("ILSVRC2012_val_00000007.JPEG", "imagenet"),
        ("test_batch", "cifar10"),
        ("data_batch_1.bin", "cifar10"),
        ("test-00000-of-00001.parquet", "parquet"),
        ("data-000000.tar", "webdataset"),
    ],
)
def test_folders_of_another_layout_name_their_scheme(
    name: str, scheme: str, tmp_path: Path
) -> None:
    (tmp_path / name).touch()
    with pytest.raises(DataError) as caught:
        load_data(tmp_path)
    assert str(caught.value).endswith(f"found none, but {name}. Give {scheme}:{tmp_path}.")


def test_reading_gives_the_files_bytes(tmp_path: Path) -> None:
    fill(tmp_path, "cat/x.png", "dog/y.png")
    assert load_data(tmp_path).read(1) == (tmp_path / "dog" / "y.png").read_bytes()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("n01440764/x.png", "cat/x.png"), "besides n01440764 there are cat"),
        (("n01440764/x.png", "n00000001/x.png"), "not among the 1,000 .*: n00000001"),
        (tuple(f"{n}/x.png" for n in range(11)), "10 comes before 2.*table:"),
        (("x.png", "y.png"), "found 2 pictures and no subfolder"),
        (("cat/x.txt", "dog/readme.txt"), "found none in cat, dog"),
    ],
    ids=["mixed", "not-imagenet-1k", "numeric", "no-folders", "empty-class"],
)
def test_folders_that_do_not_say_their_classes_are_refused(
    tmp_path: Path, names: tuple[str, ...], message: str
) -> None:
    fill(tmp_path, *names)
    with pytest.raises(DataError, match=message):
        load_data(f"imagefolder:{tmp_path}")


def test_the_folder_of_one_class_names_the_folder_above(tmp_path: Path) -> None:
    fill(tmp_path, "cat/x.png")
    with pytest.raises(DataError) as caught:
        load_data(f"imagefolder:{tmp_path / 'cat'}")
    assert f"give the folder above: imagefolder:{tmp_path}." in str(caught.value)


def test_advice_names_the_folder_that_was_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a scheme no shell knows what ``~`` is, but the advice is for one."""
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    fill(tmp_path / "flat", "x.png")
    (tmp_path / "tars").mkdir()
    (tmp_path / "tars" / "a.tar").touch()
    with pytest.raises(DataError) as caught:
        load_data("imagefolder:~/flat")
    assert str(caught.value).endswith(f"give the folder above: imagefolder:{tmp_path}.")
    with pytest.raises(DataError) as caught:
        load_data("imagefolder:~/tars")
    assert str(caught.value).endswith(f"Give webdataset:{tmp_path / 'tars'}.")


@pytest.mark.parametrize("splits", [("val",), ("train", "test")])
def test_a_folder_of_splits_names_the_splits(tmp_path: Path, splits: tuple[str, ...]) -> None:
    fill(tmp_path, *(f"{split}/cat/x.png" for split in splits))
    with pytest.raises(DataError) as caught:
        load_data(tmp_path)
    for split in splits:
        assert f"imagefolder:{tmp_path / split}" in str(caught.value)


def test_classes_that_are_called_like_splits_are_kept(tmp_path: Path) -> None:
    fill(tmp_path, "train/x.png", "test/x.png")
    assert load_data(tmp_path).card.class_names == ("test", "train")


def test_a_class_without_pictures_keeps_its_number_and_is_told(tmp_path: Path) -> None:
    fill(tmp_path, "cat/x.png", "dog/readme.txt", "hen/y.png")
    data = load_data(tmp_path)
    assert data.labels.tolist() == [0, 2]
    assert data.card.class_names == ("cat", "dog", "hen")
    assert "no pictures in dog; every class folder has a number all the same" in data.card.notes


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no subfolders"):
        load_data(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no folder"):
        load_data(f"imagefolder:{tmp_path / 'nowhere'}")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file names that aren't text")
def test_file_names_that_are_not_text_have_keys_that_are(tmp_path: Path) -> None:
    fill(tmp_path, "cat/x.png")
    try:
        (tmp_path / "cat" / "x.png").rename(tmp_path / "cat" / "\udcff.png")
    except OSError:
        pytest.skip("this file system takes text only")
    data = load_data(tmp_path)
    assert data.keys == ["cat/\\udcff.png"]
    assert data.read(0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_are_skipped_because_reading_one_waits_for_ever(tmp_path: Path) -> None:
    fill(tmp_path, "cat/a.png")
    os.mkfifo(tmp_path / "cat" / "b.png")
    data = load_data(f"imagefolder:{tmp_path}")
    assert data.keys == ["cat/a.png"]
    assert "b.png" in " ".join(data.card.notes)
