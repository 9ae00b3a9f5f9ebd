"""Tables: who may stand beside whom, and what must be said above."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from made_runs import CORE, EVERY, made_frame, made_record, planned_attack_run
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.check.findings import Finding
from unforeseen.check.result import CheckResult
from unforeseen.metrics import Estimate
from unforeseen.report.export import to_csv, to_json
from unforeseen.report.render import to_markdown, to_rich
from unforeseen.report.tables import ResultTable, result_tables
from unforeseen.run_folder.attack_summary import AttackSummary, summarise_attacks
from unforeseen.search.settings import SearchSettings

IMAGENET = load_attack_benchmark("imagenet-ua")


def made_summary(*, survivors: int = 3, over: Sequence[str] = (), **change: Any) -> AttackSummary:
    record = made_record(**({"levels": ("medium",)} | change))
    return summarise_attacks(
        planned_attack_run(record), made_frame(record, survivors=survivors), over=over
    )


def on_terminal(tables: tuple[ResultTable, ...], width: int = 200) -> str:
    console = Console(width=width, file=io.StringIO(), record=True, legacy_windows=False)
    console.print(to_rich(tables, width=width))
    return console.export_text()


def test_runs_of_one_benchmark_and_edition_share_a_table_and_others_never_do() -> None:
    summaries = [
        made_summary(model="timm:a"),
        made_summary(model="timm:b", edition="strict"),
        made_summary(model="timm:c"),
        made_summary(model="timm:d", benchmark=IMAGENET),
    ]
    tables = result_tables(summaries)
    assert [[row.model for row in table.rows] for table in tables] == [
        ["timm:a", "timm:c"],
        ["timm:b"],
        ["timm:d"],
    ]
    assert [table.title for table in tables] == [
        "small-imagenet-ua, edition published, medium",
        "small-imagenet-ua, edition strict, medium",
        "imagenet-ua, edition published, medium",
    ]


def test_two_benchmarks_of_one_name_never_share_a_table() -> None:
    record = made_record(levels=("medium",))
    record["benchmark"]["attacks"]["wood"]["step_size"] = 1.0
    other = summarise_attacks(planned_attack_run(record), made_frame(record))
    assert len(result_tables([made_summary(), other])) == 2


def test_columns_are_in_the_papers_order() -> None:
    (table,) = result_tables([made_summary()])
    assert list(table.columns) == ["clean_accuracy", "pgd", "ua2", *CORE]
    assert list(table.columns.values())[:4] == ["Clean", "PGD L∞", "UA2", "JPEG"]


def test_each_level_that_was_run_is_a_row() -> None:
    (table,) = result_tables([made_summary(levels=("low", "high"))])
    assert [row.level for row in table.rows] == ["low", "high"]
    assert table.model_labels == ("timm:resnet50 (low)", "timm:resnet50 (high)")


def test_the_papers_rows_stand_beside_edition_published_of_imagenet_ua() -> None:
    (table,) = result_tables([made_summary(benchmark=IMAGENET)], published=True)
    assert [row.source for row in table.rows] == ["run"] + ["paper"] * 10
    assert table.model_labels[-1] == "ResNet-50, L2 (5) (paper)"
    assert len(result_tables([made_summary(benchmark=IMAGENET)])[0].rows) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"benchmark": IMAGENET, "edition": "strict"}, "they are of edition published"),
        ({"benchmark": IMAGENET, "levels": ("low",)}, "they are of level medium"),
        (
            {"benchmark": load_attack_benchmark("cifar10-ua")},
            "rows with each attack for imagenet-ua only",
        ),
    ],
)
def test_elsewhere_a_note_says_why_the_papers_rows_are_not_shown(
    change: dict[str, Any], said: str
) -> None:
    (table,) = result_tables([made_summary(**change)], published=True)
    assert {row.source for row in table.rows} == {"run"}
    assert "the paper's rows are not shown" in table.notes[-1]
    assert said in table.notes[-1]


def test_the_papers_rows_never_stand_beside_a_changed_imagenet_ua() -> None:
    record = made_record(benchmark=IMAGENET, levels=("medium",))
    record["benchmark"]["attacks"]["wood"]["step_size"] = 1.0
    (table,) = result_tables(
        [summarise_attacks(planned_attack_run(record), made_frame(record))], published=True
    )
    assert {row.source for row in table.rows} == {"run"}
    assert "not of the built-in imagenet-ua" in table.notes[-1]


def test_partial_and_failures_are_said_above_every_rendering() -> None:
    record = made_record(levels=("medium",), attacks=EVERY[:-1])
    rows = made_frame(record).with_columns(
        status=pl.when(pl.col("example_id") == "p000")
        .then(pl.lit("unreadable"))
        .when(pl.col("example_id") == "p001")
        .then(pl.lit("nonfinite"))
        .otherwise("status")
    )
    tables = result_tables([summarise_attacks(planned_attack_run(record), rows)])
    for text in (on_terminal(tables), on_terminal(tables, 60), to_markdown(tables)):
        above = " ".join(text.split("Clean", maxsplit=1)[0].split())
        assert "partial: attacks not run at medium: gabor" in above
        assert "9 non-finite" in above
        assert "1 unreadable" in above


def test_a_whole_run_has_nothing_above_it_but_that_it_was_checked() -> None:
    levels: tuple[str, ...] = ("low", "medium", "high")
    assert result_tables([made_summary(levels=levels)])[0].notes == (
        "check: fine (10 pictures: enough for gross mistakes only)",
    )


def test_what_a_check_found_stands_above_the_table_in_every_format() -> None:
    seen, advice = "The outputs are probabilities | [red]logits[/] are expected.", "Mend it."
    found = CheckResult(
        pictures=10,
        subset="0",
        findings=(Finding(kind="masked", about="softmax outputs", seen=seen, advice=advice),),
    )
    tables = result_tables([made_summary(check=found)])
    assert tables[0].notes[0] == f"masked: {seen}"
    assert on_terminal(tables).splitlines()[1].strip() == f"masked: {seen}"
    assert "probabilities \\| \\[red\\]logits" in to_markdown(tables)
    assert json.loads(to_json(tables))[0]["notes"][0] == f"masked: {seen}"
    (line,) = csv.DictReader(io.StringIO(to_csv(tables)))
    assert line["check"] == "masked: softmax outputs"


def test_a_run_that_nobody_checked_says_so() -> None:
    (table,) = result_tables([made_summary(check=None)])
    assert table.notes[0] == "not checked (unforeseen check)"
    (line,) = csv.DictReader(io.StringIO(to_csv((table,))))
    assert line["check"] == "not checked"


def test_with_several_runs_notes_say_whose_they_are() -> None:
    (table,) = result_tables([made_summary(model="timm:a"), made_summary(model="timm:b")])
    heads = [note.partition(": ")[0] for note in table.notes]
    assert heads == ["timm:a", "timm:a", "timm:b", "timm:b"]


def test_figures_are_percent_with_one_decimal_and_ua2_has_its_interval_and_n() -> None:
    summary = made_summary()
    estimate = summary.ua2["medium"]
    assert isinstance(estimate, Estimate)
    low, high = 100 * estimate.low, 100 * estimate.high
    shown = f"30.0 [{low:.1f}, {high:.1f}]"
    for width in (60, 80, 200):
        assert shown in on_terminal(result_tables([summary]), width)
    assert f"{shown} n=10" in on_terminal(result_tables([summary]), 60)
    escaped = shown.replace("[", r"\[").replace("]", r"\]")
    line = to_markdown(result_tables([summary])).splitlines()[-1]
    assert line.startswith(f"| timm:resnet50 | 10 | 100.0 | 30.0 | {escaped} | 30.0 |")


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_a_table_fits_the_terminal_whatever_its_rows(width: int) -> None:
    summary = made_summary(benchmark=IMAGENET)
    for published in (False, True):
        text = on_terminal(result_tables([summary], published=published), width)
        assert max(map(len, text.splitlines())) <= width
        assert "100.0" in text


def test_what_one_run_lacks_is_a_dash_and_never_zero() -> None:
    tables = result_tables([made_summary(attacks=("pgd", "jpeg")), made_summary(attacks=("pgd",))])
    *_, first, second = to_markdown(tables).splitlines()
    assert first == "| timm:resnet50, run 1 | 10 | 100.0 | 30.0 | – | 30.0 |"
    assert second == "| timm:resnet50, run 2 | 10 | 100.0 | 30.0 | – | – |"


def test_attacks_that_no_run_has_take_no_column() -> None:
    (table,) = result_tables([made_summary(attacks=("pgd", "jpeg"))])
    assert list(table.columns) == ["clean_accuracy", "pgd", "ua2", "jpeg"]


def test_runs_on_different_data_say_on_which() -> None:
    one, record = made_summary(), made_record(levels=("medium",))
    record["data"]["uri"] = "imagefolder:elsewhere"
    other = summarise_attacks(planned_attack_run(record), made_frame(record))
    assert result_tables([one, other])[0].model_labels == (
        "timm:resnet50 on imagefolder:val",
        "timm:resnet50 on imagefolder:elsewhere",
    )


def test_a_label_says_whom_pictures_were_made_against() -> None:
    """White-box rows and those of a transfer may share a table, as in the paper's table 18."""
    source, other = made_summary(model="timm:a"), made_summary(model="timm:b")
    targets = [made_summary(model=f"timm:{name}", source_model="timm:a") for name in "bc"]
    (table,) = result_tables([source, *targets, other])
    assert table.model_labels == (
        *("timm:a (source model)", "timm:b (transfer)", "timm:c (transfer)", "timm:b"),
    )
    reason = "timm:b: partial: pictures were made against timm:a; only level medium"
    assert reason in table.notes
    (table,) = result_tables([*targets, made_summary(model="timm:a", source_model="timm:b"), other])
    assert table.model_labels == (
        *("timm:b (transfer from timm:a)", "timm:c (transfer from timm:a)"),
        *("timm:a (transfer from timm:b)", "timm:b (source model)"),
    )
    (line, *_) = csv.DictReader(io.StringIO(to_csv(result_tables(targets))))
    assert (line["model"], line["source_model"]) == ("timm:b", "timm:a")
    assert json.loads(to_json([table]))[0]["rows"][0]["summary"]["source_model"] == "timm:a"


