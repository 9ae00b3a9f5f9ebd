"""The places of a batch: who sits where, and how far each has come."""

__all__ = ["Slots"]

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.batched import Batched
from unforeseen.constraints import Ball
from unforeseen.rng import ExampleKey
from unforeseen.search.examples import Outcome
from unforeseen.search.kept import Flags, Kept, Progress, Said
from unforeseen.transforms.base import Latents, Scene

#: What is counted per place. ``active``: somebody sits here; ``rounding``: the search is over and
#: the judged picture, rounded to 8 bits, is to be evaluated; ``done``: that has happened too.
#: ``limit``: updates of a start after which the search ends.
_COUNTERS = np.dtype(
    [
        ("active", np.bool_),
        ("rounding", np.bool_),
        ("done", np.bool_),
        ("limit", np.int64),
        ("updates", np.int64),
        ("total_updates", np.int64),
        ("gradient_evaluations", np.int64),
        ("seconds", np.float64),
    ]
)


@dataclass(frozen=True, kw_only=True)
class _Tensors(Batched):
    """What lives on the device; ``norm`` is the largest ‖δ‖/ε so far."""

    image: Tensor
    label: Tensor
    aims: Tensor
    radius: Tensor
    norm: Tensor
    zero_gradients: Tensor
    nonfinite_gradients: Tensor


