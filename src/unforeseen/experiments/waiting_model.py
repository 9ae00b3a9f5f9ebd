"""Models that are opened to see whether they fit, let go, and opened again when it is their turn."""

__all__ = ["WaitingModel"]

from collections.abc import Callable

from unforeseen.counted import counted
from unforeseen.errors import ModelError
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.running.compatibility import expect_versioned


class WaitingModel:
    """A model that an experiment comes to later, perhaps hours after it was looked at.

    A network is let go in between, as several may not fit into memory. A function is kept: it takes
    no room, and what it was asked already may have cost something.

    Args:
        opening: Opens it.
        fits: Sees whether it can be run; raises a UserError where it can't.
        note: Told what it was asked, where each question may cost something.
        keep: Whether a network is kept too.

    Attributes:
        card: What it was when it was looked at.

    Raises:
        UserError: It can't be opened, or doesn't fit.
    """

    def __init__(
        self,
        opening: Callable[[], Predictor],
        *,
        fits: Callable[[Predictor], object],
        note: Callable[[str], None],
        keep: bool = False,
    ) -> None:
        classifier = opening()
        expect_versioned(classifier)
        before = classifier.queries or 0
        fits(classifier)
        asked = (classifier.queries or 0) - before
        if asked:
            pictures = counted(asked, "picture")
            note(f"{classifier.card.uri}: asked about {pictures}, to see whether it fits.")
        self.card = classifier.card
        self._opening = opening
        keep = keep or not isinstance(classifier, DifferentiableClassifier)
        self._kept = classifier if keep else None

    def open(self) -> Predictor:
        """The model, which is still the one that was looked at.

        Raises:
            UserError: It can't be opened any more.
            ModelError: Another one has come in its place.
        """
        if self._kept is not None:
            return self._kept
        classifier = self._opening()
        if classifier.card.identity != self.card.identity:
            raise ModelError(
                f"{self.card.uri} has changed since this command began: it is another network, or "
                "has another head. Run the command again, with another --out where the folder holds "
                "results of the one before."
            )
        return classifier
