"""What users get of a run: one of two kinds, whose figures over sets are those of the summary."""

from pathlib import Path

import pytest

import unforeseen
from made_obfuscations import made_folder, made_record, made_verdicts
from unforeseen import AttackResults, ObfuscationResults, load_results
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.metrics import Estimate, balanced_mean, balanced_worst_case, mean_accuracy


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
