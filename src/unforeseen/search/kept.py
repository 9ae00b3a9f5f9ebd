"""What the classifier said at each place of a batch: verdicts, and the worst judged point."""

__all__ = ["Flags", "Kept", "Progress", "Said"]

from typing import NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.search.examples import Outcome
from unforeseen.search.expectation import Expected

#: Yes or no for each place, (B,).
Flags = NDArray[np.bool_]

#: Per place. ``fooled``: some evaluated point was misclassified, the first after ``first_success``
#: updates in all (−1 where none was). ``correct_8bit``: of the kept picture, rounded. The others
#: are of the worst judged point.
_KEPT = np.dtype(
    [
        ("fooled", np.bool_),
        ("first_success", np.int64),
        ("correct_8bit", np.bool_),
        ("correct", np.bool_),
        ("finite", np.bool_),
        ("loss", np.float64),
        ("climbed", np.float64),
        ("updates", np.int64),
        ("restart", np.int64),
    ]
)


class Said(NamedTuple):
    """An answer about one picture at each place.

    Attributes:
        picture: (B, 3, H, W).
        logits: (B, classes), on the CPU.
        loss: Cross-entropy, (B,).
        climbed: What the search climbs, (B,).
        finite: Whether the logits are, (B,).
        correct: Whether they are finite and the true class has the largest, (B,).
    """

    picture: Tensor
    logits: Tensor
    loss: NDArray[np.float64]
    climbed: NDArray[np.float64]
    finite: Flags
    correct: Flags

    @classmethod
    def of(cls, picture: Tensor, answer: Expected, label: Tensor) -> Self:
        """Brings an answer to the CPU, in one transfer."""
        logits = answer.logits.detach()
        columns = (answer.loss.detach(), answer.climbed.detach(), label)
        host = torch.cat([logits, *(each[:, None].to(logits) for each in columns)], dim=1).cpu()
        logits, labels = host[:, :-3], host[:, -1]
        losses, climbed = (host[:, place].double().numpy() for place in (-3, -2))
        finite = logits.isfinite().all(dim=1).numpy()
        correct = (logits.argmax(dim=1) == labels).numpy() & finite
        return cls(picture, logits, losses, climbed, finite, correct)


class Progress(NamedTuple):
    """How far each place has come: updates since its present start, updates in all, restarts."""

    updates: NDArray[np.int64]
    total_updates: NDArray[np.int64]
    restart: NDArray[np.int64]


class Kept:
    """Verdicts, and the worst judged point of each place.

    Worst: wrong before right, then by what is climbed; NaN never wins a comparison.

    Args:
        image: Unattacked pictures, (B, 3, H, W); they count as kept until something is judged.
    """

    def __init__(self, image: Tensor) -> None:
        self._picture = image
        self._logits: Tensor | None = None
        self._values = np.zeros(len(image), dtype=_KEPT)
        self._values["first_success"] = -1
        self._values["correct"] = True
        self._values["climbed"] = -np.inf

    @property
    def correct(self) -> Flags:
        """Whether the worst judged point so far is classified right (True before any)."""
        return self._values["correct"]

    @property
    def rounded(self) -> Tensor:
        """The worst judged pictures in 8 bits, (B, 3, H, W)."""
        return (self._picture * 255).round() / 255

    def select(self, places: NDArray[np.int64]) -> "Kept":
        """A copy of those at ``places``, in that order; they may repeat."""
        index = torch.from_numpy(places)
        chosen = Kept(self._picture[index.to(self._picture.device)])
        if self._logits is not None:
            chosen._logits = self._logits[index]
        chosen._values = self._values[places]
        return chosen

    def put(self, places: NDArray[np.int64], newcomers: "Kept") -> None:
        """Puts newcomers, about whom nothing was said yet, at ``places``."""
        index = torch.from_numpy(places).to(self._picture.device)
        self._picture = self._picture.index_copy(0, index, newcomers._picture)  # noqa: SLF001 - of its own kind
        self._values[places] = newcomers._values  # noqa: SLF001 - of its own kind

    def record(
        self, said: Said, progress: Progress, *, searching: Flags, judged: Flags, rounding: Flags
    ) -> None:
        """Notes what the classifier said.

        Args:
            said: About the present pictures.
            progress: How far each place has come.
            searching: Where the search is going on.
            judged: Where the picture counts.
            rounding: Where it is the kept one in 8 bits.
        """
        values = self._values
        values["correct_8bit"][rounding] = said.correct[rounding]
        values["fooled"] |= searching & ~said.correct
        first = searching & ~said.correct & (values["first_success"] < 0)
        values["first_success"][first] = progress.total_updates[first]

        worse = (values["correct"] & ~said.correct) | (
            (values["correct"] == said.correct) & (said.climbed > values["climbed"])
        )
        keep = judged & worse
        if not keep.any():
            return
        values["correct"][keep] = said.correct[keep]
        values["finite"][keep] = said.finite[keep]
        values["loss"][keep] = said.loss[keep]
        values["climbed"][keep] = said.climbed[keep]
        values["updates"][keep] = progress.updates[keep]
        values["restart"][keep] = progress.restart[keep]
        mask = torch.from_numpy(keep)
        if self._logits is None:
            self._logits = torch.zeros_like(said.logits)
        self._logits[mask] = said.logits[mask]
        mask = mask.to(self._picture.device)[:, None, None, None]
        self._picture = torch.where(mask, said.picture, self._picture)

    def outcome(
        self,
        place: int,
        *,
        example_id: str,
        search_steps: int,
        gradient_evaluations: int,
        norm: float,
        zero_gradient_share: float | None,
        nonfinite_gradients: int,
        seconds: float,
    ) -> Outcome:
        """What came of the example at a place, where something was judged; what it cost is given."""
        assert self._logits is not None
        values = self._values[place]
        first_success = int(values["first_success"])
        return Outcome(
            id=example_id,
            search_steps=search_steps,
            # A copy: a part of the batch would keep all of it in memory.
            picture=self._picture[place].clone(),
            logits=self._logits[place].clone(),
            loss=float(values["loss"]),
            finite=bool(values["finite"]),
            correct=bool(values["correct"]),
            correct_any=not values["fooled"],
            correct_8bit=bool(values["correct_8bit"]),
            steps=int(values["updates"]),
            first_success_step=first_success if first_success >= 0 else None,
            gradient_evaluations=gradient_evaluations,
            norm=norm,
            zero_gradient_share=zero_gradient_share,
            nonfinite_gradients=nonfinite_gradients,
            restart=int(values["restart"]),
            seconds=seconds,
        )
