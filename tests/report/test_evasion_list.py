"""The list of what got through."""

import csv
import io

import polars as pl
import pytest

from made_obfuscations import made_read_run, made_record, obfuscation_benchmark
from unforeseen.positive_class import Filter
from unforeseen.report.evasion_list import Evasion, evasion_list_to_csv, list_evasions
from unforeseen.run_folder.picture_list import ListedPicture
from unforeseen.run_folder.read_run import ReadObfuscationRun


def moderation_run() -> ReadObfuscationRun:
    """Six weapons, of which five are flagged (rows say 0.8 of right ones, 0.3 of wrong ones)."""
    record = made_record(
        benchmark=obfuscation_benchmark("image-obfuscation-own"),
        obfuscations=["SwirlWarp", "LineShift"],
        classes=["ok", "=weapon"],
    )
    verdicts = {
        "clean": [True] * 5 + [False] + [True] * 4,
        "SwirlWarp": [False, False, True, True, True, True, True, False, True, True],
        "LineShift": [False, True, False, True, True, True] + [True] * 4,
    }
    return made_read_run(record, verdicts, labels=[1] * 6 + [0] * 4)


def test_each_picture_and_obfuscation_that_got_through_has_a_line() -> None:
    pictures = [ListedPicture("p00000", "a/one.jpg", 1, "=weapon")]
    found = list_evasions(moderation_run(), pictures, Filter(positive="=weapon", threshold=0.5))
    assert [(each.example_id, each.obfuscation) for each in found] == [
        *(("p00000", "LineShift"), ("p00000", "SwirlWarp")),
        *(("p00001", "SwirlWarp"), ("p00002", "LineShift")),
    ]
    assert [each.file for each in found] == ["a/one.jpg", "a/one.jpg", None, None]
    assert {(each.true_class, each.draw) for each in found} == {("=weapon", 0)}
    assert found[0].probability_clean == pytest.approx(0.8)
    assert found[0].probability == pytest.approx(0.3)
    # A number without a name; the rows' wrong predictions are the class behind the true one.
    assert {each.taken_for for each in found} == {"class 2"}


def test_without_a_class_every_picture_that_was_right_is_looked_at() -> None:
    found = list_evasions(moderation_run(), ())
    assert ("p00007", "SwirlWarp", "ok") in {
        (each.example_id, each.obfuscation, each.true_class) for each in found
    }
    assert "p00005" not in {each.example_id for each in found}


def test_its_csv_holds_the_draw_and_the_parameters_and_no_formula() -> None:
    run = moderation_run()
    rows = run.rows.with_columns(
        parameters=pl.lit('{"lines":[1,2],"name":"a,b"}'), restart=pl.lit(3, pl.Int32)
    )
    pictures = [ListedPicture("p00000", "+1/\x1b[2Jone\n.jpg", 1, "=weapon")]
    found = list_evasions(run._replace(rows=rows), pictures, Filter(positive="1", threshold=0.5))
    text = evasion_list_to_csv(found)
    lines = list(csv.DictReader(io.StringIO(text)))
    assert tuple(lines[0]) == Evasion._fields
    assert len(lines) == len(found) == 4
    assert lines[0]["parameters"] == '{"lines":[1,2],"name":"a,b"}'
    assert lines[0]["draw"] == "3"
    assert lines[0]["true_class"] == "'=weapon"
    assert lines[0]["file"] == "'+1/\N{REPLACEMENT CHARACTER}[2Jone\N{REPLACEMENT CHARACTER}.jpg"
    assert len(text.splitlines()) == 1 + len(found)
