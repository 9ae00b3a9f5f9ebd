"""Tar shards, against the library webdataset."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
import webdataset

from data.in_memory import encoded, noise
from data.tars import Entry, write_tar
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.errors import DataError, UserError

PICTURES = [encoded(noise(seed=seed)) for seed in range(8)]


def samples(count: int, suffix: str = "cls", first: int = 0) -> list[tuple[str, bytes]]:
    """Keys as ShardWriter's users give them; label = number of the sample."""
    return [
        entry
        for number in range(first, first + count)
        for entry in (
            (f"{number:06d}.png", PICTURES[number]),
            (f"{number:06d}.{suffix}", label_file(suffix, number)),
        )
    ]


def label_file(suffix: str, label: int) -> bytes:
    return json.dumps({"label": label}).encode() if suffix == "json" else f"{label}\n".encode()


def read_by_library(shard: Path) -> list[dict[str, Any]]:
    """Its own grouping; without its opener, which leaves files open."""
    steps = webdataset.tariterators
    with shard.open("rb") as stream:
        files = [file | {"__url__": shard.name} for file in steps.tar_file_iterator(stream)]
    return list(steps.group_by_keys(files))


def test_what_the_library_writes_is_read_as_the_library_reads_it(tmp_path: Path) -> None:
    pattern = str(tmp_path / "data-%06d.tar")
    with webdataset.ShardWriter(pattern, maxcount=3, verbose=0) as sink:
        for row, picture in enumerate(PICTURES):
            sink.write({"__key__": f"folder.v1/{row:04d}", "png": picture, "cls": row % 5})
    uri = str(tmp_path / "data-{000000..000002}.tar")
    data = load_data(f"webdataset:{uri}")
    oracle = [
        sample for shard in sorted(tmp_path.glob("*.tar")) for sample in read_by_library(shard)
    ]
    assert [data.read(row) for row in range(8)] == [sample["png"] for sample in oracle]
    assert data.labels.tolist() == [int(sample["cls"]) for sample in oracle]
    assert data.labels.tolist() == [row % 5 for row in range(8)]
    assert data.keys[3] == "data-000001.tar/folder.v1/0003.png"


def test_keys_are_grouped_as_the_library_groups_them(tmp_path: Path) -> None:
    """Up to the first dot of the name, within its folder; extensions in any case."""
    names = ["a.v2/x.JPG", "a.v2/x.cls", "a/x.jpg", "a/x.Cls", "b.left.jpg", "b.cls", ".hidden.jpg"]
    names += ["noextension", "__meta__/x.jpg", "./c.jpeg", "./c.cls"]
    entries = [(name, b"3" if "cls" in name.lower() else PICTURES[0]) for name in names]
    file = write_tar(tmp_path / "x.tar", entries)
    found = load_data(f"webdataset:{file}")
    theirs = [sample["__key__"].removeprefix("./") for sample in read_by_library(file)]
    assert [key.removeprefix("x.tar/") for key in found.keys] == [
        "a.v2/x.JPG",
        "a/x.jpg",
        "b.left.jpg",
        "c.jpeg",
    ]
    assert theirs == ["a.v2/x", "a/x", "b", "c"]


@pytest.mark.parametrize("suffix", ["cls", "cls.txt", "json"])
def test_labels_are_found_in_their_usual_places(suffix: str, tmp_path: Path) -> None:
    file = write_tar(tmp_path / "x.tar", samples(5, suffix))
    data = load_data(str(file))
    assert data.labels.tolist() == [0, 1, 2, 3, 4]
    assert [data.read(row) for row in (4, 0, 2)] == [PICTURES[row] for row in (4, 0, 2)]
    assert data.card.notes == ()


def test_shards_follow_each_other_and_pictures_pair_up_with_folders(tmp_path: Path) -> None:
    write_tar(tmp_path / "b.tar", samples(5, first=3))
    write_tar(tmp_path / "a.tar", samples(3))
    (tmp_path / "cat").mkdir()
    for row, picture in enumerate(PICTURES):
        (tmp_path / "cat" / f"{row}.png").write_bytes(picture)
    for path in (tmp_path, tmp_path / "*.tar", f"{tmp_path / 'a.tar'},{tmp_path / 'b.tar'}"):
        data = load_data(f"webdataset:{path}")
        assert data.labels.tolist() == list(range(8))
        assert [data.read(row) for row in reversed(range(8))] == PICTURES[::-1]
    assert identify(data, range(8)) == identify(load_data(tmp_path), range(8))


def test_labels_may_be_wnids_or_words(tmp_path: Path) -> None:
    for label, expected, space in (("n02099601", 207, "imagenet"), ("cat", 0, None)):
        entries = [("x.jpg", PICTURES[0]), ("x.cls", label.encode())]
        data = load_data(f"webdataset:{write_tar(tmp_path / 'x.tar', entries)}")
        assert (data.labels.tolist(), data.card.label_space) == ([expected], space)


