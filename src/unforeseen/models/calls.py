"""Calls a user's function as its policy says: again after a failure, in time, not too fast."""

__all__ = ["Clock", "PatientCaller", "PredictFunction"]

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from unforeseen.counted import counted
from unforeseen.errors import QueryBudgetError, QueryError, UserError, first_line, one_line
from unforeseen.models.call_policy import CallPolicy
from unforeseen.models.memory import is_out_of_memory

#: uint8 pictures (B, H, W, 3) → probabilities (B, classes).
PredictFunction = Callable[[NDArray[np.uint8]], NDArray[np.floating]]

#: The wait before the first further try, in seconds; it doubles with each, up to the longest.
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
#: How many failures are told one by one, and after how many seconds again one.
TOLD, SILENCE = 5, 600.0
#: Letters of what a service says of itself, which may be a whole web page in one line.
_LONGEST = 300
#: Seconds between two looks whether a call is over; Windows lets nothing interrupt a wait.
_GLANCE = 0.1


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Where time comes from; tests bring their own.

    Attributes:
        now: Seconds since any moment.
        sleep: Waits so many seconds.
        wait: Waits for an event, so many seconds at most; says whether it has happened.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    wait: Callable[[threading.Event, float], bool] = threading.Event.wait


class _Outcome(NamedTuple):
    """What became of a call in another thread."""

    answer: object = None
    error: BaseException | None = None


class PatientCaller:
    """A function under a call policy.

    Args:
        function: The user's.
        policy: How it may be called.
        uri: What messages call it.
        clock: Where time comes from.

    Attributes:
        queries: Pictures that the function was handed, those of repeated tries included.
        note: Told what happens meanwhile.
    """

    def __init__(
        self, function: PredictFunction, policy: CallPolicy, uri: str, clock: Clock | None = None
    ) -> None:
        self.policy = policy
        self.queries = 0
        self.note: Callable[[str], None] = lambda _: None
        self._function = function
        self._uri = uri
        self._clock = clock or Clock()
        self._free_at = self._clock.now()
        self._failures = 0
        self._told_at = self._free_at

    def afford(self, pictures: int) -> None:
        """Raises QueryBudgetError where the budget doesn't allow so many pictures more."""
        budget = self.policy.budget
        if budget is not None and self.queries + pictures > budget:
            raise QueryBudgetError(self._uri, budget=budget, left=budget - self.queries)

    def ask(self, pictures: NDArray[np.uint8]) -> object:
        """Calls the function until it answers; returns what it returned, whatever that is.

        Args:
            pictures: (n, H, W, 3), no more than the policy allows in one call.

        Raises:
            QueryError: No try was answered.
            QueryBudgetError: The budget ends before the next try.
            MemoryError: Or what else says that fewer pictures might fit into memory.
        """
        tries = 1 + self.policy.retries
        wait = FIRST_WAIT
        for number in range(1, tries + 1):
            self.afford(len(pictures))
            self._wait_for_rate(len(pictures))
            self.queries += len(pictures)
            try:
                # Each try its own: the function may write into what it gets, and a call that took
                # too long may be at it still.
                return self._call(pictures.copy())
            except (UserError, KeyboardInterrupt):
                raise
            # asyncio's CancelledError, groups of such, and SystemExit are no Exceptions.
            except BaseException as error:
                if isinstance(error, Exception) and is_out_of_memory(error):
                    raise
                if number == tries:
                    raise self._gave_up(pictures, error) from error
                self._tell(error, f"try {number + 1} of {tries} in {wait:g} s")
                self._clock.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError

    def _wait_for_rate(self, pictures: int) -> None:
        if self.policy.rate is None:
            return
        wait = self._free_at - self._clock.now()
        if wait > 0:
            self._clock.sleep(wait)
        self._free_at = max(self._free_at, self._clock.now()) + pictures / self.policy.rate

    def _call(self, pictures: NDArray[np.uint8]) -> object:
        if self.policy.timeout is None:
            with torch.no_grad():
                return self._function(pictures)
        return self._call_in_time(pictures, self.policy.timeout)

    def _call_in_time(self, pictures: NDArray[np.uint8], timeout: float) -> object:
        """Leaves a call that takes too long to itself: nothing can end a thread from outside."""
        outcomes: list[_Outcome] = []
        over = threading.Event()

        def call() -> None:
            try:
                with torch.no_grad():  # each thread has its own switch
                    outcomes.append(_Outcome(answer=self._function(pictures)))
            except BaseException as error:  # noqa: BLE001 - raised again where it can be seen
                outcomes.append(_Outcome(error=error))
            finally:
                over.set()

        threading.Thread(target=call, name="unforeseen call", daemon=True).start()
        ends = self._clock.now() + timeout
        while not self._clock.wait(over, min(_GLANCE, max(0.0, ends - self._clock.now()))):
            if self._clock.now() >= ends:
                raise TimeoutError(f"no answer within {timeout:g} s")
        (outcome,) = outcomes
        if outcome.error is not None:
            raise outcome.error
        return outcome.answer

    def _tell(self, error: BaseException, what_next: str) -> None:
        self._failures += 1
        now = self._clock.now()
        if self._failures > TOLD and now - self._told_at < SILENCE:
            return
        self._told_at = now
        rarely = ""
        if self._failures >= TOLD:
            rarely = (
                f" ({self._failures:,} failures so far; from here on one in {SILENCE / 60:g} "
                "minutes is told)"
            )
        self.note(f"{self._uri}: {_words(error)}; {what_next}{rarely}.")

    def _gave_up(self, pictures: NDArray[np.uint8], error: BaseException) -> QueryError:
        count, height, width, _ = pictures.shape
        tries = 1 + self.policy.retries
        how_often = f"{tries:,} tries" if tries > 1 else "1 try (the option retries asks again)"
        return QueryError(
            f"{self._uri}: no answer about {counted(count, 'picture')} of {width}×{height} "
            f"pixels in {how_often}: {_words(error)}. In a run, every finished row is on disk: "
            "mend it and run the same command again to go on."
        )


def _words(error: BaseException) -> str:
    """What an exception says, without the full stop that a sentence brings."""
    said = one_line(first_line(error), longest=_LONGEST).rstrip(".")
    return f"{type(error).__name__}: {said}"
