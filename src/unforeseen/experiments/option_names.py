"""What options are called in a transfer, where an ordinary run has one model and one head."""

__all__ = ["speaking_of"]

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from unforeseen.errors import UserError

_OF_A_RUN = re.compile(r"(?<![\w-])--(model|head)(?![\w-])")


@contextmanager
def speaking_of(role: Literal["source", "target"]) -> Iterator[None]:
    """Lets errors name ``--source`` or ``--target``, and its head, for a run's ``--model`` and ``--head``.

    Args:
        role: Whose model and head they are in the block.
    """
    names = {"model": f"--{role}", "head": f"--{role}-head"}
    try:
        yield
    except UserError as error:
        error.args = (_OF_A_RUN.sub(lambda found: names[found[1]], str(error)),)
        raise
