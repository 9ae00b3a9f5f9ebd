"""The oracle's table: at least as high as each model, on the pictures of all."""

import pytest

from made_obfuscations import HOLD_OUTS, made_read_run, made_record, made_verdicts
from unforeseen.errors import UserError
from unforeseen.report.ceiling_table import ceiling_table
from unforeseen.report.obfuscation_render import obfuscations_to_markdown
from unforeseen.run_folder.read_run import ReadObfuscationRun


def run_of(model: str, seed: int, **options: object) -> ReadObfuscationRun:
    record = made_record(model=model, **options)  # type: ignore[arg-type]  # passed on as it is
    return made_read_run(record, made_verdicts(record, seed=seed))


def test_by_image_is_at_least_by_obfuscation_which_is_at_least_each_model_under_each() -> None:
    table = ceiling_table([run_of("timm:a", 1), run_of("timm:b", 2), run_of("timm:c", 3)])
    assert table.columns == (
        *("Ceiling by obfuscation", "Ceiling by image", "timm:a", "timm:b", "timm:c"),
    )
    for line in table.lines:
        by_obfuscation, by_image, *models = (
            each.balanced.value for each in line.figures if each.balanced is not None
        )
        assert by_image >= max(by_obfuscation, *models) - 1e-12
        if ":" not in line.key:
            assert by_obfuscation == pytest.approx(max(models))


def test_the_models_own_figures_are_those_of_their_runs() -> None:
    runs = [run_of("timm:a", 1), run_of("timm:b", 2)]
    table = ceiling_table(runs)
    for number, run in enumerate(runs, start=2):
        for line in table.lines:
            assert line.figures[number] == run.summary.figures[line.key]


def test_a_ceiling_counted_by_hand() -> None:
    # Of the hold-outs each model knows what the other doesn't, so that together they know all.
    record = made_record(obfuscations=HOLD_OUTS)
    right = [True] * 5 + [False] * 5
    first = dict.fromkeys(("clean", *HOLD_OUTS), right)
    second = dict.fromkeys(("clean", *HOLD_OUTS), right[::-1])
    another = made_record(obfuscations=HOLD_OUTS, model="timm:another")
    table = ceiling_table([made_read_run(record, first), made_read_run(another, second)])
    by_obfuscation, by_image, one, other = (each.balanced for each in table.lines[0].figures)
    assert by_image is not None
    assert by_image.value == 1.0
    # The dogs are one of four classes; the second model knows the other three.
    assert one is not None
    assert other is not None
    assert (one.value, other.value) == (0.25, 0.75)
    assert by_obfuscation == other
    assert "super-class: Bear 1, Bird 3, Clock 1, Dog 5" in " ".join(table.notes)


def test_it_says_that_an_oracle_is_no_model_and_which_model_is_best_where() -> None:
    table = ceiling_table([run_of("timm:a", 1), run_of("timm:b", 2)])
    notes = " ".join(table.notes)
    assert "an oracle is no model" in notes
    assert "timm:a: best by obfuscation: " in notes
    # What is true of all is not said between what is true of each.
    best = [number for number, note in enumerate(table.notes) if ": best by obfuscation" in note]
    assert best == [best[0], best[0] + 1]
    (lack,) = (number for number, note in enumerate(table.notes) if "partial" in note)
    assert lack > best[1]
    assert "super-classes without a picture" in notes
    assert obfuscations_to_markdown([table], "balanced").startswith("### small-image-obfuscation")


def test_it_says_of_how_many_pictures_the_shared_ones_are() -> None:
    one, other = run_of("timm:a", 1), run_of("timm:b", 2)
    assert "counted on" not in " ".join(ceiling_table([one, other]).notes)
    fewer = other._replace(
        rows=other.rows.filter(other.rows["example_id"] != other.rows["example_id"][0])
    )
    notes = ceiling_table([one, fewer]).notes
    assert "counted on the 9 pictures that every model has judged, of 10 and 10" in notes


def test_only_obfuscations_that_all_were_run_on_are_combined() -> None:
    table = ceiling_table([run_of("timm:a", 1), run_of("timm:b", 2, obfuscations=HOLD_OUTS)])
    assert {line.key for line in table.lines if ":" not in line.key} == {"clean", *HOLD_OUTS}


def test_runs_that_cannot_be_combined_are_refused() -> None:
    one = run_of("timm:a", 1)
    with pytest.raises(UserError, match="got one"):
        ceiling_table([one])
    with pytest.raises(UserError, match="timm:b: expected a run of the same benchmark"):
        ceiling_table([one, run_of("timm:b", 2, published=True)])
    with pytest.raises(UserError, match="no obfuscation in common"):
        ceiling_table([one, run_of("timm:b", 2, obfuscations=[])])
    rows = one.rows.filter(one.rows["example_id"] == "nobody")
    with pytest.raises(UserError, match="no picture in common"):
        ceiling_table([one, run_of("timm:b", 2)._replace(rows=rows)])


def test_a_network_twice_is_no_second_model() -> None:
    one = run_of("timm:a", 1)
    with pytest.raises(UserError, match="timm:a: expected runs of different models"):
        ceiling_table([one, run_of("timm:b", 2), run_of("timm:a", 3)])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "seed"),
        ({"draws": 3}, "worst of several draws"),
        ({"assets": {"icon": "others"}}, "assets"),
        ({"obfuscation": {"version": 2}}, "version or ranges"),
        ({"made": "0123"}, "other ready-made pictures, or not ready-made"),
    ],
)
def test_models_are_combined_on_the_same_obfuscated_pictures_only(
    change: dict[str, object], words: str
) -> None:
    # Of two draws the better one is luck, which isn't what several models reach together.
    record = made_record(model="timm:b")
    record["cells"][-1].update(change)
    other = made_read_run(record, made_verdicts(record))
    name = record["cells"][-1]["transform"]
    with pytest.raises(UserError, match=f"those of {name} were made in another way .{words}.[.]"):
        ceiling_table([run_of("timm:a", 1), other])
