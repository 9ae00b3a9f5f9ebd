"""Tables of obfuscation runs: the headline first, and what must be read before it."""

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from made_obfuscations import (
    HOLD_OUTS,
    made_read_run,
    made_record,
    made_verdicts,
    obfuscation_benchmark,
)
from unforeseen.benchmarks import ObfuscationSetting
from unforeseen.report.obfuscation_export import obfuscations_to_csv, obfuscations_to_json
from unforeseen.report.obfuscation_render import obfuscations_to_markdown, obfuscations_to_rich
from unforeseen.report.obfuscation_tables import ObfuscationTable, obfuscation_tables
from unforeseen.run_folder.obfuscation_figures import Weighting
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary, summarise_obfuscations


def summary_of(
    model: str = "timm:resnet50", *, seed: int = 0, **record: object
) -> ObfuscationSummary:
    made = made_record(model=model, **record)  # type: ignore[arg-type]  # passed on as it is
    return made_read_run(made, made_verdicts(made, seed=seed)).summary


def printed(tables: tuple[ObfuscationTable, ...], weighting: Weighting, width: int = 200) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(obfuscations_to_rich(tables, weighting, width=width))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    return text


def test_the_headline_comes_first_then_clean_then_hold_outs_before_training() -> None:
    (table,) = obfuscation_tables([summary_of()])
    keys = [line.key for line in table.lines]
    assert keys[:3] == ["worst:hold-out", "mean:hold-out", "clean"]
    obfuscations = [key for key in keys if ":" not in key and key != "clean"]
    assert set(obfuscations[:3]) == set(HOLD_OUTS)
    assert len(obfuscations) == 22
    assert all(
        line.heading.endswith("(hold-out)") == (line.key in HOLD_OUTS) for line in table.lines
    )


@pytest.mark.parametrize("weighting", ["balanced", "unweighted"])
def test_both_weightings_are_shown_as_what_they_are(weighting: Weighting) -> None:
    summary = summary_of()
    tables = obfuscation_tables([summary])
    text = printed(tables, weighting)
    figure = summary.sets[0].worst.by(weighting)
    assert figure is not None
    shown = f"{100 * figure.value:.1f} [{100 * figure.low:.1f}, {100 * figure.high:.1f}] n=10"
    lines = text.splitlines()
    assert lines[1] == f"timm:resnet50: worst over the hold-outs {shown}"
    assert ("class-balanced" in lines[0]) == (weighting == "balanced")
    markdown = obfuscations_to_markdown(tables, weighting)
    assert f"{100 * figure.value:.1f}" in markdown.splitlines()[2]


def test_every_table_says_whose_pictures_these_are() -> None:
    own, published = summary_of(), summary_of(published=True)
    tables = obfuscation_tables([own, published])
    # Scores on the one and the other can't be compared, and so don't stand side by side.
    assert len(tables) == 2
    for weighting in ("balanced", "unweighted"):
        text = printed(tables, weighting)
        assert "pictures made by this project: comparable with each other only" in text
        assert "the published pictures: comparable with the paper's scores" in text
    assert "made by this project" in obfuscations_to_markdown(tables, "balanced")
    assert [each["origin"] for each in json.loads(obfuscations_to_json(tables))] == [
        each.origin for each in tables
    ]


def test_partial_figures_say_why_and_name_their_run_where_runs_differ() -> None:
    whole, part = summary_of(), summary_of("timm:vit", obfuscations=HOLD_OUTS)
    (table,) = obfuscation_tables([whole, part])
    text = "\n".join(table.notes)
    assert "super-classes without a picture: Airplane" in text
    assert "timm:vit: partial: " in text
    assert "3 of 22 obfuscations" in text
    assert "pictures per super-class: Bear 1, Bird 3, Clock 1, Dog 5" in table.notes


def test_runs_that_took_other_assets_are_told_apart() -> None:
    own = [summary_of(assets=each, own_assets=True) for each in ("0123", "4567")]
    (table,) = obfuscation_tables([summary_of(), *own])
    shipped, one, other = table.columns
    assert shipped == "timm:resnet50, shipped icon a"
    assert one == "timm:resnet50, own icon 0123"
    assert other == "timm:resnet50, own icon 4567"
    (note,) = (note for note in table.notes if "icon of another pack" in note)
    assert one in note
    assert other in note
    assert shipped not in note


