"""Reading results needs no torch, which takes seconds to import."""

import pkgutil
import subprocess
import sys

import pytest

from unforeseen import run_folder


@pytest.mark.parametrize(
    "module",
    [
        "attack_sets",
        "benchmarks",
        "cli.ahead",
        "check.findings",
        "check.result",
        "data",
        "experiments.cost_times",
        "experiments.every_picture",
        "experiments.points",
        "experiments.record",
        "experiments.transfer_runs",
        "experiments.values",
        "metrics",
        "recount",
        "report.cost_plot",
        "report.cost_table",
        "report.experiment_export",
        "report.experiment_files",
        "report.experiment_render",
        "report.export",
        "report.published",
        "report.render",
        "report.tables",
        *(f"run_folder.{module.name}" for module in pkgutil.iter_modules(run_folder.__path__)),
    ],
)
def test_importing_leaves_torch_out(module: str) -> None:
    program = f"import sys, unforeseen.{module}; sys.exit('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert result.returncode == 0, result.stderr.decode()
