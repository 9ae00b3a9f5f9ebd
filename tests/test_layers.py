"""Which packages know of which: what lies below can be used, and read, without what lies above."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "unforeseen"

#: Part of the package → what it doesn't import.
ABOVE = {
    "adversarial_patches": {
        "benchmarks",
        "cli",
        "making",
        "run_folder",
        "running",
        "style_training",
    },
    "asset_making": {
        "adversarial_patches",
        "benchmarks",
        "cli",
        "making",
        "models",
        "run_folder",
        "running",
        "style_training",
    },
    "benchmarks": {"run_folder", "running", "search", "transforms"},
    "data": {"benchmarks", "making", "report", "run_folder", "running"},
    "making": {"cli", "report", "run_folder"},
    "metrics": {"report", "run_folder", "running"},
    "obfuscated_folder": {"benchmarks", "data", "making", "report", "run_folder", "running"},
    "ops": {"data", "models", "transforms"},
    "style_training": {
        "adversarial_patches",
        "benchmarks",
        "cli",
        "making",
        "run_folder",
        "running",
    },
    "stylization": {"data", "models", "report", "run_folder", "running", "transforms"},
    "run_folder": {"cli", "report", "running"},
    "transforms": {"data", "models", "report", "run_folder", "running"},
}


def imported_by(folder: Path) -> set[str]:
    """The parts of this package that a part imports, wherever in its code."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in folder.rglob("*.py")]
    modules = [
        node.module
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return {name.split(".")[1] for name in modules if name.startswith("unforeseen.")}


@pytest.mark.parametrize(("part", "above"), ABOVE.items())
def test_no_part_imports_what_lies_above_it(part: str, above: set[str]) -> None:
    assert imported_by(PACKAGE / part) & above == set()


def test_reading_files_needs_nothing_but_errors() -> None:
    assert imported_by(PACKAGE / "files") == {"errors", "files"}
