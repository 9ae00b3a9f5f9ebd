"""The wheel, as a user would install it: what isn't in there works only in a checkout."""

import csv
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
SOURCE = CHECKOUT / "src"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the checkout, offline, by the backend that pip would call."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    result = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, which is all that installing one writes."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def metadata(installed: Path, name: str) -> str:
    (folder,) = installed.glob("*.dist-info")
    return (folder / name).read_text(encoding="utf-8")


def test_the_wheel_holds_every_module_and_data_file_unchanged(installed: Path) -> None:
    files = [
        file
        for file in (SOURCE / "unforeseen").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]
    kinds = {file.suffix for file in files}
    assert {".py", ".toml", ".csv"} <= kinds
    assert SOURCE / "unforeseen" / "py.typed" in files
    for file in files:
        inside = installed / file.relative_to(SOURCE)
        assert inside.is_file(), f"{file.relative_to(SOURCE)} is not in the wheel"
        assert inside.read_bytes() == file.read_bytes()


def test_the_wheel_holds_nothing_else(installed: Path) -> None:
    top = {entry.name for entry in installed.iterdir()}
    assert {name for name in top if not name.endswith(".dist-info")} == {"unforeseen"}
    listed = csv.reader(metadata(installed, "RECORD").splitlines())
    for name, *_ in listed:
        suffixes = (
            ".py",
            ".toml",
            ".csv",
            ".json",
            ".png",
            ".jpg",
            ".jinja",
            ".safetensors",
            "py.typed",
        )
        assert name.endswith(suffixes) or ".dist-info/" in name


def test_the_wheel_says_under_which_licence_and_how_to_start(installed: Path) -> None:
    license_file = CHECKOUT / "LICENSE"
    assert metadata(installed, "licenses/LICENSE") == license_file.read_text(encoding="utf-8")
    about = Parser().parsestr(metadata(installed, "METADATA"))
    assert about["Name"] == "unforeseen"
    assert about["License-Expression"] == "Apache-2.0"
    assert {"samples", "demo", "test", "dev"} <= set(about.get_all("Provides-Extra", []))
    assert "unforeseen = unforeseen.cli:main" in metadata(installed, "entry_points.txt")


def test_every_requirement_can_be_met_from_the_package_index(installed: Path) -> None:
    about = Parser().parsestr(metadata(installed, "METADATA"))
    for requirement in about.get_all("Requires-Dist", []):
        assert "@" not in requirement, f"{requirement} names an address"


def test_benchmarks_published_figures_and_the_program_work_from_the_wheel_alone(
    installed: Path,
) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import unforeseen\n"
        "from unforeseen.benchmarks import BENCHMARKS, load_benchmark\n"
        "from unforeseen.report.published import published_results\n"
        "assert unforeseen.__file__.startswith(sys.argv[1]), unforeseen.__file__\n"
        "assert all(load_benchmark(name).metric for name in BENCHMARKS)\n"
        "assert published_results('imagenet-ua')\n"
        "from unforeseen.cli import main\n"
        "main(['list', 'benchmarks'])\n"
    )
    command = [sys.executable, "-I", "-c", program, str(installed)]
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    assert b"imagenet-ua" in result.stdout
