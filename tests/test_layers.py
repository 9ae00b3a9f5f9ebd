"""Which packages know of which: what lies below can be used, and read, without what lies above."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "unforeseen"
ROOT = "unforeseen."

#: Part of the package → what it doesn't import.
ABOVE = {
    "asset_making": {"benchmarks", "cli", "making", "run_folder", "running"},
    "asset_making/patches": {"asset_making.styles"},
    "asset_making/styles": {"asset_making.patches"},
    "benchmarks": {"run_folder", "running", "search", "transforms"},
    "data": {"benchmarks", "making", "report", "run_folder", "running"},
    "making": {"cli", "report", "run_folder"},
    "metrics": {"report", "run_folder", "running"},
    "obfuscated_folder": {"benchmarks", "data", "making", "report", "run_folder", "running"},
    "ops": {"data", "models", "transforms"},
    "stylization": {"data", "models", "report", "run_folder", "running", "transforms"},
    "run_folder": {"cli", "report", "running"},
    "transforms": {"data", "models", "report", "run_folder", "running"},
}


def imported_by(files: Iterable[Path]) -> set[str]:
    """What of this package files import, wherever in their code: ``data.table``, say."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    modules = [
        node.module
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return {name.removeprefix(ROOT) for name in modules if name.startswith(ROOT)}


def of(parts: set[str], modules: set[str]) -> set[str]:
    """Those of modules that are such a part, or lie in one."""
    return {name for name in modules if any(f"{name}.".startswith(f"{part}.") for part in parts)}


@pytest.mark.parametrize(("part", "above"), ABOVE.items())
def test_no_part_imports_what_lies_above_it(part: str, above: set[str]) -> None:
    assert of(above, imported_by((PACKAGE / part).rglob("*.py"))) == set()


def test_what_making_assets_shares_knows_of_no_kind_of_them() -> None:
    shared = imported_by((PACKAGE / "asset_making").glob("*.py"))
    assert of({"asset_making.patches", "asset_making.styles", "models"}, shared) == set()


def test_reading_files_needs_nothing_but_errors() -> None:
    files = imported_by((PACKAGE / "files").rglob("*.py"))
    assert of({"errors", "files"}, files) == files
