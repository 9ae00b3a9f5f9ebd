"""Drawing pictures of a data set until one is of use."""

__all__ = ["first_of_use"]

from collections.abc import Callable
from typing import TypeVar

from unforeseen.data.dataset import Dataset
from unforeseen.errors import DataError

_Drawn = TypeVar("_Drawn")

#: After so many in a row that are no use nothing more is expected of a data set.
_PATIENCE = 20


def first_of_use(dataset: Dataset, wanted: str, draw: Callable[[], _Drawn | str]) -> _Drawn:
    """Draws until something is of use.

    Args:
        dataset: Of which is drawn.
        wanted: What for, in messages.
        draw: Gives what was drawn, or why it is no use.

    Raises:
        DataError: Twenty in a row are no use.
    """
    reason = ""
    for _ in range(_PATIENCE):
        found = draw()
        if not isinstance(found, str):
            return found
        reason = found
    raise DataError(
        f"{dataset.card.uri}: expected {wanted}; {_PATIENCE} in a row are no use, the last because: {reason}."
    )
