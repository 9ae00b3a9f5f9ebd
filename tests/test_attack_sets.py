"""Mean and worst case over any set of attacks."""

from collections.abc import Sequence

import pytest

from made_rows import table_of
from made_runs import CORE, EVERY, made_frame, made_record, planned_attack_run
from unforeseen.attack_sets import AttackSet
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.metrics import mean_accuracy, worst_case
from unforeseen.results import AttackResults
from unforeseen.run_folder.attack_summary import summarise_attacks

IMAGENET = load_attack_benchmark("imagenet-ua")


def results(
    *, over: Sequence[str] = (), survivors: int = 3, **change: Sequence[str]
) -> AttackResults:
    record = made_record(**({"levels": ("medium",)} | change))  # type: ignore[arg-type]  # of one kind each
    rows = made_frame(record, survivors=survivors)
    return AttackResults(
        rows=rows, summary=summarise_attacks(planned_attack_run(record), rows, over=over)
    )


@pytest.mark.parametrize(
    ("names", "called", "attacks"),
    [
        ("core", "core", CORE),
        ("all", "all", EVERY),
        (" wood, snow ,", "wood+snow", ("wood", "snow")),
        ("snow,wood,snow", "snow+wood", ("snow", "wood")),
        ("pgd,core", "pgd+core", EVERY),
        (["jpeg"], "jpeg", ("jpeg",)),
    ],
)
def test_a_set_is_core_all_or_names_each_once_in_the_order_given(
    names: str | list[str], called: str, attacks: tuple[str, ...]
) -> None:
    assert AttackSet.of(names, IMAGENET) == (called, attacks)


def test_an_unknown_attack_is_told_with_near_matches() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean snow"):
        AttackSet.of("jpeg,snov", IMAGENET)


@pytest.mark.parametrize("names", ["", " , ", []])
def test_a_set_of_no_attacks_is_refused(names: str | list[str]) -> None:
    with pytest.raises(UserError, match="got none"):
        AttackSet.of(names, IMAGENET)


def test_the_mean_over_core_is_ua2_and_the_worst_over_core_the_summarys() -> None:
    run = results()
    assert run.mean_accuracy("core") == run.summary.ua2["medium"] is not None
    assert run.worst_case(CORE) == run.summary.worst["medium"] is not None


def test_results_over_a_set_are_the_metrics_of_its_rows() -> None:
    run = results(survivors=4)
    verdicts = {name: [picture < 4 for picture in range(10)] for name in ("wood", "snow")}
    rows = table_of(verdicts)
    assert run.mean_accuracy(["wood", "snow"]) == mean_accuracy(rows, ("wood", "snow"), "medium")
    assert run.worst_case("wood,snow") == worst_case(rows, ("wood", "snow"), "medium")


def test_figures_over_a_set_are_none_where_one_of_its_attacks_was_not_run() -> None:
    run = results(attacks=("jpeg",))
    assert run.mean_accuracy("jpeg,wood") is None
    assert run.worst_case("jpeg", "low") is None
    with pytest.raises(UnknownNameError, match="level"):
        run.worst_case("jpeg", "mediun")


def test_a_summary_has_each_set_asked_for_at_each_level_that_was_run() -> None:
    run = results(over=("core", "wood,snow", "core"), levels=("low", "high"))
    assert [(each.over.name, each.level) for each in run.summary.sets] == [
        ("core", "low"),
        ("core", "high"),
        ("wood+snow", "low"),
        ("wood+snow", "high"),
    ]
    for each in run.summary.sets:
        assert each.mean == run.mean_accuracy(each.over.attacks, each.level)
        assert each.worst == run.worst_case(each.over.attacks, each.level)


def test_sets_leave_the_written_summary_as_it_is() -> None:
    assert results(over=("core",)).summary.to_record() == results().summary.to_record()


def test_a_set_that_was_run_at_no_level_says_what_is_missing_where() -> None:
    with pytest.raises(UserError, match="not run at medium: wood, snow") as caught:
        results(over=("jpeg,wood,snow",), attacks=("jpeg", "pgd"))
    assert "\n" not in str(caught.value)
