"""One attack of a benchmark: which, how strong, with how many steps of what length."""

__all__ = ["ATTACK_NAME", "PYTHON", "AttackSetting", "Group", "Parameter"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

from unforeseen.benchmarks.levels import LEVELS, Level
from unforeseen.errors import shown
from unforeseen.files.table import Table
from unforeseen.python_files import PythonName

Group = Literal["core", "baseline", "extra", "optional"]
Parameter = int | float | str | bool

#: Not what rows call the unattacked picture, nor what stands for several attacks.
ATTACK_NAME = r"(?!(?:clean|core|all)$)[a-z][a-z0-9_]{0,39}"
#: How the name of a user-made attack begins.
PYTHON = "py:"


@dataclass(frozen=True, kw_only=True)
class AttackSetting:
    """One attack as a benchmark runs it.

    Attributes:
        name: What the benchmark calls it.
        attack: The attack's name in the table of attacks, usually the same; or ``py:WHERE:CLASS``,
            a class in the user's code.
        group: ``core`` attacks make up UA2; ``baseline`` and ``extra`` stand beside it; what is
            ``optional`` is run only where it is named.
        steps: Updates.
        step_size: Length of an update, in the unit of the attack's latents.
        radii: ε of each level, in the same unit.
        parameters: What else the attack is made with; checked where it is made.
        folder: Where the file lies that the user named, which code may be run for; None for a
            setting out of a run's record, which runs none.
    """

    name: str
    attack: str
    group: Group
    steps: int
    step_size: float
    radii: Mapping[Level, float]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    folder: Path | None = field(default=None, compare=False)

    @property
    def user_made(self) -> bool:
        """Whether it is a class in the user's code."""
        return self.attack.startswith(PYTHON)

    @classmethod
    def from_table(cls, name: str, table: Table, *, folder: Path | None = None) -> Self:
        """Checks one ``[attacks.NAME]``; raises BenchmarkError."""
        table.expect(
            required=("group", "steps", "step_size", "radii"), optional=("attack", "parameters")
        )
        radii = table.table("radii")
        radii.expect(required=LEVELS)
        return cls(
            name=name,
            attack=_attack(table) if "attack" in table else name,
            group=table.choice("group", ("core", "baseline", "extra", "optional")),
            steps=table.integer("steps", minimum=0),
            step_size=table.positive("step_size"),
            radii={level: radii.positive(level) for level in LEVELS},
            parameters=table.table("parameters").scalars() if "parameters" in table else {},
            folder=folder,
        )


def _attack(table: Table) -> str:
    if not str(table.content["attack"]).startswith(PYTHON):
        return table.text("attack", pattern=ATTACK_NAME)
    text = table.text("attack")
    if PythonName.parse(text.removeprefix(PYTHON)) is None:
        expected = "py:path/to/file.py:CLASS or py:package.module:CLASS"
        table.reject("attack", expected, shown(text, longest=60))
    return text
