"""Data sets through the library datasets: folders of pictures, parquet, and what it saves itself."""

import io
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
from PIL import Image

from data.in_memory import encoded, noise
from unforeseen.data import load_data
from unforeseen.data.class_labels import Labels
from unforeseen.data.dataset import DataCard
from unforeseen.data.huggingface import HuggingFaceDataset
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import CIFAR10_CLASSES, imagenet_wnids
from unforeseen.data.pictures import Picture, Unreadable, read_picture
from unforeseen.errors import DataError, MissingExtraError, UnknownNameError, UserError
from unforeseen.preprocessing import Preprocessing

PICTURES = [encoded(noise(seed=seed), "JPEG") for seed in range(4)]


@pytest.fixture(autouse=True)
def cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Nothing is fetched, and nothing stays in the home folder."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


def picture_folder(root: Path, *splits: str) -> Path:
    for split in splits:
        for number, picture in enumerate(PICTURES):
            file = root / split / ("cat" if number % 2 else "dog") / f"{number}.jpg"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
    return root


def table(labels: Any = (3, 0, 1, 2), feature: Any = None, **columns: Any) -> Any:
    """A data set in memory, its pictures encoded as on the hub."""
    content = {
        "image": [{"bytes": picture, "path": f"{n}.jpg"} for n, picture in enumerate(PICTURES)],
        "label": list(labels),
        **columns,
    }
    made = datasets.Dataset.from_dict(content)
    made = made.cast_column("image", datasets.Image())
    return made if feature is None else made.cast_column("label", feature)


def saved(folder: Path, made: Any) -> str:
    made.save_to_disk(str(folder))
    return f"hf:{folder}"


def test_a_folder_of_pictures_is_read_without_decoding(tmp_path: Path) -> None:
    root = picture_folder(tmp_path / "pictures", "test")
    data = load_data(f"hf:{root}")
    oracle = datasets.load_dataset(str(root), split="test")
    assert data.labels.tolist() == oracle["label"][:]
    assert data.card.class_names == ("cat", "dog")
    assert sorted(data.read(row) for row in range(4)) == sorted(PICTURES)
    for row in range(4):
        assert np.array_equal(np.asarray(oracle[row]["image"]), pixels(data.read(row)))
    # The same pictures under the same ids as in the folder of classes itself.
    assert identify(data, range(4)) == identify(load_data(root / "test"), range(4))


def pixels(content: Any) -> Any:
    return np.asarray(Image.open(io.BytesIO(content)))


def test_parquet_files_are_read_as_by_our_own_scheme(tmp_path: Path) -> None:
    made = table(feature=datasets.ClassLabel(names=["a", "b", "c", "d"]))
    (tmp_path / "files").mkdir()
    made.to_parquet(str(tmp_path / "files" / "test.parquet"))
    ours, theirs = (load_data(f"{scheme}:{tmp_path / 'files'}") for scheme in ("parquet", "hf"))
    assert theirs.labels.tolist() == ours.labels.tolist() == [3, 0, 1, 2]
    assert theirs.keys == ours.keys == [f"{row}.jpg" for row in range(4)]
    assert theirs.card.class_names == ours.card.class_names
    assert identify(theirs, range(4)) == identify(ours, range(4))


def test_what_the_library_saved_is_read_from_where_it_lies(tmp_path: Path) -> None:
    made = table(feature=datasets.ClassLabel(names=list(CIFAR10_CLASSES)))
    data = load_data(saved(tmp_path / "one", made))
    assert [data.read(row) for row in range(4)] == PICTURES
    assert (data.card.label_space, data.card.class_names) == ("cifar10", CIFAR10_CLASSES)
    # Rows that were chosen or shuffled are those that are saved.
    assert load_data(saved(tmp_path / "two", made.select([2, 0]))).labels.tolist() == [1, 3]
    both = datasets.DatasetDict({"train": made, "validation": made.select([1])})
    assert load_data(saved(tmp_path / "both", both)).labels.tolist() == [0]
    assert len(load_data(f"hf:{tmp_path / 'both'}?split=train").labels) == 4


