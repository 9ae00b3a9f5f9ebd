"""A line when torch begins to be imported, which takes seconds, on a busy machine many."""

__all__ = ["noticing_torch"]

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from typing_extensions import override


@contextmanager
def noticing_torch() -> Iterator[None]:
    """Writes a line to standard error if what runs inside imports torch; none if it is there already.

    Whatever is refused before torch is needed is so without it, and no command has to know which of
    its imports and data need torch.
    """
    if "torch" in sys.modules:
        yield
        return
    notice = _Notice()
    sys.meta_path.insert(0, notice)
    try:
        yield
    finally:
        notice.end()


class _Notice(MetaPathFinder):
    """Is asked first where modules are, and finds none."""

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Leaves the answer to others."""
        # Others only ask whether torch is there; parts of it are sought while it is imported.
        if fullname.startswith("torch."):
            self.end()
            sys.stderr.write("loading PyTorch …\n")
            sys.stderr.flush()
        return None

    def end(self) -> None:
        """May be called again."""
        with suppress(ValueError):
            sys.meta_path.remove(self)
