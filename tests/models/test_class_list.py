"""Class names from text files."""

from pathlib import Path

import pytest

from unforeseen.errors import ModelError
from unforeseen.models.class_list import read_class_list


def test_names_keep_their_order_and_empty_lines_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "classes.txt"
    file.write_bytes("\ufeffzèbre\r\n\r\n  a cat \nbird\n".encode())
    assert read_class_list(str(file)) == ("zèbre", "a cat", "bird")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", r"at least two classes.*got 0"),
        (b"one\n\n", r"at least two classes.*got 1"),
        (b"a\nb\na\n", "'a' stands twice"),
        (b"\xff\xfe\x00", r"expected a text file \(UTF-8\)"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "classes.txt"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=says) as caught:
        read_class_list(str(file))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected a text file"):
        read_class_list(str(tmp_path / "none.txt"))
