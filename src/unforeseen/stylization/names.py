"""What styles are called, and in which order a network has them: paintings first."""

__all__ = ["STYLE_KINDS", "StyleKind", "StyleNames"]

from dataclasses import dataclass
from typing import Literal, get_args

from unforeseen.errors import UnknownNameError

StyleKind = Literal["painting", "texture"]
STYLE_KINDS: tuple[StyleKind, ...] = get_args(StyleKind)


@dataclass(frozen=True, kw_only=True)
class StyleNames:
    """The styles of a network, in the order of its rows.

    Attributes:
        paintings: Names of the first rows.
        textures: Names of those after them.
    """

    paintings: tuple[str, ...] = ()
    textures: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.paintings) + len(self.textures)

    def of(self, kind: StyleKind) -> tuple[str, ...]:
        """The names of one kind."""
        return self.paintings if kind == "painting" else self.textures

    def row(self, kind: StyleKind, name: str) -> int:
        """Which row of the network a style has; raises UnknownNameError."""
        names = self.of(kind)
        if name not in names:
            raise UnknownNameError(kind, name, names)
        return names.index(name) + (len(self.paintings) if kind == "texture" else 0)
