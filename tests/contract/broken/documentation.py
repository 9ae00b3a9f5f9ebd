"""Attacks that break what must hold for documentation, one thing each."""

__all__ = ["DOCUMENTATION"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from torch import Tensor
from typing_extensions import override

from contract.broken.sound import Base, Cloud, Shift
from unforeseen.attacks import ExampleKey, StepRule, parameter
from unforeseen.transforms.base import AnyAttack


@dataclass(frozen=True, kw_only=True)
class _Untold(Base):
    step_rule: ClassVar[StepRule] = "sign"
    summary: ClassVar[str] = " two\nlines"


@dataclass(frozen=True, kw_only=True)
class _Undocumented(Base):
    """A parameter in silence."""

    step_rule: ClassVar[StepRule] = "sign"

    gain: float = field(default=1.0)


@dataclass(frozen=True, kw_only=True)
class _WithoutDocstring(Base):  # @dataclass writes one of the names and types of its fields
    step_rule: ClassVar[StepRule] = "sign"

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5)


@dataclass(frozen=True, kw_only=True)
class _Rendering(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def render(self, x: Tensor, latents: Shift, scene: Cloud) -> Tensor:
        return self.paint(x, latents, scene)


@dataclass(frozen=True, kw_only=True)
class _TakesUnknown(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        return cls(geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _TakesWords(Base):
    """Attributes:
    gain: What is multiplied with cloud and shift.
    """

    step_rule: ClassVar[StepRule] = "sign"

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5)

    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        words = {name: float(value) for name, value in parameters.items() if name == "gain"}
        return super().from_parameters({**parameters, **words}, geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _Unbounded(Base):
    """Attributes:
    gain: What is multiplied with cloud and shift.
    """

    step_rule: ClassVar[StepRule] = "sign"

    gain: float = parameter(1.0, "what is multiplied with cloud and shift", minimum=0.5)

    @override
    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any], *, geometry: Any) -> Any:
        clipped = {
            name: max(value, 0.5) if type(value) is float else value
            for name, value in parameters.items()
        }
        return super().from_parameters(clipped, geometry=geometry)


@dataclass(frozen=True, kw_only=True)
class _NoVersion(Base):
    step_rule: ClassVar[StepRule] = "sign"
    version: ClassVar[int] = 0


@dataclass(frozen=True, kw_only=True)
class _Beginning(Base):
    step_rule: ClassVar[StepRule] = "sign"

    @override
    def begin(self, x: Tensor, scene: Cloud, radius: Tensor, keys: Sequence[ExampleKey]) -> Shift:
        return self.project(self.start(x, scene, radius, keys), radius)


@dataclass(frozen=True, kw_only=True)
class _Parent(Base):
    step_rule: ClassVar[StepRule] = "sign"


@dataclass(frozen=True, kw_only=True)
class _Child(_Parent):
    step_rule: ClassVar[StepRule] = "sign"


#: By the check that finds each, and no other does.
DOCUMENTATION: dict[str, tuple[type[AnyAttack], ...]] = {
    "texts": (_Untold, _NoVersion),
    "parameters": (_Undocumented, _WithoutDocstring),
    "final": (_Rendering, _Beginning, _Parent, _Child),
    "unknown-parameters": (_TakesUnknown,),
    "parameter-types": (_TakesWords,),
    "parameter-bounds": (_Unbounded,),
}
