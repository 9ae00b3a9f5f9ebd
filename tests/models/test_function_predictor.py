"""Plain functions as classifiers."""

import functools
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from small import SmallNet, as_function, small_pictures
from unforeseen import black_box, perturb
from unforeseen.errors import ModelError, QueryBudgetError, UserError
from unforeseen.models import FunctionPredictor, ModelCard, as_classifier
from unforeseen.models.answer_memory import AnswerMemory
from unforeseen.models.call_policy import CallPolicy
from unforeseen.models.calls import Clock
from unforeseen.search.expectation import expected

CARD = ModelCard(uri="function:test", fingerprint="0")


class Asked:
    """SmallNet as a function; keeps what it was handed.

    Args:
        answers: What to return instead, call by call; the last for ever.
    """

    def __init__(self, *answers: object) -> None:
        self.calls: list[NDArray[np.uint8]] = []
        self._answers = answers
        self._predict = as_function(SmallNet())

    def __call__(self, pictures: NDArray[np.uint8]) -> Any:
        self.calls.append(pictures)
        if not self._answers:
            return self._predict(pictures)
        return self._answers[min(len(self.calls), len(self._answers)) - 1]

    @property
    def pictures(self) -> list[bytes]:
        return [picture.tobytes() for call in self.calls for picture in call]


class Odd:
    """What numpy makes an array of is another's code."""

    def __array__(self, *_: object, **__: object) -> Any:
        raise TypeError("neither here nor there")


def constant(row: Sequence[object]) -> FunctionPredictor:
    def predict(pictures: NDArray[np.uint8]) -> Any:
        return [row] * len(pictures)

    return FunctionPredictor(predict, CARD)


def batch(count: int, seed: int = 0) -> Tensor:
    return small_pictures(count, seed=seed).float()


def test_a_function_sees_rounded_bytes_with_channels_last() -> None:
    function = Asked([[0.5, 0.5]])
    x = torch.zeros(1, 3, 2, 4)
    x[0, 0, 1, 2] = 1.0
    x[0, 1, 1, 2] = 0.5  # 127.5, which rounds to the even 128
    x[0, 2, 1, 2] = 0.1 / 255
    FunctionPredictor(function, CARD).logits(x)
    (seen,) = function.calls
    assert seen.shape == (1, 2, 4, 3)
    assert seen.dtype == np.uint8
    assert seen.flags.c_contiguous
    assert seen[0, 1, 2].tolist() == [255, 128, 0]


def test_pixels_outside_0_and_1_are_the_nearest_byte_and_never_wrap() -> None:
    function = Asked([[0.5, 0.5]])
    x = torch.tensor([1.01, -0.01, 300.0, 1.0]).reshape(1, 1, 1, 4).expand(1, 3, 1, 4)
    FunctionPredictor(function, CARD).logits(x)
    assert function.calls[0][0, 0, :, 0].tolist() == [255, 0, 255, 255]


def test_softmax_of_a_functions_logits_gives_its_probabilities() -> None:
    probabilities = [0.7, 0.3, 0.0]
    logits = constant(probabilities).logits(torch.rand(2, 3, 4, 4))
    torch.testing.assert_close(logits.softmax(1), torch.tensor([probabilities] * 2))
    assert logits.isfinite().all()


def test_classes_are_counted_by_asking_and_double_precision_stays() -> None:
    assert constant([0.25] * 4).count_classes((9, 7)) == 4
    x = torch.rand(2, 3, 8, 8, dtype=torch.float64)
    assert constant([0.5, 0.5]).logits(x).dtype == torch.float64
    assert constant([0.5, 0.5]).logits(x.float()).dtype == torch.float32


