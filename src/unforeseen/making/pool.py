"""Who makes batches: this process, or several of their own that end when this one does."""

__all__ = ["Makers", "working"]

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.synchronize import Event
from typing import Protocol

import torch

from unforeseen.errors import RunError, UserError
from unforeseen.making.batch import Batch, Making, make_batch

#: Batches that wait, so that nobody who makes them does.
_WAITING = 1


class Makers(Protocol):
    """Makes batches, some at a time."""

    def make(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Takes batches as it can begin with them; yields those that are finished, in any order."""


@contextmanager
def working(making: Making, workers: int) -> Iterator[Makers]:
    """Opens makers, and sees to it that nothing goes on when the block is left.

    Args:
        making: What is the same for all batches.
        workers: Processes; below 2 this one makes all.
    """
    if workers < 2:
        threads = torch.get_num_threads()
        # More than one may add numbers up in another order.
        torch.set_num_threads(1)
        try:
            yield _Here(making)
        finally:
            torch.set_num_threads(threads)
        return
    context = multiprocessing.get_context("spawn")
    stopped = context.Event()
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_begin, initargs=(making, stopped)
    )
    try:
        yield _Processes(pool, workers)
    except BrokenProcessPool as error:
        raise RunError(
            "a worker process was ended from outside, probably for want of memory. Give fewer "
            "--workers; the same command goes on where it stopped."
        ) from error
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


class _Here:
    """Makes batches one by one."""

    def __init__(self, making: Making) -> None:
        self._making = making

    def make(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        for batch in batches:
            make_batch(self._making, batch, lambda: False)
            yield batch


class _Processes:
    """Makes batches in other processes; takes no more than these can soon begin with."""

    def __init__(self, pool: ProcessPoolExecutor, workers: int) -> None:
        self._pool = pool
        self._most = workers + _WAITING

    def make(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        under_way: dict[Future[None], Batch] = {}
        for batch in batches:
            with _born_deaf_to_ctrl_c():
                begun = self._pool.submit(_make, batch)
            under_way[begun] = batch
            if len(under_way) >= self._most:
                yield from _finished(under_way)
        while under_way:
            yield from _finished(under_way)


@contextmanager
def _born_deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that begin inside don't get Ctrl-C, which reaches all processes of a terminal.

    Until they could ignore it themselves, it would end them in the middle of their imports. Here it
    waits until the block is left; on Windows one that falls into these moments is lost.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 – what is asked for here is only there

        # Who begins a process hands on that it ignores Ctrl-C.
        set_handler = ctypes.windll.kernel32.SetConsoleCtrlHandler
        set_handler(None, True)
        try:
            yield
        finally:
            set_handler(None, False)
    else:
        # A mask is handed on too.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _finished(under_way: dict[Future[None], Batch]) -> list[Batch]:
    """Waits for the next; takes what is finished out."""
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in done:
        future.result()
    return [under_way.pop(future) for future in done]


class _Worker:
    """What a worker process keeps from its beginning to its end."""

    making: Making
    stopped: Callable[[], bool]


def _begin(making: Making, stopped: Event) -> None:
    """Begins a worker process."""
    # Ctrl-C reaches all processes of a terminal; the first one tells the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)
    _Worker.making = making
    _Worker.stopped = stopped.is_set
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when the one that began it is gone, be it killed.

    It would wait for ever, or write while another run writes the same files.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _make(batch: Batch) -> None:
    try:
        make_batch(_Worker.making, batch, _Worker.stopped)
    except UserError as error:
        # Some kinds can't be sent to another process.
        raise RunError(str(error)) from None
