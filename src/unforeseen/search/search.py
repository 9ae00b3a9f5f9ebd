"""The one loop that serves every attack and every way of moving in its ball.

Examples are independent: each has its own radius, random streams, counters and place in the
batch. An example that is finished leaves, and the next one waiting takes its place, so a batch
stays full until nobody waits; then it shrinks to a half and a quarter.

A search of fewer steps is the beginning of this one, but for how it ends. So one trajectory also
tells what came of those: at each checkpoint a copy of the examples ends there, as theirs would.
"""

__all__ = ["Search"]

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from unforeseen.errors import ModelError
from unforeseen.judging import Judging
from unforeseen.models.classifier import Predictor
from unforeseen.rng import ExampleKey
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.expectation import Expected, expected
from unforeseen.search.kept import Flags, Said
from unforeseen.search.losses import (
    LOSSES,
    TARGETED,
    cross_entropy,
    other_classes,
    starts_for,
)
from unforeseen.search.movement import Movement, Point
from unforeseen.search.settings import LossName
from unforeseen.search.slots import Slots
from unforeseen.search.user_attacks import begun, blaming_attack, check_painted
from unforeseen.transforms.base import AnyAttack, DonorScene, Latents


@dataclass(frozen=True, kw_only=True)
class Search:
    """Looks for the worst point of an attack's balls.

    Attributes:
        steps: Updates per start; 0 judges the start itself.
        movement: How an update is made.
        judging: ``last``: the picture after all steps is judged; ``any``: an example is wrong as
            soon as any evaluated point fools the classifier, and is then finished.
        restarts: How many starts an example gets, until one fools the classifier; the worst
            picture is kept. Of a loss that aims at classes, no more than there are to aim at.
        seed: Seed of every random draw.
        loss: What is climbed; ``targeted_dlr`` aims at another wrong class at each start, and
            ``autoattack`` climbs cross-entropy at the first start and then does so too.
        eot: Forward passes that every evaluation takes the mean of, for classifiers that draw at
            random in theirs; see :func:`unforeseen.search.expectation.expected`.
    """

    steps: int
    movement: Movement[Any]
    judging: Judging
    restarts: int = 1
    seed: int = 0
    loss: LossName = "cross_entropy"
    eot: int = 1

    def attacks(self, *, correct: bool | None) -> bool:
        """Whether an example is attacked, by the verdict on it as it is.

        Where any visited point counts, one that is misclassified as it is isn't (equation 2).
        """
        return self.judging != "any" or bool(correct)

    @property
    def needs_gradient(self) -> bool:
        """Whether classifiers must be differentiable."""
        return self.steps > 0 and self.movement.needs_gradient

    @property
    def can_stop_at_checkpoints(self) -> bool:
        """Whether its trajectory begins with those of all searches that differ in fewer steps only."""
        return self.restarts == 1 and not self.movement.looks_ahead

    def run(
        self,
        attack: AnyAttack,
        classifier: Predictor,
        examples: Iterable[Example],
        *,
        batch_size: int,
        full_batches: bool = False,
        checkpoints: Collection[int] = (),
    ) -> Iterator[Outcome]:
        """Attacks examples; yields each one's outcome as soon as it is known, in no fixed order.

        With checkpoints it yields several outcomes of each example, the one of all steps last. All
        but ``seconds`` is what ``replace(search, steps=k)`` finds, of a classifier that draws nothing
        at random in its forward pass; these are the seconds until there.

        Args:
            attack: What makes the pictures.
            classifier: Whom to fool, inside its ``inference()``. It must be differentiable where
                the search :attr:`needs_gradient`.
            examples: Read as places become free.
            batch_size: B, how many pictures the classifier sees at once: B, then B/2 or B/4 when
                nobody waits any more.
            full_batches: Keep to B until the end, so that no rounding depends on who else is left.
            checkpoints: Numbers k of steps up to ``steps``, which itself changes nothing. Searches of
                k steps are asked about too, which takes no gradient more. Fewer than ``steps`` only of searches that
                :attr:`can_stop_at_checkpoints`.

        Raises:
            ModelError: The model fails, or has no gradient where one is needed.
        """
        asked = sorted({*checkpoints, self.steps})
        assert asked[0] >= 0
        assert asked[-1] == self.steps, f"checkpoints lie up to {self.steps}, got {asked}"
        assert len(asked) == 1 or self.can_stop_at_checkpoints, "a shorter search is another one"
        ends = {steps: self._judged_after(attack, steps) for steps in asked}
        waiting = iter(examples)
        slots = self._seat(attack, classifier, waiting, batch_size)
        if slots is not None:
            yield from self._carry_on(
                attack, classifier, slots, waiting, ends, batch_size, shrink=not full_batches
            )

    def _carry_on(
        self,
        attack: AnyAttack,
        classifier: Predictor,
        slots: Slots,
        waiting: Iterator[Example],
        ends: Mapping[int, int],
        batch_size: int,
        *,
        shrink: bool,
    ) -> Iterator[Outcome]:
        """Goes on until nobody is seated and nobody waits; ``ends`` as of :meth:`Slots.collect`."""
        while True:
            slots.fit(batch_size, shrink=shrink)
            began = time.perf_counter()
            with blaming_attack(type(attack)):
                ended = self._advance(attack, classifier, slots, ends.values())
            seconds = (time.perf_counter() - began) / max(slots.active.sum(), 1)
            slots.charge(seconds)
            if ended is not None:
                ended.charge(seconds)
                yield from self._carry_on(
                    attack, classifier, ended, iter(()), ends, batch_size, shrink=shrink
                )
            yield from slots.collect(ends)
            newcomers = self._seat(attack, classifier, waiting, len(slots.free))
            if newcomers is not None:
                slots.fill(newcomers)
            elif not slots.active.any():
                return

    def _climb(self, slots: Slots) -> Callable[[Tensor, Tensor], Tensor]:
        """What is climbed at the places, as they are now."""
        if self.loss == "cross_entropy":
            return cross_entropy
        starts = torch.tensor([key.restart for key in slots.keys], device=slots.label.device)
        targets = slots.label
        if self.loss in TARGETED:
            which = (starts - int(self.loss == "autoattack")).clamp(min=0)
            targets = slots.aims.gather(1, which[:, None])[:, 0]
        loss = LOSSES[self.loss]
        return lambda logits, labels: loss(logits, labels, targets, starts)

    def _aims(self, classifier: Predictor, image: Tensor, label: Tensor) -> Tensor:
        """Classes that each example's starts aim at, (B, up to 9); (B, 0) where they don't."""
        if self.loss not in TARGETED:
            return label.new_zeros(len(label), 0)
        with torch.no_grad():
            return other_classes(classifier.logits(image), label)

    def _judged_after(self, attack: AnyAttack, steps: int) -> int:
        """Updates that the last picture of a start has had."""
        return max(0, steps - attack.unseen_updates)

    def _seat(
        self, attack: AnyAttack, classifier: Predictor, waiting: Iterator[Example], room: int
    ) -> Slots | None:
        """Starts up to ``room`` of those who wait; None where nobody does or nothing is free."""
        examples = [example for _, example in zip(range(room), waiting, strict=False)]
        if not examples:
            return None
        keys = [
            ExampleKey(seed=self.seed, transform=attack.name, example_id=example.id)
            for example in examples
        ]
        device = classifier.device
        image = torch.stack([example.image for example in examples]).to(device)
        radius = image.new_tensor([example.radius for example in examples])
        label = torch.tensor([example.label for example in examples], device=device)
        with blaming_attack(type(attack), whole=True):
            scene = attack.draw_scene(image, keys)
            if attack.needs_donor and isinstance(scene, DonorScene):
                donors = [example.donor for example in examples if example.donor is not None]
                assert len(donors) == len(examples), f"{attack.name} needs donors"
                scene = replace(scene, donor=torch.stack(donors).to(image))
        latents = begun(attack, image, scene, radius, keys)
        return Slots(
            keys=keys,
            image=image,
            label=label,
            radius=radius,
            scene=scene,
            latents=latents,
            state=self.movement.begin(latents, radius),
            aims=self._aims(classifier, image, label),
            balls=attack.balls,
            limit=self._judged_after(attack, self.steps),
        )

    def _advance(
        self,
        attack: AnyAttack,
        classifier: Predictor,
        slots: Slots,
        ends: Collection[int],
    ) -> Slots | None:
        """Evaluates every place once; moves, restarts or finishes each.

        Returns:
            A copy, whose searches end, of those who move on from one of the ``ends``, in updates;
            None where nobody does.
        """
        searching, at_end = slots.searching, slots.at_end
        judged = searching if self.judging == "any" else at_end
        goes_on = bool((searching & ~at_end).any())
        wants_gradient = goes_on and self.movement.needs_gradient

        with torch.set_grad_enabled(wants_gradient):
            latents = slots.latents.map(lambda value: value.detach().requires_grad_(wants_gradient))
            with blaming_attack(type(attack), whole=True):
                scene = attack.redraw(slots.scene, slots.keys, slots.updates.tolist())
                painted = attack.paint(slots.image, latents, scene)
                final = attack.finish(painted)
                check_painted(attack, slots.image, painted, final, differentiable=wants_gradient)
            picture = slots.as_evaluated(painted, final, judged)
            said = expected(
                classifier, picture, slots.label, climb=self._climb(slots), passes=self.eot
            )
        told = Said.of(picture.detach(), said, slots.label)
        finished = at_end | (judged & ~told.correct)
        moving = searching & ~finished
        stopped = moving & np.isin(slots.updates, [*ends])
        ended = None
        if stopped.any() and self.judging == "last":
            # The search looks at another picture here than is judged, and with a gradient: the
            # copy evaluates its last one as a search does that ends here.
            ended = slots.ended(stopped)
        slots.record(told, judged=judged)
        if stopped.any() and self.judging == "any":
            ended = slots.ended(stopped)
            ended.finish(ended.active)
        if moving.any():
            self._update(attack, slots, latents, said, moving)
        self._end_or_restart(attack, slots, finished, classes=said.logits.shape[1])
        return ended

    def _update(
        self,
        attack: AnyAttack,
        slots: Slots,
        latents: Latents,
        said: Expected,
        moving: Flags,
    ) -> None:
        """Moves. Places that don't go on move too; nobody looks at them again."""
        tensors = latents.tensors()
        gradients: dict[str, Tensor] = {}
        zero = torch.zeros_like(slots.label, dtype=torch.bool)
        finite = ~zero
        if self.movement.needs_gradient:
            gradients = dict(
                zip(tensors, _gradients(said.objective, [*tensors.values()]), strict=True)
            )
            flat = torch.cat([gradient.flatten(1) for gradient in gradients.values()], dim=1)
            zero, finite = (flat == 0).all(dim=1), flat.isfinite().all(dim=1)
        point = Point(
            latents=latents.map(Tensor.detach),
            gradients={name: value.nan_to_num(nan=0.0) for name, value in gradients.items()},
            loss=said.climbed.detach(),
            radius=slots.radius,
            updates=slots.updates.tolist(),
            keys=slots.keys,
        )
        moved, slots.state = self.movement.move(
            attack, point, slots.state, steps=self._judged_after(attack, self.steps)
        )
        slots.move(
            moved,
            moving,
            zero=zero,
            finite=finite,
            evaluations=self.eot if gradients else 0,
        )

    def _end_or_restart(
        self, attack: AnyAttack, slots: Slots, finished: Flags, *, classes: int
    ) -> None:
        starts = np.array([key.restart + 1 for key in slots.keys])
        most = starts_for(self.loss, self.restarts, classes)
        again = finished & slots.kept_correct & (starts < most)
        slots.finish(finished & ~again)
        if again.any():
            places = np.flatnonzero(again)
            keys = slots.begin_again(places)
            index = torch.from_numpy(places).to(slots.image.device)
            scene = slots.scene.select(index)
            start = begun(attack, slots.image[index], scene, slots.radius[index], keys)
            slots.restart(places, start, self.movement.begin(start, slots.radius[index]))


def _gradients(objective: Tensor, tensors: list[Tensor]) -> list[Tensor]:
    """The objective's gradient with respect to each tensor.

    Raises:
        ModelError: It doesn't depend on them, though it may on parameters of the model.
    """
    found: tuple[Tensor | None, ...] = (None,)
    if objective.requires_grad:
        found = torch.autograd.grad(objective, tensors, allow_unused=True)
    gradients = [gradient for gradient in found if gradient is not None]
    if len(gradients) < len(tensors):
        raise ModelError(
            "expected logits with a gradient with respect to the picture, got none: the model "
            "detaches them or runs under torch.no_grad(). Take that out, or give steps=0 for "
            "attacks that aren't optimised."
        )
    return gradients
