"""What changes how a run goes but not what comes out of a picture."""

__all__ = ["LARGEST_BATCH_ASKED", "RunSettings"]

from dataclasses import dataclass

#: Batches are padded, so that one beyond all reason would fill the memory with a single picture.
LARGEST_BATCH_ASKED = 65_536


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How a run is to go.

    Attributes:
        limit: How many pictures at most; None takes all.
        choice_seed: Seed of the limit's choice, so that runs of several seeds judge the same
            pictures; None takes that of the run that is continued, else the plan's seed.
        batch_size: Pictures that the model sees at once; None chooses by size and device.
        save_images: Whether to keep every judged picture as ``images/<cell>/<id>.png``, 8 bit.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again, and to keep batches full; see
            :func:`unforeseen.running.determinism.deterministic_algorithms`.
    """

    limit: int | None = None
    choice_seed: int | None = None
    batch_size: int | None = None
    save_images: bool = False
    check: bool = True
    deterministic: bool = False
