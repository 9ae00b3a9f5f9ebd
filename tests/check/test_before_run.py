"""The check before a run: where it is kept, when it is made again, what it stops."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from check.colours import CLASSES, Changed, NearestColour, coloured
from data.in_memory import InMemory
from small import SmallNet, Watched, small_dataset
from small_runs import run_small
from unforeseen import evaluate, load_results
from unforeseen.check.preflight import CHECKING
from unforeseen.errors import ModelError
from unforeseen.run_folder.record import read_record
from unforeseen.running.reporter import Silent


class Noting(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.asked: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advance(self, stage: str, done: int, total: int, about: str = "") -> None:
        assert 0 <= done <= total
        if stage == CHECKING and about:
            self.asked.append(about)


def checked(folder: Path, model: nn.Module, data: InMemory, **options: Any) -> list[str]:
    """Runs with a check; what was asked."""
    reporter = Noting()
    run_small(folder, model, data=data, check=True, reporter=reporter, batch_size=16, **options)
    return reporter.asked


def test_the_verdict_is_in_record_summary_and_table(tmp_path: Path) -> None:
    data = coloured(1)
    checked(tmp_path, Changed(after=lambda z: z.softmax(dim=1)), data, attacks=["pgd"], steps=1)
    record = read_record(tmp_path)["check"]
    assert record["verdict"].startswith("masked: softmax outputs")
    assert record["pictures"] == CLASSES
    results = load_results(tmp_path)
    assert results.summary.check is not None
    assert results.summary.to_record()["check"] == record
    assert "masked: The outputs are probabilities" in results.table().splitlines()[2]


def test_a_run_without_a_check_says_so(tmp_path: Path) -> None:
    run_small(tmp_path, attacks=["pgd"], limit=2, check=False)
    assert read_record(tmp_path)["check"] is None
    assert "not checked" in load_results(tmp_path).table()


def test_a_check_is_not_made_again_for_the_same_pictures_or_fewer(tmp_path: Path) -> None:
    data = coloured(1)
    assert checked(tmp_path, NearestColour(), data, attacks=["pgd"], steps=1, limit=20)
    before = read_record(tmp_path)["check"]
    for limit in (20, 5):
        assert not checked(tmp_path, NearestColour(), data, attacks=["pgd"], steps=1, limit=limit)
        assert read_record(tmp_path)["check"] == before
    # More pictures are another matter.
    assert checked(tmp_path, NearestColour(), data, attacks=["pgd"], steps=1)
    assert read_record(tmp_path)["check"]["pictures"] == CLASSES


def test_leaving_the_check_out_later_keeps_what_was_found(tmp_path: Path) -> None:
    checked(tmp_path, NearestColour(), coloured(1), attacks=["pgd"], steps=1)
    before = read_record(tmp_path)["check"]
    run_small(tmp_path, NearestColour(), data=coloured(1), attacks=["pgd"], steps=1, batch_size=16)
    assert read_record(tmp_path)["check"] == before


def zeros(folder: Path) -> dict[str, tuple[int, int]]:
    return {a["attack"]: (a["right"], a["of"]) for a in read_record(folder)["check"]["at_zero"]}


def test_what_attacks_cost_at_0_is_recorded_also_for_those_that_come_later(tmp_path: Path) -> None:
    """Pitfall 11: zero perturbation is not the identity."""
    data = coloured(1)
    model = Watched(NearestColour())
    checked(tmp_path, model, data, attacks=["pgd"], steps=1)
    assert zeros(tmp_path) == {"pgd": (CLASSES, CLASSES)}
    checked(tmp_path, model, data, attacks=["pgd", "wood"], steps=1)
    assert zeros(tmp_path).keys() == {"pgd", "wood"}


def test_at_0_edition_strict_leaves_every_picture_alone_and_isnt_asked(tmp_path: Path) -> None:
    checked(tmp_path, NearestColour(), coloured(1), attacks=["pgd"], steps=1, edition="strict")
    assert zeros(tmp_path) == {}


class BrightCentre(nn.Module):
    """Class 0 where the pixel right and below of the centre is bright."""

    def forward(self, x: Tensor) -> Tensor:
        centre = x[..., 16, 16].mean(dim=1)
        scores = 30 * (centre - 0.5)
        return torch.stack([scores, -scores, scores - 9, scores - 9], dim=1)


def test_wood_paints_rings_at_0_and_what_that_costs_is_counted(tmp_path: Path) -> None:
    """Pitfall 11. Its formula: x · |sin(π · rings · 0)|^(1/8) = 0 in the centre."""
    data = InMemory([np.full((32, 32, 3), 200 + n, np.uint8) for n in range(12)])
    checked(tmp_path, BrightCentre(), data, attacks=["pgd", "wood"], steps=1)
    assert zeros(tmp_path) == {"pgd": (12, 12), "wood": (0, 12)}


def many(labels: Sequence[int] | None = None) -> InMemory:
    return coloured(4, labels=labels)


def test_near_chance_on_many_pictures_stops_a_run_and_leaves_no_folder(tmp_path: Path) -> None:
    """Pitfall 18: an accuracy near chance stops the run (n ≥ 100, can be overridden)."""
    out = tmp_path / "run"
    shifted = [(label * 5 + 3) % CLASSES for label in range(CLASSES)]
    with pytest.raises(ModelError, match=r"each always for the same.*--no-check") as stopped:
        checked(out, NearestColour(), many(shifted), attacks=["pgd"], steps=1)
    assert len(str(stopped.value).splitlines()) == 1
    assert not out.exists()
    run_small(out, NearestColour(), data=many(shifted), attacks=["pgd"], steps=1, check=False)
    assert (out / "summary.json").exists()


def test_near_chance_on_few_pictures_is_only_said(tmp_path: Path) -> None:
    labels = [(label + 9) % CLASSES for label in range(CLASSES)]
    reporter = Noting()
    run_small(
        tmp_path,
        NearestColour(),
        data=coloured(1, labels=labels),
        attacks=["pgd"],
        steps=1,
        check=True,
        reporter=reporter,
        batch_size=16,
    )
    assert any(note.startswith("suspicious: 0 of 27") for note in reporter.notes)


def test_a_check_changes_no_row() -> None:
    data = small_dataset(9, model=SmallNet())
    frames = [
        evaluate(
            SmallNet(),
            data,
            "cifar10-ua",
            attacks=["pgd", "jpeg"],
            steps=2,
            batch_size=4,
            check=check,
        )
        .rows.drop("seconds")
        .sort("transform", "example_id")
        for check in (True, False)
    ]
    assert frames[0].equals(frames[1])


def test_where_no_picture_can_be_read_the_run_says_so_and_goes_on(tmp_path: Path) -> None:
    broken = InMemory([OSError("gone") for _ in range(3)])
    reporter = Noting()
    summary = run_small(
        tmp_path, data=broken, attacks=["pgd"], steps=1, check=True, reporter=reporter
    )
    assert summary.unreadable == 3
    assert "not checked: no picture could be read." in reporter.notes
