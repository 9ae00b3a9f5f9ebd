"""Plain Python counts what the metrics count, and knows nothing of how they do it."""

import ast
import inspect
from types import ModuleType

import numpy as np
import polars as pl
import pytest

from made_rows import row, table_of
from made_runs import made_frame, made_record, planned_attack_run
from unforeseen.metrics import mean_accuracy
from unforeseen.recount import (
    answer_rules,
    attack_rules,
    figures,
    ranking_rules,
    rule,
    rules,
)
from unforeseen.recount.figures import Tally, figures_of
from unforeseen.recount.summaries import claimed_figures, differences
from unforeseen.rows import frame_of
from unforeseen.run_folder.attack_summary import summarise_attacks


def counted(record: dict[str, object], rows: pl.DataFrame) -> dict[str, object]:
    run = planned_attack_run(record)
    tallies = {cell.name: Tally() for cell in run.cells}
    names = {cell.id: cell.name for cell in run.cells}
    for each in rows.iter_rows(named=True):
        tallies[names[each["cell"]]].add(each)
    return figures_of(run, tallies)


def random_rows(record: dict[str, object], seed: int) -> pl.DataFrame:
    """Any verdict, status and number of gradients, and some rows missing."""
    frame = made_frame(record)
    draw = np.random.default_rng(seed)
    size = frame.height
    statuses = draw.choice(["ok", "ok", "ok", "nonfinite", "unreadable"], size).tolist()
    verdicts = [(True, False, None)[each] for each in draw.integers(0, 3, size)]
    return frame.with_columns(
        correct=pl.Series(verdicts, dtype=pl.Boolean),
        status=pl.Series(statuses),
        gradient_evaluations=pl.Series(draw.integers(0, 50, size)),
    ).filter(pl.Series(draw.random(size) > 0.03))


@pytest.mark.parametrize("seed", range(8))
def test_figures_of_any_rows_are_those_of_the_metrics(seed: int) -> None:
    record = made_record(levels=("low", "medium"), images=40)
    rows = random_rows(record, seed)
    ours = counted(record, rows)
    theirs = claimed_figures(summarise_attacks(planned_attack_run(record), rows).to_record())
    del theirs["partial"]
    assert list(differences(ours, theirs, "metrics")) == []
    assert set(ours) == set(theirs)
    assert len(ours) > 100


def test_ends_lie_between_resamples_as_those_of_the_metrics_do() -> None:
    """So many pictures that neighbouring resamples differ, and with them ways of interpolating."""
    draw = np.random.default_rng(3)
    columns = {name: (draw.random(4000) < 0.4).tolist() for name in ("wood", "snow", "jpeg")}
    verdicts = [{str(i): right for i, right in enumerate(each)} for each in columns.values()]
    theirs = mean_accuracy(table_of(columns), list(columns), "medium", seed=7)
    assert theirs is not None
    ours = figures._mean("m", verdicts, 7)
    assert ours["m low"] == pytest.approx(theirs.low, abs=1e-12)
    assert ours["m high"] == pytest.approx(theirs.high, abs=1e-12)


def test_the_worst_of_28_36_92_65_percent_is_counted_from_rows() -> None:
    """Pitfall 15: the mean reported where the worst was meant."""
    accuracies = {"wood": 28, "snow": 36, "jpeg": 92, "pixel": 65}
    record = made_record(attacks=tuple(accuracies), levels=("medium",), images=100)
    for name, setting in record["benchmark"]["attacks"].items():
        setting["group"] = "core" if name in accuracies else "extra"
    draw = np.random.default_rng(0)
    columns = {name: draw.permutation(np.arange(100) < right) for name, right in accuracies.items()}
    ids = {cell["transform"]: cell["id"] for cell in record["cells"]}
    rows = frame_of(
        row(name, picture, bool(verdict), cell=ids[name])
        for name, column in columns.items()
        for picture, verdict in enumerate(column)
    )
    counts = counted(record, rows)
    survivors = int(np.all(list(columns.values()), axis=0).sum())
    assert counts["worst medium value"] == survivors / 100 <= 0.28
    assert counts["ua2 medium value"] == pytest.approx((0.28 + 0.36 + 0.92 + 0.65) / 4)


def test_no_rows_have_no_figures_instead_of_zeros() -> None:
    record = made_record(levels=("medium",))
    counts = counted(record, made_frame(record).clear())
    assert counts["clean_accuracy"] is counts["ua2 medium"] is counts["wood medium"] is None
    assert counts["complete"] is False


@pytest.mark.parametrize(
    "module", [figures, rule, rules, answer_rules, attack_rules, ranking_rules]
)
def test_nothing_is_shared_with_the_metrics_but_the_random_stream(module: ModuleType) -> None:
    tree = ast.parse(inspect.getsource(module))
    froms = {each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)}
    plain = {a.name for each in ast.walk(tree) if isinstance(each, ast.Import) for a in each.names}
    shared = {
        "benchmarks",
        "benchmarks.benchmark",
        "run_folder.planned",
        "run_folder.planned_attacks",
        "rng",
        "rows",
        "judging",
    }
    ours = {name for name in froms if name and name.startswith("unforeseen")}
    assert {name for name in ours if ".recount." not in name} <= {f"unforeseen.{n}" for n in shared}
    assert not {"polars", "numpy", "scipy"} & plain