def with_head(name: str | None, **change: Any) -> AttackSummary:
    record = made_record(levels=("medium",), **change)
    record["model"]["head"] = name and {"name": name, "outputs": 8, "mapping": "m"}
    return summarise_attacks(planned_attack_run(record), made_frame(record))


def test_a_model_with_two_heads_is_told_apart_by_them_in_every_format() -> None:
    runs = [with_head(name, model="timm:b", source_model="timm:a") for name in ("a.json", None)]
    tables = result_tables([*runs, with_head("b.json", model="timm:c")])
    labels = (*("timm:b with head a.json (transfer)", "timm:b without head (transfer)", "timm:c"),)
    assert tables[0].model_labels == labels
    for text in (on_terminal(tables), to_markdown(tables)):
        assert all(label in text for label in labels)
    lines = csv.DictReader(io.StringIO(to_csv(tables)))
    assert [line["head"] for line in lines] == ["a.json", "", "b.json"]
    rows = json.loads(to_json(tables))[0]["rows"]
    assert [row["head"] for row in rows] == ["a.json", None, "b.json"]


def test_the_papers_rows_never_stand_beside_a_transfer() -> None:
    summaries = [made_summary(benchmark=IMAGENET, source_model="timm:a")]
    (table,) = result_tables(summaries, published=True)
    assert {row.source for row in table.rows} == {"run"}
    assert "of pictures that were made against the model itself" in table.notes[-1]