class Slots:
    """B places, each with one example, or empty.

    Args:
        keys: The examples' random streams.
        image: (B, 3, H, W).
        label: (B,).
        radius: (B,).
        scene: The attack's.
        latents: The attack's, projected.
        state: What the search's movement remembers of each.
        aims: Wrong classes that targeted losses aim at, (B, K).
        balls: The constraint of each latent.
        limit: Updates of a start after which the search ends.
    """

    def __init__(
        self,
        *,
        keys: list[ExampleKey],
        image: Tensor,
        label: Tensor,
        radius: Tensor,
        scene: Scene,
        latents: Latents,
        state: Batched,
        aims: Tensor,
        balls: Mapping[str, Ball],
        limit: int,
    ) -> None:
        self.keys = keys
        self.scene = scene
        self.latents = latents
        self.state = state
        none_yet = torch.zeros_like(label)
        self._tensors = _Tensors(
            image=image,
            label=label,
            aims=aims,
            radius=radius,
            norm=torch.zeros_like(radius),
            zero_gradients=none_yet,
            nonfinite_gradients=none_yet,
        )
        self._kept = Kept(image)
        self._balls = balls
        self._counters = np.zeros(len(keys), dtype=_COUNTERS)
        self._counters["active"] = True
        self._counters["limit"] = limit
        self._measure(self.active)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def image(self) -> Tensor:
        """Unattacked pictures, (B, 3, H, W)."""
        return self._tensors.image

    @property
    def label(self) -> Tensor:
        """True classes, (B,)."""
        return self._tensors.label

    @property
    def aims(self) -> Tensor:
        """Wrong classes that targeted losses aim at, (B, K)."""
        return self._tensors.aims

    @property
    def radius(self) -> Tensor:
        """ε, (B,)."""
        return self._tensors.radius

    @property
    def updates(self) -> NDArray[np.int64]:
        """Updates since the present start, (B,)."""
        return self._counters["updates"]

    @property
    def at_end(self) -> Flags:
        """Where the search is going on and the last update of the present start has been made."""
        at_end: Flags = self.searching & (self.updates == self._counters["limit"])
        return at_end

    @property
    def kept_correct(self) -> Flags:
        """Whether the worst judged point so far is classified right (True before any)."""
        return self._kept.correct

    @property
    def active(self) -> Flags:
        """Where somebody sits."""
        return self._counters["active"]

    @property
    def searching(self) -> Flags:
        """Where the search is going on."""
        searching: Flags = self.active & ~self._counters["rounding"]
        return searching

    @property
    def free(self) -> NDArray[np.int64]:
        """Empty places."""
        return np.flatnonzero(~self.active)

    def fill(self, newcomers: "Slots") -> None:
        """Seats newcomers in empty places, of which there must be enough."""
        places = self.free[: len(newcomers)]
        index = self._index(places)
        self._tensors = self._tensors.put(index, newcomers._tensors)  # noqa: SLF001 - of its own kind
        self.scene = self.scene.put(index, newcomers.scene)
        self.latents = self.latents.put(index, newcomers.latents)
        self.state = self.state.put(index, newcomers.state)
        self._kept.put(places, newcomers._kept)  # noqa: SLF001 - of its own kind
        self._counters[places] = newcomers._counters  # noqa: SLF001 - of its own kind
        for place, key in zip(places, newcomers.keys, strict=True):
            self.keys[place] = key

    def fit(self, batch_size: int, *, shrink: bool = True) -> None:
        """Cuts or pads to B, B/2 or B/4 places, the smallest that seats everybody.

        Few shapes, and multiples of 4 like B, as between these the usual CPU kernels round alike:
        so an example's result depends neither on who else is left nor on when it came. Padding
        repeats somebody and is ignored. A B that isn't a multiple of 4 stays.

        Args:
            batch_size: B.
            shrink: Whether to go below B.
        """
        seated = np.flatnonzero(self.active)
        shapes = _shapes(batch_size) if shrink else (batch_size,)
        size = min(shape for shape in shapes if shape >= max(len(seated), 1))
        if size == len(self):
            return
        self._take(np.concatenate([seated, np.repeat(seated[:1], size - len(seated))]))
        self._counters["active"][len(seated) :] = False

    def ended(self, places: Flags) -> "Slots":
        """A copy of some places, each of whose searches ends where it is; it goes its own way."""
        ended = copy(self)
        ended._take(np.flatnonzero(places))  # noqa: SLF001 - of its own kind
        ended._counters["limit"] = ended.updates  # noqa: SLF001 - of its own kind
        return ended

    def as_evaluated(self, painted: Tensor, finished: Tensor, judged: Flags) -> Tensor:
        """Chooses what the classifier sees at each place.

        Args:
            painted: As the search differentiates them, (B, 3, H, W).
            finished: As they are judged, (B, 3, H, W).
            judged: Where ``finished`` counts, (B,). Where the search is over, the kept picture
                rounded to 8 bits does.
        """
        if judged.any():
            painted = torch.where(self._mask(judged), finished, painted)
        rounding = self._counters["rounding"]
        if rounding.any():
            painted = torch.where(self._mask(rounding), self._kept.rounded, painted)
        return painted

    def record(self, said: Said, *, judged: Flags) -> None:
        """Notes what the classifier said; keeps the worst judged point of each example."""
        rounding = self._counters["rounding"] & self.active
        progress = Progress(
            self.updates,
            self._counters["total_updates"],
            np.array([key.restart for key in self.keys]),
        )
        self._kept.record(
            said, progress, searching=self.searching, judged=judged, rounding=rounding
        )
        self._counters["done"] |= rounding

    def move(
        self, latents: Latents, moved: Flags, *, zero: Tensor, finite: Tensor, evaluations: int
    ) -> None:
        """Takes one update.

        Args:
            latents: After step and projection.
            moved: Whose update counts, (B,).
            zero: Whose gradient was exactly 0, (B,).
            finite: Whose gradient was finite, (B,).
            evaluations: Gradients that it took.
        """
        self.latents = latents
        counts = torch.from_numpy(moved).to(zero.device)
        self._tensors = replace(
            self._tensors,
            zero_gradients=self._tensors.zero_gradients + (zero & counts),
            nonfinite_gradients=self._tensors.nonfinite_gradients + (~finite & counts),
        )
        for name in ("updates", "total_updates"):
            self._counters[name] += moved
        self._counters["gradient_evaluations"] += evaluations * moved
        self._measure(moved)

    def begin_again(self, places: NDArray[np.int64]) -> list[ExampleKey]:
        """Counts a restart at each of ``places``; returns the keys of their new draws."""
        self._counters["updates"][places] = 0
        for place in places:
            self.keys[place] = replace(self.keys[place], restart=self.keys[place].restart + 1)
        return [self.keys[place] for place in places]

    def restart(self, places: NDArray[np.int64], latents: Latents, state: Batched) -> None:
        """Puts new first latents at ``places``, and what is remembered of them."""
        self.latents = self.latents.put(self._index(places), latents)
        self.state = self.state.put(self._index(places), state)
        restarted = np.zeros(len(self), dtype=np.bool_)
        restarted[places] = True
        self._measure(restarted)

    def finish(self, finished: Flags) -> None:
        """Ends the search where ``finished``; the rounded picture is evaluated next."""
        self._counters["rounding"] |= finished

    def charge(self, seconds: float) -> None:
        """Adds wall time to that of each example that is seated."""
        self._counters["seconds"][self.active] += seconds

    def collect(self, ends: Mapping[int, int]) -> Iterator[Outcome]:
        """Yields the outcomes of everybody who is done, and frees their places.

        Args:
            ends: Numbers of steps that are asked about, and after how many updates of a start a
                search of so many ends. An outcome is that of each which would have ended between
                the updates that were made and those that could have been.
        """
        done = np.flatnonzero(self.active & self._counters["done"])
        if not len(done):
            return
        tensors = self._tensors.select(self._index(done))
        norm, zero, nonfinite = (
            value.tolist()
            for value in (tensors.norm, tensors.zero_gradients, tensors.nonfinite_gradients)
        )
        for number, place in enumerate(done):
            counters = self._counters[place]
            updates = int(counters["total_updates"])
            first, *others = (
                steps
                for steps, end in ends.items()
                if counters["updates"] <= end <= counters["limit"]
            )
            outcome = self._kept.outcome(
                int(place),
                example_id=self.keys[place].example_id,
                search_steps=first,
                gradient_evaluations=int(counters["gradient_evaluations"]),
                norm=norm[number],
                zero_gradient_share=zero[number] / updates
                if counters["gradient_evaluations"]
                else None,
                nonfinite_gradients=nonfinite[number],
                seconds=float(counters["seconds"]),
            )
            yield outcome
            yield from (replace(outcome, search_steps=steps) for steps in others)
        self._counters["active"][done] = False

    def _take(self, places: NDArray[np.int64]) -> None:
        """Keeps those at ``places`` only, in that order; they may repeat. Copies stay as they are."""
        index = self._index(places)
        self._tensors = self._tensors.select(index)
        self.scene = self.scene.select(index)
        self.latents = self.latents.select(index)
        self.state = self.state.select(index)
        self._kept = self._kept.select(places)
        self._counters = self._counters[places]
        self.keys = [self.keys[place] for place in places]

    def _measure(self, places: Flags) -> None:
        """Notes how far out the latents lie, where they are to be evaluated."""
        norms = [
            ball.norm_of(getattr(self.latents, name)) / self.radius
            for name, ball in self._balls.items()
        ]
        before = self._tensors.norm
        largest = torch.stack([before, *norms]).amax(dim=0)
        counts = torch.from_numpy(places).to(before.device)
        self._tensors = replace(self._tensors, norm=torch.where(counts, largest, before))

    def _index(self, places: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(places).to(self.image.device)

    def _mask(self, flags: Flags) -> Tensor:
        return torch.from_numpy(flags).to(self.image.device)[:, None, None, None]


def _shapes(batch_size: int) -> tuple[int, ...]:
    """B, and halves and quarters of it rounded up to multiples of 4."""
    if batch_size % 4:
        return (batch_size,)
    return batch_size, *(4 * -(-batch_size // (4 * parts)) for parts in (2, 4))
