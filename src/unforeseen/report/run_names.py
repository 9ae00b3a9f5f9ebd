"""What runs are called in a table, and whether they can be compared there."""

__all__ = ["RunIdentity", "letters_for", "mixed_pictures", "run_names"]

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from string import ascii_uppercase
from typing import NamedTuple

from unforeseen.run_folder.summary import Summary


class RunIdentity(NamedTuple):
    """What can tell runs apart.

    Attributes:
        model: The model's URI.
        head: Name of its head, or None.
        data: The data's URI.
        settings: What else there is, in words, as many from every run.
        source_model: Whom the pictures were made against, where that is another model.
    """

    model: str
    head: str | None
    data: str
    settings: tuple[str, ...]
    source_model: str | None = None


def mixed_pictures(summaries: Sequence[Summary]) -> list[str]:
    """Says where runs of a table are not all of the same pictures; nothing where they are."""
    if len({each.pictures or (each.data, each.images) for each in summaries}) < 2:
        return []
    numbers = " and ".join(f"{each.images:,}" for each in summaries)
    return [f"not of the same pictures ({numbers}), so runs differ by more than their models"]


def run_names(runs: Sequence[RunIdentity]) -> list[str]:
    """What runs are called: the model, and as much as tells it from the others of a table."""
    several_data = len({each.data for each in runs}) > 1
    heads = Counter(model for model, _ in {(each.model, each.head) for each in runs})
    names = []
    for each in runs:
        head = f" with head {each.head}" if each.head else " without head"
        data = f" on {each.data}" if several_data else ""
        names.append(f"{each.model}{head if heads[each.model] > 1 else ''}{data}")
    alike: dict[tuple[str, str | None], list[int]] = {}
    for place, (name, each) in enumerate(zip(names, runs, strict=True)):
        alike.setdefault((name, each.source_model), []).append(place)
    for places in alike.values():
        settings = [runs[place].settings for place in places]
        kept = [len(set(of_all)) > 1 for of_all in zip(*settings, strict=True)]
        told = [", ".join(compress(each, kept)) for each in settings]
        for number, (place, differing) in enumerate(zip(places, told, strict=True), start=1):
            # Also runs that only other pictures, or nothing, tell apart.
            which = [f"run {number}"] if told.count(differing) > 1 else []
            names[place] = ", ".join([names[place], *filter(None, [differing]), *which])
    return names


def letters_for(names: Sequence[str]) -> Sequence[str]:
    """A, B, C … for names that leave a table no room; the names themselves where letters don't suffice."""
    return ascii_uppercase[: len(names)] if len(names) <= len(ascii_uppercase) else names