def test_csv_has_a_line_a_run_and_level_at_full_precision() -> None:
    summaries = [
        made_summary(survivors=1, levels=("low", "medium")),
        made_summary(edition="strict"),
    ]
    lines = list(csv.DictReader(io.StringIO(to_csv(result_tables(summaries)))))
    assert [(line["edition"], line["level"]) for line in lines] == [
        ("published", "low"),
        ("published", "medium"),
        ("strict", "medium"),
    ]
    wood = summaries[0].accuracy("wood", "medium")
    assert wood is not None
    assert tuple(float(lines[1][f"wood{end}"]) for end in ("", "_low", "_high")) == wood[:3]
    assert (lines[1]["wood_n"], lines[1]["complete"], lines[1]["seed"]) == ("10", "true", "0")
    assert lines[1]["partial"] == "only level low and medium"


def test_csv_leaves_empty_what_the_paper_does_not_print() -> None:
    tables = result_tables([made_summary(benchmark=IMAGENET)], published=True)
    lines = list(csv.DictReader(io.StringIO(to_csv(tables))))
    assert [line["source"] for line in lines] == ["run"] + ["paper"] * 10
    assert (float(lines[1]["ua2"]), lines[1]["ua2_low"], lines[1]["images"]) == (0.277, "", "")


def test_json_holds_summaries_as_they_are_written() -> None:
    summary = made_summary()
    (table,) = json.loads(to_json(result_tables([summary])))
    assert table["rows"][0]["summary"] == summary.to_record()
    assert table["rows"][0]["figures"]["ua2"] == summary.to_record()["ua2"]["medium"]


