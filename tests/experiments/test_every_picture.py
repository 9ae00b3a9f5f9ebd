"""Only runs that attack every picture make pictures for other models."""

from dataclasses import replace

import pytest

from small import small_benchmark
from unforeseen.errors import UserError
from unforeseen.experiments.every_picture import expect_every_picture
from unforeseen.search.settings import SearchSettings, search_settings


@pytest.mark.parametrize(
    ("edition", "search", "said"),
    [
        ("strict", search_settings(), "edition strict ends where .* Give --edition published"),
        ("published", search_settings("apgd"), "search apgd ends where .* Give --search pgd"),
        ("published", search_settings("random", draws=3), "search random ends where"),
        ("published", search_settings("autoattack-lite"), "search autoattack-lite ends where"),
    ],
)
def test_a_source_that_stops_at_its_first_success_is_refused_with_what_to_use(
    edition: str, search: SearchSettings, said: str
) -> None:
    benchmark = small_benchmark()
    with pytest.raises(UserError, match=said) as caught:
        expect_every_picture(benchmark, benchmark.edition(edition), search)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "search",
    [
        search_settings(),
        search_settings("none"),
        search_settings("pgd", loss="margin", restarts=3),
        search_settings("pgd", loss="targeted_dlr"),
    ],
)
def test_a_source_that_attacks_every_picture_is_not_refused(search: SearchSettings) -> None:
    benchmark = small_benchmark()
    expect_every_picture(benchmark, benchmark.edition("published"), search)


def test_a_benchmark_without_such_an_edition_is_told_what_it_lacks() -> None:
    benchmark = small_benchmark()
    editions = {"strict": benchmark.editions["strict"]}
    benchmark = replace(benchmark, editions=editions, default_edition="strict")
    with pytest.raises(UserError, match="Use a benchmark with an edition in which judging is last"):
        expect_every_picture(benchmark, benchmark.edition(None), search_settings())
