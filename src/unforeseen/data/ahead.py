"""Working ahead of a consumer with threads, in order and within bounded memory."""

__all__ = ["map_ahead"]

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_ahead(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int,
    ahead: int,
    begin: Callable[[], None] | None = None,
) -> Generator[Result, None, None]:
    """Yields ``function(item)`` in the order of ``items``.

    Threads start at the first ``next`` and end with the iterator: at its end, at an error, or
    when it is closed or forgotten early.

    Args:
        function: Called from threads. What it raises comes out at its place.
        items: Taken as they are needed.
        workers: Number of threads.
        ahead: How many results may be under way or waiting.
        begin: Called once in each thread, before anything else.
    """
    remaining = iter(items)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="unforeseen-data", initializer=begin)
    waiting: deque[Future[Result]] = deque()
    try:
        waiting.extend(pool.submit(function, item) for item in islice(remaining, ahead))
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(function, item) for item in islice(remaining, 1))
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