@pytest.mark.parametrize(
    "make",
    [
        np.float64,
        np.float32,
        np.float16,
        np.uint8,
        np.int64,
        lambda rows: rows,
        torch.tensor,
        lambda rows: torch.tensor(rows, dtype=torch.bfloat16),
        lambda rows: torch.tensor(rows, dtype=torch.float32, requires_grad=True),
        lambda rows: [[Decimal(each) for each in row] for row in rows],
    ],
    ids=[
        "float64",
        "float32",
        "float16",
        "uint8",
        "int64",
        "lists",
        "tensor",
        "bfloat16 tensor",
        "tensor with gradients",
        "lists of Decimal",
    ],
)
def test_one_hot_answers_of_every_kind_are_understood(make: Any) -> None:
    answer = make([[0, 1, 0], [1, 0, 0]])
    logits = FunctionPredictor(Asked(answer), CARD).logits(batch(2))
    assert logits.argmax(dim=1).tolist() == [1, 0]
    assert logits.dtype == torch.float32


def test_a_row_that_is_not_finite_comes_through_and_spoils_no_other() -> None:
    rows = [[np.nan, 0.5], [0.4, 0.6], [-np.inf, 1.0], [np.inf, 0.0]]
    logits = FunctionPredictor(Asked(rows), CARD).logits(batch(4))
    assert logits.isfinite().all(dim=1).tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([[2.0, -1.0]] * 2, "softmax"),
        ([[3.0, 4.0]] * 2, "from 3 to 4 and sums from 7 to 7"),
        ([[0.9, 0.9]] * 2, "divide scores by their sum"),
        (np.array([[0, 0], [1, 0]], np.uint8), "sums from 0 to 1"),
        ([["a", "b"]] * 2, "real numbers"),
        ([[1.0]] * 2, r"at least 2 classes, got 1.*\(1 − p, p\)"),
        ([[0.5 + 1e-5, 0.5, -1e-5]] * 2, "softmax"),
        ([[0.5j, 0.5]] * 2, "real numbers; got complex128"),
        ([[object(), 0.5]] * 2, "real numbers; got object"),
        (
            [[Odd(), 0.5]] * 2,
            "got list, of which numpy can't make an array: neither here nor there",
        ),
        ([[0.5, 0.5]], r"shape \(2, classes\) for 2 pictures, got \(1, 2\)"),
        ([0.5, 0.5], r"got \(2,\)"),
        ([[0.5, 0.5], [1.0]], "rows of different lengths"),
        (None, "got NoneType"),
        ({"unsafe": 0.5}, "got dict"),
    ],
)
def test_other_things_than_probabilities_are_refused_at_once(answer: object, message: str) -> None:
    function = Asked(answer)
    with pytest.raises(ModelError, match=f"^function:test: expected .*{message}") as caught:
        FunctionPredictor(function, CARD, CallPolicy(retries=3)).logits(batch(2))
    assert "\n" not in str(caught.value)
    assert len(function.calls) == 1, "the user's mistake, which asking again doesn't mend"


def test_rounding_below_0_is_0() -> None:
    rounded = constant([1 + 1e-12, -1e-12]).logits(batch(1, seed=0).double())
    assert torch.equal(rounded, constant([1 + 1e-12, 0.0]).logits(batch(1, seed=0).double()))


def test_an_async_function_is_refused_and_python_has_nothing_to_add() -> None:
    async def predict(_: NDArray[np.uint8]) -> object:
        return [[0.5, 0.5]]

    with pytest.raises(ModelError, match=r"got a coroutine: the function is async.*asyncio\.run"):
        FunctionPredictor(predict, CARD).logits(batch(1))  # type: ignore[arg-type]  # the test


@pytest.mark.parametrize("known", [0, 1])
def test_passes_that_a_budget_does_not_reach_for_are_not_begun(known: int) -> None:
    model = FunctionPredictor(Asked(), CARD, CallPolicy(budget=4 + known))
    x = batch(2)
    if known:
        model.logits(x[:1])
    with pytest.raises(QueryBudgetError) as caught:
        model.afford(x, passes=3)
    assert (caught.value.left, model.queries) == (4, known)
    model.afford(x[[0, 0, 1]], passes=2)
    with pytest.raises(QueryBudgetError):
        expected(model, x, torch.zeros(2, dtype=torch.long), passes=3)
    assert model.queries == known


