"""The other picture that an attack takes from: one of another class, the same at any limit.

Every picture picks its own by rendezvous hashing (Thaler & Ravishankar 1998) among a pool, so that
nobody's pick depends on who else is attacked.
"""

__all__ = ["Donors", "order_of_picks"]

import functools
import hashlib
from collections.abc import Sequence

from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.data.selection import select
from unforeseen.errors import DataError
from unforeseen.preprocessing import Preprocessing

#: How many pictures of a data set may be picked, whatever its size.
POOL = 1000
#: Decoded pictures that are kept; one of 224 px takes 150 KB.
_KEPT = 256


def order_of_picks(seed: int, example_id: str, candidates: Sequence[str]) -> list[int]:
    """In which order a picture would pick: indices into ``candidates``.

    Args:
        seed: Any whole number; 0 is a seed.
        example_id: Whose pick.
        candidates: Names, which alone decide.
    """

    def weight(number: int) -> bytes:
        text = f"{seed}/{example_id}/{candidates[number]}"
        return hashlib.blake2b(text.encode(), digest_size=8).digest()

    return sorted(range(len(candidates)), key=weight)


class Donors:
    """Pictures of a data set that others take from.

    The pool is the front of the order that ``--limit`` takes the front of, so it is spread over
    the classes, and the same whatever the limit.

    Args:
        dataset: Where they lie.
        preprocessing: What happens to them first.
        seed: Decides the pool and the picks.
    """

    def __init__(self, dataset: Dataset, preprocessing: Preprocessing, seed: int) -> None:
        self._dataset = dataset
        self._preprocessing = preprocessing
        self._seed = seed
        self._pool = select(dataset, POOL, seed).tolist()
        self._labels = dataset.labels[self._pool].tolist()
        self._names = [f"{dataset.labels[index]}/{dataset.keys[index]}" for index in self._pool]
        self._read = functools.lru_cache(maxsize=_KEPT)(self._read_anew)

    def of(self, example_id: str, label: int) -> Picture:
        """The readable picture of another class that an example picks first.

        Raises:
            DataError: There is none.
        """
        for number in order_of_picks(self._seed, example_id, self._names):
            if self._labels[number] != label:
                donor = self._read(self._pool[number])
                if donor is not None:
                    return donor
        raise DataError(
            f"{self._dataset.card.uri}: expected a readable picture of another class than {label}, "
            "which some attacks mix in; found none. Leave such attacks out, or add pictures."
        )

    def _read_anew(self, index: int) -> Picture | None:
        (name,) = identify(self._dataset, [index])
        read = read_picture(self._dataset, index, name, self._preprocessing)
        return read if isinstance(read, Picture) else None
