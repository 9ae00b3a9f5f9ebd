"""Which files a URI names."""

import os
import re
from pathlib import Path

import pytest

from unforeseen.data.shards import find_files
from unforeseen.errors import DataError
from unforeseen.uri import Uri


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a-08.tar", "a-09.tar", "a-10.tar", "[b].tar", "{1..2}.tar", "notes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.tar").touch()
    (tmp_path / "folder.tar").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a-09.tar", "a-09.tar"),
        ("a-{08..10}.tar", "a-08.tar a-09.tar a-10.tar"),
        ("a-{0..1}{8..9}.tar", None),
        ("a-{8..9}.tar", None),
        ("a-*.tar", "a-08.tar a-09.tar a-10.tar"),
        ("a-10.tar, a-08.tar,a-10.tar", "a-10.tar a-08.tar"),
        ("[b].tar", "[b].tar"),
        ("{1..2}.tar", "{1..2}.tar"),
        ("deep", "deep/c.tar"),
        ("a-{08..11}.tar", None),
        ("", None),
        (",", None),
        ("pipe:cat a-08.tar", None),
        ("{0..999999999}.tar", None),
    ],
)
@pytest.mark.usefixtures("folder")
def test_files_folders_globs_ranges_and_lists(path: str, expected: str | None) -> None:
    uri = Uri(text=f"webdataset:{path}", scheme="webdataset", path=path)
    if expected is None:
        with pytest.raises(DataError, match="matches nothing"):
            find_files(uri, ".tar")
        return
    assert [file.as_posix() for file in find_files(uri, ".tar")] == expected.split()


def test_a_folder_gives_its_own_files_sorted_and_no_folders(folder: Path) -> None:
    uri = Uri.parse(f"webdataset:{folder}")
    names = [file.name for file in find_files(uri, ".tar")]
    assert names == sorted(["a-08.tar", "a-09.tar", "a-10.tar", "[b].tar", "{1..2}.tar"])


@pytest.mark.parametrize("numbers", ["{10..08}", "{5..2}", "{0..1}-{9..8}"])
@pytest.mark.parametrize("suffix", [".tar", ".parquet"])
@pytest.mark.usefixtures("folder")
def test_a_range_that_falls_is_refused_by_name(numbers: str, suffix: str) -> None:
    uri = Uri(text=f"x:a-{numbers}", scheme="x", path=f"a-{numbers}{suffix}")
    falling = re.escape(numbers.rpartition("-")[2])
    with pytest.raises(DataError, match=f"from the lower number to the higher.*got {falling}"):
        find_files(uri, suffix)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file(folder: Path) -> None:
    os.mkfifo(folder / "p.tar")
    with pytest.raises(DataError, match="is neither a file nor a folder"):
        find_files(Uri.parse(f"webdataset:{folder / 'p.tar'}"), ".tar")
