"""Whole runs under each search: rows that a recount accepts, and what they mean."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
import torch

from small import SmallNet, as_function
from small_runs import rows_of, run_small
from unforeseen.errors import RunError
from unforeseen.models import black_box
from unforeseen.models.classifier import Predictor
from unforeseen.recount import recount
from unforeseen.rows import CLEAN
from unforeseen.search.settings import search_settings

ASKED: dict[str, dict[str, Any]] = {
    "pgd": {"loss": "margin", "restarts": 2},
    "apgd": {"loss": "dlr"},
    "random": {"draws": 6},
    "none": {},
    "autoattack-lite": {},
}


def as_classifier_of(model: SmallNet) -> Predictor:
    return black_box(as_function(model), version="1")


def attacked(folder: Path) -> pl.DataFrame:
    return rows_of(folder).filter(pl.col("transform") != CLEAN)


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize("name", ASKED)
def test_a_recount_finds_nothing_and_the_table_names_the_search(
    tmp_path: Path, name: str, edition: str
) -> None:
    settings = search_settings(name, **ASKED[name])
    summary = run_small(tmp_path, search=settings, edition=edition)
    said = recount(tmp_path)
    assert not said.differences
    assert not said.violations
    assert settings.in_words() in summary.partial


@pytest.mark.parametrize("name", ["apgd", "random", "autoattack-lite"])
def test_any_visited_point_counts_in_both_editions(tmp_path: Path, name: str) -> None:
    settings = search_settings(name, **ASKED[name])
    for edition in ("published", "strict"):
        run_small(tmp_path / edition, search=settings, edition=edition)
        rows = attacked(tmp_path / edition)
        assert (rows["correct"] == rows["correct_any"]).all()


def test_random_takes_no_gradients_and_can_be_asked_of_a_function(tmp_path: Path) -> None:
    settings = search_settings("random", draws=6)
    for folder, model in (("module", SmallNet()), ("function", as_classifier_of(SmallNet()))):
        run_small(tmp_path / folder, model, search=settings)
    rows = attacked(tmp_path / "module")
    assert rows["zero_gradient_share"].null_count() == len(rows)
    survivors = rows.filter(pl.col("correct"))
    assert len(survivors) > 0
    assert set(rows["gradient_evaluations"].drop_nulls()) == {0}
    assert max(rows["steps"].to_list()) < 6
    assert attacked(tmp_path / "function")["gradient_evaluations"].null_count() == len(rows)


def test_more_draws_and_more_starts_never_help_the_model(tmp_path: Path) -> None:
    """The draws of fewer are among those of more."""
    right = []
    for draws in (1, 4, 16):
        run_small(tmp_path / str(draws), search=search_settings("random", draws=draws))
        rows = attacked(tmp_path / str(draws)).filter(pl.col("correct"))
        right.append({(row["transform"], row["example_id"]) for row in rows.to_dicts()})
    assert right[2] <= right[1] <= right[0]


def test_another_search_is_another_run(tmp_path: Path) -> None:
    run_small(tmp_path, search=search_settings("apgd"))
    with pytest.raises(RunError, match="--search, --loss, --restarts and --draws"):
        run_small(tmp_path)
    with pytest.raises(RunError, match="another search"):
        run_small(tmp_path, search=search_settings("apgd", loss="margin"))


def test_a_loss_that_aims_takes_no_more_starts_than_there_are_classes_to_aim_at(
    tmp_path: Path,
) -> None:
    """SmallNet has four classes: three to aim at."""
    run_small(
        tmp_path, search=search_settings("apgd", loss="targeted_dlr"), levels=["low"], steps=2
    )
    rows = attacked(tmp_path)
    assert SmallNet()(torch.zeros(1, 3, 32, 32)).shape[1] == 4
    assert max(rows["restart"].drop_nulls().to_list()) <= 2
    survivors = rows.filter(pl.col("correct"))
    assert len(survivors) > 0
    assert set(survivors["gradient_evaluations"]) == {3 * 2}
