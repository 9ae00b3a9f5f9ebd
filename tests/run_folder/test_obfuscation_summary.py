"""The figures of a run of obfuscations are those of its rows, and say what they are not."""

import json
from dataclasses import replace
from itertools import compress

import polars as pl
import pytest

from made_obfuscations import (
    HOLD_OUTS,
    LABELS,
    made_read_run,
    made_record,
    made_rows,
    made_verdicts,
    obfuscation_benchmark,
    planned,
)
from unforeseen.errors import RunError, UserError
from unforeseen.metrics import (
    accuracy,
    balanced_accuracy,
    balanced_mean,
    balanced_worst_case,
    mean_accuracy,
    worst_case,
)
from unforeseen.rows import frame_of
from unforeseen.run_folder.obfuscation_summary import summarise_obfuscations


def test_every_figure_is_the_metric_of_the_rows() -> None:
    """Pitfall 15: mean is mean, worst is worst, and both can be counted again."""
    record = made_record()
    summary, rows, _ = made_read_run(record)
    assert summary.clean.balanced == balanced_accuracy(rows, "clean")
    assert summary.clean.unweighted == accuracy(rows, "clean", "")
    assert [each.obfuscation for each in summary.obfuscations] == list(
        summary.benchmark.obfuscations
    )
    for each in summary.obfuscations:
        assert each.accuracy.balanced == balanced_accuracy(rows, each.obfuscation)
        assert each.accuracy.unweighted == accuracy(rows, each.obfuscation, "")
    assert [each.over.name for each in summary.sets] == ["hold-out", "training", "all"]
    for over, mean, worst in summary.sets:
        members = over.obfuscations
        assert mean.balanced == balanced_mean(rows, members)
        assert worst.balanced == balanced_worst_case(rows, members)
        assert mean.unweighted == mean_accuracy(rows, members, "")
        assert worst.unweighted == worst_case(rows, members, "")


def test_the_headline_is_the_worst_case_over_the_hold_outs_counted_by_hand() -> None:
    record = made_record()
    verdicts = made_verdicts(record, seed=3)
    # All right under the three: two of five dogs, one of three birds, the bear; the clock isn't.
    right = [True, True, False, False, False, True, False, False, True, False]
    verdicts |= {name: [True] * 10 for name in HOLD_OUTS}
    verdicts[HOLD_OUTS[0]] = right
    summary = made_read_run(record, verdicts).summary
    assert summary.headline is not None
    assert summary.headline.value == pytest.approx((2 / 5 + 1 / 3 + 1 + 0) / 4)
    assert summary.headline == summary.sets[0].worst.balanced


def test_clean_pictures_are_in_no_set() -> None:
    record = made_record()
    verdicts = made_verdicts(record)
    all_wrong = made_read_run(record, verdicts | {"clean": [False] * 10}).summary
    assert all_wrong.sets == made_read_run(record, verdicts).summary.sets
    assert all("clean" not in each.over.obfuscations for each in all_wrong.sets)


def test_a_set_of_which_one_was_not_run_has_no_figure() -> None:
    ran = [*HOLD_OUTS[:2], "SwirlWarp"]
    summary = made_read_run(made_record(obfuscations=ran)).summary
    assert summary.headline is None
    assert all(each.mean == each.worst == (None, None) for each in summary.sets)
    assert "3 of 22 obfuscations" in summary.partial
    most = [name for name in summary.benchmark.obfuscations if name != "SwirlWarp"]
    summary = made_read_run(made_record(obfuscations=most)).summary
    assert summary.headline is not None
    assert "obfuscations not run: SwirlWarp" in summary.partial


def test_a_run_says_which_super_classes_have_no_picture_and_how_many_of_the_papers_there_are() -> (
    None
):
    """Pitfall 15: a figure over fewer classes or obfuscations says so."""
    whole = obfuscation_benchmark()
    fewer = replace(whole, obfuscations=dict(tuple(whole.obfuscations.items())[:19]))
    summary = made_read_run(made_record(benchmark=fewer)).summary
    (empty,) = (each for each in summary.partial if each.startswith("super-classes without"))
    assert "Chair / Throne" in empty
    assert "Cleaver" in empty
    assert "Dog" not in empty
    assert "19 of the paper's 22 obfuscations in the benchmark" in summary.partial
    counts = {each.name: each.n for each in summary.classes if each.n}
    assert counts == {"Bear": 1, "Bird": 3, "Clock": 1, "Dog": 5}
    assert len(summary.classes) == 16


