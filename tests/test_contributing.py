"""The example attack of CONTRIBUTING.md, run as it stands there."""

import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import Tensor, nn

from documents import CHECKOUT, code_block
from unforeseen import perturb, transforms
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.contract.case import GEOMETRIES, SIZES, Case
from unforeseen.contract.examination import examine
from unforeseen.transforms.base import AnyAttack

PAGE = "CONTRIBUTING.md"
SOURCE = CHECKOUT / "src" / "unforeseen"
HOME = "unforeseen.transforms.attacks.tint"

#: How much more red, green and blue speak for class 0.
WEIGHTS = (2.0, -1.0, 0.5)


def module_from(code: str, name: str, folder: Path) -> ModuleType:
    """Writes code to a file and imports it under ``name``."""
    file = folder / f"{name.rpartition('.')[2]}.py"
    file.write_text(code, encoding="utf-8")
    specification = importlib.util.spec_from_file_location(name, file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tint_class(tmp_path_factory: pytest.TempPathFactory) -> Iterator[type[AnyAttack]]:
    """The attack, and its line in the table."""
    code = code_block(PAGE, "python", beginning='"""A colour cast')
    attack: type[AnyAttack] = module_from(code, HOME, tmp_path_factory.mktemp("attack")).Tint
    transforms.ATTACKS[attack.name] = attack
    yield attack
    del transforms.ATTACKS[attack.name]
    del sys.modules[HOME]


@pytest.fixture
def benchmark_file(tmp_path: Path) -> Path:
    """CIFAR-10-UA with the page's lines at its end."""
    folder = Path(inspect.getfile(load_attack_benchmark)).parent
    built_in = (folder / "cifar10-ua.toml").read_text(encoding="utf-8")
    file = tmp_path / "with-tint.toml"
    added = code_block(PAGE, "toml", beginning="[attacks.tint]")
    file.write_text(f"{built_in}\n{added}", encoding="utf-8")
    return file


class MeanColour(nn.Module):
    """Two classes; the logit of class 0 is linear in the picture's mean colour."""

    def forward(self, x: Tensor) -> Tensor:
        for_class_0 = x.mean(dim=(2, 3)) @ x.new_tensor(WEIGHTS)
        return torch.stack([for_class_0, torch.zeros_like(for_class_0)], dim=1)


@pytest.mark.usefixtures("tint_class")
@pytest.mark.parametrize("edition", ["published", "strict"])
def test_the_example_reaches_the_optimum_of_a_linear_model(
    benchmark_file: Path, edition: str
) -> None:
    # Class 0 by a margin that no colour within the radius overcomes: the search goes on to the end.
    x = torch.full((2, 3, 32, 40), 0.5)
    x[:, 1] = 0.3
    attacked = perturb(
        MeanColour(),
        x,
        torch.zeros(2, dtype=torch.int64),
        "tint",
        radius=torch.tensor([0.1, 0.05]),
        benchmark=str(benchmark_file),
        edition=edition,
        ids=["one", "two"],
    )
    # Against class 0: each channel by ε, against the sign of its weight.
    direction = -torch.tensor(WEIGHTS).sign().reshape(1, 3, 1, 1)
    radius = torch.tensor([0.1, 0.05]).reshape(2, 1, 1, 1)
    torch.testing.assert_close(attacked.images, x + radius * direction)
    assert attacked.correct.all()
    assert attacked.gradient_evaluations.tolist() == [20, 20]


@pytest.mark.usefixtures("tint_class")
def test_the_examples_lines_fit_into_a_benchmark_and_leave_ua2_alone(benchmark_file: Path) -> None:
    benchmark = load_attack_benchmark(benchmark_file)
    assert benchmark.core == load_attack_benchmark("cifar10-ua").core
    assert benchmark.attack("tint").radii == {"low": 0.05, "medium": 0.1, "high": 0.2}


def test_the_line_of_the_table_is_todays_line_and_one_more() -> None:
    block = code_block(PAGE, "python", beginning="from unforeseen.transforms.attacks.tint")
    imported, line = (each for each in block.splitlines() if each)
    assert imported == f"from {HOME} import Tint"
    today = inspect.getsource(transforms).splitlines()
    assert {line.replace("Tint", name) for name in ("Pgd", "Wood", "Mix")} <= {*today}


@pytest.mark.parametrize("tiles", [1, 5])
def test_the_example_keeps_the_contract(tint_class: type[AnyAttack], tiles: int) -> None:
    cases = [
        Case(
            attack=tint_class.from_parameters({"tiles": tiles}, geometry=geometry),
            radius=0.2,
            sizes=SIZES[:2],
        )
        for geometry in GEOMETRIES
    ]
    assert [each for each in examine(cases) if not each.fine] == []


@pytest.mark.usefixtures("tint_class")
def test_the_examples_own_test_passes(tmp_path: Path) -> None:
    code = code_block(PAGE, "python", beginning='"""Tint against')
    module = module_from(code, "tint_tests", tmp_path)
    checks = [value for name, value in vars(module).items() if name.startswith("test_")]
    assert len(checks) == 2
    for check in checks:
        check()
    del sys.modules["tint_tests"]


def test_the_layout_names_every_package_and_only_what_there_is() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    table = text.partition("| where | what |")[2].partition("\n\n")[0]
    where, what = zip(*(line.split("|")[1:3] for line in table.splitlines()[2:]), strict=True)
    named = re.findall(r"`([^`]+)`", "".join(where))
    packages = {f"{file.parent.name}/" for file in SOURCE.glob("*/__init__.py")}
    assert {name for name in named if name.endswith("/")} == packages
    assert [name for name in named if not (SOURCE / name).exists()] == []
    inside = re.findall(r"`([\w/]+(?:\.py|/))`", "".join(what))
    assert len(inside) > 15
    assert [name for name in inside if not [*SOURCE.glob(f"*/{name}")]] == []
