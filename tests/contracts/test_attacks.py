"""What every attack owes the search and its users: the package's own contract, on every attack.

An attack that joins the table is tested without a line here; what the checks find is tested in
``tests/contract/``.
"""

from collections.abc import Iterator

import pytest

from contracts.attack_cases import CASES, SIZED_CASES, SMALL_CASES
from unforeseen.contract import CHECKS, Case
from unforeseen.contract.case import pictures
from unforeseen.contract.gradient_checks import GRADIENT_CHECKS, gradients_of

#: What is tried at each size on its own.
OF_A_SIZE = ("pictures", "finite-gradients")


def tried(cases: dict[str, Case], checks: Iterator[str]) -> list[object]:
    """Each check on each case, under a name for both."""
    return [
        pytest.param(name, case, id=f"{name}-{label}")
        for name in checks
        for label, case in cases.items()
    ]


@pytest.mark.parametrize(
    ("name", "case"), tried(CASES, (name for name in CHECKS if name not in OF_A_SIZE))
)
def test_every_attack_keeps_its_contract(name: str, case: Case) -> None:
    assert list(CHECKS[name].broken(case)) == []


@pytest.mark.parametrize(("name", "case"), tried(SIZED_CASES, iter(OF_A_SIZE)))
def test_every_attack_keeps_its_contract_at_every_size(name: str, case: Case) -> None:
    assert list(CHECKS[name].broken(case)) == []


@pytest.mark.parametrize(
    ("name", "case"),
    tried(SMALL_CASES, (name for name in GRADIENT_CHECKS if name not in OF_A_SIZE)),
)
def test_gradients_are_those_of_the_picture_where_neither_clamp_nor_box_bites(
    name: str, case: Case
) -> None:
    assert list(CHECKS[name].broken(case)) == []


def test_the_published_wood_has_its_four_dead_latents_and_only_those() -> None:
    case = CASES["wood-published-imagenet-ua"]
    x = pictures(1, 224, 224)
    scene, start = case.begun(x, ["a"])
    gradient = gradients_of(case, x, start, scene)["turbulence"]
    assert gradient is not None
    assert gradient.isnan().nonzero()[:, 2:].tolist() == [[15, 15], [15, 16], [16, 15], [16, 16]]