def test_options_choose_among_pictures_and_labels(tmp_path: Path) -> None:
    content = json.dumps({"label": 1, "cls": 2, "fine": 3}).encode()
    entries = [("x.jpg", PICTURES[0]), ("x.png", PICTURES[1]), ("x.seg.png", PICTURES[2]),
               ("x.json", content), ("x.age", b"4")]  # fmt: skip
    file = write_tar(tmp_path / "x.tar", entries)
    with pytest.raises(DataError, match=r"x has several pictures: jpg, png, seg\.png.*\?image=jpg"):
        load_data(f"webdataset:{file}")
    chosen = {"image=png": (1, 1), "image=seg.png&label=cls": (2, 2), "image=JPG&label=fine": (0, 3),
              "image=jpg&label=age": (0, 4)}  # fmt: skip
    for options, (picture, label) in chosen.items():
        data = load_data(f"webdataset:{file}?{options}")
        assert data.read(0) == PICTURES[picture]
        assert data.labels.tolist() == [label]
    with pytest.raises(UserError, match="unknown option 'cls'"):
        load_data(f"webdataset:{file}?cls=x")


def test_a_mask_beside_a_picture_is_no_second_picture(tmp_path: Path) -> None:
    entries = [*samples(1), ("000000.mask.png", PICTURES[5])]
    assert load_data(write_tar(tmp_path / "x.tar", entries)).read(0) == PICTURES[0]


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    link = tarfile.TarInfo("l.jpg")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    entries: list[Entry] = [link, ("/abs.jpg", PICTURES[0]), ("only.cls", b"3"), *samples(2)]
    file = write_tar(tmp_path / "x.tar", entries)
    end = 512 * (len(file.read_bytes().rstrip(b"\0")) // 512 + 1)
    file.write_bytes(file.read_bytes()[:end])
    data = load_data(f"webdataset:{file}")
    assert data.labels.tolist() == [0, 1]
    assert data.card.notes == (
        "skipped, links, devices and names that lead outside: 2 members (l.jpg, /abs.jpg)",
        "skipped, without a picture: 1 sample (only)",
        "x.tar has no end mark: whoever wrote it may not have finished",
    )


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([("x.cls", b"1")], "expected samples with a picture"),
        ([("x.jpg", b"p")], r"1 of 1 have none, the first of them x\.jpg"),
        ([("x.jpg", b"p"), ("x.cls", b"1"), ("y.jpg", b"p")], r"1 of 2 .*y\.jpg"),
        ([("x.jpg", b"p"), ("x.jpg", b"q"), ("x.cls", b"1")], r"x\.jpg is there twice"),
        ([("x.jpg", b"p"), ("x.json", b"{")], r"x\.json is no JSON object"),
        ([("x.jpg", b"p"), ("x.json", b"[" * 99999)], r"x\.json is no JSON object"),
        ([("x.jpg", b"p"), ("x.json", b"[1]")], r"x\.json is no JSON object"),
        ([("x.jpg", b"p"), ("x.json", b'{"label": null}')], "have none"),
        ([("x.jpg", b"p"), ("x.json", b'{"label": true}')], "have none"),
        ([("x.jpg", b"p"), ("x.json", b'{"label": 1.5}')], "have none"),
        ([("x.jpg", b"p"), ("x.cls", b"1" * 2**21)], "too large for a label"),
        ([("x.jpg", b"p"), ("x.cls", b"-1")], "got -1"),
    ],
)
def test_shards_without_pictures_or_labels_are_refused_in_one_line(
    entries: list[tuple[str, bytes]], message: str, tmp_path: Path
) -> None:
    file = write_tar(tmp_path / "x.tar", entries)
    with pytest.raises(DataError, match=message) as caught:
        load_data(f"webdataset:{file}")
    assert "\n" not in str(caught.value)


def test_a_command_in_place_of_a_file_is_not_run(tmp_path: Path) -> None:
    """The library's own addresses may be commands: ``pipe:cat x.tar``."""
    ran = tmp_path / "ran"
    with pytest.raises(DataError, match="matches nothing"):
        load_data(f"webdataset:pipe:touch {ran}")
    assert not ran.exists()


def test_reading_writes_no_file(tmp_path: Path) -> None:
    entries = [
        ("CON.jpg", PICTURES[0]),
        ("CON.cls", b"0"),
        ("a:b. .jpg", PICTURES[1]),
        ("a:b.cls", b"1"),
    ]
    file = write_tar(tmp_path / "x.tar", entries)
    data = load_data(f"webdataset:{file}")
    assert [data.read(row) for row in (0, 1)] == PICTURES[:2]
    assert list(tmp_path.iterdir()) == [file]
