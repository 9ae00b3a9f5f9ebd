"""What users may rely on: names, parameters, and that everything says what it does."""

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import unforeseen
import unforeseen.obfuscations
from unforeseen.transforms import OBFUSCATIONS

#: Change these only on purpose, and say so in the changelog.
SURFACE = {
    "AttackResults": None,
    "CheckResult": None,
    "ObfuscationResults": None,
    "ObfuscationTransform": ("obfuscation", "assets", "hold_outs"),
    "Perturbed": None,
    "RandomObfuscation": ("clean", "obfuscations", "assets", "hold_outs"),
    "Results": None,
    "__version__": None,
    "black_box": ("function", "version", "retries", "timeout", "rate", "budget"),
    "check_model": (
        *("model", "data", "benchmark", "head", "edition", "attacks", "limit", "seed", "steps"),
        *("eot", "device", "expect_accuracy", "reporter"),
    ),
    "evaluate": (
        *("model", "data", "benchmark", "head", "obfuscations", "worst_of", "assets"),
        *("edition", "attacks", "levels", "limit", "seed"),
        *(
            "steps",
            "eot",
            "search",
            "loss",
            "restarts",
            "draws",
            "batch_size",
            "device",
            "out",
            "save_images",
            "check",
            "deterministic",
            "reporter",
        ),
    ),
    "load_benchmark": ("name_or_path",),
    "load_data": ("uri",),
    "load_model": ("uri", "device", "head"),
    "load_results": ("folder",),
    "obfuscate": (
        *("data", "out", "benchmark", "obfuscations", "format", "encoding", "quality", "size"),
        *("assets", "limit", "seed", "workers", "reporter"),
    ),
    "perturb": (
        *("model", "x", "y", "attack", "level", "radius", "benchmark", "edition", "seed", "ids"),
        *("steps", "step_size", "search", "loss", "restarts", "draws", "eot", "donors"),
        "batch_size",
    ),
}


def modules() -> list[ModuleType]:
    walked = pkgutil.walk_packages(unforeseen.__path__, "unforeseen.")
    return [importlib.import_module(each.name) for each in walked]


def test_the_public_names_are_these_sorted() -> None:
    assert unforeseen.__all__ == sorted(SURFACE)
    assert dir(unforeseen) == sorted(SURFACE)
    with pytest.raises(AttributeError, match="no attribute 'evaluated'"):
        _ = unforeseen.evaluated


@pytest.mark.parametrize("name", [name for name, each in SURFACE.items() if each is not None])
def test_public_functions_take_these_parameters(name: str) -> None:
    assert tuple(inspect.signature(getattr(unforeseen, name)).parameters) == SURFACE[name]


def test_every_obfuscation_has_its_name_in_the_module_of_obfuscations() -> None:
    classes = {name: getattr(unforeseen.obfuscations, name) for name in OBFUSCATIONS}
    assert classes == OBFUSCATIONS
    others = {"AssetPack", "Range", "default_assets", "load_picture", "obfuscation_class"}
    assert set(unforeseen.obfuscations.__all__) == {*classes, *others}


def test_every_module_lists_its_public_names_and_each_has_a_docstring() -> None:
    for module in modules():
        assert len((module.__doc__ or "").split()) > 2, module.__name__
        names = getattr(module, "__all__", [])
        # Capitals before small letters, as Ruff sorts: constants, classes, functions.
        assert len(set(names)) == len(names), module.__name__
        for name in names:
            thing = getattr(module, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                assert thing.__doc__, f"{module.__name__}.{name}"


def test_what_a_module_takes_from_another_is_among_its_public_names() -> None:
    taken = [
        (module.__name__, node.module, name.name)
        for module in modules()
        for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unforeseen.")
        for name in node.names
        if not name.name.startswith("__")
    ]
    assert len(taken) > 500
    hidden = [
        (by, source, name)
        for by, source, name in taken
        if name not in getattr(importlib.import_module(str(source)), "__all__", ())
        and importlib.util.find_spec(f"{source}.{name}") is None
    ]
    assert hidden == []


@pytest.mark.parametrize(
    "program",
    [
        "import unforeseen",
        "import unforeseen; unforeseen.load_results",
        "import unforeseen.cli.app",
        "from unforeseen.cli import main\ntry: main(['results', '--help'])\nexcept SystemExit: pass",
        "from unforeseen.cli import main\ntry: main(['results', '.'])\nexcept SystemExit: pass",
    ],
)
def test_reading_results_does_not_import_torch(program: str) -> None:
    check = "import sys; sys.exit('torch' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", f"{program}\n{check}"], check=False, capture_output=True
    )
    assert result.returncode == 0, result.stderr.decode()


def test_models_and_experiments_are_loaded_by_nothing_that_reads_runs() -> None:
    """A run folder can never name code to be run; what reads isn't built on what runs."""
    program = """if True:
        import importlib, pkgutil, sys
        import unforeseen.cli.results, unforeseen.experiment_folder, unforeseen.report
        for package in (unforeseen.experiment_folder, unforeseen.report):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                if module.name == "unforeseen.report.run_gallery":
                    continue  # which draws the run under way
                importlib.import_module(module.name)
        running = ("torch", "unforeseen.models", "unforeseen.experiments", "unforeseen.running")
        sys.exit(", ".join(sorted(set(running) & set(sys.modules))) or 0)
    """
    result = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert result.returncode == 0, result.stderr.decode()
