"""Calls that fail, hang, come too fast or cost too much, on a clock that doesn't tick by itself."""

import _thread
import asyncio
import threading
from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from unforeseen.errors import QueryBudgetError, QueryError
from unforeseen.models.call_policy import LOWEST_RATE, CallPolicy
from unforeseen.models.calls import Clock, PatientCaller

PICTURES = np.zeros((4, 8, 6, 3), np.uint8)
ANSWER = np.full((4, 2), 0.5)


class Hands:
    """A clock's: they move when somebody sleeps, or waits for a call that hangs.

    Attributes:
        hangs: Set by a function that will not return; waiting for any other takes no time.
    """

    def __init__(self) -> None:
        self.time = 1000.0
        self.sleeps: list[float] = []
        self.hangs = threading.Event()

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.time += seconds
        self.hangs.clear()

    def wait(self, over: threading.Event, seconds: float) -> bool:
        while not over.wait(0.001):
            if self.hangs.is_set():
                self.time += seconds
                return False
        return True

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.time, sleep=self.sleep, wait=self.wait)


class Service:
    """Fails at some calls, numbered from 1; notes when each came."""

    def __init__(
        self, fails_at: Callable[[int], bool], hands: Hands, error: BaseException | None = None
    ) -> None:
        self.begun: list[float] = []
        self._fails_at = fails_at
        self._hands = hands
        self._error = error or ConnectionError("refused.\nsecond line")

    def __call__(self, pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        self.begun.append(self._hands.time)
        if self._fails_at(len(self.begun)):
            raise self._error
        return ANSWER[: len(pictures)]


def caller(service: Service, hands: Hands, policy: CallPolicy) -> PatientCaller:
    return PatientCaller(service, policy, "py:s.py:f", hands.clock)


def test_a_service_that_fails_on_every_third_call_answers_in_the_end() -> None:
    hands = Hands()
    service = Service(lambda call: call % 3 == 0, hands)
    patient = caller(service, hands, CallPolicy(retries=1))
    notes: list[str] = []
    patient.note = notes.append
    assert all(patient.ask(PICTURES) is not None for _ in range(6))
    assert len(service.begun) == 8
    assert hands.sleeps == [1.0, 1.0]
    assert notes == ["py:s.py:f: ConnectionError: refused; try 2 of 2 in 1 s."] * 2


def test_waits_double_up_to_a_minute() -> None:
    hands = Hands()
    patient = caller(Service(lambda _: True, hands), hands, CallPolicy(retries=8))
    with pytest.raises(QueryError):
        patient.ask(PICTURES)
    assert hands.sleeps == [1, 2, 4, 8, 16, 32, 60, 60]


@pytest.mark.parametrize("retries", [0, 2])
def test_after_the_last_try_one_line_says_what_it_said_and_what_to_do(retries: int) -> None:
    hands = Hands()
    service = Service(lambda _: True, hands)
    with pytest.raises(QueryError) as caught:
        caller(service, hands, CallPolicy(retries=retries)).ask(PICTURES)
    tries = "3 tries" if retries else "1 try (the option retries asks again)"
    assert str(caught.value) == (
        f"py:s.py:f: no answer about 4 pictures of 6×8 pixels in {tries}: ConnectionError: "
        "refused. In a run, every finished row is on disk: mend it and run the same command again "
        "to go on."
    )
    assert len(service.begun) == 1 + retries
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_a_service_that_fails_for_hours_does_not_flood_the_screen() -> None:
    hands = Hands()
    patient = caller(Service(lambda call: call % 2 == 1, hands), hands, CallPolicy(retries=1))
    notes: list[str] = []
    patient.note = notes.append
    for _ in range(100):
        patient.ask(PICTURES)
    assert len(notes) == 5
    assert notes[-1].endswith(
        "try 2 of 2 in 1 s (5 failures so far; from here on one in 10 minutes is told)."
    )


def test_a_service_that_is_down_for_a_day_is_waited_for_and_never_silent() -> None:
    """2 to the number of the try is beyond all numbers after 1,024 tries."""
    hands = Hands()
    patient = caller(Service(lambda call: call < 1_500, hands), hands, CallPolicy(retries=2_000))
    told: list[float] = []
    patient.note = lambda _: told.append(hands.time)
    assert patient.ask(PICTURES) is not None
    assert set(hands.sleeps[6:]) == {60.0}
    assert max(np.diff([*told, hands.time])) <= 600 + 60
    assert len(told) < 5 + hands.time / 600


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(3),
        asyncio.CancelledError(3),
        GeneratorExit(3),
        BaseExceptionGroup("3", [asyncio.CancelledError()]),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_whatever_a_function_raises_it_has_failed(
    error: BaseException, timeout: float | None
) -> None:
    hands = Hands()
    service = Service(lambda _: True, hands, error)
    with pytest.raises(QueryError, match=f"in 2 tries: {type(error).__name__}: 3"):
        caller(service, hands, CallPolicy(retries=1, timeout=timeout)).ask(PICTURES)
    assert len(service.begun) == 2


def test_an_error_that_cannot_say_what_it_is_is_told_by_its_type() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    hands = Hands()
    service = Service(lambda _: True, hands, MuteError())
    with pytest.raises(QueryError, match=r"in 1 try .*: MuteError: MuteError\. In a run"):
        caller(service, hands, CallPolicy()).ask(PICTURES)


def test_a_web_page_in_an_error_is_cut_where_it_is_told() -> None:
    hands = Hands()
    service = Service(lambda call: call == 1, hands, ConnectionError("<html>" + "x" * 5000))
    patient = caller(service, hands, CallPolicy(retries=1))
    notes: list[str] = []
    patient.note = notes.append
    patient.ask(PICTURES)
    assert len(notes[0]) < 400


@pytest.mark.parametrize("error", [MemoryError(), torch.cuda.OutOfMemoryError("CUDA")])
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_lack_of_memory_passes_so_that_the_runner_can_halve_the_batch(
    error: Exception, timeout: float | None
) -> None:
    hands = Hands()
    service = Service(lambda _: True, hands, error)
    with pytest.raises(type(error)):
        caller(service, hands, CallPolicy(retries=3, timeout=timeout)).ask(PICTURES)
    assert len(service.begun) == 1


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_ctrl_c_is_not_a_failure_to_be_tried_again(timeout: float | None) -> None:
    hands = Hands()
    service = Service(lambda _: True, hands, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        caller(service, hands, CallPolicy(retries=3, timeout=timeout)).ask(PICTURES)
    assert len(service.begun) == 1


def test_a_service_that_hangs_once_is_left_to_itself_and_asked_again() -> None:
    released, calls = threading.Event(), []

    def hangs_once(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        calls.append(threading.current_thread())
        if len(calls) == 1:
            hands.hangs.set()
            released.wait()
        return ANSWER[: len(pictures)]

    hands = Hands()
    policy = CallPolicy(retries=1, timeout=30)
    patient = PatientCaller(hangs_once, policy, "py:s.py:f", hands.clock)
    notes: list[str] = []
    patient.note = notes.append
    try:
        assert np.array_equal(np.asarray(patient.ask(PICTURES)), ANSWER)
    finally:
        released.set()
    calls[0].join(timeout=60)
    assert notes == ["py:s.py:f: TimeoutError: no answer within 30 s; try 2 of 2 in 1 s."]
    assert hands.time == pytest.approx(1000 + 30 + 1)
    assert patient.queries == 8
    # The program's end waits for no such thread.
    assert all(thread.daemon for thread in calls)


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_function_that_writes_into_its_pictures_gets_them_unspoilt_at_the_next_try(
    timeout: float | None,
) -> None:
    seen: list[int] = []

    def spoils(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        seen.append(int(pictures.max()))
        pictures += 5
        if len(seen) < 3:
            raise ConnectionError
        return ANSWER[: len(pictures)]

    policy = CallPolicy(retries=2, timeout=timeout)
    patient = PatientCaller(spoils, policy, "py:s.py:f", Hands().clock)
    pictures = PICTURES.copy()
    patient.ask(pictures)
    assert seen == [0, 0, 0]
    assert not pictures.any(), "nor are they anybody else's"


def test_ctrl_c_ends_the_wait_for_a_service_that_hangs() -> None:
    released = threading.Event()

    def hangs(pictures: NDArray[np.uint8]) -> NDArray[np.floating]:
        _thread.interrupt_main()
        released.wait()
        return ANSWER[: len(pictures)]

    patient = PatientCaller(hangs, CallPolicy(retries=9, timeout=3600), "py:s.py:f", Hands().clock)
    try:
        with pytest.raises(KeyboardInterrupt):
            patient.ask(PICTURES)
    finally:
        released.set()


@pytest.mark.parametrize("rate", [LOWEST_RATE, 0.5, 4.0, 7.0])
def test_no_stretch_of_time_sees_more_pictures_than_the_rate_and_one_call(rate: float) -> None:
    hands = Hands()
    service = Service(lambda _: False, hands)
    patient = caller(service, hands, CallPolicy(rate=rate))
    sizes = [1, 4, 2, 3, 4, 1, 1, 2] * 3
    for number, size in enumerate(sizes):
        hands.time += 0.3 * (number % 3)  # the rest of the program takes its time too
        patient.ask(PICTURES[:size])
    for first in range(len(sizes)):
        for last in range(first + 1, len(sizes)):
            asked = sum(sizes[first:last])  # the call that ends the stretch is its next one's
            assert asked <= rate * (service.begun[last] - service.begun[first]) + 1e-6
    assert hands.time - 1000 < sum(sizes) / rate + 8 * 3, "and it waits no longer than that"


def test_tries_count_against_rate_and_budget() -> None:
    hands = Hands()
    service = Service(lambda call: call < 3, hands)
    patient = caller(service, hands, CallPolicy(retries=5, rate=2.0, budget=11))
    with pytest.raises(QueryBudgetError) as caught:
        patient.ask(PICTURES)
    assert caught.value.left == 3
    assert patient.queries == 8
    assert np.diff(service.begun).tolist() == [2.0]


def test_an_idle_while_earns_no_burst() -> None:
    hands = Hands()
    service = Service(lambda _: False, hands)
    patient = caller(service, hands, CallPolicy(rate=4.0))
    patient.ask(PICTURES)
    hands.time += 100
    patient.ask(PICTURES)
    patient.ask(PICTURES)
    assert np.diff(service.begun).tolist() == [100.0, 1.0]
