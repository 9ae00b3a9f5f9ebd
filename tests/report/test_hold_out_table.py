"""Where the benchmark's choice of hold-outs stands, as table, CSV, JSON and histogram."""

import csv
import io
import json
from math import comb
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from made_obfuscations import HOLD_OUTS, made_read_run, made_record, made_verdicts
from unforeseen.errors import UserError
from unforeseen.report.hold_out_plot import draw_hold_outs
from unforeseen.report.hold_out_table import (
    hold_out_choices_of,
    hold_outs_to_csv,
    hold_outs_to_json,
    hold_outs_to_markdown,
    hold_outs_to_rich,
)
from unforeseen.run_folder.read_run import ReadObfuscationRun
from unforeseen.transforms import OBFUSCATIONS


def run_of(model: str = "timm:a", seed: int = 1, **options: object) -> ReadObfuscationRun:
    record = made_record(model=model, **options)  # type: ignore[arg-type]  # passed on as it is
    return made_read_run(record, made_verdicts(record, seed=seed))


def test_the_benchmarks_choice_has_the_headlines_worst_case() -> None:
    run = run_of()
    for weighting in ("balanced", "unweighted"):
        (found,) = hold_out_choices_of([run], weighting=weighting)
        headline = run.summary.sets[0].worst.by(weighting)
        assert headline is not None
        assert found.place.worst == pytest.approx(headline.value)
        assert set(found.hold_outs) == set(HOLD_OUTS)
        assert len(found.choices) == found.place.of == comb(22, 3)


def test_hold_outs_that_nobody_survives_are_the_hardest_choice_but_for_ties() -> None:
    record = made_record()
    verdicts = dict.fromkeys((cell["transform"] for cell in record["cells"]), [True] * 10)
    verdicts |= {name: [n % 3 != index for n in range(10)] for index, name in enumerate(HOLD_OUTS)}
    (found,) = hold_out_choices_of([made_read_run(record, verdicts)])
    assert found.place == (0.0, 0, 0, 1540)
    assert "0 of 1,540 choices are harder (0.0 %)" in found.sentence()


def test_fewer_obfuscations_than_the_papers_are_said_beside_its_1540_choices() -> None:
    (found,) = hold_out_choices_of([run_of(obfuscations=tuple(OBFUSCATIONS)[:19])])
    assert "969 choices from 19 obfuscations; the paper's 22 allow 1,540" in found.notes
    assert "made by this project" in found.notes[0]


def test_what_must_be_read_before_other_figures_of_a_run_is_said_of_its_choices_too() -> None:
    found = hold_out_choices_of([run_of(worst_of=3), run_of("timm:b", 2)], top=5)
    assert "pictures per super-class: Bear 1, Bird 3, Clock 1, Dog 5" in found[0].notes
    text = hold_outs_to_markdown(found)
    assert "timm:a: partial: " in text
    for why in ("the worst of 3 draws of each picture", "so accuracies are upper bounds"):
        assert why in text
        assert why in hold_outs_to_json(found)
        assert why in hold_outs_to_csv(found)


def test_a_single_choice_is_no_several() -> None:
    (found,) = hold_out_choices_of([run_of(obfuscations=HOLD_OUTS)])
    assert "0 of 1 choice is harder" in found.sentence()
    assert "1 choice from 3 obfuscations; the paper's 22 allow 1,540" in found.notes


def test_csv_and_json_hold_every_choice_and_mark_the_benchmarks() -> None:
    found = hold_out_choices_of([run_of(), run_of("timm:b", 2)])
    lines = list(csv.DictReader(io.StringIO(hold_outs_to_csv(found))))
    assert len(lines) == 2 * 1540
    own = [each for each in lines if each["own"] == "true"]
    assert [float(each["worst"]) for each in own] == [each.place.worst for each in found]
    content = json.loads(hold_outs_to_json(found))
    assert [len(each["choices"]) for each in content] == [1540, 1540]
    assert [each["harder"] for each in content] == [each.place.harder for each in found]


def test_text_says_the_place_of_each_run() -> None:
    found = hold_out_choices_of([run_of(), run_of("timm:b", 2)])
    console = Console(width=150, file=io.StringIO())
    console.print(hold_outs_to_rich(found, width=150))
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    for each in found:
        assert f"{each.place.harder:,} of 1,540 choices are harder" in " ".join(text.split())
        assert f"{each.name}: worst-case accuracy over" in hold_outs_to_markdown(found)


@pytest.mark.parametrize("width", [80, 150])
def test_names_that_leave_figures_no_room_become_letters_and_are_never_broken(width: int) -> None:
    names = ("demo:efficientnet-lite0", "demo:efficientnet-lite1")
    found = hold_out_choices_of([run_of(names[0]), run_of(names[1], 2, obfuscations=HOLD_OUTS)])
    console = Console(width=width, file=io.StringIO())
    console.print(hold_outs_to_rich(found, width=width))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]  # a StringIO
    shown = names if width == 150 else ("A", "B")
    table = lines[next(number for number, line in enumerate(lines) if "Model" in line) :]
    assert [line.split()[0] for line in table[2:] if line.strip()] == [*shown]
    assert any(line.startswith(f"{shown[1]}: ") for line in lines)
    for short, name in zip(shown, names, strict=True):
        key = f"{name}: worst-case" if short == name else f"{short} = {name}: worst-case"
        assert any(line.startswith(key) for line in lines)


def test_a_run_without_a_hold_out_or_without_pictures_is_refused() -> None:
    with pytest.raises(UserError, match="not run: ColorPatternOverlay"):
        hold_out_choices_of([run_of(obfuscations=[*HOLD_OUTS[:2], "SwirlWarp"])])
    run = run_of()
    with pytest.raises(UserError, match="no picture has a verdict"):
        hold_out_choices_of([run._replace(rows=run.rows.clear())])


def test_the_histogram_has_a_red_line_at_the_benchmarks_choice(tmp_path: Path) -> None:
    runs = [run_of(), run_of("timm:$dollar$", 2)]
    draw_hold_outs(tmp_path / "one.png", hold_out_choices_of(runs[:1]))
    draw_hold_outs(tmp_path / "two.png", hold_out_choices_of(runs))
    one, two = (
        np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB")) for name in ("one", "two")
    )
    assert two.shape[0] == pytest.approx(2 * one.shape[0], abs=2)
    red = (one[..., 0] > 180) & (one[..., 1] < 80) & (one[..., 2] < 80)
    assert red.sum(axis=0).max() > one.shape[0] / 2
