"""What is kept of a pack: made once, within its limit."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from unforeseen.transforms.assets.kept import Kept


def making(made: list[str], thing: str) -> Callable[[], str]:
    """Makes a thing and notes that it did."""

    def make() -> str:
        made.append(thing)
        return thing

    return make


def test_a_thing_is_made_once() -> None:
    kept, made = Kept(limit=10), list[str]()
    assert [kept.get("key", making(made, "thing"), len) for _ in range(3)] == ["thing"] * 3
    assert made == ["thing"]


def test_what_was_not_needed_for_longest_goes_first_once_the_limit_is_passed() -> None:
    kept, made = Kept(limit=10), list[str]()
    for thing in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"):
        assert kept.get(thing, making(made, thing), len) == thing
    assert made == ["aaaa", "bbbb", "cccc", "bbbb"]


def test_what_exceeds_the_limit_by_itself_pushes_nothing_out() -> None:
    kept, made = Kept(limit=10), list[str]()
    for thing in ("small", "far too large", "small", "far too large"):
        kept.get(thing, making(made, thing), len)
    assert made == ["small", "far too large", "far too large"]


def test_threads_may_share_it() -> None:
    kept = Kept(limit=100)

    def ask(number: int) -> bool:
        thing = str(number % 7) * 20
        return kept.get(thing, lambda: thing, len) == thing

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(2000)))
