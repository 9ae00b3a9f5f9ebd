"""What a run's record couldn't hold is refused where it is typed, and the cause is named."""

import os
import sys
from pathlib import Path

import pytest

from unforeseen import evaluate, load_data, load_model
from unforeseen.errors import UserError
from unforeseen.models.cards import ModelCard
from unforeseen.models.heads import load_head
from unforeseen.uri import Uri, path_to_write

LATIN = os.fsdecode(b"img\xe9") if os.name == "posix" else "img\udce9"


def test_scheme_path_and_options_are_told_apart() -> None:
    uri = Uri.parse("Parquet:a:b.parquet?image=img&label=x=y")
    assert (uri.scheme, uri.path) == ("parquet", "a:b.parquet")
    assert uri.options == {"image": "img", "label": "x=y"}
    assert Uri.parse("C:\\data").path == "C:\\data"


@pytest.mark.parametrize("option", ["?image", "?=x", "?a=1&a=2"])
def test_options_are_distinct_pairs(option: str) -> None:
    with pytest.raises(UserError, match="expected distinct name=value pairs"):
        Uri.parse(f"parquet:x{option}")


@pytest.mark.parametrize("text", [f"imagefolder:{LATIN}", LATIN, f"py:m.py:f?version={LATIN}"])
def test_names_that_are_not_utf8_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(UserError, match=r"img\\udce9.*expected UTF-8.*rename it") as caught:
        Uri.parse(text)
    assert str(caught.value).isprintable()


def test_data_models_and_heads_of_such_names_are_refused(tmp_path: Path) -> None:
    for load in (load_data, load_model):
        with pytest.raises(UserError, match="expected UTF-8"):
            load(tmp_path / LATIN)
    with pytest.raises(UserError, match="expected UTF-8"):
        evaluate("demo:efficientnet-lite0", f"imagefolder:{LATIN}")
    with pytest.raises(UserError, match="expected UTF-8"):
        load_head(f"{LATIN}.csv", ModelCard(uri="x", fingerprint="y"), 10)


def test_a_locale_that_cannot_read_names_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under LC_ALL=C Python may take names for ASCII, and every accent for damage."""
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "ascii")
    with pytest.raises(
        UserError, match=r"locale .* as ascii: set LC_ALL=C\.UTF-8, or PYTHONUTF8=1"
    ):
        Uri.parse(f"imagefolder:{LATIN}")


@pytest.mark.parametrize(
    "address", ["s3://bucket/run", "file:///tmp/run", "GS://b", "hf://a/b", "abfs+x:/a"]
)
def test_nothing_is_written_to_a_local_folder_that_is_called_like_an_address(address: str) -> None:
    with pytest.raises(UserError, match=r"--out: expected a path on this machine, got the address"):
        path_to_write("--out", Path(address))


@pytest.mark.parametrize(
    "path", ["run", "a/b:c", "C:/runs", "C:\\runs", "run:2", "./a", "/tmp/s3:/x"]
)
def test_paths_of_this_machine_are_written_to_as_they_are(path: str) -> None:
    assert path_to_write("--out", Path(path)) == Path(path)
