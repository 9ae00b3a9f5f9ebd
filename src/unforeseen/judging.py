"""Which of a search's pictures counts. Imports no torch: benchmark files name it."""

__all__ = ["Judging"]

from typing import Literal

#: ``last``: the one after all updates; ``any``: a picture is wrong as soon as any visited point
#: is misclassified.
Judging = Literal["last", "any"]