def test_no_runs_are_no_tables() -> None:
    assert result_tables([], published=True) == ()
    assert json.loads(to_json(())) == []
    assert to_csv(()) == ""


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_name_that_a_spreadsheet_would_run_is_only_text(start: str) -> None:
    name = f'{start}HYPERLINK("http://x")'
    (line,) = csv.DictReader(io.StringIO(to_csv(result_tables([made_summary(model=name)]))))
    shown = "'" + name if start.isprintable() else f"\N{REPLACEMENT CHARACTER}{name[1:]}"
    assert line["model"] == shown


def test_markup_and_control_characters_in_names_are_shown_and_not_obeyed() -> None:
    name = "timm:[red]x[/]|y\x1b[31m\n<b>`z`"
    tables = result_tables([made_summary(model=name)])
    text = on_terminal(tables)
    assert "timm:[red]x[/]|y\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}<b>`z`" in text
    line = to_markdown(tables).splitlines()[-1]
    assert line.startswith("| timm:\\[red\\]x\\[/\\]\\|y")
    assert "&lt;b\\>\\`z\\`" in line
    assert len(to_markdown(tables).splitlines()) == 9


def test_headings_of_a_narrow_table_are_whole_words_or_the_papers_short_form() -> None:
    summaries = [made_summary(benchmark=IMAGENET) for _ in range(4)]
    text = on_terminal(result_tables(summaries), 80)
    assert all(word in text for word in ("Elastic", "Glitch", "Kal.", "Pixel"))


@pytest.mark.parametrize("width", [70, 80, 100, 200])
def test_sets_of_attacks_have_a_table_of_their_own_with_intervals_and_n(width: int) -> None:
    summaries = [made_summary(model=f"timm:{name}", over=("wood,snow", "core")) for name in "abc"]
    for text in (
        on_terminal(result_tables(summaries, published=True), width),
        to_markdown(result_tables(summaries)).replace("\\", "").replace("|", " "),
    ):
        lines = [line.split(maxsplit=4) for line in text.split("Over")[1].splitlines()]
        of_b = [" ".join(line) for line in lines if line[:1] == ["timm:b"]]
        worst = summaries[1].sets[0].worst
        assert worst is not None
        low, high = f"{100 * worst.low:.1f}", f"{100 * worst.high:.1f}"
        assert of_b[0].split() == (
            f"timm:b wood, snow 10 30.0 [0.0, 60.0] 30.0 [{low}, {high}]".split()
        )
        assert of_b[1].startswith("timm:b core 10")
        assert len(of_b) == 2
        assert "(paper)" not in text.split("Over")[1]