def test_of_classes_of_ones_own_those_that_the_data_name_are_missed() -> None:
    benchmark = obfuscation_benchmark("image-obfuscation-own")
    record = made_record(benchmark=benchmark, classes=["ok", "weapon", "nudity"])
    labels = [0, 1] * 5
    summary = made_read_run(record, labels=labels).summary
    assert [tuple(each) for each in summary.classes] == [("ok", 5), ("weapon", 5), ("nudity", 0)]
    assert "classes without a picture: nudity" in summary.partial


def test_labels_without_names_are_numbered() -> None:
    benchmark = obfuscation_benchmark("image-obfuscation-own")
    summary = made_read_run(made_record(benchmark=benchmark), labels=[0, 2] * 5).summary
    assert [tuple(each) for each in summary.classes] == [
        ("class 0", 5),
        ("class 1", 0),
        ("class 2", 5),
    ]


def test_unreadable_pictures_are_in_no_count_of_classes_and_nonfinite_ones_are() -> None:
    record = made_record()
    names = [cell["transform"] for cell in record["cells"]]
    status = {(name, 8): "unreadable" for name in names}
    status |= {("SwirlWarp", 0): "nonfinite"}
    summary = made_read_run(record, status=status).summary  # type: ignore[arg-type]  # literals
    assert {each.name: each.n for each in summary.classes if each.n} == {
        "Bird": 3,
        "Clock": 1,
        "Dog": 5,
    }
    assert (summary.unreadable, summary.nonfinite) == (1, 1)
    assert summary.clean.balanced is not None
    assert summary.clean.balanced.n == 9


def test_figures_at_another_k_are_those_of_its_verdicts() -> None:
    record = made_record()
    rows = frame_of(made_rows(record))
    # All wrong ones are of rank 2.
    summary = summarise_obfuscations(planned(record), rows, top=3)
    assert summary.top == 3
    assert summary.headline is not None
    assert summary.headline.value == 1.0


def test_further_sets_are_counted_and_refused_where_a_member_was_not_run() -> None:
    record = made_record(obfuscations=["SwirlWarp", "LineShift"])
    rows = frame_of(made_rows(record))
    summary = summarise_obfuscations(planned(record), rows, over=["lineshift,SwirlWarp"])
    found = summary.sets[-1]
    assert found.over.name == "LineShift+SwirlWarp"
    assert found.worst.balanced == balanced_worst_case(rows, ["LineShift", "SwirlWarp"])
    with pytest.raises(UserError, match=r"hold-out: not run: LowContrastTriangles"):
        summarise_obfuscations(planned(record), rows, over=["hold-out"])


def test_an_unfinished_run_says_what_is_missing() -> None:
    record = made_record()
    rows = frame_of(made_rows(record)).filter(
        (pl.col("transform") != "TextOverlay") | (pl.col("example_id") < "p00004")
    )
    summary = summarise_obfuscations(planned(record), rows)
    assert not summary.complete
    assert "TextOverlay: 4 of 10 pictures" in summary.partial
    figures = summary.figures
    assert figures["TextOverlay"].balanced is not None
    assert figures["TextOverlay"].balanced.n == 4
    assert figures["worst:all"].balanced is not None
    assert figures["worst:all"].balanced.n == 4
    assert figures["worst:hold-out"].balanced is not None
    assert figures["worst:hold-out"].balanced.n == 10


def test_rows_that_contradict_their_cell_are_refused() -> None:
    record = made_record()
    rows = made_rows(record)
    rows[0] = replace(rows[0], seed=5)
    with pytest.raises(RunError, match="expected seed 0, got 5"):
        summarise_obfuscations(planned(record), frame_of(rows))


def test_a_worst_of_several_draws_is_another_figure_and_says_so() -> None:
    summary = made_read_run(made_record(worst_of=5)).summary
    assert "the worst of 5 draws of each picture" in summary.partial


def test_the_summary_can_be_written_as_json_and_names_its_figures() -> None:
    summary = made_read_run(made_record()).summary
    content = json.loads(json.dumps(summary.to_record(), allow_nan=False))
    assert content["headline"] == content["sets"][0]["worst"]["balanced"]
    assert content["headline"]["interval"] == "stratified"
    assert content["classes"][10] == {"name": "Dog", "n": 5}
    assert content["made_by"] == "unforeseen"
    of_name = {each["obfuscation"]: each for each in content["obfuscations"]}
    assert of_name["SwirlWarp"]["group"] == "training"
    assert of_name["ColorPatternOverlay"]["group"] == "hold-out"


def test_an_empty_run_has_no_figures() -> None:
    record = made_record()
    summary = summarise_obfuscations(planned(record), frame_of([]))
    assert summary.headline is None
    assert summary.clean == (None, None)
    assert list(compress(LABELS, [each.n for each in summary.classes])) == []
