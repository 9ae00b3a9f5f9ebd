"""The same bits again, and the names of what can't give them (pitfall 7)."""

import json
import os
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from polars.testing import assert_frame_equal
from torch import Tensor, nn

from small import SmallNet, Watched
from small_runs import COUNT, Notes, rows_of, run_small
from unforeseen.running.determinism import deterministic_algorithms

CPU = torch.device("cpu")


class Putting(SmallNet):
    """Uses an operation that torch has no deterministic form of, also on CPUs."""

    def forward(self, x: Tensor) -> Tensor:
        nothing = x.new_zeros(2).put_(torch.tensor([0]), x.new_zeros(1)).sum()
        scores: Tensor = super().forward(x)
        return scores + nothing


class Sized(nn.Module):
    """Rounds otherwise in each batch size, as real networks do, only more."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = SmallNet()

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.inside(x)
        return scores * (1 + 1e-3 * len(x))


def environment(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "run.json").read_bytes())["environment"]
    return content


def flash_attention_allowed() -> bool:
    allowed: bool = torch.backends.cuda.flash_sdp_enabled()  # type: ignore[no-untyped-call] # torch
    return allowed


def settings() -> tuple[Any, ...]:
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.backends.cudnn.deterministic,
        torch.backends.cudnn.benchmark,
        torch.is_warn_always_enabled(),
        flash_attention_allowed(),
        warnings.showwarning,
        list(warnings.filters),
        os.environ.get("CUBLAS_WORKSPACE_CONFIG"),
    )


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_every_setting_is_put_back_also_after_an_error(device: str) -> None:
    before = settings()
    with deterministic_algorithms(torch.device(device)):
        assert torch.are_deterministic_algorithms_enabled()
        assert torch.backends.cudnn.deterministic
        assert not torch.backends.cudnn.benchmark
        if device == "cuda":
            assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
            assert not flash_attention_allowed()
    assert settings() == before
    with pytest.raises(ZeroDivisionError), deterministic_algorithms(torch.device(device)):
        raise ZeroDivisionError
    assert settings() == before


def test_what_the_user_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    with deterministic_algorithms(torch.device("cuda")):
        assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"


def put() -> None:
    torch.zeros(2).put_(torch.tensor([0]), torch.zeros(1))


def test_operations_are_named_in_every_block_and_each_once() -> None:
    for _ in range(2):
        with deterministic_algorithms(CPU) as names:
            put()
            put()
        assert names == {"put_"}


CUBLAS = (
    "Deterministic behavior was enabled with either `x` or `y`, but this operation is not "
    "deterministic because it uses CuBLAS and you have CUDA >= 10.2."
)
ATTENTION = (
    "Memory Efficient attention defaults to a non-deterministic algorithm. To explicitly enable "
    "determinism call torch.use_deterministic_algorithms(True, warn_only=False)."
)


@pytest.mark.parametrize(
    ("warning", "name"), [(CUBLAS, "CuBLAS"), (ATTENTION, "Memory Efficient attention")]
)
def test_other_forms_of_the_warning_are_understood(warning: str, name: str) -> None:
    with deterministic_algorithms(CPU) as names:
        warnings.warn(warning, UserWarning, stacklevel=1)
    assert names == {name}


def test_other_warnings_pass() -> None:
    with (
        pytest.warns(UserWarning, match="mind the gap"),
        deterministic_algorithms(CPU) as names,
    ):
        warnings.warn("mind the gap", stacklevel=1)
    assert not names


def test_a_run_names_what_is_not_deterministic_once_and_on_record(tmp_path: Path) -> None:
    notes = Notes()
    run_small(tmp_path, Putting(), deterministic=True, reporter=notes)
    (note,) = [note for note in notes.said if "not deterministic" in note]
    assert "put_" in note
    assert environment(tmp_path)["deterministic"] is True
    assert environment(tmp_path)["nondeterministic"] == ["put_"]


def test_it_stays_on_record_when_nothing_is_left_to_do(tmp_path: Path) -> None:
    run_small(tmp_path, Putting(), deterministic=True)
    before = (tmp_path / "run.json").read_bytes()
    run_small(tmp_path, Putting(), deterministic=True)
    assert (tmp_path / "run.json").read_bytes() == before


def test_it_is_on_record_also_of_a_run_that_is_cut(tmp_path: Path) -> None:
    batches: list[Tensor] = []

    def interrupt(x: Tensor) -> None:
        batches.append(x)
        if len(batches) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_small(tmp_path, Watched(Putting(), before=interrupt), deterministic=True)
    assert environment(tmp_path)["nondeterministic"] == ["put_"]


def test_a_run_of_deterministic_operations_says_that_it_met_no_other(tmp_path: Path) -> None:
    notes = Notes()
    run_small(tmp_path, deterministic=True, reporter=notes)
    assert not [note for note in notes.said if "deterministic" in note]
    assert environment(tmp_path)["nondeterministic"] == []


def test_a_run_that_did_not_ask_says_nothing_about_it(tmp_path: Path) -> None:
    run_small(tmp_path, Putting())
    assert environment(tmp_path)["deterministic"] is False
    assert environment(tmp_path)["nondeterministic"] is None


@pytest.mark.parametrize(("first", "then"), [(True, False), (False, True)])
def test_a_folder_is_deterministic_only_if_every_session_was(
    tmp_path: Path, first: bool, then: bool
) -> None:
    notes = Notes()
    run_small(tmp_path, limit=4, deterministic=first)
    run_small(tmp_path, deterministic=then, reporter=notes)
    assert environment(tmp_path)["deterministic"] is False
    assert environment(tmp_path)["nondeterministic"] is None
    assert bool([note for note in notes.said if "without --deterministic" in note]) == then


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_batches_stay_full_so_that_an_extended_run_has_the_bits_of_a_whole_one(
    tmp_path: Path, edition: str
) -> None:
    watched = Watched(Sized())
    for limit in (3, 6, None):
        run_small(
            tmp_path / "extended",
            watched,
            batch_size=8,
            limit=limit,
            edition=edition,
            deterministic=True,
        )
    run_small(tmp_path / "whole", watched, batch_size=8, edition=edition, deterministic=True)
    assert set(watched.batches) <= {1, 8}, "1 is the question how many classes there are"
    assert_frame_equal(rows_of(tmp_path / "extended"), rows_of(tmp_path / "whole"))

    run_small(tmp_path / "shrinking", Watched(Sized()), batch_size=8, edition=edition)
    other = rows_of(tmp_path / "shrinking").drop("cell")
    with pytest.raises(AssertionError):
        assert_frame_equal(other, rows_of(tmp_path / "whole").drop("cell"))


def test_seed_0_is_a_seed_and_global_generators_do_not_matter(tmp_path: Path) -> None:
    """Pitfall 7."""
    found = []
    for number, seed in enumerate((0, 0, 1)):
        torch.manual_seed(number)
        random.seed(number)
        np.random.seed(number)  # noqa: NPY002 - what is watched
        folder = tmp_path / str(number)
        run_small(folder, attacks=["pgd", "wood"], seed=seed)
        assert json.loads((folder / "run.json").read_bytes())["seed"] == seed
        found.append(rows_of(folder))
    assert found[0].height == 3 * COUNT
    assert_frame_equal(found[0], found[1])
    attacked = [rows.filter(transform="pgd").sort("example_id")["loss"] for rows in found]
    assert (attacked[0] != attacked[2]).sum() > COUNT // 2
