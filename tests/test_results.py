"""What users get of a run: one of two kinds, whose figures over sets are those of the summary."""

from pathlib import Path

import polars as pl
import pytest

import unforeseen
from made_obfuscations import made_folder, made_record, made_verdicts
from unforeseen import AttackResults, ObfuscationResults, load_results
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.metrics import (
    Estimate,
    Flagging,
    balanced_mean,
    balanced_worst_case,
    evasion_rate,
    mean_accuracy,
    worst_evasion_rate,
)


def results_in(folder: Path, **changes: list[str]) -> ObfuscationResults:
    record = made_record(**changes)  # type: ignore[arg-type]  # obfuscations alone
    made_folder(folder, record, made_verdicts(record, seed=3))
    results = load_results(folder)
    assert isinstance(results, ObfuscationResults)
    return results


def read_as_readme_does(results: AttackResults | ObfuscationResults, over: str) -> Estimate | None:
    """Whose types mypy checks: the call that README shows needs no ``isinstance`` before it."""
    assert results.table()
    return results.worst_case(over)


def test_the_kinds_of_results_are_public() -> None:
    assert issubclass(unforeseen.AttackResults, unforeseen.Results)
    assert issubclass(unforeseen.ObfuscationResults, unforeseen.Results)


def test_figures_over_the_usual_sets_are_the_summarys(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    assert read_as_readme_does(results, "hold-out") == results.summary.headline is not None
    for over, mean, worst in results.summary.sets:
        for given in (over.name, over.obfuscations):
            assert results.mean_accuracy(given) == mean.balanced is not None
            assert results.mean_accuracy(given, weighting="unweighted") == mean.unweighted
            assert results.worst_case(given) == worst.balanced is not None
            assert results.worst_case(given, weighting="unweighted") == worst.unweighted


def test_figures_over_names_are_the_metrics_of_the_rows(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    names = ["SwirlWarp", "LineShift"]
    assert results.worst_case("swirlwarp, LineShift") == balanced_worst_case(results.rows, names)
    assert results.mean_accuracy(names, top=5) == balanced_mean(results.rows, names, "", "top5")
    plain = results.mean_accuracy(names, weighting="unweighted", top=5)
    assert plain == mean_accuracy(results.rows, names, "", "top5")


def test_figures_are_none_where_an_obfuscation_was_not_run_and_unknown_ones_are_refused(
    tmp_path: Path,
) -> None:
    results = results_in(tmp_path, obfuscations=["SwirlWarp"])
    assert results.worst_case("SwirlWarp") is not None
    assert results.worst_case("SwirlWarp,LineShift") is None
    assert results.mean_accuracy("training") is None
    with pytest.raises(UnknownNameError, match="SwirlWarp"):
        results.worst_case("SwirlWrap")
    with pytest.raises(UserError, match="got none"):
        results.mean_accuracy("")


def test_evasion_rates_over_sets_are_the_metrics_of_the_rows_by_class_name(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    dog = [each.name for each in results.summary.classes].index("Dog")
    hold_outs = results.summary.benchmark.names("hold-out")
    for threshold in (0.1, 0.5):
        seen = results.evasion_rate("hold-out", positive="dog", threshold=threshold)
        assert seen == worst_evasion_rate(results.rows, hold_outs, Flagging(dog, threshold))
    assert results.evasion_rate("swirlwarp") == evasion_rate(results.rows, "SwirlWarp") is not None
    with pytest.raises(UserError, match="--threshold T is missing"):
        results.evasion_rate("all", positive="dog")
    with pytest.raises(UnknownNameError, match="class"):
        results.evasion_rate("all", positive="wolf", threshold=0.5)


def test_confusion_by_class_names_holds_every_picture_once(tmp_path: Path) -> None:
    results = results_in(tmp_path, obfuscations=["SwirlWarp"])
    classes = results.summary.classes
    for name in ("clean", "swirlwarp"):
        table = results.confusion(name)
        of_class = dict(table.group_by("true_class").agg(pl.col("pictures").sum()).iter_rows())
        assert of_class == {each.name: each.n for each in classes if each.n}
    right = results.confusion("SwirlWarp").filter(pl.col("true_class") == pl.col("taken_for"))
    rows = results.rows.filter(transform="SwirlWarp")
    assert right["pictures"].sum() == rows["correct"].sum() > 0
    with pytest.raises(UserError, match="LineShift was not run"):
        results.confusion("LineShift")
    with pytest.raises(UnknownNameError, match="SwirlWarp"):
        results.confusion("SwirlWrap")
