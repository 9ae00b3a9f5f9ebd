"""Drawing pictures again, with replacement: B. Efron, Ann. Stat. 7 (1979) 1-26."""

__all__ = ["CONFIDENT", "RESAMPLES", "resampled_sums"]

import numpy as np
from numpy.typing import NDArray

from unforeseen.rng import Stream

RESAMPLES = 2000
#: Between these quantiles of the resampled figures lies the 95 % interval.
CONFIDENT = (0.025, 0.975)

_DRAWS_AT_ONCE = 2**20


def resampled_sums(scores: NDArray[np.int64], stream: Stream) -> NDArray[np.int64]:
    """Sums of scores over resamples, which are the same for every column.

    A column's sums depend on which scores there are and not on their order: they are sorted first,
    so that the interval is about what happened and not about the pictures' names.

    Args:
        scores: (pictures, columns), of at least one picture.
        stream: Where draws come from.

    Returns:
        (RESAMPLES, columns).
    """
    pictures, columns = scores.shape
    # As float64, which multiplies fast and holds whole numbers up to 2**53 exactly.
    ranked = np.sort(scores, axis=0).astype(np.float64)
    chunk = max(1, _DRAWS_AT_ONCE // pictures)
    sums = np.empty((RESAMPLES, columns), dtype=np.int64)
    for start in range(0, RESAMPLES, chunk):
        resamples = min(chunk, RESAMPLES - start)
        drawn = stream.integers(0, pictures - 1, (resamples, pictures))
        places = drawn + pictures * np.arange(resamples)[:, None]
        times = np.bincount(places.ravel(), minlength=resamples * pictures)
        sums[start : start + resamples] = times.reshape(resamples, pictures) @ ranked
    return sums
