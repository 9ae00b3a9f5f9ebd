"""Reading results needs no torch, which takes seconds to import."""

import pkgutil
import subprocess
import sys

import pytest

from unforeseen import experiment_folder, files, run_folder


@pytest.mark.parametrize(
    "module",
    [
        "attack_sets",
        "benchmarks",
        "cli.ahead",
        "check.findings",
        "check.result",
        "data",
        "experiments.every_picture",
        "experiments.values",
        "metrics",
        "recount",
        "report.cost_plot",
        "report.cost_table",
        "report.experiment_export",
        "report.experiment_files",
        "report.experiment_render",
        "report.export",
        "report.obfuscation_seeds_export",
        "report.obfuscation_seeds_render",
        "report.published",
        "report.render",
        "report.tables",
        "results",
        "running.options",
        *(f"files.{each.name}" for each in pkgutil.iter_modules(files.__path__)),
        *(f"run_folder.{module.name}" for module in pkgutil.iter_modules(run_folder.__path__)),
        *(
            f"experiment_folder.{each.name}"
            for each in pkgutil.iter_modules(experiment_folder.__path__)
        ),
    ],
)
def test_importing_leaves_torch_out(module: str) -> None:
    program = f"import sys, unforeseen.{module}; sys.exit('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert result.returncode == 0, result.stderr.decode()
