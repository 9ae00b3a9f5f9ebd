"""From URI to data set."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from data.in_memory import encoded, noise
from unforeseen.data import DATA_SCHEMES, load_data
from unforeseen.errors import DataError, UnknownNameError, UserError
from unforeseen.uri import Uri


def test_every_scheme_is_listed_with_examples_of_its_own() -> None:
    names = "cifar10 hf imagefolder imagenet obfuscated parquet samples table webdataset"
    assert list(DATA_SCHEMES) == names.split()
    for name, scheme in DATA_SCHEMES.items():
        assert scheme.description
        assert all(example.startswith(f"{name}:") for example in scheme.examples)


def test_a_bare_folder_is_an_image_folder(tmp_path: Path) -> None:
    (tmp_path / "cat").mkdir()
    (tmp_path / "cat" / "x.png").write_bytes(encoded(noise()))
    assert load_data(str(tmp_path)).keys == load_data(f"imagefolder:{tmp_path}").keys


def test_an_unknown_scheme_names_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean imagefolder"):
        load_data("imagefoldr:x")


@pytest.mark.parametrize("uri", ["nowhere", "", "nowhere/at/all"])
def test_a_bare_path_that_is_nothing_says_what_is_expected(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=r"expected a folder, a .* file, or a URI such as"):
        load_data(uri)


def test_opening_data_imports_neither_torch_nor_foolbox() -> None:
    code = (
        "import sys; from unforeseen.data import load_data; load_data('samples:cifar10');"
        "sys.exit(bool({'torch', 'foolbox', 'timm'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("uri", ["imagefolder:{}", "parquet:{}.parquet", "{}", "{}.parquet"])
def test_a_name_longer_than_any_file_system_takes_is_an_error_of_one_line(uri: str) -> None:
    with pytest.raises(DataError) as caught:
        load_data(uri.format("x" * 5000))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("uri", ["table:x.csv?root=", "x.csv?label=", "timm:resnet10t?checkpoint="])
def test_an_option_without_a_value_is_refused(uri: str) -> None:
    with pytest.raises(UserError, match="expected distinct name=value pairs"):
        Uri.parse(uri)


@pytest.mark.parametrize("uri", ["imagefolder:~/data", "~/data", "parquet:~/p", "~/p/x.parquet"])
def test_a_tilde_is_the_home_folder(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    (tmp_path / "data" / "cat").mkdir(parents=True)
    (tmp_path / "data" / "cat" / "x.png").write_bytes(encoded(noise()))
    (tmp_path / "p").mkdir()
    frame = pl.DataFrame({"image": [encoded(noise())], "label": [0]})
    frame.write_parquet(tmp_path / "p" / "x.parquet")
    assert load_data(uri).labels.tolist() == [0]


def test_the_home_of_a_stranger_is_no_traceback() -> None:
    with pytest.raises(DataError, match="there is no folder"):
        load_data("imagefolder:~nobody-of-that-name/data")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.csv", "expected a table"),
        ("x.TSV", "expected a table"),
        ("x.jsonl", "expected a table"),
        ("x.tar", "matches nothing"),
        ("x.parquet", "matches nothing"),
    ],
)
def test_the_ending_of_a_bare_path_says_its_scheme(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        load_data(tmp_path / name)
