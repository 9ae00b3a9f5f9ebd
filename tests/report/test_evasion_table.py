"""Evasion rates as a table, and the list of what got through."""

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from made_obfuscations import made_read_run, made_record, obfuscation_benchmark
from unforeseen.errors import UnknownNameError
from unforeseen.metrics import Flagging, evasion_rate, wilson, worst_evasion_rate
from unforeseen.metrics.evasion import flagged_clean
from unforeseen.positive_class import Filter
from unforeseen.report.evasion_table import (
    evasion_table,
    evasions_to_csv,
    evasions_to_json,
    evasions_to_markdown,
    evasions_to_rich,
)
from unforeseen.run_folder.read_run import ReadObfuscationRun

NAMES = ["ok", "weapon"]


def moderation_run() -> ReadObfuscationRun:
    """Six weapons, of which five are flagged (rows say 0.8 of right ones, 0.3 of wrong ones)."""
    record = made_record(
        benchmark=obfuscation_benchmark("image-obfuscation-own"),
        obfuscations=["SwirlWarp", "LineShift"],
        classes=NAMES,
    )
    verdicts = {
        "clean": [True] * 5 + [False] + [True] * 4,
        "SwirlWarp": [False, False, True, True, True, True] + [False] * 4,
        "LineShift": [False, True, False, True, True, True] + [False] * 4,
    }
    return made_read_run(record, verdicts, labels=[1] * 6 + [0] * 4)


def test_the_table_has_the_metrics_figures_and_the_worst_of_all() -> None:
    run = moderation_run()
    table = evasion_table([run], Filter(positive="Weapon", threshold=0.5))
    figures = {line.key: line.figures[0] for line in table.lines}
    assert figures == {
        "flagged_clean": flagged_clean(run.rows, Flagging(1, 0.5)),
        "worst": worst_evasion_rate(run.rows, ["SwirlWarp", "LineShift"], Flagging(1, 0.5)),
        "SwirlWarp": evasion_rate(run.rows, "SwirlWarp", Flagging(1, 0.5)),
        "LineShift": evasion_rate(run.rows, "LineShift", Flagging(1, 0.5)),
    }
    # Of five flagged ones, three get through somewhere.
    assert figures["worst"] is not None
    assert (figures["worst"].value, figures["worst"].n) == (3 / 5, 5)


def worst_of_three(classes: list[str]) -> ReadObfuscationRun:
    record = made_record(
        benchmark=obfuscation_benchmark("image-obfuscation-own"),
        obfuscations=["SwirlWarp"],
        classes=classes,
        worst_of=3,
    )
    return made_read_run(record, labels=[1] * 6 + [0] * 4)


def test_why_a_run_is_partial_stands_above_its_rates_in_every_format() -> None:
    table = evasion_table([worst_of_three(NAMES)], Filter(positive="weapon", threshold=0.5))
    for text in (evasions_to_markdown(table), evasions_to_csv(table), evasions_to_json(table)):
        assert "the worst of 3 draws of each picture" in text


def test_every_format_holds_the_figures_and_whose_pictures_these_are() -> None:
    table = evasion_table([moderation_run()], Filter(positive="1", threshold=0.5))
    console = Console(width=120, file=io.StringIO())
    console.print(evasions_to_rich(table, width=120))
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "weapon flagged from a probability of 0.5 on" in text
    assert "made by this project" in text
    assert "60.0 [23.1, 88.2] n=5" in text
    assert "60.0" in evasions_to_markdown(table)
    lines = {each["figure"]: each for each in csv.DictReader(io.StringIO(evasions_to_csv(table)))}
    assert (float(lines["worst"]["value"]), int(lines["worst"]["n"])) == (0.6, 5)
    content = json.loads(evasions_to_json(table))
    assert content["runs"][0]["figures"]["worst"]["value"] == 0.6


def test_a_class_that_is_not_there_is_refused() -> None:
    run = moderation_run()
    with pytest.raises(UnknownNameError, match="Did you mean weapon"):
        evasion_table([run], Filter(positive="waepon", threshold=0.5))
    with pytest.raises(UnknownNameError, match="There are: ok, weapon"):
        evasion_table([run], Filter(positive="7", threshold=0.5))


def test_where_nothing_is_flagged_there_is_a_dash_and_no_rate() -> None:
    table = evasion_table([moderation_run()], Filter(positive="weapon", threshold=0.9))
    assert [line.figures[0] for line in table.lines[1:]] == [None] * 3
    assert "| SwirlWarp | – |" in evasions_to_markdown(table)


def test_without_a_class_it_counts_what_is_right_and_then_wrong() -> None:
    run = moderation_run()
    table = evasion_table([run])
    figures = {line.key: line.figures[0] for line in table.lines}
    assert (figures["flagged_clean"], figures["SwirlWarp"]) == (wilson(9, 10), wilson(6, 9))
    assert "Right as they are" in evasions_to_markdown(table)
    content = json.loads(evasions_to_json(table))
    assert (content["positive"], content["threshold"]) == (None, None)


def test_runs_of_other_pictures_say_so() -> None:
    run = moderation_run()
    other = run._replace(summary=replace(run.summary, model="timm:vit", pictures="other"))
    notes = evasion_table([run, other], Filter(positive="weapon", threshold=0.5)).notes
    assert notes[0].startswith("not of the same pictures")
    assert "not of the same" not in " ".join(evasion_table([run, run]).notes)