@pytest.mark.parametrize(
    ("splits", "taken"),
    [
        (("only",), "only"),
        (("train",), "train"),
        (("train", "test"), "test"),
        (("train", "validation"), "validation"),
        (("train", "validation", "test"), None),
        (("one", "two"), None),
    ],
)
def test_a_split_is_asked_for_unless_one_is_meant_without_doubt(
    splits: tuple[str, ...], taken: str | None, tmp_path: Path
) -> None:
    made = {split: table().select([row]) for row, split in enumerate(splits)}
    uri = saved(tmp_path / "x", datasets.DatasetDict(made))
    if taken is None:
        with pytest.raises(DataError, match=f"one of the splits {', '.join(splits)} as .split="):
            load_data(uri)
    else:
        data = load_data(uri)
        assert data.labels.tolist() == [(3, 0, 1, 2)[splits.index(taken)]]
        assert bool(data.card.notes) == (len(splits) > 1)
    for other in ("tset", f"{splits[0]}[:1]"):
        with pytest.raises(DataError, match=f"splits {', '.join(splits)} .*got {re.escape(other)}"):
            load_data(f"{uri}?split={other}")


def test_a_part_of_a_split_may_be_named(tmp_path: Path) -> None:
    root = picture_folder(tmp_path / "x", "test")
    assert len(load_data(f"hf:{root}?split=test[:3]").labels) == 3
    with pytest.raises(DataError, match="can't be loaded"):
        load_data(f"hf:{root}?split=test[x]")


def test_columns_are_found_by_feature_and_chosen_by_name(tmp_path: Path) -> None:
    made = table(
        feature=datasets.ClassLabel(names=list("abcd")), fine_label=[1, 1, 1, 1], id=[7] * 4
    )
    uri = saved(tmp_path / "x", made)
    assert load_data(uri).labels.tolist() == [3, 0, 1, 2]
    two = made.cast_column("fine_label", datasets.ClassLabel(names=["no", "yes"]))
    uri = saved(tmp_path / "y", two)
    assert load_data(uri).card.notes == (
        "labels are taken from column label, not from fine_label; ?label=NAME chooses",
    )
    assert load_data(f"{uri}?label=fine_label").card.class_names == ("no", "yes")
    with pytest.raises(UnknownNameError, match=r"image column 'img'"):
        load_data(f"{uri}?image=img")
    with pytest.raises(DataError, match="expected a column of the feature Image"):
        load_data(f"{uri}?image=id")
    with pytest.raises(UserError, match="unknown option 'columns'"):
        load_data(f"{uri}?columns=x")


def test_numbers_and_words_are_labels_too(tmp_path: Path) -> None:
    assert load_data(saved(tmp_path / "x", table())).card.class_names == ()
    words = load_data(saved(tmp_path / "y", table(["dog", "cat", "dog", "ant"])))
    assert words.labels.tolist() == [2, 1, 2, 0]
    few = datasets.ClassLabel(names=list(imagenet_wnids()[3::97])[:4])
    imagenet = load_data(saved(tmp_path / "z", table(feature=few)))
    assert imagenet.labels.tolist() == [3 + 3 * 97, 3, 100, 197]
    assert imagenet.card.label_space == "imagenet"


@pytest.mark.parametrize("label", [-1, None])
def test_unlabelled_rows_are_refused(label: int | None, tmp_path: Path) -> None:
    uri = saved(tmp_path / "x", table([0, 1, label, 2], datasets.ClassLabel(names=list("abcd"))))
    with pytest.raises(DataError, match=r"2\.jpg"):
        load_data(uri)


def test_rows_whose_picture_is_not_there_are_unreadable(tmp_path: Path) -> None:
    features = datasets.Features({"image": datasets.Image(), "label": datasets.Value("int64")})
    content = {"image": [{"bytes": PICTURES[0], "path": None}, None], "label": [0, 1]}
    data = load_data(saved(tmp_path / "x", datasets.Dataset.from_dict(content, features=features)))
    assert data.keys == ["row 0", "row 1"]
    assert data.read(0) == PICTURES[0]
    result = read_picture(data, 1, "id", Preprocessing())
    assert isinstance(result, Unreadable)
    assert result.reason == "the row holds no picture"
    root = picture_folder(tmp_path / "pictures", "test")
    folder = load_data(f"hf:{root}")
    (root / "test" / "cat" / "1.jpg").unlink()
    gone = read_picture(folder, folder.keys.index("1.jpg"), "id", Preprocessing())
    assert isinstance(gone, Unreadable)
    assert str(tmp_path) not in gone.reason