def test_another_number_of_classes_in_a_later_answer_is_an_error() -> None:
    model = FunctionPredictor(Asked([[0.5, 0.5]], [[0.5, 0.25, 0.25]]), CARD)
    model.logits(batch(1, seed=1))
    with pytest.raises(ModelError, match="expected 2 classes, as in its first answer; got 3"):
        model.logits(batch(1, seed=2))


def test_each_picture_is_asked_about_once_in_a_batch_and_afterwards() -> None:
    function, net = Asked(), SmallNet()
    model = as_classifier(function)
    x = batch(3)[[0, 1, 0, 2, 1, 0]]
    eight_bits = (x * 255).round() / 255
    assert torch.equal(model.logits(x), model.logits(x))
    # Pictures of the same 8 bits are the same picture.
    assert torch.equal(model.logits(eight_bits), model.logits(x))
    assert model.queries == len(function.pictures) == len(set(function.pictures)) == 3
    torch.testing.assert_close(
        model.logits(x).softmax(dim=1), net(eight_bits).softmax(dim=1), rtol=1e-4, atol=1e-6
    )


def test_pictures_of_the_same_bytes_and_another_shape_are_others() -> None:
    function = Asked([[0.5, 0.5]])
    model = FunctionPredictor(function, CARD)
    for shape in ((4, 6), (6, 4)):
        model.logits(torch.zeros(1, 3, *shape))
    assert model.queries == 2


def test_what_it_forgets_it_is_asked_again() -> None:
    model = FunctionPredictor(Asked([[0.9, 0.1]], [[0.2, 0.8]]), CARD)
    x = batch(1)
    assert torch.equal(model.logits(x), model.logits(x))
    model.forget()
    assert model.logits(x).argmax() == 1
    assert model.queries == 2


def test_several_passes_are_told_apart_and_each_is_remembered() -> None:
    model = as_classifier(Asked([[0.9, 0.1]], [[0.2, 0.8]]))
    for _ in range(2):
        for number, right in enumerate((0, 1)):
            assert model.logits(batch(1), pass_number=number).argmax() == right
    assert model.queries == 2


def test_a_batch_beyond_the_memory_is_still_answered() -> None:
    model = FunctionPredictor(as_function(SmallNet()), CARD, memory=AnswerMemory(limit=2 * 4 * 8))
    x = batch(5)
    eight_bits = (x * 255).round() / 255
    expected = SmallNet()(eight_bits).softmax(dim=1)
    for _ in range(2):
        torch.testing.assert_close(model.logits(x).softmax(dim=1), expected, rtol=1e-4, atol=1e-6)
    assert model.queries > 5


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_function_runs_without_gradients(timeout: float | None) -> None:
    model = black_box(as_function(SmallNet()), version="1", timeout=timeout)
    with torch.enable_grad():
        assert not model.logits(batch(2).requires_grad_()).requires_grad


def test_a_rate_limits_each_call_to_a_seconds_worth() -> None:
    function = Asked()
    clock = Clock(sleep=lambda _: None)
    slow = FunctionPredictor(function, CARD, CallPolicy(rate=3.0), clock=clock)
    x = batch(7)
    torch.testing.assert_close(slow.logits(x), FunctionPredictor(Asked(), CARD).logits(x))
    assert [len(call) for call in function.calls] == [3, 3, 1]
    assert CallPolicy(rate=5.9).largest_call == 5
    assert CallPolicy(rate=0.2).largest_call == 1


