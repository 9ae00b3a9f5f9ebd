"""Working ahead with threads."""

import threading
from collections.abc import Iterator

import pytest

from unforeseen.data.ahead import map_ahead


def data_threads() -> int:
    return sum(t.name.startswith("unforeseen-data") for t in threading.enumerate())


def test_results_come_in_the_order_of_the_items() -> None:
    gate = threading.Event()

    def first_waits_for_the_others(item: int) -> int:
        if item == 0:
            assert gate.wait(10)
        if item == 3:
            gate.set()
        return item * item

    results = map_ahead(first_waits_for_the_others, range(8), workers=2, ahead=4)
    assert list(results) == [item * item for item in range(8)]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_fewer_items_than_ahead_are_all_worked_on(count: int) -> None:
    assert list(map_ahead(str, range(count), workers=3, ahead=32)) == [
        str(item) for item in range(count)
    ]


def test_no_more_items_are_taken_than_asked() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            taken.append(item)
            yield item

    results = map_ahead(int, items(), workers=2, ahead=5)
    for done in range(1, 10):
        next(results)
        assert len(taken) == 5 + done
    results.close()


def test_threads_end_when_the_consumer_stops_early() -> None:
    results = map_ahead(int, range(1000), workers=3, ahead=8)
    next(results)
    assert data_threads() > 0
    results.close()
    assert data_threads() == 0


def test_an_error_comes_out_at_its_place_and_ends_the_threads() -> None:
    results = map_ahead(lambda item: 1 // (item - 2), range(9), workers=2, ahead=4)
    assert [next(results), next(results)] == [-1, -1]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert data_threads() == 0
