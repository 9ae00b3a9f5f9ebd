"""What decides the weights that training ends with."""

__all__ = ["Recipe"]

from dataclasses import dataclass, field

from unforeseen.asset_making.styles.losses import LossWeights


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a network is trained. With the photos, the styles and the number of steps it decides all.

    The learning rate is the same in all steps, and the weights that count are a running mean of those
    of the last steps. So no step needs to know how many are to come: training goes on from where it
    stopped, also to a later end than was meant.

    Attributes:
        seed: Of the first weights and of every draw.
        side: Of the cuts of photos, in pixels.
        batch: Photos in a step, each in another style.
        learning_rate: Adam's.
        averaging: What the running mean of the weights keeps in a step.
        weights: Of the losses.
    """

    seed: int = 0
    side: int = 128
    batch: int = 4
    learning_rate: float = 2e-3
    averaging: float = 0.998
    weights: LossWeights = field(default_factory=LossWeights)