@pytest.mark.parametrize("rate", [None, 1e6, 2.0])
def test_a_budget_that_does_not_reach_for_a_batch_is_not_touched(rate: float | None) -> None:
    function = Asked()
    clock = Clock(sleep=lambda _: None)
    model = FunctionPredictor(function, CARD, CallPolicy(budget=5, rate=rate), clock=clock)
    model.logits(batch(3))
    with pytest.raises(QueryBudgetError, match="budget of 5 pictures is used up but for 2") as left:
        model.logits(batch(6, seed=1))
    assert left.value.left == 2
    assert model.queries == 3
    # What it has answered costs nothing.
    model.logits(batch(3))
    model.logits(batch(2, seed=1))
    with pytest.raises(QueryBudgetError, match=r"used up\. In a run"):
        model.logits(batch(1, seed=2))
    assert model.queries == len(function.pictures) == 5


def test_an_error_of_the_functions_own_from_this_package_passes() -> None:
    def predict(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        raise UserError(f"{len(pictures)} too many")

    with pytest.raises(UserError, match=r"^2 too many$"):
        FunctionPredictor(predict, CARD, CallPolicy(retries=2)).logits(batch(2))


def fingerprint(version: str = "1", **policy: Any) -> str:
    return black_box(as_function(SmallNet()), version=version, **policy).card.fingerprint


def test_a_black_box_is_its_name_and_version_however_it_is_asked() -> None:
    assert fingerprint() == fingerprint(retries=3, timeout=30, rate=5, budget=10_000)
    assert fingerprint() != fingerprint("2")
    assert fingerprint() != black_box(Asked(), version="1").card.fingerprint


def test_without_a_version_a_function_is_its_code() -> None:
    def one(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        return np.full((len(pictures), 2), 0.5)

    before = as_classifier(one).card
    one.__code__ = (lambda pictures: np.full((len(pictures), 3), 1 / 3)).__code__
    assert as_classifier(one).card.fingerprint != before.fingerprint
    assert before.code is None
    assert black_box(one, version="1").card.code == as_classifier(one).card.fingerprint


def test_a_function_may_say_its_class_names() -> None:
    def predict(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        return np.full((len(pictures), 3), 1 / 3)

    predict.class_names = ["allow", "review", "block"]  # type: ignore[attr-defined]  # as users do
    card = black_box(predict, version="1").card
    assert card.class_names == ("allow", "review", "block")
    assert card.classes == as_classifier(predict).card.classes == 3
    predict.class_names = ["allow", "block"]  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match="expected 2 classes, as its class_names say; got 3"):
        black_box(predict, version="1").logits(batch(1))
    for wrong in ("allow", [1, 2]):
        predict.class_names = wrong  # type: ignore[attr-defined]
        with pytest.raises(ModelError, match="class_names: expected a list of names"):
            as_classifier(predict)


def test_partial_functions_and_objects_have_a_name() -> None:
    partial = functools.partial(as_function(SmallNet()))
    assert black_box(partial, version="3").card.uri == "function:partial?version=3"
    assert black_box(Asked(), version="3").card.uri == "function:Asked?version=3"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": ""}, "version: expected a name"),
        ({"version": 3}, "version: expected a name .* got 3"),
        ({"function": SmallNet}, "expected a function of pictures"),
        ({"function": "service.py"}, "expected a function of pictures"),
        ({"retries": -1}, "retries: expected"),
    ],
)
def test_a_black_box_says_what_it_needs(changes: dict[str, Any], words: str) -> None:
    arguments: dict[str, Any] = {"function": as_function(SmallNet()), "version": "1"} | changes
    with pytest.raises(UserError, match=words):
        black_box(**arguments)


def test_an_attack_in_memory_asks_about_each_picture_once() -> None:
    """Eight-bit verdicts and edition strict look at pictures again; the service isn't asked."""
    function = Asked()
    x, y = batch(6), SmallNet()(batch(6)).argmax(dim=1)
    attacked = perturb(
        black_box(function, version="1"),
        *(x, y, "pgd"),
        radius=0.1,
        benchmark="cifar10-ua",
        edition="strict",
        steps=0,
        restarts=3,
        batch_size=4,
    )
    assert torch.equal(attacked.correct, attacked.correct_8bit)
    assert len(function.pictures) == len(set(function.pictures))