def test_runs_that_took_the_same_assets_of_fewer_kinds_are_not_told_apart_by_them() -> None:
    """One that ran fewer obfuscations took fewer kinds from the same pack."""
    names = ["IconOverlay", "Texturize"]
    records = [made_record(obfuscations=names[:1]), made_record(obfuscations=names)]
    for record, kinds in zip(records, (["icon"], ["icon", "texture"]), strict=True):
        record["assets"] = {
            "folders": dict.fromkeys(kinds, "mine"),
            "fingerprints": dict.fromkeys(kinds, "a"),
            "own": kinds,
        }
        for cell, kind in zip(record["cells"][1:], kinds, strict=True):
            cell["assets"] = {kind: "a"}
    few, more = (made_read_run(record).summary for record in records)
    (table,) = obfuscation_tables([few, more])
    assert table.columns == ("timm:resnet50, run 1", "timm:resnet50, run 2")
    assert "run with" not in " ".join(table.notes)
    # Told from a third of other textures, the first one says that it took none.
    records[1]["assets"]["fingerprints"]["texture"] = "b"
    (table,) = obfuscation_tables([few, more, made_read_run(records[1]).summary])
    assert [each.partition(", ")[2] for each in table.columns] == [
        "no texture",
        "own texture a",
        "own texture b",
    ]


def test_ready_made_pictures_are_told_from_those_made_on_the_fly() -> None:
    (table,) = obfuscation_tables([summary_of(), summary_of(encoding="png")])
    assert table.columns == (
        "timm:resnet50, pictures made on the fly",
        "timm:resnet50, ready-made f png",
    )


def test_kinds_of_another_pack_are_named() -> None:
    """Whoever brought patches only is not told of photos and icons."""
    record = made_record(obfuscations=["AdversarialPatches", "StyleTransfer", "Texturize"])
    kinds = ("patch", "painting", "texture")
    record["assets"] = {
        "folder": "mine",
        "fingerprints": dict.fromkeys(kinds, "a"),
        "own": [*kinds],
    }
    for cell, kind in zip(record["cells"][1:], kinds, strict=True):
        cell["assets"] = {kind: "a"}
    run = made_read_run(record)
    assert "patch, painting and texture of another pack" in run.summary.partial
    record["assets"]["own"] = ["patch"]
    assert "patch of another pack" in made_read_run(record).summary.partial


def test_assets_of_another_pack_are_no_lack_where_the_classes_are_ones_own_too() -> None:
    """There they are what a pack is for; said they are."""
    own, paper = (
        summary_of(
            benchmark=obfuscation_benchmark(name), own_assets=True, obfuscations=["IconOverlay"]
        )
        for name in ("image-obfuscation-own", "image-obfuscation")
    )
    said = "icon of another pack"
    assert said not in own.partial
    assert said in paper.partial
    assert f"assets: {said}" in obfuscation_tables([own])[0].notes
    notes = obfuscation_tables([paper])[0].notes
    assert sum(said in note for note in notes) == 1


def test_a_draw_that_is_the_worst_for_top_1_gives_an_upper_bound_at_other_k() -> None:
    record = made_record(worst_of=3)
    run = made_read_run(record)
    (first,) = obfuscation_tables([summarise_obfuscations(run.planned, run.rows)])
    (other,) = obfuscation_tables([summarise_obfuscations(run.planned, run.rows, top=5)])
    assert "upper bounds" not in " ".join(first.notes)
    assert "upper bounds" in " ".join(other.notes)


def test_what_is_true_of_all_runs_is_said_once() -> None:
    (table,) = obfuscation_tables([summary_of(), summary_of("timm:vit", seed=1)])
    assert len([note for note in table.notes if "super-classes without a picture" in note]) == 1


def test_runs_of_other_ranges_or_groups_stand_in_tables_of_their_own() -> None:
    benchmark = obfuscation_benchmark()
    swirl = ObfuscationSetting(name="SwirlWarp", group="training", ranges={"radius": (1.0, 2.0)})
    wilder = replace(benchmark, obfuscations={**benchmark.obfuscations, "SwirlWarp": swirl})
    assert len(obfuscation_tables([summary_of(), summary_of(benchmark=wilder)])) == 2
    # Where one of them didn't run it, its ranges make no difference.
    without = summary_of(benchmark=wilder, obfuscations=HOLD_OUTS)
    assert len(obfuscation_tables([summary_of(), without])) == 1
    held = replace(swirl, group="hold-out", ranges={})
    harder = replace(benchmark, obfuscations={**benchmark.obfuscations, "SwirlWarp": held})
    assert len(obfuscation_tables([summary_of(), summary_of(benchmark=harder)])) == 2


def test_runs_that_find_no_room_go_on_below() -> None:
    tables = obfuscation_tables([summary_of(f"timm:model_{n}", seed=n) for n in range(4)])
    text = printed(tables, "balanced", width=90)
    assert text.count("SwirlWarp") == 2
    assert all(len(line) <= 90 for line in text.splitlines())