def test_figures_over_sets_on_other_pictures_than_the_runs_are_told_in_every_format() -> None:
    """In an unfinished run each level's are of the pictures that have come so far."""
    record = made_record(levels=("low", "medium"))
    rows = made_frame(record)
    late = (pl.col("transform") == "wood") & (pl.col("level") == "medium")
    last = rows.filter(late)["example_id"].sort()[-7:].to_list()
    summary = summarise_attacks(
        planned_attack_run(record),
        rows.filter(~(late & pl.col("example_id").is_in(last))),
        over=("snow,wood", "snow,jpeg"),
    )
    (table,) = result_tables([summary])
    (note,) = (note for note in table.notes if note.startswith("over "))
    assert note == (
        "over snow, wood at medium: only the 3 of 10 pictures with a verdict under each, so other "
        "lines are of others"
    )
    whole = made_summary(over=("snow,wood",))
    assert not any(note.startswith("over ") for note in result_tables([whole])[0].notes)


def test_beside_sets_long_names_become_numbers_and_figures_are_never_cut() -> None:
    name = "py:models/of/mine/" + "x" * 60 + ":make"
    levels = ("low", "medium")
    summaries = [made_summary(model=name, over=("core", "all"), levels=levels) for _ in range(2)]
    before, _, after = on_terminal(result_tables(summaries), 80).partition("Over")
    worst = summaries[0].sets[0].worst
    assert worst is not None
    whole = f"30.0 [{100 * worst.low:.1f}, {100 * worst.high:.1f}]"
    lines = [line for line in after.splitlines() if "core" in line]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    assert [line.rstrip().endswith(whole) for line in lines] == [True] * 4
    assert " ".join(before.split()).count(", run 2 (medium)") == 1
    two = " ".join(on_terminal(result_tables(summaries[:1]), 80).split())
    assert two.count("1 py:models") == two.count("2 py:models") == 1


def test_runs_of_one_model_say_what_tells_them_apart() -> None:
    """In rows and before notes; what they have in common isn't said."""
    apgd = SearchSettings(name="apgd").to_record()
    searches: tuple[dict[str, Any], ...] = ({}, {"search": apgd}, {"search": apgd, "seed": 3})
    summaries = []
    for change in searches:
        record = made_record(levels=("medium",)) | change
        frame = made_frame(record).with_columns(seed=pl.lit(record["seed"], pl.Int64))
        summaries.append(summarise_attacks(planned_attack_run(record), frame))
    (table,) = result_tables([*summaries, made_summary(model="timm:vit")])
    assert table.model_labels == (
        *("timm:resnet50, search pgd, seed 0", "timm:resnet50, search apgd, seed 0"),
        *("timm:resnet50, search apgd, seed 3", "timm:vit"),
    )
    for label in table.model_labels:
        assert any(note.startswith(f"{label}: partial") for note in table.notes)
    (table,) = result_tables([made_summary(), made_summary()])
    assert table.model_labels == ("timm:resnet50, run 1", "timm:resnet50, run 2")


def test_sets_of_attacks_are_columns_of_csv_and_figures_of_json() -> None:
    summary = made_summary(over=("wood,snow",))
    mean, worst = summary.sets[0].mean, summary.sets[0].worst
    assert mean is not None
    assert worst is not None
    tables = result_tables([summary])
    (line,) = csv.DictReader(io.StringIO(to_csv(tables)))
    for key, figure in (("mean:wood+snow", mean), ("worst:wood+snow", worst)):
        numbers = tuple(float(line[f"{key}{end}"]) for end in ("", "_low", "_high", "_n"))
        assert numbers == figure[:4]
        assert json.loads(to_json(tables))[0]["rows"][0]["figures"][key] == figure.to_record()


def test_tables_without_sets_are_as_they_were() -> None:
    tables = result_tables([made_summary()])
    assert "Over" not in on_terminal(tables) + to_markdown(tables)
    assert "mean:" not in to_csv(tables) + to_json(tables)


def test_runs_of_other_pictures_say_so_above_the_table() -> None:
    runs = [replace(made_summary(), pictures=each) for each in ("0", "1", "0")]
    (table,) = result_tables(runs[:2])
    assert table.notes[0].startswith("not of the same pictures")
    (table,) = result_tables(runs[::2])
    assert "same pictures" not in " ".join(table.notes)
