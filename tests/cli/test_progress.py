"""What a person sees while a run goes on."""

import io
import itertools
import re
import time
from pathlib import Path

import pytest
from rich.console import Console

from small import SmallNet, Watched, small_benchmark
from small_runs import COUNT, labelled_dataset, run_small
from unforeseen.benchmarks import load_benchmark
from unforeseen.check.preflight import CHECKING
from unforeseen.cli import quiet_lines
from unforeseen.cli.progress import Progress
from unforeseen.models import as_classifier
from unforeseen.rows import Row
from unforeseen.running.attack_plan import make_attack_plan
from unforeseen.running.obfuscation_plan import make_obfuscation_plan
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.together import run_together
from unforeseen.stage_reporter import in_one

ATTACKS = ["pgd", "pixel"]


def watched(folder: Path, *, terminal: bool) -> str:
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, width=160, no_color=True)
    with Progress(console) as progress:
        progress.note("odd [red]name[/red]")
        # Bars are drawn ten times a second.
        slow = Watched(SmallNet(), before=lambda _: time.sleep(0.03 if terminal else 0))
        run_small(folder, slow, attacks=ATTACKS, reporter=progress)
    return text.getvalue()


def test_without_a_terminal_each_attack_is_a_line_with_its_accuracy(tmp_path: Path) -> None:
    said = watched(tmp_path, terminal=False).splitlines()
    assert said[0] == "note: odd [red]name[/red]"
    assert [line.split()[:2] for line in said[1:]] == [
        [f"{number}/3", name] for number, name in enumerate(("clean", *ATTACKS), start=1)
    ]
    assert f"{100 * (COUNT - 1) / COUNT:.1f} % right" in said[1]
    assert f"{COUNT} pictures, {COUNT} new" in said[1]
    assert "\x1b" not in "".join(said)


def test_what_was_there_is_told_apart_from_what_is_new(tmp_path: Path) -> None:
    watched(tmp_path, terminal=False)
    again = watched(tmp_path, terminal=False).splitlines()
    assert len(again) == 4
    assert all("was there" in line for line in again[1:])
    assert f"{100 * (COUNT - 1) / COUNT:.1f} % right" in again[1]


def test_an_attack_that_comes_again_with_fewer_steps_is_counted_once(tmp_path: Path) -> None:
    """More pictures, and another number of steps for those that were there."""
    text = io.StringIO()
    classifier = as_classifier(SmallNet())

    def together(limit: int, *steps: int) -> None:
        plans = {
            tmp_path / f"{each}": make_attack_plan(
                small_benchmark(), classifier.card, attacks=["pgd"], steps=each
            )
            for each in steps
        }
        settings = RunSettings(limit=limit, batch_size=4, check=False)
        with Progress(Console(file=text, width=160)) as progress:
            run_together(
                plans, classifier, labelled_dataset(), settings=settings, reporter=progress
            )

    together(4, 0, 3)
    together(8, 0, 1, 3)
    lines = [line.split() for line in text.getvalue().splitlines() if "pictures, " in line][2:]
    assert [line[:2] for line in lines] == [["1/2", "clean"], ["2/2", "pgd"], ["2/2", "pgd"]]
    assert [line[line.index("new") - 1] for line in lines] == ["4", "4", "4"]


def test_on_a_terminal_bars_show_rate_accuracy_and_the_whole_run(tmp_path: Path) -> None:
    said = watched(tmp_path, terminal=True)
    for words in ("whole run", "pictures/s", "% right", f"/{3 * COUNT}", "pixel medium"):
        assert words in said


def test_long_attacks_are_told_of_with_their_pace_and_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(0, 20)  # twenty seconds pass whenever somebody looks
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(quiet_lines, "SELDOM", 30.0)
    text = io.StringIO()
    with Progress(Console(file=text, width=160)) as progress:
        looking = Watched(SmallNet(), before=lambda _: progress.lines.look())
        run_small(tmp_path, looking, attacks=ATTACKS, reporter=progress)
    said = text.getvalue()
    assert re.search(r"2/3 pgd medium +0 of 11 pictures, \d+ s\n", said)
    assert re.search(
        r"2/3 pgd medium .* of 11 pictures, \d+\.\d s/picture, about \d+ min left", said
    )
    assert "0.0 pictures/s" not in said


def test_a_run_that_fails_at_once_leaves_the_screen_alone() -> None:
    text = io.StringIO()
    with Progress(Console(file=text, force_terminal=True)):
        pass
    assert not text.getvalue()


def test_where_the_fooled_come_first_the_share_is_said_to_be_a_bound() -> None:
    plan = make_attack_plan(small_benchmark(), as_classifier(SmallNet()).card, edition="strict")
    attacked = plan.cells[1]
    text = io.StringIO()
    # Judged so far: 3 of 10, all fooled. So at most 7 of 10 will be right, not 0.
    with Progress(Console(file=text, force_terminal=True, width=120)) as progress:
        progress.run_begins(plan)
        progress.cell_begins(attacked, total=10, done=[False, False])
        progress.row(
            Row(
                cell=attacked.id,
                example_id="a",
                label=0,
                transform=attacked.transform,
                level=attacked.level,
                seed=0,
                correct=False,
            )
        )
    assert "≤ 70.0 % right" in text.getvalue()


def test_progress_of_obfuscations_says_once_that_it_is_not_class_balanced() -> None:
    benchmark = load_benchmark("image-obfuscation")
    card = as_classifier(SmallNet()).card
    plan = make_obfuscation_plan(benchmark, card, obfuscations=["SwirlWarp"])
    text = io.StringIO()
    with Progress(Console(file=text, width=120)) as progress:
        progress.run_begins(plan)
        assert not text.getvalue()  # a check begins likewise
        for cell in plan.cells:
            progress.cell_begins(cell, total=1, done=[True])
            progress.cell_ends()
    assert text.getvalue().count("weighs pictures alike") == 1


def test_a_check_is_shown_question_by_question_on_a_terminal() -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=160, no_color=True)
    with Progress(console) as progress, in_one(progress, CHECKING):
        for done, about in enumerate(("accuracy", "gradients")):
            progress.advance(CHECKING, done, 2, about)
            time.sleep(0.2)  # bars are drawn ten times a second
    for words in ("0/2 accuracy", "1/2 gradients"):
        assert words in text.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_runs_of_an_experiment_are_told_apart_and_what_they_share_is_said_once(
    tmp_path: Path, *, terminal: bool
) -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, width=160, no_color=True)
    with Progress(console) as progress:
        for part in ("first", "second"):
            progress.part_begins(f"the {part} [red]run[/red]")
            progress.note("said by both")
            run_small(tmp_path / part, attacks=["pgd"], reporter=progress)
    said = text.getvalue()
    assert said.count("said by both") == 1
    assert said.index("the first [red]run[/red]") < said.index("the second [red]run[/red]")
    assert len(re.findall(r"1/2 clean", said)) == len(re.findall(r"2/2 pgd medium", said)) == 2
