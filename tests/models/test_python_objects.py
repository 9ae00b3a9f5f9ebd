"""Models from the user's own code."""

import sys
from pathlib import Path

import pytest
import torch

from unforeseen.errors import ModelError, UnknownNameError, UserError
from unforeseen.models import DifferentiableClassifier, FunctionPredictor, load_model
from unforeseen.python_files import PythonName
from unforeseen.uri import Uri

CODE = '''
import numpy as np
from torch import nn
from unforeseen.models import as_classifier

class Means(nn.Module):
    """Channel means."""
    def __init__(self, scale=1.0):
        super().__init__()
        self.scale = scale
    def forward(self, x):
        return x.mean((2, 3)) * self.scale

class Needy(nn.Module):
    def __init__(self, width):
        super().__init__()

instance = Means()

def make():
    return Means(2.0)

def make_predictor():
    return as_classifier(Means(3.0))

def predict(pictures, temperature=1.0):
    return np.full((len(pictures), 4), 0.25)

def make_function():
    return predict

def two(a, b):
    return a

def nothing():
    return None

def breaks():
    raise ValueError("no weights here\\nsecond line")

class Space:
    make = make

number = 3
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "random.py").write_text(CODE, encoding="utf-8")  # a name that hides nothing
    return tmp_path / "random.py"


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("instance", 1.0),
        ("Means", 1.0),
        ("make", 2.0),
        ("make_predictor", 3.0),
        ("Space.make", 2.0),
    ],
)
def test_modules_and_what_makes_them_are_differentiable(
    file: Path, name: str, scale: float
) -> None:
    model = load_model(f"py:{file}:{name}", device="cpu")
    assert isinstance(model, DifferentiableClassifier)
    x = torch.rand(2, 3, 8, 8)
    torch.testing.assert_close(model.logits(x), x.mean((2, 3)) * scale)


@pytest.mark.parametrize("name", ["predict", "make_function"])
def test_functions_of_pictures_are_predictors(file: Path, name: str) -> None:
    model = load_model(f"py:{file}:{name}?version=1", device="cpu")
    assert isinstance(model, FunctionPredictor)
    assert model.count_classes(8) == 4


@pytest.mark.parametrize("name", ["predict", "make_function"])
def test_a_plain_function_needs_a_version_and_is_known_by_it(file: Path, name: str) -> None:
    for version in ("", "?retries=3"):
        with pytest.raises(ModelError, match=rf"write py:.*random\.py:{name}\?version=NAME"):
            load_model(f"py:{file}:{name}{version}")
    card = load_model(f"py:{file}:{name}?version=1").card
    policy = "retries=3&timeout=30&rate=5&budget=10000"
    asked_otherwise = load_model(f"py:{file}:{name}?{policy}&version=1").card
    assert asked_otherwise == card
    assert card.uri == f"py:{file}:{name}?version=1"
    assert load_model(f"py:{file}:{name}?version=2").card.fingerprint != card.fingerprint


def test_a_mended_or_moved_function_of_the_same_version_is_the_same_model(
    file: Path, tmp_path: Path
) -> None:
    before = load_model(f"py:{file}:predict?version=1").card
    other_function = load_model(f"py:{file}:make_function?version=1").card
    other_file = tmp_path / "other.py"
    other_file.write_text(CODE, encoding="utf-8")
    (tmp_path / "moved").mkdir()
    file = file.rename(tmp_path / "moved" / "random.py")
    file.write_text(CODE.replace("0.25)", "1 / 4)"), encoding="utf-8")
    after = load_model(f"py:{file}:predict?version=1").card
    assert after.fingerprint == before.fingerprint
    assert after.code != before.code
    assert other_function.fingerprint != before.fingerprint
    assert load_model(f"py:{other_file}:predict?version=1").card.fingerprint != before.fingerprint


@pytest.mark.parametrize(
    ("name", "kind"), [("make", "an nn.Module"), ("make_predictor", "a DifferentiableClassifier")]
)
@pytest.mark.parametrize("option", ["version=1", "retries=3", "budget=5"])
def test_options_of_functions_are_refused_for_networks(
    file: Path, name: str, kind: str, option: str
) -> None:
    with pytest.raises(ModelError, match=f"{option[:6]}.*for plain functions only; this is {kind}"):
        load_model(f"py:{file}:{name}?{option}", device="cpu")


def test_options_are_checked_before_any_code_runs(tmp_path: Path) -> None:
    for option, words in (
        ("retries=x", "retries: expected"),
        ("tries=3", "unknown option 'tries'"),
    ):
        with pytest.raises(UserError, match=words):
            load_model(f"py:{tmp_path / 'none.py'}:predict?version=1&{option}")


def test_importing_leaves_the_path_and_other_modules_as_they_were(file: Path) -> None:
    import random

    before = list(sys.path)
    load_model(f"py:{file}:make", device="cpu")
    assert sys.path == before
    assert sys.modules["random"] is random


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_model.py").write_text("SCALE = 5.0\n", encoding="utf-8")
    model_file = tmp_path / "model.py"
    model_file.write_text(
        "from torch import nn\nfrom neighbour_of_model import SCALE\nmodel = nn.Flatten()\n",
        encoding="utf-8",
    )
    assert load_model(f"py:{model_file}:model", device="cpu").count_classes(4) == 48


def test_a_package_is_found_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package_of_user"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "models.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    model = load_model("py:package_of_user.models:make", device="cpu")
    assert model.count_classes(8) == 3
    assert sys.path == before


def test_the_fingerprint_follows_the_source_and_the_object(file: Path, tmp_path: Path) -> None:
    def of(path: Path, name: str) -> str:
        return load_model(f"py:{path}:{name}", device="cpu").card.fingerprint

    assert of(file, "make") == of(file, "make")
    assert of(file, "make") != of(file, "instance")
    edited = tmp_path / "edited.py"
    edited.write_text(CODE.replace("x.mean((2, 3))", "x.amax((2, 3))"), encoding="utf-8")
    assert of(edited, "make") != of(file, "make")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_of_this_name_1\n", "ModuleNotFoundError: No module named"),
        ("\n\nraise ValueError('boom\\nand more')\n", r"model\.py, line 3: ValueError: boom$"),
        ("def f(:\n    pass\n", r"model\.py, line 1: SyntaxError: "),
        ("import sys\nsys.exit(3)\n", r"model\.py, line 2: SystemExit: 3$"),
        ("def f():\n    return g()\ndef g():\n    return 1 / 0\nf()\n", "line 4: ZeroDivision"),
    ],
)
def test_a_file_that_raises_is_one_line_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "model.py").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        load_model(f"py:{tmp_path / 'model.py'}:make", device="cpu")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("breaks", r"random\.py, line \d+: ValueError: no weights here$"),
        ("nothing", "it returned NoneType"),
        ("two", "with 2 required arguments"),
        ("Needy", "with 1 required arguments"),
        ("number", "got int"),
    ],
)
def test_objects_of_other_kinds_are_refused(file: Path, name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(f"py:{file}:{name}", device="cpu")


def test_an_unknown_name_gets_near_matches(file: Path) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean predict"):
        load_model(f"py:{file}:predikt", device="cpu")


def test_missing_files_and_packages_are_called_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no file"):
        load_model(f"py:{tmp_path / 'model.py'}:make", device="cpu")
    with pytest.raises(ModelError, match=r"there is no module 'no_such_package_1\.models'"):
        load_model("py:no_such_package_1.models:make", device="cpu")


@pytest.mark.parametrize(
    ("text", "where", "name"),
    [
        (r"py:C:\models\m.py:make", r"C:\models\m.py", "make"),
        ("py:models/m.py:a.b", "models/m.py", "a.b"),
        ("py:package.module:make", "package.module", "make"),
    ],
)
def test_uris_are_split_at_the_last_colon(text: str, where: str, name: str) -> None:
    assert PythonName.parse(Uri.parse(text).path) == (where, name)


@pytest.mark.parametrize(
    "text", [r"py:C:\models\m.py", "py:m.py", "py:a/b:make", "py:m.py:", "py:"]
)
def test_incomplete_uris_are_told_what_to_write(text: str) -> None:
    with pytest.raises(UserError, match=r"expected py:package\.module:NAME or py:path"):
        load_model(text, device="cpu")


@pytest.fixture
def two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Each with a model, and a module and a package beside it that have one name in both."""
    folders = [tmp_path / "first", tmp_path / "second"]
    for number, folder in enumerate(folders):
        (folder / "package_of_both").mkdir(parents=True)
        (folder / "package_of_both" / "__init__.py").write_text(CODE, encoding="utf-8")
        (folder / "neighbour_of_both.py").write_text(f"SCALE = {number + 2}.0\n", encoding="utf-8")
        code = f"from neighbour_of_both import SCALE\n{CODE.replace('Means(2.0)', 'Means(SCALE)')}"
        (folder / "model.py").write_text(code, encoding="utf-8")
    for name in ("package_of_both", "neighbour_of_both"):
        monkeypatch.setitem(sys.modules, name, sys)
        monkeypatch.delitem(sys.modules, name)
    return folders


def test_a_neighbour_is_never_taken_from_another_folder(two_folders: list[Path]) -> None:
    """Python keeps the first module of a name: the second model would get the first one's."""
    first, second = two_folders
    x = torch.rand(1, 3, 4, 4)
    model = load_model(f"py:{first / 'model.py'}:make", device="cpu")
    assert isinstance(model, DifferentiableClassifier)
    torch.testing.assert_close(model.logits(x), 2 * x.mean((2, 3)))
    with pytest.raises(
        ModelError, match=r"imports of neighbour_of_both would give .*first"
    ) as told:
        load_model(f"py:{second / 'model.py'}:make", device="cpu")
    assert str(told.value).endswith(f"{second / 'neighbour_of_both.py'}: rename one of them.")
    assert load_model(f"py:{first / 'model.py'}:make", device="cpu").card == model.card


def test_a_neighbour_of_a_neighbour_counts_and_one_that_nothing_imports_does_not(
    two_folders: list[Path],
) -> None:
    first, second = two_folders
    load_model(f"py:{first / 'model.py'}:make", device="cpu")
    code = (second / "model.py").read_text(encoding="utf-8")
    (second / "between.py").write_text(code, encoding="utf-8")
    (second / "model.py").write_text("from between import make\n", encoding="utf-8")
    with pytest.raises(ModelError, match="imports of neighbour_of_both would give"):
        load_model(f"py:{second / 'model.py'}:make", device="cpu")
    alone = "from torch import nn\nmake = nn.Flatten\n"
    (second / "model.py").write_text(alone, encoding="utf-8")
    load_model(f"py:{second / 'model.py'}:make", device="cpu")


def test_a_package_is_never_taken_from_another_folder(
    two_folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(two_folders[0])
    load_model("py:package_of_both:make", device="cpu")
    monkeypatch.chdir(two_folders[1])
    with pytest.raises(ModelError, match=r"imports of package_of_both would give .*first"):
        load_model("py:package_of_both:make", device="cpu")