def test_names_that_leave_runs_no_room_beside_each_other_become_letters() -> None:
    names = [f"hf-hub:somebody/a-model-with-a-long-name-{n}" for n in range(2)]
    tables = obfuscation_tables([summary_of(name, seed=n) for n, name in enumerate(names)])
    text = printed(tables, "balanced", width=80)
    assert text.count("SwirlWarp") == 1
    for letter, name in zip("AB", names, strict=True):
        assert text.count(name) == 1
        assert f"{letter} = {name}: " in text
    # Where there is room, and in files, runs keep their names.
    assert printed(tables, "balanced", width=160).count(names[0]) == 2
    assert names[0] in obfuscations_to_markdown(tables, "balanced")


def test_runs_of_other_pictures_or_draws_say_so() -> None:
    one, other = summary_of(), summary_of("timm:vit")
    (table,) = obfuscation_tables([replace(one, pictures="0"), replace(other, pictures="1")])
    assert table.notes[0].startswith("not of the same pictures (10 and 10)")
    (table,) = obfuscation_tables([replace(one, pictures="0"), replace(other, pictures="0")])
    assert "same pictures" not in " ".join(table.notes)
    assert "run with" not in " ".join(table.notes)
    (table,) = obfuscation_tables([one, summary_of("timm:vit", worst_of=3)])
    assert "timm:vit: run with worst of 3" in table.notes


def test_a_figure_of_fewer_pictures_says_of_how_many() -> None:
    made = made_record()
    status = {("SwirlWarp", 0): "unreadable"}
    summary = made_read_run(made, status=status).summary  # type: ignore[arg-type]  # literals
    (line,) = (
        each
        for each in printed(obfuscation_tables([summary]), "balanced").splitlines()
        if each.strip().startswith("SwirlWarp")
    )
    assert line.rstrip().endswith("n=9")


@pytest.mark.parametrize("lost", [range(10), range(1, 4)], ids=["all", "some"])
def test_an_obfuscation_whose_pictures_are_gone_keeps_its_line_and_is_named(lost: range) -> None:
    """Taking the hard pictures out of a folder that is handed on must not raise figures unseen."""
    made = made_record(obfuscations=[*HOLD_OUTS, "SwirlWarp"])
    status = {(name, 0): "unreadable" for name in ("clean", *HOLD_OUTS, "SwirlWarp")}
    status |= {("SwirlWarp", picture): "unreadable" for picture in lost}
    summary = made_read_run(made, status=status).summary  # type: ignore[arg-type]  # literals
    share = f"{len(set(lost) - {0})} of 9 pictures"
    (reason,) = (each for each in summary.partial if "SwirlWarp" in each)
    assert reason == f"SwirlWarp: {share} missing or altered"
    text = printed(obfuscation_tables([summary]), "balanced")
    (line,) = (each for each in text.splitlines() if each.strip().startswith("SwirlWarp"))
    assert (line.split()[-1] == "–") == (len(lost) == 10)
    assert reason in " ".join(text.split())


def test_csv_has_a_line_for_each_weighting_and_every_digit() -> None:
    summary = summary_of()
    lines = list(csv.DictReader(io.StringIO(obfuscations_to_csv(obfuscation_tables([summary])))))
    assert [each["weighting"] for each in lines] == ["balanced", "unweighted"]
    for line in lines:
        for key, accuracies in summary.figures.items():
            figure = accuracies.by("balanced" if line["weighting"] == "balanced" else "unweighted")
            assert figure is not None
            assert float(line[key]) == figure.value
            assert (float(line[f"{key}_low"]), float(line[f"{key}_high"])) == figure[1:3]
            assert int(line[f"{key}_n"]) == figure.n
        assert line["made_by"] == "unforeseen"


def test_json_holds_every_figure_and_the_summary() -> None:
    summary = summary_of()
    (table,) = json.loads(obfuscations_to_json(obfuscation_tables([summary])))
    (run,) = table["runs"]
    assert run["summary"] == json.loads(json.dumps(summary.to_record()))
    assert run["figures"]["worst:hold-out"]["balanced"] == run["summary"]["headline"]


def test_names_cannot_steer_a_terminal_or_a_spreadsheet() -> None:
    summary = replace(summary_of(), model="=cmd\x1b[31m|evil")
    tables = obfuscation_tables([summary])
    assert "\x1b" not in printed(tables, "balanced")
    assert "\\|evil" in obfuscations_to_markdown(tables, "balanced")
    line = next(csv.DictReader(io.StringIO(obfuscations_to_csv(tables))))
    assert line["model"].startswith("'=cmd")
