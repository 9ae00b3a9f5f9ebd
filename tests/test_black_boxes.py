"""Whole runs on functions that fail, hang, change their mind or run out of budget."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from polars.testing import assert_frame_equal

from small import SmallNet, as_function, small_benchmark, small_dataset
from small_runs import COUNT, assert_same_results, labelled_dataset, rows_of, run_small
from test_runner_failures import Notes
from unforeseen import black_box, evaluate, load_results
from unforeseen.errors import ModelError, QueryBudgetError, QueryError, RunError
from unforeseen.models.call_policy import CallPolicy
from unforeseen.models.calls import Clock
from unforeseen.models.function_predictor import FunctionPredictor, versioned_card

BATCH = 4
#: With these, no picture of one cell is a picture of another.
ATTACKS = ("pgd", "wood")
CELLS = 1 + len(ATTACKS)
#: One grey picture tells how many classes there are.
GREY = 1


class Service:
    """SmallNet behind a function; keeps what it was asked about.

    Args:
        disturb: Called with the number of the call, from 1, and its pictures; may raise.
        after: Maps call, pictures and probabilities to what is returned.
    """

    def __init__(
        self,
        disturb: Callable[[int, NDArray[np.uint8]], None] = lambda *_: None,
        after: Callable[[int, NDArray[np.uint8], NDArray[np.floating]], Any] = lambda *a: a[-1],
    ) -> None:
        self.asked: list[bytes] = []
        self.calls = 0
        self._disturb = disturb
        self._after = after
        self._predict = as_function(SmallNet())

    def __call__(self, pictures: NDArray[np.uint8]) -> Any:
        self.calls += 1
        self._disturb(self.calls, pictures)
        self.asked += [picture.tobytes() for picture in pictures]
        return self._after(self.calls, pictures, self._predict(pictures))


def model_of(service: Service, **policy: Any) -> FunctionPredictor:
    """As py: makes it, on a clock that doesn't wait."""
    card = versioned_card(service, uri="py:s.py:f?version=1", name="s.f", version="1")
    clock = Clock(sleep=lambda _: None)
    return FunctionPredictor(service, card, CallPolicy(**policy), clock=clock)


