"""Equal fingerprints mean equal functions."""

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from unforeseen import evaluate
from unforeseen.errors import ModelError
from unforeseen.models import DifferentiableClassifier, load_model
from unforeseen.models.fingerprint import fingerprint_of, fingerprint_of_function
from unforeseen.models.normalise import Normalised

Function = Callable[[float], float]


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(144, 5))


def nudged(name: str) -> nn.Sequential:
    """With one number of one tensor changed a little."""
    module = network()
    with torch.no_grad():
        module.state_dict()[name].view(-1)[-1] += 1e-6
    return module


class Scaled(nn.Module):
    shift: Tensor

    def __init__(self, scale: float, shift: float = 0.0, hidden: float = 0.0) -> None:
        super().__init__()
        self.scale = scale
        self.register_buffer("shift", torch.tensor(shift), persistent=False)
        self.plain_tensor = torch.tensor([hidden])

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale + self.shift + self.plain_tensor


def scaled(pictures: float, *, factor: float) -> float:
    return pictures * factor


def test_the_same_network_made_twice_has_the_same() -> None:
    assert fingerprint_of(network()) == fingerprint_of(network())


def test_a_model_without_its_weights_is_refused_in_one_line() -> None:
    with torch.device("meta"):
        module = network()
    with pytest.raises(ModelError, match=r"0\.bias is on the meta device.*were not loaded"):
        evaluate(module, "samples:cifar10", benchmark="cifar10-ua")


@pytest.mark.parametrize(
    ("lazy", "name"),
    [(nn.LazyLinear(4), "1.bias"), (nn.LazyBatchNorm1d(affine=False), "1.running_mean")],
    ids=["parameter", "buffer"],
)
def test_a_model_that_waits_for_the_shape_of_its_weights_is_refused_in_one_line(
    lazy: nn.Module, name: str
) -> None:
    module = nn.Sequential(nn.Flatten(), lazy)
    with pytest.raises(ModelError, match=rf"{name} is of a lazy module .* on a batch once") as told:
        evaluate(module, "samples:cifar10", benchmark="cifar10-ua")
    assert "\n" not in str(told.value)


def test_a_lazy_model_that_was_called_once_has_that_of_the_same_model_made_whole() -> None:
    lazy, whole = nn.LazyLinear(2, bias=False), nn.Linear(3, 2, bias=False)
    with torch.no_grad():
        lazy(torch.zeros(1, 3))
        lazy.weight.copy_(whole.weight)
    assert fingerprint_of(lazy) == fingerprint_of(whole)


def test_one_weight_changes_it() -> None:
    assert fingerprint_of(nudged("3.weight")) != fingerprint_of(network())


def test_a_batch_statistic_changes_it() -> None:
    assert fingerprint_of(nudged("1.running_mean")) != fingerprint_of(network())


def test_normalisation_changes_it() -> None:
    prints = {
        fingerprint_of(Normalised(network(), mean, std))
        for mean, std in [
            ((0.5,) * 3, (0.5,) * 3),
            ((0.5, 0.5, 0.4), (0.5,) * 3),
            ((0.5,) * 3, (0.5, 0.5, 0.4)),
        ]
    }
    assert len(prints) == 3


def test_our_own_source_files_are_not_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Normalised(nn.Linear(2, 2), (0.5,), (0.5,))
    before = fingerprint_of(module)
    monkeypatch.setattr("unforeseen.models.fingerprint._source_of", lambda _: "edited")
    assert fingerprint_of(module) == before


def test_memory_layout_and_flags_do_not_change_it() -> None:
    other = network().to(memory_format=torch.channels_last).eval().requires_grad_(False)
    assert not next(other.parameters()).is_contiguous()
    assert fingerprint_of(other) == fingerprint_of(network())


def test_plain_values_and_hidden_tensors_of_the_users_classes_change_it() -> None:
    prints = {
        fingerprint_of(module)
        for module in [Scaled(1.0), Scaled(1e4), Scaled(1.0, shift=1.0), Scaled(1.0, hidden=1.0)]
    }
    assert len(prints) == 4


def test_the_code_of_the_users_classes_changes_it(tmp_path: Path) -> None:
    code = "from torch import nn\nclass Own(nn.Module):\n    def forward(self, x):\n        return "
    modules = []
    for name in ("x", "-x"):
        (tmp_path / f"model{name}.py").write_text(code + name + "\n", encoding="utf-8")
        model = load_model(f"py:{tmp_path}/model{name}.py:Own", device="cpu")
        assert isinstance(model, DifferentiableClassifier)
        modules.append(model.module)
    assert repr(modules[0]) == repr(modules[1])
    assert fingerprint_of(modules[0]) != fingerprint_of(modules[1])


def test_memory_addresses_do_not_change_it() -> None:
    class Odd(nn.Module):
        def extra_repr(self) -> str:
            return repr(object())

    assert fingerprint_of(Odd()) == fingerprint_of(Odd())


def test_functions_differ_by_code_and_bound_arguments() -> None:
    functions: list[Function] = [
        lambda pictures: pictures,
        lambda pictures: pictures + 1,
        functools.partial(scaled, factor=1.0),
        functools.partial(scaled, factor=2.0),
    ]
    prints = {fingerprint_of_function(function) for function in functions}
    assert len(prints) == 4
    assert fingerprint_of_function(scaled) == fingerprint_of_function(scaled)


def test_a_function_has_the_same_in_every_process_and_wherever_its_file_lies(
    tmp_path: Path,
) -> None:
    """Sets print in the order of their hashes, which are drawn anew; inner functions with paths."""
    code = (
        "def predict(pictures):\n"
        "    kinds = {'allow', 'review', 'block', 'ask'}\n"
        "    return [len(p) in {'a', 'b', 'c', 'd', 'e'} for p in map(lambda p: p, pictures)]\n"
    )
    program = (
        "import runpy, sys\n"
        "from unforeseen.models.fingerprint import fingerprint_of_function\n"
        "print(fingerprint_of_function(runpy.run_path(sys.argv[1])['predict']))\n"
    )
    prints = set()
    for seed in ("1", "2"):
        file = tmp_path / seed / "service.py"
        file.parent.mkdir()
        file.write_text(code, encoding="utf-8")
        prints.add(
            subprocess.run(
                [sys.executable, "-c", program, str(file)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
    assert len(prints) == 1


def test_functions_differ_by_what_their_inner_functions_do() -> None:
    """In a console there is no file to tell them apart."""
    prints = set()
    for inner in ("p + 1", "p - 1", "p + 2"):
        found: dict[str, Function] = {}
        exec(f"def predict(x): return list(map(lambda p: {inner}, x))", found)
        prints.add(fingerprint_of_function(found["predict"]))
    assert len(prints) == 3
