"""An edition of a benchmark: how attacks sample, and what of them counts."""

__all__ = ["Edition", "Geometry"]

from dataclasses import dataclass
from typing import Literal, Self

from unforeseen.files.table import Table
from unforeseen.judging import Judging

Geometry = Literal["published", "centred"]


@dataclass(frozen=True, kw_only=True)
class Edition:
    """How attacks sample and how their result is judged; nothing more.

    Attributes:
        name: As in ``--edition``.
        geometry: ``published``: the coordinates the paper's tables were made with; ``centred``:
            a correct sampler's.
        judging: ``last``: the last iterate counts; ``any``: no visited point may fool the model.
        gradient_batch: The constant N that gradients of L2 steps are divided by before they are
            normalised; None normalises each exactly.
    """

    name: str
    geometry: Geometry
    judging: Judging
    gradient_batch: int | None = None

    @classmethod
    def from_table(cls, name: str, table: Table) -> Self:
        """Checks one ``[editions.NAME]``; raises BenchmarkError."""
        table.expect(required=("geometry", "judging"), optional=("gradient_batch",))
        return cls(
            name=name,
            geometry=table.choice("geometry", ("published", "centred")),
            judging=table.choice("judging", ("last", "any")),
            gradient_batch=table.optional_integer("gradient_batch", minimum=1),
        )
