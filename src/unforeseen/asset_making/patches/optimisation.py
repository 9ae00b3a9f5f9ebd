"""Optimising a patch against several networks at once, wherever it is laid (Brown et al. 2017)."""

__all__ = ["Optimisation"]

import math
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor

from unforeseen.asset_making.curve import Column
from unforeseen.asset_making.guarded_steps import GuardedSteps
from unforeseen.asset_making.patches.pictures import PicturePool
from unforeseen.asset_making.patches.placement import anywhere, in_corners
from unforeseen.asset_making.patches.pyramid import PatchPyramid
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.patches.targets import Target
from unforeseen.errors import ModelError
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.rng import Stream
from unforeseen.search.losses import cross_entropy


class Optimisation:
    """A patch that is being optimised. What is random in a step depends on seed and step alone.

    Args:
        classifiers: The networks; they count alike.
        pictures: To lay it on.
        recipe: How.
        target: What the patch is to lead to.
        device: Where the networks are.
    """

    def __init__(
        self,
        classifiers: Sequence[DifferentiableClassifier],
        pictures: PicturePool,
        recipe: PatchRecipe,
        target: Target,
        device: torch.device,
    ) -> None:
        self.recipe = recipe
        self.target = target
        self.steps = 0
        self._classifiers = classifiers
        self._pictures = pictures
        self.device = device
        start = Stream(recipe.seed, "make patches", "start")
        self._pyramid = PatchPyramid(recipe.size, start, device)
        self.guard = GuardedSteps(self._pyramid.layers, learning_rate=recipe.learning_rate)

    @property
    def patch(self) -> Tensor:
        """As it is now, (3, size, size) in [0, 1]."""
        return self._pyramid.patch().detach()

    @property
    def loss_column(self) -> Column:
        """What is made small, as the curve calls it."""
        if self.target.number is None:
            return Column("loss", axis="minus cross-entropy of the true class")
        return Column("loss", axis="lead of the strongest other class, in logits")

    def step(self) -> tuple[float]:
        """Does one step; returns the mean of the loss over pictures and networks before it, alone.

        One whose loss or gradient isn't finite changes nothing. Raises ModelError after many of them.
        """
        recipe = self.recipe
        pictures, labels = self._pictures.batch(self.steps, recipe.batch)
        laid = self._laid(pictures.to(self.device))
        loss = self._loss(laid, labels.to(laid.device))
        self.guard.step(loss)
        self.steps += 1
        return (float(loss.detach()),)

    def state(self) -> dict[str, Any]:
        """What it goes on from: tensors and numbers."""
        return {
            "steps": self.steps,
            "layers": [each.detach().cpu() for each in self._pyramid.layers],
            "guard": self.guard.state(),
        }

    def go_on_from(self, state: dict[str, Any]) -> None:
        """Takes a state back that was one of this optimisation's; raises many types for others."""
        self.steps = state["steps"]
        self._pyramid.set(state["layers"])
        self.guard.go_on_from(state["guard"])

    def _laid(self, pictures: Tensor) -> Tensor:
        """The patch on all of them, (B, 3, H, W): on the first ones anywhere, else in the corners."""
        recipe, patch, laid = self.recipe, self._pyramid.patch(), []
        first = len(pictures) - math.ceil(recipe.corners * len(pictures))
        for row, picture in enumerate(pictures):
            stream = Stream(recipe.seed, "make patches", "lay", self.steps, row)
            laid.append(
                anywhere(picture, patch, stream, recipe.placement)
                if row < first
                else in_corners(picture, patch, stream)
            )
        return torch.stack(laid)

    def _loss(self, laid: Tensor, labels: Tensor) -> Tensor:
        """Mean over networks and pictures, to be made small."""
        target = self.target.number
        losses = []
        with ExitStack() as stack:
            for classifier in self._classifiers:
                stack.enter_context(classifier.inference())
                logits = classifier.logits(laid)
                if not logits.requires_grad:
                    raise ModelError(
                        f"{classifier.card.uri}: expected gradients of its outputs by the pictures, got "
                        "none: it computes without them. Name it with --held-out-model, which needs none."
                    )
                if target is None:
                    losses.append(-cross_entropy(logits, labels).mean())
                else:
                    losses.append(_towards(logits, target).mean())
        return torch.stack(losses).mean()


def _towards(logits: Tensor, target: int) -> Tensor:
    """max_{i≠t} z_i − z_t, (B,): how far the strongest other class is ahead of the target, in logits.

    The cross-entropy of the target stops pushing where the patch has won, which patches do soon on their own
    networks; a difference of logits goes on (as −z_t alone does, of Zhao et al. 2021, *On Success and
    Simplicity: A Second Look at Transferable Targeted Attacks*). It is that of Carlini and Wagner (2017)
    without a bound: below zero, the target is named, whatever the truth is.
    """
    others = logits.index_fill(1, torch.tensor([target], device=logits.device), -torch.inf)
    return others.amax(dim=1) - logits[:, target]
