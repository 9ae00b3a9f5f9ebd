"""What polars raises where a file is damaged, or isn't what its name says."""

__all__ = ["UNREADABLE"]

from polars.exceptions import PanicException, PolarsError

#: On some damaged files polars panics, which is no Exception.
UNREADABLE: tuple[type[BaseException], ...] = (
    OSError,
    PolarsError,
    PanicException,
    ValueError,
)
