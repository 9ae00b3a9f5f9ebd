"""What an attack must provide.

An attack is a differentiable picture-maker and nothing else (paper, section 4.1, equation 3):
``render(x, latents, scene)``. It never sees the model, the label, the loss or the search.
"""

__all__ = [
    "AnyAttack",
    "Attack",
    "DonorAttack",
    "DonorScene",
    "Geometry",
    "Latents",
    "LatentsT",
    "NoScene",
    "Scene",
    "SceneFreeAttack",
    "stack",
    "stack_named",
    "uniform_start",
]

import abc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, get_type_hints

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from unforeseen.batched import Batched
from unforeseen.benchmarks.attack_setting import Parameter
from unforeseen.benchmarks.edition import Geometry
from unforeseen.constraints import Ball, StepRule, shaped_like
from unforeseen.errors import UnknownNameError
from unforeseen.rng import ExampleKey, Purpose, Stream
from unforeseen.transforms.parameters import check_parameter


@dataclass(frozen=True, kw_only=True)
class Scene(Batched):
    """What is random but not optimised: where the flakes are, which colours. One per example.

    Attributes:
        of_the_picture: Whether it is computed from the picture instead of drawn.
    """

    of_the_picture: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class NoScene(Scene):
    """The scene of an attack that has none."""


@dataclass(frozen=True, kw_only=True)
class DonorScene(Scene):
    """The scene of an attack that takes from another picture.

    ``donor``: a picture of another class for each, (B, 3, H, W) in [0, 1].
    """

    of_the_picture: ClassVar[bool] = True

    donor: Tensor


@dataclass(frozen=True, kw_only=True)
class Latents(Batched):
    """What is optimised: δ in the paper. Floating-point tensors only."""


SceneT = TypeVar("SceneT", bound=Scene)
LatentsT = TypeVar("LatentsT", bound=Latents)