def run(folder: Path, service: Service, notes: Notes | None = None, **policy: Any) -> pl.DataFrame:
    """One command: a model of its own, so nothing is remembered from the last."""
    summary = run_small(
        folder,
        model_of(service, **policy),
        attacks=ATTACKS,
        steps=0,
        batch_size=BATCH,
        reporter=notes,
    )
    assert summary.complete
    return rows_of(folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return run(tmp_path_factory.mktemp("undisturbed") / "run", Service())


@pytest.mark.parametrize("edition", ["published", "strict"])
@pytest.mark.parametrize("batch_size", [1, 4, 16])
def test_every_picture_is_asked_about_once(tmp_path: Path, edition: str, batch_size: int) -> None:
    """Batches are filled up with repeats, and the 8-bit verdict looks at every picture again."""
    service, notes = Service(), Notes()
    run_small(
        tmp_path,
        model_of(service),
        attacks=ATTACKS,
        steps=0,
        edition=edition,
        batch_size=batch_size,
        reporter=notes,
    )
    rows = rows_of(tmp_path)
    judged = rows.filter(pl.col("correct_clean") | (pl.col("transform") == "clean"))
    expected = rows.height if edition == "published" else judged.height
    assert len(service.asked) == len(set(service.asked)) == GREY + expected
    assert notes.said[-1] == f"py:s.py:f?version=1: asked about {GREY + expected} pictures."


def test_what_the_check_asked_about_is_told_apart_from_what_the_rows_did(tmp_path: Path) -> None:
    service, notes = Service(), Notes()
    run_small(tmp_path, model_of(service), attacks=["pgd"], steps=0, check=True, reporter=notes)
    # The clean pictures, and four of them again; the attack leaves those at δ = 0 as they are.
    checked = GREY + COUNT + 4
    rows = len(service.asked) - checked
    assert 0 < rows <= COUNT
    assert notes.said[-1] == (
        f"py:s.py:f?version=1: asked about {checked + rows} pictures: {checked} to check, "
        f"{rows} more for rows."
    )


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_black_box_is_judged_on_8_bit_pictures_in_every_row(tmp_path: Path, edition: str) -> None:
    """Pitfall 24: storing a picture can't undo what was measured on 8 bits."""
    run_small(
        tmp_path,
        model_of(Service()),
        attacks=ATTACKS,
        steps=0,
        edition=edition,
        levels=("low", "medium", "high"),
    )
    rows = rows_of(tmp_path)
    assert rows["correct"].n_unique() == 2
    assert_frame_equal(rows.select(c="correct"), rows.select(c="correct_8bit"))
    attacked = rows.filter(pl.col("transform") != "clean")
    for column in ("gradient_evaluations", "zero_gradient_share", "nonfinite_gradients"):
        assert attacked[column].null_count() == attacked.height


def grown(folder: Path, service: Service, limit: int, attacks: tuple[str, ...]) -> None:
    """A run with a check, as the command line makes it."""
    run_small(
        folder,
        model_of(service),
        attacks=attacks,
        steps=0,
        batch_size=BATCH,
        limit=limit,
        check=True,
    )


def test_a_larger_limit_asks_about_no_picture_again_that_has_a_row(tmp_path: Path) -> None:
    first, second = Service(), Service()
    grown(tmp_path, first, 5, ATTACKS)
    grown(tmp_path, second, COUNT, ATTACKS)
    again = set(first.asked) & set(second.asked)
    assert len(again) == GREY
    fresh = Service()
    grown(tmp_path / "fresh", fresh, COUNT, ATTACKS)
    # Of the first five, neither the pictures as they are nor those of an attack.
    assert len(second.asked) == len(fresh.asked) - 5 * CELLS


def test_the_check_of_a_larger_limit_counts_what_rows_say(tmp_path: Path) -> None:
    for folder, limits in ((tmp_path / "grown", (5, COUNT)), (tmp_path / "fresh", (COUNT,))):
        for limit in limits:
            grown(folder, Service(), limit, ATTACKS)
    one, other = (load_results(tmp_path / name).summary.check for name in ("grown", "fresh"))
    assert one is not None
    assert other is not None
    assert one.pictures == other.pictures == COUNT
    assert one.subset == other.subset
    for name in ("accuracy", "chance", "nonfinite_outputs"):
        assert one.measured(name) == other.measured(name)


def test_a_further_attack_asks_about_no_picture_as_it_is(tmp_path: Path) -> None:
    first, second = Service(), Service()
    grown(tmp_path, first, COUNT, ("pgd",))
    grown(tmp_path, second, COUNT, ("pgd", "wood"))
    assert len(set(first.asked) & set(second.asked)) == GREY


def test_a_service_that_draws_at_random_has_one_verdict_in_a_row(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)

    def random(_: int, pictures: NDArray[np.uint8], __: object) -> NDArray[np.floating]:
        return generator.dirichlet(np.ones(4), len(pictures))

    rows = run(tmp_path, Service(after=random))
    assert rows["correct"].n_unique() == 2
    assert_frame_equal(rows.select(c="correct"), rows.select(c="correct_8bit"))


def test_the_mean_of_several_answers_asks_so_often_and_no_oftener(tmp_path: Path) -> None:
    service = Service()
    run_small(
        tmp_path / "twice", model_of(service), attacks=ATTACKS, steps=0, batch_size=BATCH, eot=2
    )
    assert len(service.asked) == GREY + 2 * (len(set(service.asked)) - GREY)
    assert len(set(service.asked)) == GREY + CELLS * COUNT


def test_failing_on_every_third_call_changes_no_row(
    tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    def fail(call: int, _: object) -> None:
        if call % 3 == 0:
            raise ConnectionError("503 Service Unavailable")

    notes = Notes()
    rows = run(tmp_path, Service(fail), notes, retries=1)
    assert_frame_equal(rows, undisturbed, check_exact=True)
    told = [note for note in notes.said if "503 Service Unavailable; try 2 of 2 in 1 s" in note]
    assert told


@pytest.mark.parametrize("fails_at", [2, 5, 8])
def test_what_was_answered_before_a_failure_is_kept_and_the_rest_goes_on(
    tmp_path: Path, undisturbed: pl.DataFrame, fails_at: int
) -> None:
    def fail(call: int, _: object) -> None:
        if call >= fails_at:
            raise ConnectionError("refused")

    service = Service(fail)
    with pytest.raises(QueryError, match=r"in 3 tries: ConnectionError: refused\. In a run"):
        run(tmp_path, service, retries=2)
    there = rows_of(tmp_path).height
    assert there == len(service.asked) - GREY
    mended = Service()
    rows = run(tmp_path, mended)
    assert_same_results(rows, undisturbed)
    assert len(mended.asked) == GREY + CELLS * COUNT - there


def test_a_picture_that_the_function_cannot_take_is_done_after_the_mend(
    tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    """The mended function is other code of the same version; that is said and not refused."""
    first = labelled_dataset().read(0)
    assert not isinstance(first, bytes)

    def refuse_one(_: int, pictures: NDArray[np.uint8]) -> None:
        if any(np.array_equal(picture, first) for picture in pictures):
            raise ValueError("the first picture is too green")

    with pytest.raises(QueryError, match="too green"):
        run(tmp_path, Service(refuse_one), retries=1)

    def mended(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        return as_function(SmallNet())(pictures)

    card = versioned_card(mended, uri="py:s.py:f?version=1", name="s.f", version="1")
    notes = Notes()
    run_small(
        tmp_path,
        FunctionPredictor(mended, card),
        attacks=ATTACKS,
        steps=0,
        batch_size=BATCH,
        reporter=notes,
    )
    assert_same_results(rows_of(tmp_path), undisturbed)
    assert (
        len([note for note in notes.said if "the code of py:s.py:f?version=1 has cha" in note]) == 1
    )


def test_another_version_does_not_go_on_in_the_same_folder(tmp_path: Path) -> None:
    service = Service()
    run(tmp_path, service)
    card = versioned_card(service, uri="py:s.py:f?version=2", name="s.f", version="2")
    with pytest.raises(RunError, match=r"version=1; asked for was py:s.py:f\?version=2\."):
        run_small(tmp_path, FunctionPredictor(service, card), attacks=ATTACKS, steps=0)


@pytest.mark.parametrize("budget", [2, 3, 7, 12, 20, 33])
def test_a_budget_becomes_rows_to_the_last_picture_and_the_same_command_goes_on(
    tmp_path: Path, undisturbed: pl.DataFrame, budget: int
) -> None:
    asked: list[bytes] = []
    for command in range(1, 100):
        service = Service()
        try:
            run(tmp_path, service, budget=budget)
        except QueryBudgetError as error:
            assert "\n" not in str(error)  # noqa: PT017 - what is raised differs by command
            assert error.left == 0  # noqa: PT017
            assert len(service.asked) == budget
            assert rows_of(tmp_path).height == command * (budget - GREY)
            asked += service.asked[GREY:]
        else:
            asked += service.asked[GREY:]
            break
    assert_same_results(rows_of(tmp_path), undisturbed)
    assert len(asked) == len(set(asked)) == CELLS * COUNT


@pytest.mark.parametrize(("budget", "eot"), [(1, 1), (2, 2), (3, 3)])
def test_a_budget_that_no_row_could_come_of_is_not_spent(
    tmp_path: Path, budget: int, eot: int
) -> None:
    service = Service()
    words = f"expected a budget of {eot + GREY} pictures at least, got {budget}, .*class_names"
    with pytest.raises(ModelError, match=words):
        run_small(tmp_path, model_of(service, budget=budget), steps=0, eot=eot, check=True)
    assert not service.asked
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("budget", [4, 5, 6, 9, 14])
def test_a_small_budget_becomes_rows_of_several_passes_too(
    tmp_path: Path, budget: int, check: bool
) -> None:
    there, eot = 0, 3
    while there < 2 * COUNT:
        service = Service()
        with suppress(QueryBudgetError):
            run_small(
                tmp_path,
                model_of(service, budget=budget),
                attacks=["wood"],
                steps=0,
                eot=eot,
                batch_size=BATCH,
                check=check,
            )
        before, there = there, rows_of(tmp_path).height
        assert there > before
        if not check:
            assert there - before == min((budget - GREY) // eot, 2 * COUNT - before)


def test_a_budget_that_just_reaches_is_no_error(tmp_path: Path, undisturbed: pl.DataFrame) -> None:
    rows = run(tmp_path, Service(), budget=GREY + CELLS * COUNT)
    assert_frame_equal(rows, undisturbed, check_exact=True)


def test_how_it_is_asked_changes_no_row(tmp_path: Path, undisturbed: pl.DataFrame) -> None:
    service = Service()
    rows = run(tmp_path, service, retries=3, timeout=60, rate=3.5, budget=1000)
    # The rate gives the function three pictures at a time.
    assert_same_results(rows, undisturbed)
    assert rows["cell"].equals(undisturbed["cell"])


def test_nan_rows_are_wrong_and_counted_and_spoil_no_other(
    tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    """Pitfall 13: non-finite answers count as wrong."""

    def spoil(call: int, _: object, probabilities: NDArray[np.floating]) -> NDArray[np.floating]:
        if call % 2 == 0:
            probabilities[0, 1] = np.nan
        return probabilities

    rows = run(tmp_path, Service(after=spoil))
    spoiled = rows.filter(pl.col("status") == "nonfinite")
    assert 0 < spoiled.height < rows.height
    assert not spoiled["correct"].any()
    keys = ["cell", "example_id"]
    columns = [*keys, "prediction", "confidence", "correct", "correct_8bit"]
    rest = rows.join(spoiled, on=keys, how="anti").select(columns).sort(keys)
    same = undisturbed.join(spoiled, on=keys, how="anti").select(columns).sort(keys)
    assert_frame_equal(rest, same, check_exact=True)


@pytest.mark.parametrize(
    "kind",
    [
        lambda rows: rows.astype(np.float64),
        lambda rows: rows.astype(np.float32),
        lambda rows: rows.tolist(),
    ],
    ids=["float64", "float32", "lists"],
)
def test_answers_of_every_kind_are_the_same_rows(
    tmp_path: Path, undisturbed: pl.DataFrame, kind: Callable[[NDArray[np.floating]], object]
) -> None:
    rows = run(tmp_path, Service(after=lambda _call, _pictures, rows: kind(rows)))
    assert_frame_equal(rows, undisturbed, check_exact=True)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (lambda rows: np.concatenate([rows, rows], axis=1) / 2, "expected 4 classes, .* got 8"),
        (lambda rows: 1.1 * rows, "each row adding up to 1"),
        (lambda rows: rows[:-1], r"expected probabilities of shape \(4, classes\)"),
    ],
    ids=["other classes", "sums", "a row less"],
)
def test_a_malformed_answer_in_the_middle_ends_the_run_in_one_line_and_keeps_rows(
    tmp_path: Path,
    undisturbed: pl.DataFrame,
    after: Callable[[NDArray[np.floating]], object],
    words: str,
) -> None:
    def spoil(call: int, _: object, rows: NDArray[np.floating]) -> object:
        return after(rows) if call == 3 else rows

    service = Service(after=spoil)
    with pytest.raises(ModelError, match=words) as caught:
        run(tmp_path, service, retries=5)
    assert "\n" not in str(caught.value)
    assert service.calls == 3
    assert rows_of(tmp_path).height == BATCH
    assert_same_results(run(tmp_path, Service()), undisturbed)


def test_class_names_save_the_question_how_many_there_are(tmp_path: Path) -> None:
    service = Service()
    service.class_names = ["a", "b", "c", "d"]  # type: ignore[attr-defined]  # as users do
    run(tmp_path, service)
    assert len(service.asked) == CELLS * COUNT


def test_from_python_a_black_box_keeps_its_budget_over_several_evaluations(tmp_path: Path) -> None:
    model = black_box(Service(), version="1", budget=GREY + 2 * COUNT)

    def go_on() -> None:
        evaluate(
            model,
            labelled_dataset(),
            small_benchmark(),
            attacks=ATTACKS,
            steps=0,
            out=tmp_path,
        )

    with pytest.raises(QueryBudgetError, match="every finished row is on disk"):
        go_on()
    assert model.queries == GREY + 2 * COUNT
    with pytest.raises(QueryBudgetError):
        go_on()
    assert model.queries == GREY + 2 * COUNT


def test_what_the_check_asks_becomes_rows_and_only_randomness_is_asked_again(
    tmp_path: Path, undisturbed: pl.DataFrame
) -> None:
    service = Service()
    model = model_of(service)
    run_small(tmp_path, model, attacks=ATTACKS, steps=0, batch_size=BATCH, check=True)
    assert_same_results(rows_of(tmp_path), undisturbed)
    again = len(service.asked) - len(set(service.asked))
    at_zero = len(set(service.asked)) - GREY - CELLS * COUNT
    # Four pictures a second time, and four of each attack that paints with nothing to paint.
    assert again == 4
    assert 0 <= at_zero <= 4 * len(ATTACKS)
    run_small(tmp_path, model_of(service), attacks=ATTACKS, steps=0, check=True)
    assert len(service.asked) == GREY + len(set(service.asked)) + again


@pytest.mark.parametrize("budget", [2, 6, 10, 25])
def test_a_check_leaves_most_of_a_budget_to_rows_and_is_made_once(
    tmp_path: Path, undisturbed: pl.DataFrame, budget: int
) -> None:
    there, commands = 0, 0
    while there < CELLS * COUNT:
        try:
            run_small(
                tmp_path,
                model_of(Service(), budget=budget),
                attacks=ATTACKS,
                steps=0,
                batch_size=BATCH,
                check=True,
            )
        except QueryBudgetError:
            commands += 1
        before, there = there, rows_of(tmp_path).height
        assert there > before
        if commands > 1:
            assert there - before == min(budget - GREY, CELLS * COUNT - before)
    assert_same_results(rows_of(tmp_path), undisturbed)
    assert load_results(tmp_path).summary.check is not None


def test_a_check_whose_share_of_a_budget_is_too_small_says_what_it_left_out_and_is_not_begun_again(
    tmp_path: Path,
) -> None:
    """Where the accuracy is suspicious, the check looks for the cause, which costs more."""

    def other_order(_: int, __: object, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.roll(rows, 1, axis=1)

    count, budget = 40, 140
    heights, cut_short = [], []
    for _ in range(2):
        notes = Notes()
        with suppress(QueryBudgetError):  # levels share pictures of Wood, so the second may do
            run_small(
                tmp_path,
                model_of(Service(after=other_order), budget=budget),
                data=small_dataset(count, model=SmallNet()),
                attacks=ATTACKS,
                levels=("low", "medium", "high"),
                steps=0,
                batch_size=BATCH,
                check=True,
                reporter=notes,
            )
        cut_short.append(
            "not looked at, because a quarter of the budget is for the check: normalisation."
            in notes.said
        )
        heights.append(rows_of(tmp_path).height)
    assert cut_short == [True, True], "what was found stands in the record"
    # What the check asked for itself: four pictures again, and nothing at δ = 0.
    assert heights[0] >= budget - GREY - 4, "every answer about a clean picture is a row"
    # Then four pictures as they are, and under two attacks at δ = 0.
    assert heights[1] >= heights[0] + budget - GREY - 12, "the rest of the second became rows"
