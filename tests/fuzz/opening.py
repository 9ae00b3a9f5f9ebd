"""What a run does with data before it decodes a picture."""

__all__ = ["opened"]

from fuzzing import a_result_or_one_line
from unforeseen.data import load_data
from unforeseen.data.identity import identify


def opened(uri: str) -> None:
    """Opens data and names its pictures; fails on anything but data that fits, or one line."""
    with a_result_or_one_line():
        data = load_data(uri)
        assert len(data.labels) == len(data.keys) == data.card.images
        assert len(set(identify(data, range(len(data.labels))))) == len(data.labels)