@dataclass(frozen=True, kw_only=True)
class Attack(abc.ABC, Generic[SceneT, LatentsT]):
    """One attack: its scene, its latents, where they may lie, and the picture they make.

    Subclasses are frozen dataclasses; their fields are the attack's parameters (numbers and
    literals, so that a benchmark file can set them) and become part of a result's identity.

    Attributes:
        name: Lower case; what the command line calls it.
        version: Raised whenever the same parameters give another picture, start or gradient, be it
            by rounding alone: steps by the gradient's sign make much of little.
        summary: What it looks like, one line.
        formula: The picture in words and symbols.
        source: Where it is described.
        needs_donor: Whether its scene is a :class:`DonorScene`, to be given a donor.
        geometry: ``centred`` samples so that δ = 0 leaves the picture where it is;
            ``published`` does what the paper's tables were made with.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    summary: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    needs_donor: ClassVar[bool] = False

    geometry: Geometry = "centred"

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Parameter], *, geometry: Geometry) -> Self:
        """Builds the attack from a benchmark's parameters.

        Args:
            parameters: By the names of the class's fields.
            geometry: Of the edition.

        Raises:
            BenchmarkError: No such parameter, or a value of the wrong type or out of its range.
        """
        known = {field.name: field for field in fields(cls) if field.name != "geometry"}
        types = get_type_hints(cls)
        for name, value in parameters.items():
            if name not in known:
                raise UnknownNameError(f"parameter of {cls.name}", name, known)
            check_parameter(f"{cls.name}.{name}", value, types[name], known[name].metadata)
        return cls(geometry=geometry, **parameters)

    @property
    @abc.abstractmethod
    def balls(self) -> Mapping[str, Ball]:
        """The constraint of each latent, by its name; all have the same radius ε."""

    @property
    @abc.abstractmethod
    def step_rule(self) -> StepRule:
        """How a gradient moves the latents."""

    @property
    def start_is_projected(self) -> bool:
        """Whether the start is moved into its ball; otherwise the first update does so."""
        return True

    @property
    def unseen_updates(self) -> int:
        """How many of the last updates come after the picture that is judged was made."""
        return 0

    @abc.abstractmethod
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> SceneT:
        """Draws what is random but not optimised.

        Args:
            x: Pictures (B, 3, H, W) in [0, 1].
            keys: What each example's draws depend on, B of them.
        """

    @abc.abstractmethod
    def start(
        self, x: Tensor, scene: SceneT, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> LatentsT:
        """Draws the first latents, as yet unprojected.

        Args:
            x: Pictures (B, 3, H, W) in [0, 1].
            scene: As drawn by :meth:`draw_scene`.
            radius: ε per example, (B,).
            keys: What each example's draws depend on, B of them.
        """

    def begin(
        self, x: Tensor, scene: SceneT, radius: Tensor, keys: Sequence[ExampleKey]
    ) -> LatentsT:
        """The first latents that a search evaluates; arguments as of :meth:`start`."""
        start = self.start(x, scene, radius, keys)
        return self.project(start, radius) if self.start_is_projected else start

    def project(self, latents: LatentsT, radius: Tensor) -> LatentsT:
        """Moves latents into their balls, of radius ε per example, (B,)."""
        tensors = latents.tensors()
        return latents.replace(
            {name: ball.project(tensors[name], radius) for name, ball in self.balls.items()}
        )

    @abc.abstractmethod
    def paint(self, x: Tensor, latents: LatentsT, scene: SceneT) -> Tensor:
        """The picture that the search differentiates, (B, 3, H, W)."""

    def finish(self, picture: Tensor) -> Tensor:
        """Turns a painted picture into the one that is judged; mostly there is nothing to do."""
        return picture

    def render(self, x: Tensor, latents: LatentsT, scene: SceneT) -> Tensor:
        """x_adv = A(x, δ): the judged picture, (B, 3, H, W) in [0, 1]."""
        return self.finish(self.paint(x, latents, scene))

    def redraw(
        self,
        scene: SceneT,
        keys: Sequence[ExampleKey],  # noqa: ARG002 - for the attacks that redraw
        updates: Sequence[int],  # noqa: ARG002 - likewise
    ) -> SceneT:
        """The scene at one evaluation: the same for all of them, but for published Gabor.

        Args:
            scene: As drawn by :meth:`draw_scene`.
            keys: What each example's draws depend on.
            updates: How many updates each example's latents have had.
        """
        return scene


class SceneFreeAttack(Attack[NoScene, LatentsT]):
    """An attack in which nothing is random but the start."""

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> NoScene:
        return NoScene()


class DonorAttack(Attack[DonorScene, LatentsT]):
    """An attack that takes from another picture, in which nothing else is random but the start."""

    needs_donor: ClassVar[bool] = True

    @override
    def draw_scene(self, x: Tensor, keys: Sequence[ExampleKey]) -> DonorScene:
        """Each picture is its own donor until whoever searches gives it another."""
        return DonorScene(donor=x)


#: For tables of attacks: what scene and latents are is each one's own business.
AnyAttack = Attack[Any, Any]


def stack(
    keys: Sequence[ExampleKey],
    draw: Callable[[Stream], NDArray[np.generic]],
    like: Tensor,
    *,
    purpose: Purpose = "start",
) -> Tensor:
    """Draws one array per example on the CPU and stacks them.

    Args:
        keys: What the draws depend on, B of them.
        draw: Takes an example's stream, returns an array of some shape S.
        like: Gives device and floating-point type; integers and booleans keep theirs.
        purpose: Which of an example's streams to open.

    Returns:
        (B, *S).
    """
    return stack_named(keys, lambda stream: {"": draw(stream)}, like, purpose=purpose)[""]


def stack_named(
    keys: Sequence[ExampleKey],
    draw: Callable[[Stream], dict[str, NDArray[np.generic]]],
    like: Tensor,
    *,
    purpose: Purpose,
) -> dict[str, Tensor]:
    """Draws several arrays per example from one stream; otherwise as :func:`stack`."""
    examples = [draw(key.stream(purpose)) for key in keys]
    tensors = {}
    for name in examples[0]:
        drawn = torch.from_numpy(np.stack([example[name] for example in examples]))
        dtype = like.dtype if drawn.is_floating_point() else drawn.dtype
        tensors[name] = drawn.to(like.device, dtype)
    return tensors


def uniform_start(
    keys: Sequence[ExampleKey],
    shape: tuple[int, ...],
    radius: Tensor,
    like: Tensor,
    *,
    low: Literal[0, -1] = 0,
) -> Tensor:
    """First latents drawn from U(0, ε), or from U(−ε, ε), per entry.

    Args:
        keys: What the draws depend on, B of them.
        shape: Of one example's latent, S.
        radius: ε per example, (B,).
        like: Gives device and floating-point type.
        low: Where the interval begins, in radii.

    Returns:
        (B, *S).
    """
    unit = stack(keys, lambda stream: stream.uniform(low, 1, shape), like)
    return unit * shaped_like(radius, unit)
