"""How an image classifier holds up against attacks nobody trained it for.

    import unforeseen

    model = unforeseen.load_model("timm:resnet50")
    results = unforeseen.evaluate(model, "imagefolder:val", limit=1000)
    print(results.table())

The names below are loaded when they are first used, so that reading results doesn't need torch.
"""

__all__ = [
    "AttackResults",
    "CheckResult",
    "ObfuscationResults",
    "ObfuscationTransform",
    "Perturbed",
    "RandomObfuscation",
    "Results",
    "__version__",
    "black_box",
    "check_model",
    "evaluate",
    "load_benchmark",
    "load_data",
    "load_model",
    "load_results",
    "obfuscate",
    "perturb",
]

import importlib
from typing import TYPE_CHECKING

from unforeseen._version import __version__

if TYPE_CHECKING:
    from unforeseen.augmentation import ObfuscationTransform, RandomObfuscation
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.check.checking import check_model
    from unforeseen.check.result import CheckResult
    from unforeseen.data import load_data
    from unforeseen.making.obfuscate import obfuscate
    from unforeseen.models import black_box, load_model
    from unforeseen.perturbation import Perturbed, perturb
    from unforeseen.results import (
        AttackResults,
        ObfuscationResults,
        Results,
        load_results,
    )
    from unforeseen.running.evaluation import evaluate

_HOMES = {
    "AttackResults": "unforeseen.results",
    "CheckResult": "unforeseen.check.result",
    "ObfuscationResults": "unforeseen.results",
    "ObfuscationTransform": "unforeseen.augmentation",
    "Perturbed": "unforeseen.perturbation",
    "RandomObfuscation": "unforeseen.augmentation",
    "Results": "unforeseen.results",
    "black_box": "unforeseen.models",
    "check_model": "unforeseen.check.checking",
    "evaluate": "unforeseen.running.evaluation",
    "load_benchmark": "unforeseen.benchmarks",
    "load_data": "unforeseen.data",
    "load_model": "unforeseen.models",
    "load_results": "unforeseen.results",
    "obfuscate": "unforeseen.making.obfuscate",
    "perturb": "unforeseen.perturbation",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
