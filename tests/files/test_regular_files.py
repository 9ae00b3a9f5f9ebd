"""Files, and what only looks like one."""

import os
from pathlib import Path

import pytest

from unforeseen.files.regular_files import read_part, read_regular_file


def test_a_file_is_read_whole_or_in_part(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"0123456789")
    assert read_regular_file(file) == read_regular_file(file, at_most=99) == b"0123456789"
    assert read_regular_file(file, at_most=2) == b"01"
    assert read_part(file, 3, 4) == b"3456"


def test_folders_and_missing_files_are_errors_of_the_system(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(OSError, match=r"regular file|No such file|cannot find"):
            read_regular_file(path)


@pytest.mark.parametrize("name", ["a\0b.png", "\ud800.png"])
def test_a_name_that_no_file_can_have_is_an_error_of_the_system(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"the path can't be one|No such file|cannot find"):
        read_regular_file(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_and_devices_are_refused_because_reading_one_may_never_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "link"):
        with pytest.raises(OSError, match="not a regular file"):
            read_regular_file(path)