def test_data_without_pictures_labels_or_rows_is_refused(tmp_path: Path) -> None:
    made = table()
    for name, part, message in (
        ("a", made.remove_columns("image"), "feature Image for the images"),
        ("b", made.remove_columns("label"), "for the labels"),
    ):
        with pytest.raises(DataError, match=message):
            load_data(saved(tmp_path / name, part))
    (tmp_path / "c").mkdir()
    made.select([]).to_parquet(str(tmp_path / "c" / "test.parquet"))
    with pytest.raises(DataError, match=r"can't be loaded: .*no data"):
        load_data(f"hf:{tmp_path / 'c'}")


def test_code_that_comes_with_data_is_never_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    folder = tmp_path / "script"
    folder.mkdir()
    for name in ("script.py", "__init__.py", "conftest.py"):
        (folder / name).write_text(f"open({str(ran)!r}, 'w')", encoding="utf-8")
    for path in (folder, folder / "script.py"):
        with pytest.raises(DataError, match=r"can't be loaded.*never run; .*give these: parquet:"):
            load_data(f"hf:{path}")
    table().to_parquet(str(folder / "test.parquet"))
    with pytest.raises(DataError, match=r"found script\.py.*never run"):
        load_data(f"hf:{folder}")
    (folder / "script.py").unlink()
    assert load_data(f"hf:{folder}").card.images == 4
    (folder / "README.md").write_text(
        f"---\ndataset_info: !!python/object/apply:os.system ['echo > {ran}']\n---\n",
        encoding="utf-8",
    )
    with pytest.raises(DataError, match="could not determine a constructor"):
        load_data(f"hf:{folder}")
    assert not ran.exists()


@pytest.mark.parametrize("name", ["state.json", "dataset_dict.json", "data.parquet", "data.arrow"])
@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x02cos\nsystem\n."])
def test_broken_folders_are_errors_of_one_line(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as caught:
        load_data(f"hf:{tmp_path}?split=train")
    assert "\n" not in str(caught.value)


def test_without_a_network_a_name_of_the_hub_is_one_line(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom unforeseen.data import load_data\nfrom unforeseen.errors import DataError\n"
        "try: load_data('hf:nobody/nothing?split=test')\n"
        "except DataError as error: print(error); sys.exit('torch' in sys.modules)\n"
    )
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, env=os.environ | offline
    )
    assert result.returncode == 0, result.stderr.decode()
    assert result.stdout.decode().count("\n") == 1
    assert "'hf:nobody/nothing?split=test' can't be loaded" in result.stdout.decode()
    assert not result.stderr


def test_the_hubs_client_keeps_quiet_only_while_data_are_opened(tmp_path: Path) -> None:
    logger = logging.getLogger("huggingface_hub")
    before = logger.level
    load_data(saved(tmp_path / "x", table()))
    assert logger.level == before


def test_a_path_that_no_file_can_have_is_an_unreadable_picture() -> None:
    """Pitfall 21."""
    rows = [{"bytes": None, "path": "a\0b.png"}, {"bytes": PICTURES[0], "path": None}]
    undecoded = datasets.Features({"image": datasets.Image(decode=False)})
    data = HuggingFaceDataset(
        datasets.Dataset.from_dict({"image": rows}, features=undecoded),
        Labels(np.array([0, 1]), None, ()),
        ["row 0", "row 1"],
        DataCard(uri="hf:x", label_space=None, class_names=(), images=2),
    )
    first, second = (read_picture(data, row, "", Preprocessing()) for row in range(2))
    assert isinstance(first, Unreadable)
    assert first.reason == "the path can't be one"
    assert isinstance(second, Picture)


def test_a_library_that_lacks_what_it_needs_says_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "datasets.py").write_text("import no_such_dependency\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "datasets")
    with pytest.raises(UserError, match="can't be imported: No module named 'no_such_dependency'"):
        load_data("hf:nobody/nothing?split=test")


def test_without_the_library_the_way_to_install_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError, match=r"unforeseen\[datasets\]"):
        load_data("hf:nobody/nothing")
    with pytest.raises(MissingExtraError):
        load_data("hf:")
