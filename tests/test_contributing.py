"""The example attack of CONTRIBUTING.md, run as it stands there."""

import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import Tensor, nn

from contracts import test_attack_draws as draws
from contracts import test_attack_gradients as gradients
from contracts import test_attack_tables as tables
from contracts import test_attacks as attacks
from contracts.attack_cases import GEOMETRIES, AttackCase
from documents import code_block
from unforeseen import load_benchmark, perturb, transforms
from unforeseen.benchmarks.benchmark import Geometry
from unforeseen.transforms.base import AnyAttack

PAGE = "CONTRIBUTING.md"
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
    folder = Path(inspect.getfile(load_benchmark)).parent
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
    benchmark = load_benchmark(benchmark_file)
    assert benchmark.core == load_benchmark("cifar10-ua").core
    assert benchmark.attack("tint").radii == {"low": 0.05, "medium": 0.1, "high": 0.2}


def test_the_line_of_the_table_is_todays_line_and_one_more() -> None:
    block = code_block(PAGE, "python", beginning="from unforeseen.transforms.attacks.tint")
    imported, line = (each for each in block.splitlines() if each)
    assert imported == f"from {HOME} import Tint"
    today = inspect.getsource(transforms).splitlines()
    assert {line.replace("Tint", name) for name in ("Pgd", "Wood", "Mix")} <= {*today}


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("tiles", [1, 5])
def test_the_example_passes_the_contracts(
    tint_class: type[AnyAttack], geometry: Geometry, tiles: int
) -> None:
    attack = tint_class.from_parameters({"tiles": tiles}, geometry=geometry)
    case = AttackCase(benchmark="none", attack=attack, radius=0.2)
    for size in attacks.SMALL_SIZES:
        attacks.test_every_size_gives_pictures_and_finite_gradients_all_over_the_ball(case, size)
    attacks.test_black_and_white_pictures_are_no_exception(case, 0.0)
    attacks.test_the_projected_start_lies_in_the_ball(case)
    attacks.test_a_radius_of_zero_leaves_nothing_but_zeros(case)
    attacks.test_dtype_follows_the_picture(case)
    attacks.test_rows_of_a_batch_are_rendered_independently(case)
    attacks.test_examples_can_leave_a_batch_and_others_take_their_places(case)
    draws.test_a_batch_its_singles_and_its_permutation_draw_the_same_bits(case)
    draws.test_seed_0_is_a_seed_and_another_seed_or_example_draws_anew(case)
    draws.test_a_restart_keeps_the_scene_and_draws_another_start(case)
    draws.test_levels_differ_in_nothing_but_the_radius(case)
    gradients.test_gradients_are_those_of_the_picture("tint", geometry)
    tables.test_an_attack_documents_itself(tint_class)
    tables.test_every_parameter_says_what_it_means_in_table_and_docstring(tint_class)
    tables.test_an_attack_defines_all_it_must_and_nothing_concrete_is_overridden(tint_class)


@pytest.mark.usefixtures("tint_class")
def test_the_examples_own_test_passes(tmp_path: Path) -> None:
    code = code_block(PAGE, "python", beginning='"""Tint against')
    module = module_from(code, "tint_tests", tmp_path)
    checks = [value for name, value in vars(module).items() if name.startswith("test_")]
    assert len(checks) == 2
    for check in checks:
        check()
    del sys.modules["tint_tests"]
