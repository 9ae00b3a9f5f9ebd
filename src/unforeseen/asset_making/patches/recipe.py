"""What decides patches, besides what they lead to."""

__all__ = ["PatchRecipe"]

from dataclasses import dataclass, field

from unforeseen.asset_making.patches.placement import PlacementRanges
from unforeseen.preprocessing import Preprocessing


@dataclass(frozen=True, kw_only=True)
class PatchRecipe:
    """How patches are optimised. With networks, pictures and targets it decides them.

    The learning rate is the same in all steps, so that no step needs to know how many are to come.

    Attributes:
        size: Side of a patch in pixels.
        picture_size: Side of the pictures in pixels.
        seed: Of every draw.
        steps: How many.
        batch: Pictures in a step, which all networks see.
        corners: Share of the pictures of a step that get the patch as AdversarialPatches lays it, in
            all four corners, rounded up to whole pictures; the others get one, anywhere.
        learning_rate: Adam's.
        placement: Where the patch may lie on the others.
    """

    size: int = 64
    picture_size: int = 224
    seed: int = 0
    steps: int = 300
    batch: int = 4
    corners: float = 0.5
    learning_rate: float = 0.1
    placement: PlacementRanges = field(default_factory=PlacementRanges)

    @property
    def preprocessing(self) -> Preprocessing:
        """What is done to pictures first, as in the benchmark image-obfuscation."""
        return Preprocessing(resize=self.picture_size, crop=(self.picture_size, self.picture_size))
