"""Where members lie."""

import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

from data.tars import write_tar
from unforeseen.data.tar_index import index_tar
from unforeseen.errors import DataError
from unforeseen.files.regular_files import read_part

FILES = [(f"{'deep/' * (row % 4)}{row}.jpg", bytes([row]) * (300 * row)) for row in range(9)]


@pytest.mark.parametrize("layout", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_members_are_read_from_where_they_lie(layout: int, tmp_path: Path) -> None:
    """Also with names that don't fit a header, and that Windows has no files of."""
    odd = ["CON.jpg", "a:b.jpg", "dot..jpg", "caf\u00e9.jpg", "q?*.jpg", "\udcff.jpg"]
    long = [] if layout == tarfile.USTAR_FORMAT else ["x" * 300 + ".jpg"]
    entries = FILES + [(name, name.encode(errors="surrogateescape")) for name in odd + long]
    file = tmp_path / "x.tar"
    with tarfile.open(file, "w", format=layout) as tar:
        for name, content in entries:
            source = tmp_path / "source"
            source.write_bytes(content)
            tar.add(source, name)
    index = index_tar(file)
    assert [member.name for member in index.members] == [name for name, _ in entries]
    assert [read_part(file, member.offset, member.size) for member in index.members] == [
        content for _, content in entries
    ]
    assert (index.others, index.ended) == ([], True)


def test_links_devices_and_names_that_lead_outside_are_not_members(tmp_path: Path) -> None:
    special = []
    for name, kind in {"l.jpg": tarfile.SYMTYPE, "h.jpg": tarfile.LNKTYPE, "d.jpg": tarfile.CHRTYPE,
                       "f.jpg": tarfile.FIFOTYPE, "s.jpg": tarfile.GNUTYPE_SPARSE}.items():  # fmt: skip
        header = tarfile.TarInfo(name)
        header.type, header.linkname = kind, "/etc/passwd"
        special.append(header)
    folder = tarfile.TarInfo("folder")
    folder.type = tarfile.DIRTYPE
    outside = ["/etc/x.jpg", "../x.jpg", "a/../../x.jpg", "C:\\x.jpg", "\\\\host\\x.jpg", ".."]
    file = write_tar(
        tmp_path / "x.tar",
        [*special, folder, *((name, b"x") for name in outside), ("./a..b/ok.jpg", b"fine")],
    )
    index = index_tar(file)
    assert [member.name for member in index.members] == ["a..b/ok.jpg"]
    assert sorted(index.others) == sorted([each.name for each in special] + outside)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_compressed_tars_are_refused_with_what_to_do(mode: str, tmp_path: Path) -> None:
    file = write_tar(tmp_path / "x.tar", FILES, mode)
    with pytest.raises(
        DataError, match=r"is compressed with .*Decompress it first \((gunzip|bunzip2|unxz)\)"
    ):
        index_tar(file)


def test_zstandard_is_refused_likewise(tmp_path: Path) -> None:
    file = tmp_path / "x.tar"
    file.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(600))
    with pytest.raises(DataError, match=r"with zstd.*\(unzstd\)"):
        index_tar(file)


def test_a_tar_cut_off_anywhere_is_refused_or_said_to_have_no_end(tmp_path: Path) -> None:
    """tarfile itself takes a broken header for the end, and would lose the rest in silence."""
    whole = write_tar(tmp_path / "x.tar", FILES).read_bytes()
    members = index_tar(tmp_path / "x.tar").members
    last = members[-1].offset + members[-1].size
    cut = tmp_path / "cut.tar"
    for length in range(0, last, 100):
        cut.write_bytes(whole[:length])
        with suppress(DataError):
            assert not index_tar(cut).ended, length


@pytest.mark.parametrize("row", range(1, 9))
def test_a_damaged_header_is_never_the_end(row: int, tmp_path: Path) -> None:
    file = write_tar(tmp_path / "x.tar", FILES)
    content = bytearray(file.read_bytes())
    begin = index_tar(file).members[row].offset - 512
    content[begin : begin + 8] = b"\x01garbage"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"is (damaged|no whole tar file)"):
        index_tar(file)


@pytest.mark.parametrize("content", [b"", b"<!DOCTYPE html>" * 100, b"\xff" * 1024])
def test_what_is_no_tar_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.tar"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"is no whole tar file|damaged") as caught:
        index_tar(file)
    assert "\n" not in str(caught.value)
