"""Training a network for its styles (Johnson et al. 2016; Dumoulin et al. 2017)."""

__all__ = ["Training"]

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from unforeseen.asset_making.guarded_steps import GuardedSteps
from unforeseen.asset_making.styles.losses import See, StyleLosses
from unforeseen.asset_making.styles.photos import TrainingPhotos
from unforeseen.asset_making.styles.recipe import Recipe
from unforeseen.rng import Stream
from unforeseen.stylization.network import StylizationNetwork

#: Photos whose features say what is usual.
_USUAL_PHOTOS = 16
#: A gradient that is longer is shortened to this.
_LONGEST_GRADIENT = 10.0


class Training:
    """A network in training. Everything random in a step depends on the seed and the step's number.

    Args:
        styles: (3, H, W) in [0, 1] each.
        photos: What it is trained on.
        see: The perceptual network.
        recipe: How.
        device: Where.
    """

    def __init__(
        self,
        styles: Sequence[Tensor],
        photos: TrainingPhotos,
        see: See,
        recipe: Recipe,
        device: torch.device,
    ) -> None:
        self.recipe = recipe
        self.photos = photos
        self.device = device
        self.steps = 0
        usual = photos.batch(-1, _USUAL_PHOTOS).to(device)
        self.losses = StyleLosses(see, [each.to(device) for each in styles], usual, recipe.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(recipe.seed % 2**64)  # it takes no larger one
            network = StylizationNetwork(len(styles))
        self.network = network.to(device).to(memory_format=torch.channels_last)
        self.averaged = copy.deepcopy(self.network).requires_grad_(requires_grad=False).eval()
        self.guard = GuardedSteps(
            self.network.parameters(),
            learning_rate=recipe.learning_rate,
            longest_gradient=_LONGEST_GRADIENT,
        )

    def step(self) -> tuple[float, ...]:
        """Does one step; returns its losses, the total and all that it is of, as means over its photos.

        One whose loss or gradient isn't finite changes nothing: normalisation of a channel that hardly
        varies can make a gradient overflow. Raises ModelError after many of them.
        """
        recipe = self.recipe
        photos = self.photos.batch(self.steps, recipe.batch).to(self.device)
        style = self._styles_of_step().to(self.device)
        draws = Stream(recipe.seed, "make styles", "losses", self.steps)
        made = self.network(photos, style)
        losses = self.losses.of(made, photos, style, turn=self.steps, draws=draws)
        self.steps += 1
        total = losses.total(recipe.weights)
        if self.guard.step(total):
            self._average()
        return tuple(float(each.detach()) for each in (total, *losses))

    def state(self) -> dict[str, Any]:
        """What it goes on from: tensors and numbers."""
        return {
            "steps": self.steps,
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "guard": self.guard.state(),
        }

    def go_on_from(self, state: dict[str, Any]) -> None:
        """Takes a state back that was one of this training's; raises many types for others."""
        self.steps = state["steps"]
        self.network.load_state_dict(state["network"])
        self.averaged.load_state_dict(state["averaged"])
        self.guard.go_on_from(state["guard"])

    def _styles_of_step(self) -> Tensor:
        """(B,): all styles in a random order, then all in another, and so on."""
        count, first = self.network.styles, self.steps * self.recipe.batch
        rounds: dict[int, list[int]] = {}
        rows = []
        for number in range(first, first + self.recipe.batch):
            turn, place = divmod(number, count)
            if turn not in rounds:
                draws = Stream(self.recipe.seed, "make styles", "order", turn).uniform(
                    0, 1, (count,)
                )
                rounds[turn] = draws.argsort(kind="stable").tolist()
            rows.append(rounds[turn][place])
        return torch.tensor(rows)

    @torch.no_grad()
    def _average(self) -> None:
        """Takes the weights into their running mean, which forgets its beginnings soon."""
        kept = min(self.recipe.averaging, self.steps / (self.steps + 10))
        averaged, now = self.averaged.parameters(), self.network.parameters()
        for mean, value in zip(averaged, now, strict=True):
            mean.lerp_(value, 1 - kept)
